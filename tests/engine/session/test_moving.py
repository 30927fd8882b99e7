"""What moving a task never does: change how long it lasts, part it from what follows, or leave more than a pin."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import DAY, ConstraintKind, Dependency, DependencyKind, Lag, LagKind, Plan, Recorded, Task
from engine.schedule import cpm
from engine.session.cell_edits import SetFinish
from engine.session.date_edits import PinRecorded
from engine.session.edits import MoveTask, MoveTasks, RemovePin
from engine.session.shape_edits import ResizeStart
from tests.engine.schedule.plans import HOUR, WORKDAY, at, calendar_plan

MINUTES = st.integers(0, 60 * 24 * 60).map(lambda minutes: at("2025-03-03 00:00") + 60 * minutes)


def linked() -> Plan:
    """Three tasks in a row, one beside them, of hours that fill no day."""
    tasks = [Task(n, f"t{n}", length) for n, length in ((1, 20 * HOUR), (2, 3 * WORKDAY), (3, 90 * 60), (4, 5 * HOUR))]
    links = [
        Dependency(1, 2, lag=Lag(2 * WORKDAY)),
        Dependency(2, 3, DependencyKind.SS, Lag(50, LagKind.PERCENT)),
        Dependency(4, 3),
    ]
    return calendar_plan(tasks, links)


@given(st.integers(1, 4), MINUTES)
@settings(deadline=None)
def test_that_a_move_never_changes_how_long_a_task_is_worked_on(task: int, instant: int) -> None:
    plan = MoveTask(task, instant).apply(linked())
    schedule = cpm.schedule(plan)
    for each in plan.tasks:
        assert each.duration == linked().task(each.id).duration
        time = schedule.working_time_of(each.id)
        assert time.between(schedule.start_of(each.id), schedule.finish_of(each.id)) == each.duration


@given(st.integers(1, 4), MINUTES)
@settings(deadline=None)
def test_that_what_follows_still_follows_and_taking_the_pin_away_restores_all_dates(task: int, instant: int) -> None:
    plan = MoveTask(task, instant).apply(linked())
    schedule = cpm.schedule(plan)
    time = schedule.working_time_of(1)
    assert time.between(schedule.finish_of(1), schedule.start_of(2)) >= 2 * WORKDAY
    assert time.between(schedule.start_of(2), schedule.start_of(3)) >= 3 * WORKDAY // 2
    assert time.between(schedule.finish_of(4), schedule.start_of(3)) >= 0
    # What the move left behind is one pin, seen as a constraint, and no other task has any.
    asked = {each.id for each in plan.tasks if each.constraint is not ConstraintKind.AS_SOON_AS_POSSIBLE}
    assert asked == {task}
    free = RemovePin(task).apply(plan)
    assert cpm.schedule(free).start.tolist() == cpm.schedule(linked()).start.tolist()


@given(MINUTES.map(lambda instant: instant - at("2025-03-03 08:00")))
@settings(deadline=None)
def test_that_of_linked_tasks_moved_together_only_the_first_is_pinned(offset: int) -> None:
    plan = MoveTasks((1, 2), offset).apply(linked())
    assert [task.pin is None for task in plan.tasks] == [offset == 0, True, True, True]


DELAYS = st.integers(1, 10 * 24).map(lambda hours: hours * HOUR)


def leveled(delay: int) -> Plan:
    """The same, with a delay that leveling gave to the second and the last of them."""
    plan = linked()
    return plan.with_tasks([replace(plan.task(task), delay=delay) for task in (2, 4)])


@given(DELAYS, MINUTES)
@settings(deadline=None)
def test_that_a_leveled_task_starts_where_it_is_dropped(delay: int, instant: int) -> None:
    edit = MoveTask(4, instant)
    plan = edit.apply(leveled(delay))
    schedule = cpm.schedule(plan)
    assert schedule.start_of(4) == schedule.working_time_of(4).next_start(instant)
    assert edit.label(leveled(delay)) == "Move “t4” (without its leveling delay)"
    assert plan.task(2).delay == delay, "a task that was not touched keeps its own"


@given(DELAYS, st.integers(1, 20))
@settings(deadline=None)
def test_that_leveled_tasks_moved_together_keep_the_work_between_them(delay: int, days: int) -> None:
    before = leveled(delay)
    edit = MoveTasks((1, 2, 3, 4), days * WORKDAY * 3)
    old, new = cpm.schedule(before), cpm.schedule(edit.apply(before))
    time = cpm.working_time(before)
    moved = {time.between(old.start_of(task), new.start_of(task)) for task in (1, 2, 3, 4)}
    assert len(moved) == 1
    assert edit.label(before) == "Move 4 tasks (without 2 leveling delays)"


@given(DELAYS, MINUTES)
@settings(deadline=None)
def test_that_a_leveled_task_starts_and_finishes_where_that_is_typed_and_drawn(delay: int, instant: int) -> None:
    before = leveled(delay)
    dates = cpm.schedule(before)
    begins = dates.working_time_of(4).next_start(min(instant, dates.finish_of(4) - HOUR))
    if begins < dates.finish_of(4):
        drawn = cpm.schedule(ResizeStart(4, begins).apply(before))
        assert (drawn.start_of(4), drawn.finish_of(4)) == (begins, dates.finish_of(4))
    time = cpm.working_time(before)
    ends = time.add(time.next_start(max(instant, before.start)), before.task(4).duration)
    assert cpm.schedule(SetFinish(4, ends).apply(before)).finish_of(4) == ends


def test_that_a_leveled_task_keeps_the_start_that_its_file_recorded() -> None:
    start = at("2025-03-05 08:00")
    task = replace(linked().task(4), delay=2 * DAY, recorded=Recorded(start, at("2025-03-05 13:00")))
    plan = linked().with_task(task)
    assert cpm.schedule(PinRecorded((4,)).apply(plan)).start_of(4) == start
    assert PinRecorded((4,)).label(plan) == "Keep the recorded dates of “t4” (without its leveling delay)"
