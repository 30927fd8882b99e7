"""Why a task is late: the chain of tasks before it that leaves no room, and plans that give way somewhere in it.

It never tries such a plan: whoever searches is asked what it comes to. Nothing of it changes the open plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.model import (
    DAY,
    Alternative,
    Calendar,
    ConstraintKind,
    Plan,
    ResourceKind,
    Shift,
    TaskId,
    Ticks,
)
from engine.optimize.problem import Objective
from engine.process.questions import Tried, TryPlans
from engine.schedule.reasons import drivers, reason
from engine.schedule.schedule import Schedule
from engine.session.aims import aim_of
from engine.session.state import State

_MOST_LINKS = 60
_MOST_RELAXED = 4  # of each kind
_MORE_HOURS = 2 * 3600
_ASKED = (
    ConstraintKind.START_NO_EARLIER_THAN,
    ConstraintKind.MUST_START_ON,
    ConstraintKind.FINISH_NO_EARLIER_THAN,
    ConstraintKind.MUST_FINISH_ON,
)


class Cause(StrEnum):
    """What keeps a task of the chain from starting earlier."""

    LINK = "link"
    MACHINE = "machine"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Blocked:
    """A task of the chain: what keeps it from starting earlier, and how that is said. `resource`: the machine's id."""

    task: TaskId
    cause: Cause
    sentence: str
    resource: int | None = None


class Relaxing(StrEnum):
    """What a plan gives way in."""

    ORDER = "order"
    PIN = "pin"
    DUE = "due"
    RESOURCE = "resource"
    HOURS = "hours"


@dataclass(frozen=True, eq=False, slots=True)
class Relaxed:
    """A plan that gives way: of which task or resource (by id), None for another order alone."""

    kind: Relaxing
    about: int | None
    plan: Plan


@dataclass(frozen=True, eq=False, slots=True)
class Lateness:
    """Of a task: by how much working time it misses its date, the chain from it back, and plans to be tried."""

    state: State
    task: TaskId
    due: Ticks
    late: Ticks
    chain: tuple[Blocked, ...]
    relaxed: tuple[Relaxed, ...]


def find_late(state: State, asked: TaskId | None) -> TaskId | None:
    """The task to explain: the asked one or, in it, the latest; without one, the latest of the plan. None: none is."""
    plan, dates = state.plan, state.schedule
    near = plan.leaves(asked) if asked is not None and asked in plan.rows else [task.id for task in plan.tasks]
    missed = [
        (dates.finish_of(each) - deadline, plan.rows[each], each)
        for each in near
        if (deadline := plan.task(each).deadline) is not None and dates.finish_of(each) > deadline
    ]
    return max(missed)[2] if missed else None


def explain(state: State, task: TaskId) -> Lateness:
    """Why a task that has a date misses it. Any thread may ask."""
    plan, dates = state.plan, state.schedule
    due = plan.task(task).deadline
    assert due is not None
    late = dates.working_time_of(task).between(due, dates.finish_of(task))
    chain = tuple(_chain(state, task))
    return Lateness(state, task, due, late, chain, tuple(_relaxed(plan, task, chain)))


@dataclass(frozen=True, slots=True)
class Gain:
    """What giving way somewhere comes to by a quick try: by how much working time the task is late then, below zero
    where it is early; all lateness by weight, in ticks; whether no rule is broken. None where there is no such plan.
    """

    relaxed: Relaxed
    late: Ticks | None
    tardiness: Ticks
    is_kept: bool


def question_of(found: Lateness) -> TryPlans:
    """What is asked of whoever tries plans."""
    return TryPlans(tuple(each.plan for each in found.relaxed), aim_of("tardiness,makespan"), found.task)


def gains_of(found: Lateness, tried: tuple[Tried | None, ...]) -> tuple[Gain, ...]:
    """The answer, the most gained first; of those that gain the same the one that asks least."""
    time = found.state.schedule.working_time_of(found.task)
    gains = []
    for relaxed, each in zip(found.relaxed, tried, strict=True):
        if each is None:
            gains.append(Gain(relaxed, None, 0, is_kept=False))
        else:
            late, violations = time.between(found.due, each.finish), each.objectives[Objective.VIOLATIONS]
            gains.append(Gain(relaxed, late, each.objectives[Objective.TARDINESS], is_kept=violations == 0))
    return tuple(sorted(gains, key=lambda gain: (not gain.is_kept, max(gain.late or 0, 0))))


def _chain(state: State, task: TaskId) -> Iterator[Blocked]:
    plan, dates = state.plan, state.schedule
    on = _Board(plan, dates)
    seen: set[TaskId] = set()
    current: TaskId | None = task
    while current is not None and current not in seen and len(seen) < _MOST_LINKS:
        seen.add(current)
        machine = on.before(current)
        links = sorted(drivers(dates, current), key=dates.finish_of) if not plan.task(current).delay else []
        if _is_asked(plan, current, dates.start_of(current)):
            links, machine = [], None
        if links:
            yield Blocked(current, Cause.LINK, "; ".join(reason(plan, dates, current)[:1]))
            current = links[-1]
        elif machine is not None:
            before, resource = machine
            yield Blocked(current, Cause.MACHINE, on.sentence(current, before, resource), resource)
            current = before
        else:
            yield Blocked(current, Cause.DATE, "; ".join(reason(plan, dates, current)))
            current = None


def _is_asked(plan: Plan, task: TaskId, start: Ticks) -> bool:
    """Whether a task starts when it was asked to: what comes before it then is no cause."""
    asked = plan.task(task)
    starts = (ConstraintKind.START_NO_EARLIER_THAN, ConstraintKind.MUST_START_ON)
    return asked.constraint in starts and asked.constraint_at == start


