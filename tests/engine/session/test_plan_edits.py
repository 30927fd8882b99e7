"""Several edits as one, predecessors, baselines, settings, and another plan in the place of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import CycleError, PlanError
from engine.model import DAY, Dependency, DependencyKind, Lag, PlanSettings
from engine.schedule.cpm import schedule
from engine.session.document import Document
from engine.session.edits import AddTask, ChangeLink, MoveTask, RenameTask, ResizeTask
from engine.session.plan_edits import (
    RemoveBaseline,
    SetBaseline,
    SetPredecessors,
    SetSettings,
    SetStart,
    TakePlan,
    Together,
)
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline


def test_that_several_edits_are_one_step_and_start_from_each_others_dates() -> None:
    plan = office()
    both = Together("Paste 2 cells", (ResizeTask(2, 16 * HOUR), MoveTask(1, MONDAY + DAY)))
    assert both.label(plan) == "Paste 2 cells"
    after = MoveTask(1, MONDAY + DAY).apply(ResizeTask(2, 16 * HOUR).apply(plan))
    assert both.apply(plan, schedule(plan)) == after
    assert Together("nothing", ()).apply(plan) is plan


def test_that_one_refused_edit_refuses_all() -> None:
    plan = office()
    with pytest.raises(PlanError, match="needs a name"):
        Together("both", (RenameTask(2, "Draw"), RenameTask(3, " "))).apply(plan)


def test_that_predecessors_are_what_they_are_set_to() -> None:
    plan = replace(office(), dependencies=(Dependency(2, 3), Dependency(2, 4), Dependency(5, 3)))
    wanted = (Dependency(2, 3, lag=Lag(HOUR)), Dependency(4, 3, DependencyKind.SS))
    changed = SetPredecessors(3, wanted).apply(plan)
    assert changed.dependencies == (wanted[0], Dependency(2, 4), wanted[1])
    assert SetPredecessors(3, wanted).apply(changed) is changed
    assert SetPredecessors(3, ()).apply(changed).dependencies == (Dependency(2, 4),)


def test_that_predecessors_that_make_a_cycle_are_refused() -> None:
    plan = replace(office(), dependencies=(Dependency(2, 3),))
    with pytest.raises(CycleError):
        SetPredecessors(2, (Dependency(3, 2),)).apply(plan)
    with pytest.raises(PlanError, match="linked twice"):
        SetPredecessors(3, (Dependency(2, 3), Dependency(2, 3))).apply(plan)
    with pytest.raises(PlanError, match="given to another task"):
        SetPredecessors(3, (Dependency(2, 4),)).apply(plan)


def test_that_a_baseline_keeps_the_dates_of_the_moment() -> None:
    plan = office()
    dates = schedule(plan)
    kept = SetBaseline(1, "Signed").apply(plan)
    (baseline,) = kept.baselines
    assert (baseline.number, baseline.name) == (1, "Signed")
    assert [(t.start, t.finish) for t in baseline.tasks] == [
        (dates.start_of(task.id), dates.finish_of(task.id)) for task in plan.tasks
    ]
    assert [t.duration for t in baseline.tasks if t.task in (2, 3)] == [8 * HOUR, 16 * HOUR]
    assert SetBaseline(1, "Signed").apply(kept) == kept
    assert [b.number for b in SetBaseline(0).apply(kept).baselines] == [0, 1]
    assert RemoveBaseline(1).apply(kept) == plan
    with pytest.raises(PlanError, match="0 to 10"):
        SetBaseline(11).apply(plan)
    with pytest.raises(PlanError, match="no baseline 2"):
        RemoveBaseline(2).apply(kept)


def test_that_settings_are_set_and_checked() -> None:
    plan = office()
    assert SetSettings(plan.settings).apply(plan) is plan
    assert SetSettings(PlanSettings(honors_dates=False)).apply(plan).settings.honors_dates is False
    with pytest.raises(PlanError):
        SetSettings(PlanSettings(hours_per_day=0)).apply(plan)


def test_that_a_plan_taken_over_gives_out_no_id_again() -> None:
    plan = office()
    grown = AddTask("Later").apply(plan)
    branch = RenameTask(2, "Draw").apply(plan)
    taken = TakePlan(branch, "Merge “Draw first”").apply(grown)
    assert taken.task(2).name == "Draw"
    assert taken.next_task_id == grown.next_task_id
    assert TakePlan(plan, "again").apply(plan) is plan
    with pytest.raises(PlanError, match="another clock"):
        TakePlan(pipeline(), "Merge").apply(plan)


def test_that_a_task_and_its_link_changed_together_are_dated_as_if_opened_anew() -> None:
    document = Document(office())
    longer = ChangeLink(Dependency(2, 3), Dependency(2, 3, lag=Lag(8 * HOUR)))
    after = document.execute(Together("both", (RenameTask(3, "Erect"), longer)))
    fresh = schedule(replace(after.plan))
    assert after.schedule.start.tolist() == fresh.start.tolist()
    assert after.schedule.start_of(3) > schedule(office()).start_of(3)


def test_that_no_task_starts_before_the_start_that_is_set() -> None:
    plan = office()
    changed = SetStart(MONDAY + DAY).apply(plan)
    assert schedule(changed).project_start == MONDAY + DAY
    assert SetStart(plan.start).apply(plan) is plan
    with pytest.raises(PlanError, match="starts when its run does"):
        SetStart(5).apply(pipeline())
