"""How much of a summary is done."""

from dataclasses import replace

import pytest

from engine.model import Calendar, Clock, Plan, Progress, Task
from engine.schedule.cpm import schedule

MONDAY = 1_772_438_400  # 2 March 2026, 08:00


def plan(*tasks: Task) -> Plan:
    return Plan("", Clock.CALENDAR, MONDAY, tasks, calendar=Calendar.standard(), next_task_id=99)


NESTED = plan(
    Task(1, "all"),
    Task(2, "part", 0, 1),
    Task(3, "half", 30, 2, progress=Progress(50.0)),
    Task(4, "not", 10, 2),
    Task(5, "done", 60, 1, progress=Progress(0.0, MONDAY, MONDAY + 60)),
    Task(6, "reached", 0, 1, is_milestone=True, progress=Progress(100.0, MONDAY, MONDAY)),
)


@pytest.mark.parametrize(("task", "percent"), [(3, 50.0), (4, 0.0), (5, 100.0), (2, 37.5), (1, 75.0)])
def test_that_a_summary_is_done_as_its_tasks_are_weighed_by_their_durations(task: int, percent: float) -> None:
    assert schedule(NESTED).done.percent(task) == pytest.approx(percent)


def test_that_tasks_taken_out_do_not_count_nor_what_lies_in_a_summary_taken_out() -> None:
    without = NESTED.with_tasks([replace(NESTED.task(5), is_active=False)])
    assert schedule(without).done.percent(1) == pytest.approx(37.5)
    without = NESTED.with_tasks([replace(NESTED.task(2), is_active=False)])
    assert schedule(without).done.percent(1) == pytest.approx(100.0)
    assert schedule(without).done.percent(2) == 0.0


def test_that_a_summary_of_milestones_alone_is_not_begun() -> None:
    assert schedule(plan(Task(1, "all"), Task(2, "reached", 0, 1, is_milestone=True))).done.percent(1) == 0.0
