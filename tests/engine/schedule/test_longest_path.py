"""Starts, floats and the longest path against every path there is, walked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import DAY, Calendar, ConstraintKind, Dependency, DependencyKind, Lag, Plan, PlanSettings, Shift, Task
from engine.schedule import cpm
from tests.engine.schedule.plans import HOUR, at, calendar_plan

START = at("2025-03-03 08:00")
ALWAYS = Calendar(1, "always", ((Shift(0, DAY),),) * 7)


@st.composite
def networks(draw: st.DrawFn) -> Plan:
    """Up to seven tasks, some pinned, with links of all kinds and lags, on a calendar that always works."""
    count = draw(st.integers(1, 7))
    tasks = []
    for number in range(1, count + 1):
        task = Task(number, f"t{number}", draw(st.integers(1, 12)) * HOUR)
        if draw(st.integers(0, 3)) == 0:
            pin = START + draw(st.integers(0, 30)) * HOUR
            task = replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=pin)
        tasks.append(task)
    pairs = st.tuples(st.integers(1, count), st.integers(1, count)).filter(lambda pair: pair[0] < pair[1])
    lags = st.integers(0, 6).map(lambda hours: Lag(hours * HOUR))
    links = {}
    if count > 1:
        for (before, after), kind, lag in draw(st.lists(st.tuples(pairs, st.sampled_from(DependencyKind), lags))):
            links[before, after, kind] = Dependency(before, after, kind, lag)
    return calendar_plan(tasks, links.values(), calendar=ALWAYS)


def steps(plan: Plan, task: Task) -> Iterator[tuple[Task, int]]:
    """Each task that waits for this one, and how much later than this one it starts at least."""
    for link in plan.dependencies:
        if link.predecessor == task.id:
            after = plan.task(link.successor)
            length = link.lag.amount
            length += task.duration if link.kind in (DependencyKind.FS, DependencyKind.FF) else 0
            length -= after.duration if link.kind in (DependencyKind.FF, DependencyKind.SF) else 0
            yield after, length


def paths(plan: Plan, task: Task, begun: int) -> Iterator[list[tuple[Task, int]]]:
    """Every path from a task that starts at `begun`, as (task, start) all along."""
    yield [(task, begun)]
    for after, length in steps(plan, task):
        for rest in paths(plan, after, begun + length):
            yield [(task, begun), *rest]


def all_paths(plan: Plan) -> list[list[tuple[Task, int]]]:
    """Every path from the start of the project, or from a pin."""
    return [path for task in plan.tasks for path in paths(plan, task, max(START, task.pin or START))]


@given(networks())
@settings(deadline=None, max_examples=150)
def test_that_starts_and_floats_are_those_of_the_longest_of_all_paths(plan: Plan) -> None:
    schedule, known = cpm.schedule(plan), all_paths(plan)
    begins = {task.id: max(path[-1][1] for path in known if path[-1][0] is task) for task in plan.tasks}
    assert {task.id: schedule.start_of(task.id) for task in plan.tasks} == begins
    finish = max(path[-1][1] + path[-1][0].duration for path in known)
    assert schedule.project_finish == finish
    for task in plan.tasks:
        ends = (path[-1][1] + path[-1][0].duration for path in paths(plan, task, begins[task.id]))
        assert schedule.total_float[schedule.rows[task.id]] == finish - max(ends), task.name


@given(networks())
@settings(deadline=None, max_examples=150)
def test_that_the_critical_path_by_driving_links_is_made_of_paths_without_a_gap(plan: Plan) -> None:
    plan = replace(plan, settings=PlanSettings(is_longest_path=True))
    schedule = cpm.schedule(plan)
    ends = {task.id for task in plan.tasks if schedule.finish_of(task.id) == schedule.project_finish}
    found = {
        path[0][0].id
        for task in plan.tasks
        for path in paths(plan, task, schedule.start_of(task.id))
        if path[-1][0].id in ends and all(schedule.start_of(each.id) == start for each, start in path)
    }
    assert {task.id for task in plan.tasks if schedule.is_critical[schedule.rows[task.id]]} == found
