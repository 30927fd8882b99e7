"""What finished tasks and recorded runs took, as spreads of others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import PlanError
from engine.formats import loom
from engine.model import (
    DAY,
    Baseline,
    BaselineTask,
    Calendar,
    Clock,
    Plan,
    Progress,
    Split,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
    TaskRisk,
)
from engine.schedule.cpm import schedule
from engine.session.document import Document
from engine.session.experience import (
    FEWEST,
    Experience,
    TakeExperience,
    experience_of,
    experience_of_runs,
    read_experience,
    read_sample,
)
from engine.trace.recorded_run import RecordedRun
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

MORNING = MONDAY


def done(number: int, hours: int, took: int, family: str = "", **more: object) -> Task:
    """A task of so many hours that was finished after `took` working ones, up to four days of them."""
    days, rest = divmod(took, 8)
    finish = MORNING + days * DAY + (rest + (rest > 4)) * HOUR if rest else MORNING + (days - 1) * DAY + 9 * HOUR
    return Task(number, f"t{number}", hours * HOUR, family=family, progress=Progress(100, MORNING, finish), **more)  # type: ignore[arg-type]


def plan_of(*tasks: Task) -> Plan:
    return Plan("Last year", Clock.CALENDAR, MONDAY, tasks, (), Calendar.standard(), next_task_id=99).check()


def learned(plan: Plan) -> Experience:
    return experience_of(plan, schedule(plan))


def percents(*values: float) -> Spread:
    return Spread(SpreadKind.EMPIRICAL, values=values)


WELDED = tuple(done(number, 8, took, "weld") for number, took in enumerate((4, 8, 10, 12, 16), 1))


def test_that_finished_tasks_tell_their_family_and_all_others_how_much_of_the_plan_they_took() -> None:
    paint = done(6, 4, 6, "paint")
    open_ = Task(7, "open", 8 * HOUR, family="weld")
    found = learned(plan_of(*WELDED, paint, open_))
    assert found.families == (
        SpreadPreset("", percents(50, 100, 125, 150, 150, 200)),
        SpreadPreset("weld", percents(50, 100, 125, 150, 200)),
    )
    assert found.counts == (6, 5)


def test_that_a_baseline_says_what_was_planned_and_planned_pauses_are_none_of_the_work() -> None:
    plan = plan_of(*WELDED[:4], done(5, 8, 16, splits=(Split(4 * HOUR, 4 * HOUR),)))
    promised = (BaselineTask(1, MONDAY, MONDAY + DAY, 2 * HOUR),)
    later = (BaselineTask(1, MONDAY, MONDAY + DAY, 99 * HOUR),)
    plan = replace(plan, baselines=(Baseline(3, "later", later), Baseline(0, "first", promised)))
    assert learned(plan).families[0].spread == percents(100, 125, 150, 150, 200)


def test_that_a_task_that_is_off_or_holds_others_or_has_no_actual_start_tells_nothing() -> None:
    off = done(6, 8, 16, is_active=False)
    no_start = replace(done(7, 8, 16), progress=Progress(100, None, MONDAY + DAY))
    assert learned(plan_of(*WELDED, off, no_start)).counts[0] == len(WELDED)


def test_that_too_few_finished_tasks_are_said_to_be_so() -> None:
    with pytest.raises(
        PlanError, match=f"“Office” no tasks are finished with actual dates; ranges need at least {FEWEST}"
    ):
        learned(office())
    with pytest.raises(PlanError, match="1 task is finished"):
        learned(plan_of(WELDED[0]))


def test_that_taking_it_is_one_edit_which_leaves_what_it_knows_nothing_of() -> None:
    plan = replace(office(), risks=replace(office().risks, presets=(SpreadPreset("paint", percents(90)),)))
    edit = TakeExperience(learned(plan_of(*WELDED)), "Last year")
    document = Document(plan)
    document.execute(edit)
    taken = document.state.plan
    assert [preset.family for preset in taken.risks.presets] == ["paint", "", "weld"]
    assert document.state.undo_label == "Take ranges from “Last year”"
    assert edit.apply(taken) is taken
    document.undo()
    assert document.state.plan == plan


def a_run(*rows: tuple[int, int, int]) -> RecordedRun:
    """(task, iteration, nanoseconds) each."""
    parts = [[task, iteration, 0, 1, 0, 1, 100, 100 + took, 0] for task, iteration, took in rows]
    return RecordedRun(1, "cpu", "finished", streams=("stream 1",), parts=np.array(parts, dtype=np.int64))


RUN = a_run((1, 0, 900), (2, 0, 5000), (1, 1, 1100), (2, 1, 7000))


def test_that_an_operation_takes_what_it_took_in_recorded_runs() -> None:
    found = experience_of_runs(pipeline(), (RUN, a_run((1, 0, 1000))))
    lengths = {1: (900.0, 1000.0, 1100.0), 2: (5000.0, 7000.0)}
    assert {task: spread.values for task, spread in found.tasks} == lengths
    plan = TakeExperience(found, "runs").apply(pipeline())
    assert plan.task(2).risk == TaskRisk(Spread(SpreadKind.EMPIRICAL, is_percent=False, values=(5000.0, 7000.0)))
    assert plan.task(3).risk is None
    with pytest.raises(PlanError, match="no recorded run"):
        experience_of_runs(pipeline(), ())


def test_that_files_of_earlier_plans_teach_others(tmp_path: Path) -> None:
    loom.save(tmp_path / "old.loom", plan_of(*WELDED))
    assert read_experience(str(tmp_path / "old.loom"), office()).experience.counts == (5, 5)
    loom.save(tmp_path / "ran.loom", pipeline(), (RUN,))
    again = pipeline().with_tasks([replace(pipeline().task(1), name="elsewhere")])
    assert [task for task, _ in read_experience(str(tmp_path / "ran.loom"), pipeline()).experience.tasks] == [1, 2]
    assert [task for task, _ in read_experience(str(tmp_path / "ran.loom"), again).experience.tasks] == [1, 2]
    with pytest.raises(PlanError, match="none of the operations that ran in “Pipeline”"):
        read_experience(str(tmp_path / "ran.loom"), office())


def test_that_lengths_in_a_table_are_in_the_days_of_the_plan_and_none_of_a_device(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Taken\n2d\n", encoding="utf-8")
    plan = replace(office(), settings=replace(office().settings, hours_per_day=6.0))
    assert read_sample(str(tmp_path / "a.csv"), plan).spread.values == (12 * HOUR,)
    with pytest.raises(PlanError, match="it must be percent"):
        read_sample(str(tmp_path / "a.csv"), pipeline())
