"""Resource load: how much of each resource a schedule uses against what there is. It never moves a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Resource, ResourceKind, TaskId, Ticks
from engine.schedule.leveling_demand import Demands, Use
from engine.schedule.leveling_profile import TOLERANCE, UNIT, Profile
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import ALWAYS, WorkingTime

Column = NDArray[np.int64]
Units = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Overload:
    """More than there is of a resource is used from `first` to before `last`, at most `used` of `capacity` units.

    `tasks` are those that use it then, in row order. Pauses in which nobody works lie within.
    """

    resource: int
    first: Ticks
    last: Ticks
    used: float
    capacity: float
    tasks: tuple[TaskId, ...]


@dataclass(frozen=True, slots=True)
class User:
    """A task that uses so many units of a resource at an instant."""

    task: TaskId
    resource: int
    units: float


@dataclass(frozen=True, eq=False)
class ResourceLoad:
    """Steps over time: from `at[k]` to before `at[k + 1]` `used[k]` of `capacity[k]` units are used; none after.

    used(t) is the sum of work / time worked over the tasks worked on at t, so that the sum of used[k] x length is all
    work. Capacity is none outside the resource's hours, but for what tasks use that may ignore them.
    """

    resource: int
    at: Column
    used: Units
    capacity: Units
    overloads: tuple[Overload, ...]

    @property
    def work(self) -> float:
        """All work in ticks of one unit."""
        return float(np.dot(self.used, np.diff(self.at))) if len(self.at) else 0.0

    def used_at(self, instant: Ticks) -> float:
        """Units used at an instant."""
        index = int(np.searchsorted(self.at, instant, side="right")) - 1
        return float(self.used[index]) if 0 <= index < len(self.used) else 0.0


def loads(plan: Plan, schedule: Schedule) -> dict[int, ResourceLoad]:
    """The load of every resource but the streams, by resource id."""
    demands = Demands(plan)
    uses: dict[int, list[Use]] = defaultdict(list)
    for task_id in demands.assigned:
        for use in _uses(demands, plan, schedule, task_id):
            uses[use.resource].append(use)
    return {
        resource.id: _load(resource, uses[resource.id], _hours(demands, resource), plan.rows)
        for resource in demands.resources.values()
    }


def users(plan: Plan, schedule: Schedule, resources: Collection[int], instant: Ticks) -> tuple[User, ...]:
    """Who uses any of some resources at an instant, by resource and then in row order."""
    near = tuple(
        each
        for each in plan.assignments
        if each.resource in resources and schedule.start_of(each.task) <= instant < schedule.finish_of(each.task)
    )
    demands = Demands(replace(plan, assignments=near))
    found = [
        User(use.task, use.resource, use.units / UNIT)
        for task_id in demands.assigned
        for use in _uses(demands, plan, schedule, task_id)
        if bool(((use.starts <= instant) & (instant < use.ends)).any())
    ]
    return tuple(sorted(found, key=lambda user: (user.resource, plan.rows[user.task])))


def _uses(demands: Demands, plan: Plan, schedule: Schedule, task_id: TaskId) -> list[Use]:
    start, finish = schedule.start_of(task_id), schedule.finish_of(task_id)
    worked = schedule.segments[plan.rows[task_id]] or ((start, finish),)
    return demands.uses(plan.task(task_id), start, worked)


def _hours(demands: Demands, resource: Resource) -> WorkingTime:
    return ALWAYS if resource.kind is ResourceKind.MATERIAL else demands.hours(resource)


def _load(resource: Resource, uses: Sequence[Use], hours: WorkingTime, rows: Mapping[TaskId, int]) -> ResourceLoad:
    if not uses:
        none = np.empty(0)
        return ResourceLoad(resource.id, np.empty(0, np.int64), none, none, ())
    steps = _Steps(resource, uses, hours)
    return ResourceLoad(
        resource.id,
        steps.at,
        steps.used / UNIT,
        steps.capacity / UNIT,
        tuple(steps.overloads(uses, rows)),
    )


class _Steps:
    """The load of one resource in billionths of units."""

    def __init__(self, resource: Resource, uses: Sequence[Use], hours: WorkingTime) -> None:
        self._resource = resource
        starts, ends = (np.concatenate(side) for side in zip(*((use.starts, use.ends) for use in uses), strict=True))
        units = np.repeat([use.units for use in uses], [len(use.starts) for use in uses])
        freely = np.repeat([use.units * use.ignores_hours for use in uses], [len(use.starts) for use in uses])
        first, last = int(starts.min()), int(ends.max())
        profile = Profile(resource)
        there = hours.intervals(first, last)
        changes = [at for at in profile.at if first < at < last]
        self.at: Column = np.unique(np.concatenate((starts, ends, *there, np.array(changes, dtype=np.int64))))
        self.used = self._sum(starts, ends, units)
        nominal = np.array(profile.free)[np.searchsorted(profile.at, self.at[:-1], side="right") - 1]
        outside = np.minimum(nominal, self._sum(starts, ends, freely))
        is_there = self._sum(*there, np.ones(len(there[0]), np.int64)) > 0
        self.capacity: Column = np.where(is_there, nominal, outside)
        self._is_idle = (self.used == 0) & ~is_there

    def _sum(self, starts: Column, ends: Column, units: Column) -> Column:
        """For each step the sum of what stretches add that hold it."""
        change = np.zeros(len(self.at), dtype=np.int64)
        np.add.at(change, np.searchsorted(self.at, starts), units)
        np.add.at(change, np.searchsorted(self.at, ends), -units)
        total: Column = np.cumsum(change)[:-1]
        return total

    def overloads(self, uses: Sequence[Use], rows: Mapping[TaskId, int]) -> list[Overload]:
        """Stretches of too much, one for as long as the same tasks make it, over pauses in which nobody works."""
        found: list[Overload] = []
        over = np.flatnonzero(self.used > self.capacity + TOLERANCE).tolist()
        busy = self._busy(uses) if over else []
        for place, step in enumerate(over):
            first, last = int(self.at[step]), int(self.at[step + 1])
            tasks = tuple(sorted(busy[step], key=rows.__getitem__))
            used, capacity = self.used[step] / UNIT, self.capacity[step] / UNIT
            if place and found[-1].tasks == tasks and bool(self._is_idle[over[place - 1] + 1 : step].all()):
                before = found.pop()
                first, used, capacity = before.first, max(before.used, used), min(before.capacity, capacity)
            found.append(Overload(self._resource.id, first, last, float(used), float(capacity), tasks))
        return found

    def _busy(self, uses: Sequence[Use]) -> list[frozenset[TaskId]]:
        """The tasks that use the resource in each step."""
        changes: dict[int, set[TaskId]] = defaultdict(set)
        for use in uses:
            for edge in np.searchsorted(self.at, np.concatenate((use.starts, use.ends))).tolist():
                changes[edge] ^= {use.task}  # one that ends as it begins again goes on
        busy: frozenset[TaskId] = frozenset()
        return [busy := busy ^ changes[step] for step in range(len(self.at) - 1)]
