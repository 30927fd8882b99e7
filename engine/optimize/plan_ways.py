"""The ways of doing a plan's tasks that a Problem can say, what each uses, and by which clock. It never dates one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.model import (
    DAY,
    Assignment,
    EffortKind,
    LagCalendar,
    Plan,
    Resource,
    ResourceKind,
    Task,
    TaskId,
    Ticks,
    Way,
)
from engine.optimize.plan_links import PlanLinks
from engine.optimize.problem import NONE
from engine.optimize.staying import Stays
from engine.schedule.columns import Column
from engine.schedule.network import Network
from engine.schedule.working_time import LAST_DAY, WorkingTime

_HOLDING = (ResourceKind.WORK, ResourceKind.MACHINE)
_FINE = 1000  # of units that are no whole numbers
_MOST_UNITS = (1 << 31) - 1
_ROUNDED = 1e-6
_CENTS = 100
_HOUR = 3600


@dataclass(frozen=True, eq=False, slots=True)
class Modes:
    """The ways of doing one task, `now` the place of the present one among them, with an entry a way in what follows.

    `clocks` None: always. What the i-th uses stands in the flat `resources` (rows) and `units`, `counts[i]` of them.
    `key` is all that this was made of which may differ from task to task.
    """

    key: tuple[object, ...]
    ways: tuple[Way, ...]
    now: int
    lengths: tuple[int, ...]
    clocks: tuple[WorkingTime | None, ...]
    costs: tuple[int, ...]
    counts: tuple[int, ...]
    resources: tuple[int, ...]
    units: tuple[int, ...]
    is_too_much: bool


class PlanWays:
    """The ways of the leaves of one plan, `links` between them; a task that needs more than there is is put to `stays`.

    `resources` are those that hold a task up: people and machines, by id. `made` are the modes of leaves so far.
    """

    def __init__(self, plan: Plan, network: Network, links: PlanLinks, stays: dict[TaskId, Stays]) -> None:
        self.resources = {each.id: each for each in plan.resources if each.kind in _HOLDING}
        self._plan, self._network, self._stays = plan, network, stays
        self._row = {number: row for row, number in enumerate(self.resources)}
        self._assigned: dict[TaskId, list[Assignment]] = defaultdict(list)
        for each in plan.assignments:
            if each.resource in self.resources:
                self._assigned[each.task].append(each)
        self._lasts: list[int] = network.nodes.duration.tolist()
        self._lengths: list[int] = network.nodes.length.tolist()
        self._known: dict[TaskId, tuple[Way, ...]] = {}
        self.made: dict[TaskId, Modes] = {}
        self._same_length, self._same_clock = self._bound_by_lags(links)
        self.scales = self._find_scales()
        most = {number: _most_units(each, plan.start) for number, each in self.resources.items()}
        self._most = {number: self.capacity(number, units) for number, units in most.items()}

    def modes(self, leaves: Sequence[TaskId], before: PlanWays | None = None) -> list[Modes]:
        """Those of each leaf; `before` are the ways of a plan before an edit, which make it sooner."""
        known = before.made if before is not None and self._is_like(before) else {}
        for leaf in leaves:
            key, made = self._key(leaf), known.get(leaf)
            if made is None or made.key != key:
                made = self._made(self._plan.task(leaf), key)
            self.made[leaf] = made
            if made.is_too_much:
                self._stays[leaf] = Stays.TOO_MUCH
        return [self.made[leaf] for leaf in leaves]

    def capacity(self, number: int, units: float) -> int:
        """Units that there are of a resource as a whole number."""
        return min(int(units * self.scales[number] + _ROUNDED), _MOST_UNITS)

    def _is_like(self, before: PlanWays) -> bool:
        """Whether all but what stands in a key is the same."""
        one, two = self._plan, before._plan
        names = ("resources", "alternatives", "calendar", "calendars")
        is_same = one.start == two.start and all(getattr(one, name) is getattr(two, name) for name in names)
        is_counted_so = one.settings.lag_calendar is two.settings.lag_calendar
        return is_same and is_counted_so and self.scales == before.scales

    def _key(self, leaf: TaskId) -> tuple[object, ...]:
        row = self._plan.rows[leaf]
        bound = (leaf in self._stays, leaf in self._same_length, leaf in self._same_clock)
        return (self._plan.tasks[row], self._assigned.get(leaf), self._lasts[row], self._lengths[row], bound)

    def _made(self, task: Task, key: tuple[object, ...]) -> Modes:
        now, row = self._now(task), self._plan.rows[task.id]
        ways, is_too_much = self._chosen(task, now)
        used = [self._uses(task, way) for way in ways]
        pauses = sum(split.gap for split in task.splits if split.work < task.duration)
        lengths = [self._lengths[row] if way == now else way.duration + pauses for way in ways]
        held = [uses if length else [] for uses, length in zip(used, lengths, strict=True)]
        return Modes(
            key=key,
            ways=ways,
            now=ways.index(now) if now in ways else NONE,
            lengths=tuple(lengths),
            clocks=tuple(self._time(task, uses) for uses in used),
            costs=tuple(self._cost(way, uses) for way, uses in zip(ways, used, strict=True)),
            counts=tuple(map(len, held)),
            resources=tuple(self._row[use.resource] for uses in held for use in uses),
            units=tuple(self._units(task, use) for uses in held for use in uses),
            is_too_much=is_too_much,
        )

    def _chosen(self, task: Task, now: Way | None) -> tuple[tuple[Way, ...], bool]:
        """The ways that can be said, the present one alone of a task that stays, and whether none has room."""
        staying = (now or Way(None, 1.0, self._length(task)),)
        if task.id in self._stays:
            return staying, False
        ways = self._ways(task)
        fit = tuple(way for way in ways if way == now or self._can_be_said(task, way, ways[0]))
        fit = tuple(way for way in fit if all(self._fits(task, use) for use in self._uses(task, way)))
        return fit or staying, not fit

    def _now(self, task: Task) -> Way | None:
        """The way in which a task is done now, None where it needs somebody and has nobody yet."""
        known = self._plan.ways
        if known.is_choice(task) and known.replaced(task) is None:
            return None
        return self._ways(task)[0]

    def _uses(self, task: Task, way: Way) -> list[Assignment]:
        """What a task uses, done in a way."""
        assigned = self._assigned.get(task.id, [])
        if not self._plan.ways.is_choice(task):
            return assigned
        replaced = self._plan.ways.replaced(task)
        kept = [each for each in assigned if each != replaced and each.resource != way.resource]
        if way.resource is None:
            return kept
        return [*kept, replace(replaced or Assignment(task.id, 0), resource=way.resource, units=way.units)]

    def _clock(self, task: Task, uses: Sequence[Assignment]) -> int | None:
        """The number of the working time that a task is then worked by, None where several share it."""
        return self._network.clocks.shared_by(task, [self.resources[each.resource] for each in uses])

    def _time(self, task: Task, uses: Sequence[Assignment]) -> WorkingTime | None:
        number = self._clock(task, uses)
        time = None if number is None else self._network.times[number]
        return None if time is None or time.is_always else time

    def _cost(self, way: Way, uses: Sequence[Assignment]) -> int:
        """Cents."""
        hours = sum(self.resources[use.resource].cost_per_hour * use.units for use in uses)
        return round(_CENTS * (way.cost + hours * way.duration / _HOUR))

    def _units(self, task: Task, use: Assignment) -> int:
        """Units of a use as a whole number."""
        return min(max(1, int(_spread(task, use) * self.scales[use.resource] + _ROUNDED)), _MOST_UNITS)

    def _ways(self, task: Task) -> tuple[Way, ...]:
        if task.id not in self._known:
            self._known[task.id] = self._plan.ways.of(task, self._length(task))
        return self._known[task.id]

    def _length(self, task: Task) -> int:
        return self._lasts[self._plan.rows[task.id]]

    def _can_be_said(self, task: Task, way: Way, now: Way) -> bool:
        """Whether one calendar does a task in a way, and lags and work that somebody gave stay what they are."""
        clock = self._clock(task, self._uses(task, way))
        if clock is None:
            return False
        if task.id in self._same_clock and clock != self._clock(task, self._uses(task, now)):
            return False
        has_work = any(each.work is not None for each in self._assigned.get(task.id, ())) or bool(task.splits)
        return way.duration == self._length(task) or not (has_work or task.id in self._same_length)

    def _fits(self, task: Task, use: Assignment) -> bool:
        return self._units(task, use) <= self._most[use.resource]

    def _bound_by_lags(self, links: PlanLinks) -> tuple[set[TaskId], set[TaskId]]:
        """Tasks whose lag would be another one if they lasted otherwise, or were worked by another calendar."""
        is_own = self._plan.settings.lag_calendar in (LagCalendar.SUCCESSOR, LagCalendar.PREDECESSOR)
        counted = links.only(links.is_by_clock) if is_own else links.only(links.is_by_clock & False)
        ends = np.concatenate((counted.before, counted.after))
        return self._ids(links.before[links.is_of_length]), self._ids(ends)

    def _ids(self, rows: Column) -> set[TaskId]:
        return {self._plan.tasks[row].id for row in np.unique(rows).tolist()}

    def _find_scales(self) -> dict[int, int]:
        """1 for resources of which only whole units are used, else _FINE."""
        parted = {each.id for each in self.resources.values() if _is_parted(each)}
        parted |= {each.resource for each in self._plan.alternatives if not each.units.is_integer()}
        is_any = False
        for task, uses in self._assigned.items():
            for use in uses:
                is_own = not use.units.is_integer()
                is_any |= is_own
                if is_own or (use.work is not None and not float(_spread(self._plan.task(task), use)).is_integer()):
                    parted.add(use.resource)
        if is_any:
            parted |= {each.id for each in self.resources.values() if each.skills}
        return {number: _FINE if number in parted else 1 for number in self.resources}


def _is_parted(resource: Resource) -> bool:
    """Whether there ever is a part of a unit of it."""
    return not all(float(units).is_integer() for units in (resource.capacity, *(step.units for step in resource.steps)))


def _most_units(resource: Resource, start: Ticks) -> float:
    """The most units that there ever are of it from an instant on; where steps leave no gap they alone."""
    now, most = start, 0.0
    for step in sorted(resource.steps, key=lambda step: step.first):
        most = max(most, resource.capacity if step.first > now else 0.0, step.units if step.last > now else 0.0)
        now = max(now, step.last)
    return max(most, resource.capacity) if now < LAST_DAY * DAY else most


def _spread(task: Task, use: Assignment) -> float:
    """The units of a use; of a task of fixed duration, what its work makes of them."""
    if use.work is not None and task.effort is EffortKind.FIXED_DURATION and task.duration:
        return use.work / task.duration
    return use.units
