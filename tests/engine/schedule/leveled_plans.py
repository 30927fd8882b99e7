"""Random plans to level, and an hour-by-hour account of them that shares nothing with the engine's.

Every instant in these plans is a whole hour.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from engine.model import (
    Assignment,
    Calendar,
    Capacity,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagKind,
    Plan,
    Progress,
    Resource,
    Shift,
    Split,
    Task,
)
from engine.schedule.leveling import LevelOptions
from engine.schedule.leveling_options import Rule, Scheme
from engine.schedule.schedule import Schedule
from tests.engine.schedule.plans import HOUR, at

START = at("2026-06-01 08:00")
DAY = Calendar.standard()
NIGHT = Calendar(2, "nights", ((Shift(0, 6 * HOUR), Shift(22 * HOUR, 24 * HOUR)),) * 7)
SHORT = Calendar(3, "Monday to Wednesday", ((Shift(8 * HOUR, 20 * HOUR),),) * 3 + ((),) * 4)
ROUND = Calendar(4, "round the clock", ((Shift(0, 24 * HOUR),),) * 7)
CALENDARS = (NIGHT, SHORT, ROUND)


@st.composite
def simple_plans(draw: st.DrawFn) -> Plan:
    """Tasks on the plan's calendar, linked FS, each of whose needs can be met."""
    chance = draw(st.randoms(use_true_random=False))
    count = draw(st.integers(1, 9))
    tasks = [Task(n, f"T{n}", HOUR * chance.randint(0, 20)) for n in range(1, count + 1)]
    resources = [Resource(n, f"R{n}", capacity=chance.choice((1.0, 1.0, 2.0))) for n in range(1, 4)]
    assignments = [
        Assignment(n, resource, chance.choice((0.5, 1.0)))
        for n in range(1, count + 1)
        for resource in chance.sample((1, 2, 3), chance.randint(0, 2))
    ]
    links = [Dependency(a, b) for b in range(2, count + 1) for a in range(1, b) if chance.random() < 0.2]
    return plan_of(tasks, resources, assignments, links)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans with every kind of task, link, calendar and capacity that leveling has to mind."""
    chance = draw(st.randoms(use_true_random=False))
    count = draw(st.integers(1, 10))
    tasks = [_task(chance, n) for n in range(1, count + 1)]
    if count > 3 and chance.random() < 0.4:
        tasks[0] = Task(1, "S", is_active=chance.random() < 0.9)
        tasks[1:3] = [replace(task, parent=1) for task in tasks[1:3]]
    resources = [_resource(chance, n) for n in range(1, 4)]
    assignments = [
        Assignment(n, resource, units, chance.choice((None, None, None, int(units * HOUR * chance.randint(1, 12)))))
        for n in range(1, count + 1)
        for resource in chance.sample((1, 2, 3), chance.choice((0, 1, 1, 2)))
        for units in [chance.choice((0.5, 1.0, 1.0, 2.0))]
    ]
    links = [
        _link(chance, a, b)
        for b in range(2, count + 1)
        for a in range(1, b)
        if chance.random() < 0.25 and (a, b > 3) != (1, False)
    ]
    return plan_of(tasks, resources, assignments, links)


def options() -> st.SearchStrategy[LevelOptions]:
    """Every way to level."""
    return st.builds(
        LevelOptions,
        st.sampled_from(Scheme),
        st.sampled_from(Rule),
        st.booleans(),
        st.booleans(),
        st.sampled_from((HOUR, 4 * HOUR)),
        st.frozensets(st.integers(1, 10), max_size=2),
    )


def plan_of(
    tasks: Sequence[Task], resources: Sequence[Resource], assignments: Sequence[Assignment], links: Sequence[Dependency]
) -> Plan:
    return Plan(
        "test",
        Clock.CALENDAR,
        START,
        tuple(tasks),
        tuple(links),
        DAY,
        tuple(resources),
        tuple(assignments),
        next_task_id=len(tasks) + 1,
        calendars=CALENDARS,
    ).check()


def _task(chance: random.Random, number: int) -> Task:
    task = Task(
        number,
        f"T{number}",
        2 * HOUR * chance.randint(0, 12),
        priority=chance.choice((300, 500, 500, 500, 1000)),
        effort=chance.choice((EffortKind.FIXED_UNITS, EffortKind.FIXED_UNITS, EffortKind.FIXED_DURATION)),
        calendar=chance.choice((None, None, None, 2, 4)),
        ignores_resource_calendars=chance.random() < 0.1,
        is_elapsed=chance.random() < 0.1,
        is_active=chance.random() < 0.95,
        delay=chance.choice((0, 0, 0, 0, 5 * HOUR)),
        deadline=chance.choice((None, None, _some_time(chance))),
    )
    kind = chance.random()
    if kind < 0.1:
        return replace(task, is_manual=True, manual_start=_some_time(chance))
    if kind < 0.2:
        return replace(task, progress=Progress(50, _some_time(chance)))
    if kind < 0.3 and not task.is_elapsed:
        return replace(task, splits=(Split(2 * HOUR, HOUR * chance.randint(1, 9)), Split(6 * HOUR, HOUR)))
    if kind < 0.6:
        return replace(task, constraint=chance.choice(list(ConstraintKind)), constraint_at=_some_time(chance))
    return task


def _some_time(chance: random.Random) -> int:
    return START + HOUR * chance.randint(0, 24 * 8)


def _resource(chance: random.Random, number: int) -> Resource:
    steps = ()
    if chance.random() < 0.3:
        first = _some_time(chance)
        steps = (Capacity(first, first + HOUR * chance.randint(1, 60), chance.choice((0.0, 0.5, 2.0))),)
    capacity, calendar = chance.choice((1.0, 1.0, 2.0)), chance.choice((None, None, None, 2, 3, 4))
    return Resource(number, f"R{number}", capacity=capacity, calendar=calendar, steps=steps)


def _link(chance: random.Random, before: int, after: int) -> Dependency:
    kind = chance.choice((DependencyKind.FS, DependencyKind.FS, *DependencyKind))
    lag = Lag(HOUR * chance.choice((0, 0, 0, 3, 16, -4)), chance.choice((LagKind.WORKING, LagKind.ELAPSED)))
    return Dependency(before, after, kind, lag)


# The account


def used_by_hour(plan: Plan, schedule: Schedule) -> dict[tuple[int, int], float]:
    """Units used of a resource in the hour that begins at an instant, by (resource, instant)."""
    found: dict[tuple[int, int], float] = {}
    for task, resource, hours, units in _bookings(plan, schedule):
        for hour in hours:
            found[resource, hour] = found.get((resource, hour), 0.0) + units
        assert task.is_active
    return found


def overloaded_hours(plan: Plan, schedule: Schedule) -> set[tuple[int, int]]:
    """The hours in which more is used of a resource than there is, as (resource, instant)."""
    used = used_by_hour(plan, schedule)
    freely: dict[tuple[int, int], float] = {}
    for task, resource, hours, units in _bookings(plan, schedule):
        for hour in hours if task.ignores_resource_calendars or task.is_elapsed else ():
            freely[resource, hour] = freely.get((resource, hour), 0.0) + units
    resources = {resource.id: resource for resource in plan.resources}
    return {
        (number, hour)
        for (number, hour), units in used.items()
        if units > capacity_at(plan, resources[number], hour, freely.get((number, hour), 0.0)) + 0.001
    }


def capacity_at(plan: Plan, resource: Resource, hour: int, freely: float) -> float:
    nominal = resource.capacity
    for step in resource.steps:
        nominal = step.units if step.first <= hour < step.last else nominal
    return nominal if is_worked(plan, resource.calendar, hour) else min(nominal, freely)


def is_worked(plan: Plan, calendar: int | None, hour: int) -> bool:
    week = plan.calendar_of[DAY.id if calendar is None else calendar].week
    days, second = divmod(hour, 86_400)
    return any(shift.start <= second < shift.end for shift in week[(days + 3) % 7])


def _bookings(plan: Plan, schedule: Schedule) -> list[tuple[Task, int, list[int], float]]:
    resources = {resource.id: resource for resource in plan.resources}
    found = []
    for each in plan.assignments:
        task = plan.task(each.task)
        parent = plan.task(task.parent) if task.parent else None
        if task.is_active and task.id not in plan.children and (parent is None or parent.is_active):
            hours, units = _hours(plan, task, each, resources[each.resource], schedule)
            found.append((task, each.resource, hours, units))
    return found


def _hours(plan: Plan, task: Task, each: Assignment, resource: Resource, schedule: Schedule) -> tuple[list[int], float]:
    """The hours in which an assignment is worked on, and at how many units."""
    work = task.duration * each.units if each.work is None else each.work
    is_spread = task.effort is EffortKind.FIXED_DURATION or task.is_elapsed
    span = (task.duration if is_spread else round(work / each.units)) // HOUR
    start, finish = schedule.start_of(task.id), schedule.finish_of(task.id)
    if not task.duration or not work:
        return [], 0.0
    if task.progress or task.is_manual:
        there = [hour for hour in range(start, finish, HOUR) if _works(plan, task, resource, hour)]
        span = len(there) if is_spread else min(span, len(there))
        return there[:span], work / HOUR / span if span else 0.0
    pauses = {split.work // HOUR: split.gap // HOUR for split in task.splits if split.work < task.duration}
    hours: list[int] = []
    pause, hour = 0, start
    while len(hours) < span:
        if _works(plan, task, resource, hour):
            pause = pause or pauses.pop(len(hours), 0)
            if pause:
                pause -= 1
            else:
                hours.append(hour)
        hour += HOUR
    return hours, work / HOUR / span


def _works(plan: Plan, task: Task, resource: Resource, hour: int) -> bool:
    """Whether a resource works on a task in an hour."""
    if task.is_elapsed:
        return True
    own = is_worked(plan, task.calendar, hour)
    if task.ignores_resource_calendars or task.effort is EffortKind.FIXED_DURATION:
        return own
    theirs = is_worked(plan, resource.calendar, hour)
    if task.calendar is None:
        return theirs
    if (task.calendar, resource.calendar) in ((2, None), (2, 3)):
        return own  # nights and days have nothing in common: the task's own calendar holds
    return own and theirs