class _Board:
    """Who does what before what."""

    def __init__(self, plan: Plan, dates: Schedule) -> None:
        self._plan, self._dates = plan, dates
        holding = {each.id: each for each in plan.resources if each.kind in (ResourceKind.MACHINE, ResourceKind.WORK)}
        self._of: dict[TaskId, list[int]] = {}
        self._on: dict[int, list[TaskId]] = {}
        self._names = {each.id: each.name for each in holding.values()}
        for use in plan.assignments:
            if use.resource in holding and use.task not in plan.children:
                self._of.setdefault(use.task, []).append(use.resource)
                self._on.setdefault(use.resource, []).append(use.task)

    def before(self, task: TaskId) -> tuple[TaskId, int] | None:
        """The task that holds one of its resources until it starts, set-up and breaks aside, and that resource."""
        dates, start = self._dates, self._dates.start_of(task)
        time, setup = dates.working_time_of(task), dates.setups.get(task)
        found: list[tuple[Ticks, TaskId, int]] = []
        for resource in self._of.get(task, ()):
            ends = [(dates.finish_of(each), each) for each in self._on[resource] if each != task]
            last = max((end for end in ends if end[0] <= start), default=None)
            if last is None:
                continue
            ready = setup.ticks if setup is not None and setup.resource == resource else 0
            if time.between(last[0], start) <= ready:
                found.append((*last, resource))
        return max(found)[1:] if found else None

    def sentence(self, task: TaskId, before: TaskId, resource: int) -> str:
        """Such as: “Mill” is busy with “mill” of Order 5 until then, and is set up for “gear”."""
        other, setup = self._plan.task(before), self._dates.setups.get(task)
        owner = "" if other.parent is None else f" of {self._plan.task(other.parent).name}"
        said = f"“{self._names[resource]}” is busy with “{other.name}”{owner} until then"
        is_set_up = setup is not None and setup.resource == resource and setup.ticks
        return f"{said}, and is set up for “{setup.to_family}”" if is_set_up and setup is not None else said


def _relaxed(plan: Plan, late: TaskId, chain: tuple[Blocked, ...]) -> Iterator[Relaxed]:
    yield Relaxed(Relaxing.ORDER, None, plan)
    tasks = [each.task for each in chain]
    asked = [task for task in tasks if plan.task(task).constraint in _ASKED]
    for task in asked[:_MOST_RELAXED]:
        free = replace(plan.task(task), constraint=ConstraintKind.AS_SOON_AS_POSSIBLE, constraint_at=0)
        yield Relaxed(Relaxing.PIN, task, plan.with_tasks([free]))
    for task in _dues(plan, late, tasks)[:_MOST_RELAXED]:
        yield Relaxed(Relaxing.DUE, task, plan.with_tasks([replace(plan.task(task), deadline=None)]))
    machines = list(dict.fromkeys(each.resource for each in chain if each.resource is not None))
    for resource in machines[:_MOST_RELAXED]:
        yield Relaxed(Relaxing.RESOURCE, resource, one_more(plan, resource))
    for resource in machines[:_MOST_RELAXED]:
        if (longer := longer_hours(plan, resource)) is not None:
            yield Relaxed(Relaxing.HOURS, resource, longer)


def _dues(plan: Plan, late: TaskId, chain: list[TaskId]) -> list[TaskId]:
    """The tasks with a date beside which tasks of the chain stand, of other parts of the plan than the late one's."""
    ours = plan.task(late).parent
    parents = dict.fromkeys(plan.task(task).parent for task in chain)
    beside = [task for task in plan.tasks if task.deadline is not None and task.id != late]
    return [task.id for task in beside if task.parent in parents and task.parent != ours and task.parent is not None]


def one_more(plan: Plan, resource: int) -> Plan:
    """The plan with another resource like one there is, which may do all that it does."""
    one = next(each for each in plan.resources if each.id == resource)
    other = max(each.id for each in plan.resources) + 1
    known = [
        replace(each, resource=other)
        for each in plan.alternatives
        if each.resource == resource and plan.task(each.task).id not in plan.children
    ]
    own = [Alternative(use.task, other, use.units) for use in plan.assignments if use.resource == resource]
    taken = {each.task for each in known}
    added = (*known, *(each for each in own if each.task not in taken and each.task not in plan.children))
    return replace(
        plan, resources=(*plan.resources, replace(one, id=other)), alternatives=(*plan.alternatives, *added)
    ).check()


def longer_hours(plan: Plan, resource: int) -> Plan | None:
    """The plan in which a resource works two hours longer on each of its days; None where its days have no room."""
    one = next(each for each in plan.resources if each.id == resource)
    known = plan.calendar if one.calendar is None else plan.calendar_of[one.calendar]
    if known is None or known.base is not None:
        return None
    week = tuple(_longer(day or ()) for day in known.week)
    if week == known.week:
        return None
    number = 1 + max(each.id for each in plan.calendar_of.values())
    calendar = Calendar(number, known.name, week, known.exceptions, None, known.periods)
    resources = tuple(replace(each, calendar=number) if each.id == resource else each for each in plan.resources)
    return replace(plan, calendars=(*plan.calendars, calendar), resources=resources).check()


def _longer(day: tuple[Shift, ...]) -> tuple[Shift, ...]:
    if not day:
        return day
    last = max(day, key=lambda shift: shift.end)
    return tuple(replace(each, end=min(DAY, each.end + _MORE_HOURS)) if each is last else each for each in day)
