"""The ways of doing a plan's tasks that a Problem can say, what each uses, and by which clock. It never dates one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Assignment, EffortKind, LagCalendar, Plan, ResourceKind, Task, TaskId, Way
from engine.optimize.staying import Stays
from engine.schedule.network import LeafLink, Network

_HOLDING = (ResourceKind.WORK, ResourceKind.MACHINE)
_FINE = 1000  # of units that are no whole numbers
_MOST_UNITS = (1 << 31) - 1
_ROUNDED = 1e-6


class PlanWays:
    """The ways of the leaves of one plan, `links` between them; a task that needs more than there is is put to `stays`.

    `resources` are those that hold a task up: people and machines, by id.
    """

    def __init__(self, plan: Plan, network: Network, links: Sequence[LeafLink], stays: dict[TaskId, Stays]) -> None:
        self.resources = {each.id: each for each in plan.resources if each.kind in _HOLDING}
        self._plan, self._network, self._stays = plan, network, stays
        self._assigned: dict[TaskId, list[Assignment]] = defaultdict(list)
        for each in plan.assignments:
            if each.resource in self.resources:
                self._assigned[each.task].append(each)
        self._lengths: list[int] = network.nodes.duration.tolist()
        self._known: dict[TaskId, tuple[Way, ...]] = {}
        self._same_length, self._same_clock = self._bound_by_lags(links)
        self._scales = self._find_scales()

    def of(self, task: Task) -> tuple[Way, ...]:
        """The ways of doing a task, the present one first; one alone of a task that stays."""
        ways, now = self._ways(task), self.now(task)
        staying = (now or Way(None, 1.0, self._length(task)),)
        if task.id in self._stays:
            return staying
        fit = tuple(way for way in ways if way == now or self._can_be_said(task, way, ways[0]))
        fit = tuple(way for way in fit if all(self._fits(task, use) for use in self.uses(task, way)))
        if not fit:
            self._stays[task.id] = Stays.TOO_MUCH
        return fit or staying

    def now(self, task: Task) -> Way | None:
        """The way in which a task is done now, None where it needs somebody and has nobody yet."""
        known = self._plan.ways
        if known.is_choice(task) and known.replaced(task) is None:
            return None
        return self._ways(task)[0]

    def uses(self, task: Task, way: Way) -> list[Assignment]:
        """What a task uses, done in a way."""
        if not self._plan.ways.is_choice(task):
            return self._assigned[task.id]
        replaced = self._plan.ways.replaced(task)
        kept = [each for each in self._assigned[task.id] if each != replaced and each.resource != way.resource]
        if way.resource is None:
            return kept
        return [*kept, replace(replaced or Assignment(task.id, 0), resource=way.resource, units=way.units)]

    def clock(self, task: Task, way: Way) -> int | None:
        """The number of the working time that a task is then worked by, None where several share it."""
        used = [self.resources[each.resource] for each in self.uses(task, way)]
        return self._network.clocks.shared_by(task, used)

    def units(self, task: Task, use: Assignment) -> int:
        """Units of a use as a whole number."""
        return min(max(1, int(_spread(task, use) * self._scales[use.resource] + _ROUNDED)), _MOST_UNITS)

    def capacity(self, number: int, units: float) -> int:
        """Units that there are of a resource as a whole number."""
        return min(int(units * self._scales[number] + _ROUNDED), _MOST_UNITS)

    def _ways(self, task: Task) -> tuple[Way, ...]:
        if task.id not in self._known:
            self._known[task.id] = self._plan.ways.of(task, self._length(task))
        return self._known[task.id]

    def _length(self, task: Task) -> int:
        return self._lengths[self._plan.rows[task.id]]

    def _can_be_said(self, task: Task, way: Way, now: Way) -> bool:
        """Whether one calendar does a task in a way, and lags and work that somebody gave stay what they are."""
        clock = self.clock(task, way)
        if clock is None or (task.id in self._same_clock and clock != self.clock(task, now)):
            return False
        has_work = any(each.work is not None for each in self._assigned[task.id]) or bool(task.splits)
        return way.duration == self._length(task) or not (has_work or task.id in self._same_length)

    def _fits(self, task: Task, use: Assignment) -> bool:
        resource = self.resources[use.resource]
        most = max(resource.capacity, *(step.units for step in resource.steps), 0.0)
        return self.units(task, use) <= self.capacity(use.resource, most)

    def _bound_by_lags(self, links: Sequence[LeafLink]) -> tuple[set[TaskId], set[TaskId]]:
        """Tasks whose lag would be another one if they lasted otherwise, or were worked by another calendar."""
        lengths = {before for before, _, link in links if link.lag.kind.is_percent}
        counted = [each for each in links if each[2].lag.amount and not each[2].lag.kind.is_elapsed]
        is_own = self._plan.settings.lag_calendar in (LagCalendar.SUCCESSOR, LagCalendar.PREDECESSOR)
        return lengths, {end for before, after, _ in counted for end in (before, after)} if is_own else set()

    def _find_scales(self) -> dict[int, int]:
        """1 for resources of which only whole units are used, else _FINE."""
        amounts: dict[int, list[float]] = {
            number: [each.capacity, *(step.units for step in each.steps)] for number, each in self.resources.items()
        }
        for task, uses in self._assigned.items():
            for use in uses:
                amounts[use.resource] += [_spread(self._plan.task(task), use), use.units]
        for other in self._plan.alternatives:
            amounts[other.resource].append(other.units)
        skilled = [each.id for each in self.resources.values() if each.skills]
        if any(not use.units.is_integer() for uses in self._assigned.values() for use in uses):
            for number in skilled:
                amounts[number].append(0.5)
        return {n: 1 if all(float(each).is_integer() for each in found) else _FINE for n, found in amounts.items()}


def _spread(task: Task, use: Assignment) -> float:
    """The units of a use; of a task of fixed duration, what its work makes of them."""
    if use.work is not None and task.effort is EffortKind.FIXED_DURATION and task.duration:
        return use.work / task.duration
    return use.units
