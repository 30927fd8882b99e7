"""A task's start drawn elsewhere, and pauses in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import DAY, Calendar, Plan, Progress, Shift, Split, Task
from engine.schedule.cpm import schedule
from engine.session.edits import Edit
from engine.session.shape_edits import JoinTask, ResizeStart, SplitTask
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline


def plan_of(**changes: object) -> Plan:
    """One task of three days from Monday 08:00."""
    task = replace(Task(1, "Dig", 24 * HOUR), **changes)  # type: ignore[arg-type]
    return replace(office(), start=MONDAY, tasks=(task,), dependencies=(), assignments=(), next_task_id=2).check()


def refused(edit: Edit, plan: Plan) -> str:
    with pytest.raises(PlanError) as caught:
        edit.apply(plan)
    return caught.value.sentence


def test_that_a_start_that_is_drawn_later_leaves_the_finish_where_it_is() -> None:
    plan = plan_of()
    changed = ResizeStart(1, MONDAY + DAY).apply(plan)
    before, after = schedule(plan), schedule(changed)
    assert after.start_of(1) == MONDAY + DAY
    assert after.finish_of(1) == before.finish_of(1)
    assert changed.task(1).duration == 16 * HOUR


def test_that_the_duration_is_counted_on_the_tasks_own_calendar() -> None:
    nights = Calendar(7, "Nights", ((Shift(20 * HOUR, 24 * HOUR),),) * 7)
    task = replace(plan_of().task(1), calendar=7)
    plan = replace(plan_of(), calendars=(nights,), tasks=(task,)).check()
    start = MONDAY - 8 * HOUR + DAY + 20 * HOUR
    changed = ResizeStart(1, start).apply(plan)
    assert schedule(changed).finish_of(1) == schedule(plan).finish_of(1)
    assert changed.task(1).duration == 20 * HOUR


def test_that_a_start_is_not_drawn_past_the_finish_nor_of_a_summary_nor_of_what_has_begun() -> None:
    assert "cannot start after it has finished" in refused(ResizeStart(1, MONDAY + 9 * DAY), plan_of())
    assert "is a summary" in refused(ResizeStart(1, MONDAY), office())
    begun = plan_of(progress=Progress(10.0, MONDAY))
    assert "has begun" in refused(ResizeStart(1, MONDAY + DAY), begun)


def test_that_the_start_of_a_task_that_pauses_is_drawn_within_its_first_piece() -> None:
    """A day of work, a day of pause, two days of work: from Monday to Thursday."""
    plan = plan_of(splits=(Split(8 * HOUR, 8 * HOUR),))
    changed = ResizeStart(1, MONDAY + 2 * HOUR).apply(plan)
    assert schedule(changed).finish_of(1) == schedule(plan).finish_of(1)
    assert (changed.task(1).duration, changed.task(1).splits) == (22 * HOUR, (Split(6 * HOUR, 8 * HOUR),))
    assert "after its first pause has begun" in refused(ResizeStart(1, MONDAY + DAY), plan)


def test_that_a_manual_task_has_its_own_start_set() -> None:
    plan = plan_of(is_manual=True, manual_start=MONDAY, manual_finish=MONDAY + 9 * HOUR)
    assert ResizeStart(1, MONDAY + HOUR).apply(plan).task(1).manual_start == MONDAY + HOUR


def test_that_a_pause_delays_what_is_left_by_its_gap() -> None:
    changed = SplitTask(1, MONDAY + DAY, 8 * HOUR).apply(plan_of())
    assert changed.task(1).splits == (Split(8 * HOUR, 8 * HOUR),)
    assert schedule(changed).finish_of(1) == schedule(plan_of()).finish_of(1) + DAY


def test_that_pauses_are_added_before_between_and_after_others() -> None:
    plan = SplitTask(1, MONDAY + DAY, 8 * HOUR).apply(plan_of())
    before = SplitTask(1, MONDAY + 2 * HOUR, HOUR).apply(plan)
    assert before.task(1).splits == (Split(2 * HOUR, HOUR), Split(6 * HOUR, 8 * HOUR))
    after = SplitTask(1, MONDAY + 3 * DAY, HOUR).apply(plan)
    assert after.task(1).splits == (Split(8 * HOUR, 8 * HOUR), Split(8 * HOUR, HOUR))
    assert JoinTask(1).apply(after) == plan_of()


def test_that_a_task_only_pauses_while_it_is_at_work() -> None:
    plan = SplitTask(1, MONDAY + DAY, 8 * HOUR).apply(plan_of())
    assert "pauses there already" in refused(SplitTask(1, MONDAY + DAY + 2 * HOUR, HOUR), plan)
    for at in (MONDAY - DAY, MONDAY, MONDAY + 30 * DAY):
        assert "is not at work there" in refused(SplitTask(1, at, HOUR), plan_of())
    assert "cannot pause for no time" in refused(SplitTask(1, MONDAY + DAY, 0), plan_of())
    assert "is a summary" in refused(SplitTask(1, MONDAY + DAY, HOUR), office())
    assert "set by hand" in refused(SplitTask(1, MONDAY + DAY, HOUR), plan_of(is_manual=True))


def test_that_a_device_does_not_pause_an_operation() -> None:
    plan = pipeline()
    task = next(task.id for task in plan.tasks if task.operation is not None)
    assert "runs on a device" in refused(SplitTask(task, 1000, 10), plan)
