"""The order of operations on each stream of a device plan, derived and never stored.

A stream takes, of the tasks whose predecessors are placed, the one that can start earliest; among equals a pinned one
first, the earlier pin before the later, then row order.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.model import Dependency, DependencyKind, LagKind, Plan, TaskId, Ticks

_NEVER = 1 << 62

Link = tuple[TaskId, TaskId, Dependency]


@dataclass(slots=True)
class _Lane:
    """One stream: tasks that may start `now`, by (pin, row), and those bound to a `later` instant, by that first."""

    free_at: Ticks
    now: list[tuple[Ticks, int, TaskId]] = field(default_factory=list)
    later: list[tuple[Ticks, Ticks, int, TaskId]] = field(default_factory=list)

    def offer(self) -> tuple[Ticks, Ticks, int, TaskId] | None:
        """The best task as (possible start, pin, row, id)."""
        while self.later and self.later[0][0] <= self.free_at:
            heapq.heappush(self.now, heapq.heappop(self.later)[1:])
        if self.now:
            return (self.free_at, *self.now[0])
        return self.later[0] if self.later else None

    def take(self) -> None:
        """Remove the task that `offer` named."""
        if self.now:
            heapq.heappop(self.now)
        else:
            heapq.heappop(self.later)


def stream_links(
    plan: Plan, durations: Mapping[TaskId, Ticks], links: Sequence[Link]
) -> tuple[tuple[TaskId, TaskId], ...]:
    """Pairs of consecutive tasks of each stream. `links` are between leaves and without a cycle; durations in ticks."""
    return _Placing(plan, durations, links).run()


class _Placing:
    """Places every leaf once, earliest possible start first."""

    def __init__(self, plan: Plan, durations: Mapping[TaskId, Ticks], links: Sequence[Link]) -> None:
        leaves = [task for task in plan.tasks if task.id not in plan.children]
        self._rows = plan.rows
        self._durations = durations
        self._pins = {task.id: _NEVER if task.pin is None else task.pin for task in leaves}
        self._bound = {task.id: max(plan.start, plan.start if task.pin is None else task.pin) for task in leaves}
        # A task without a stream waits for nobody's: it gets a lane of its own.
        self._lane_of = {task.id: plan.stream_of.get(task.id, -task.id) for task in leaves}
        self._lanes = {lane: _Lane(plan.start) for lane in self._lane_of.values()}
        self._open: set[int] = set()
        self._successors: dict[TaskId, list[tuple[TaskId, Dependency]]] = defaultdict(list)
        self._waiting: dict[TaskId, int] = defaultdict(int)
        for before, after, link in links:
            self._successors[before].append((after, link))
            self._waiting[after] += 1
        for task in leaves:
            if self._waiting[task.id] == 0:
                self._make_ready(task.id)

    def run(self) -> tuple[tuple[TaskId, TaskId], ...]:
        last: dict[int, TaskId] = {}
        pairs: list[tuple[TaskId, TaskId]] = []
        while self._open:
            offers = ((offer, lane) for lane in self._open if (offer := self._lanes[lane].offer()) is not None)
            (start, _, _, task_id), lane = min(offers)
            self._place(task_id, lane, start)
            if lane in last:
                pairs.append((last[lane], task_id))
            last[lane] = task_id
        return tuple(pairs)

    def _place(self, task_id: TaskId, lane: int, start: Ticks) -> None:
        duration = self._durations[task_id]
        self._lanes[lane].take()
        self._lanes[lane].free_at = start + duration
        for after, link in self._successors[task_id]:
            bound = _bound(link, (start, start + duration), duration, self._durations[after])
            self._bound[after] = max(self._bound[after], bound)
            self._waiting[after] -= 1
            if self._waiting[after] == 0:
                self._make_ready(after)
        if self._lanes[lane].offer() is None:
            self._open.discard(lane)

    def _make_ready(self, task_id: TaskId) -> None:
        lane = self._lane_of[task_id]
        entry = (self._bound[task_id], self._pins[task_id], self._rows[task_id], task_id)
        heapq.heappush(self._lanes[lane].later, entry)
        self._open.add(lane)


def _bound(link: Dependency, predecessor: tuple[Ticks, Ticks], duration: Ticks, successor_duration: Ticks) -> Ticks:
    """Earliest start of the successor that the link allows, on a clock that always works."""
    lag = lag_ticks(link, duration)
    start, finish = predecessor
    anchor = start if link.kind in (DependencyKind.SS, DependencyKind.SF) else finish
    bounds_finish = link.kind in (DependencyKind.FF, DependencyKind.SF)
    return anchor + lag - (successor_duration if bounds_finish else 0)


def lag_ticks(link: Dependency, predecessor_duration: Ticks) -> Ticks:
    """The lag of a link in ticks; a percentage is of the predecessor's duration, rounded down."""
    if link.lag.kind is LagKind.PERCENT:
        return predecessor_duration * link.lag.amount // 100
    return link.lag.amount
