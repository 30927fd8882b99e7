"""Resource load: how much of each resource a schedule uses against what there is. It never moves a task."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Resource, ResourceKind, TaskId, Ticks
from engine.schedule.leveling_demand import Demands
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


# What was counted of a plan by a schedule, for as long as somebody holds that.
_known: WeakKeyDictionary[Schedule, tuple[Plan, Mapping[int, ResourceLoad]]] = WeakKeyDictionary()


def loads(plan: Plan, schedule: Schedule) -> Mapping[int, ResourceLoad]:
    """The load of every resource but the streams, by resource id. It is counted once for all who ask."""
    known = _known.get(schedule)
    if known is None or known[0] is not plan:
        demands = Demands(plan)
        used = _used(demands, plan, schedule)
        found = {
            resource.id: _load(resource, used.of(resource.id), _hours(demands, resource), plan)
            for resource in demands.resources.values()
        }
        known = _known[schedule] = plan, found
    return known[1]


def users(plan: Plan, schedule: Schedule, resources: Collection[int], instant: Ticks) -> tuple[User, ...]:
    """Who uses any of some resources at an instant, by resource and then in row order."""
    near = tuple(
        each
        for each in plan.assignments
        if each.resource in resources and schedule.start_of(each.task) <= instant < schedule.finish_of(each.task)
    )
    used = _used(Demands(replace(plan, assignments=near)), plan, schedule)
    held = used.only((used.starts <= instant) & (instant < used.ends))
    found = zip(held.resource.tolist(), held.row.tolist(), held.units.tolist(), strict=True)
    return tuple(User(plan.tasks[row].id, resource, units / UNIT) for resource, row, units in sorted(found))


class _Used(NamedTuple):
    """Stretches in which tasks use so many billionths of a resource, from `starts` to before `ends`, by resource.

    `freely` are those billionths of it that may be used outside the resource's hours.
    """

    resource: Column
    row: Column
    units: Column
    freely: Column
    starts: Column
    ends: Column

    def only(self, which: NDArray[np.generic] | slice) -> _Used:
        """Some of them."""
        return _Used(*(column[which] for column in self))

    def of(self, resource: int) -> _Used:
        """Those of one resource."""
        low, high = np.searchsorted(self.resource, (resource, resource + 1))
        return self.only(slice(low, high))


def _used(demands: Demands, plan: Plan, schedule: Schedule) -> _Used:
    """What the tasks of a plan use; those that have not begun all at once, by the working time of their pieces."""
    flat: dict[WorkingTime, array[int]] = defaultdict(lambda: array("q"))
    parts = [np.empty((0, len(_Used._fields)), np.int64)]
    for task_id in demands.assigned:
        task, row = plan.task(task_id), plan.rows[task_id]
        if demands.is_planned(task):
            ignores = demands.ignores_hours(task)
            for piece in demands.pieces(task):
                freely = piece.units if ignores and piece.hours is None else 0
                flat[piece.time].extend((piece.resource, row, piece.units, freely, piece.first, piece.last))
        else:
            worked = schedule.segments[row] or ((int(schedule.start[row]), int(schedule.finish[row])),)
            for use in demands.uses(task, int(schedule.start[row]), worked):
                about = np.array([use.resource, row, use.units, use.units * use.ignores_hours])
                parts.append(np.column_stack((np.tile(about, (len(use.starts), 1)), use.starts, use.ends)))
    for time, numbers in flat.items():
        pieces = np.frombuffer(numbers, np.int64).reshape(-1, len(_Used._fields))
        begun = time.work_before_all(schedule.start[pieces[:, 1]])
        which, starts, ends = time.intervals_of_all(
            time.starts_at(begun + pieces[:, 4]), time.finishes_at(begun + pieces[:, 5])
        )
        parts.append(np.column_stack((pieces[which, :4], starts, ends)))
    table = np.concatenate(parts)
    return _Used(*np.ascontiguousarray(table[np.argsort(table[:, 0], kind="stable")].T))


def _hours(demands: Demands, resource: Resource) -> WorkingTime:
    return ALWAYS if resource.kind is ResourceKind.MATERIAL else demands.hours(resource)


def _load(resource: Resource, used: _Used, hours: WorkingTime, plan: Plan) -> ResourceLoad:
    if not len(used.row):
        none = np.empty(0)
        return ResourceLoad(resource.id, np.empty(0, np.int64), none, none, ())
    steps = _Steps(resource, used, hours)
    return ResourceLoad(
        resource.id,
        steps.at,
        steps.used / UNIT,
        steps.capacity / UNIT,
        tuple(steps.overloads(plan)),
    )


class _Steps:
    """The load of one resource in billionths of units."""

    def __init__(self, resource: Resource, used: _Used, hours: WorkingTime) -> None:
        self._resource, self._stretches = resource, used
        first, last = int(used.starts.min()), int(used.ends.max())
        profile = Profile(resource)
        there = hours.intervals(first, last)
        changes = [at for at in profile.at if first < at < last]
        edges = np.sort(np.concatenate((used.starts, used.ends, *there, np.array(changes, dtype=np.int64))))
        self.at: Column = edges[np.append(True, edges[1:] != edges[:-1])]
        self.used = self._sum(used.starts, used.ends, used.units)
        nominal = np.array(profile.free)[np.searchsorted(profile.at, self.at[:-1], side="right") - 1]
        is_there = self._sum(*there, np.ones(len(there[0]), np.int64)) > 0
        outside = self._sum(used.starts, used.ends, used.freely) if used.freely.any() else 0
        self.capacity: Column = np.where(is_there, nominal, np.minimum(nominal, outside))
        self._is_idle = (self.used == 0) & ~is_there

    def _sum(self, starts: Column, ends: Column, units: Column) -> Column:
        """For each step the sum of what stretches add that hold it."""
        change = np.zeros(len(self.at), dtype=np.int64)
        np.add.at(change, np.searchsorted(self.at, starts), units)
        np.add.at(change, np.searchsorted(self.at, ends), -units)
        total: Column = np.cumsum(change)[:-1]
        return total

    def overloads(self, plan: Plan) -> list[Overload]:
        """Stretches of too much, one for as long as the same tasks make it, over pauses in which nobody works."""
        found: list[Overload] = []
        over = np.flatnonzero(self.used > self.capacity + TOLERANCE).tolist()
        busy = self._busy(over)
        for place, step in enumerate(over):
            first, last = int(self.at[step]), int(self.at[step + 1])
            tasks = tuple(plan.tasks[row].id for row in sorted(busy[step]))
            used, capacity = self.used[step] / UNIT, self.capacity[step] / UNIT
            if place and found[-1].tasks == tasks and bool(self._is_idle[over[place - 1] + 1 : step].all()):
                before = found.pop()
                first, used, capacity = before.first, max(before.used, used), min(before.capacity, capacity)
            found.append(Overload(self._resource.id, first, last, float(used), float(capacity), tasks))
        return found

    def _busy(self, steps: Iterable[int]) -> dict[int, frozenset[int]]:
        """The rows of those that use the resource, in some steps."""
        wanted = set(steps)
        if not wanted:
            return {}
        changes: dict[int, set[int]] = defaultdict(set)
        rows = self._stretches.row.tolist()
        for instants in (self._stretches.starts, self._stretches.ends):
            for edge, row in zip(np.searchsorted(self.at, instants).tolist(), rows, strict=True):
                changes[edge] ^= {row}  # one that ends as it begins again goes on
        found, busy = {}, frozenset[int]()
        for step in range(len(self.at) - 1):
            if step in changes:
                busy ^= changes[step]
            if step in wanted:
                found[step] = busy
        return found
