"""What moving a task never does: change how long it lasts, part it from what follows, or leave more than a pin."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import ConstraintKind, Dependency, DependencyKind, Lag, LagKind, Plan, Task
from engine.schedule import cpm
from engine.session.edits import MoveTask, MoveTasks, RemovePin
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
