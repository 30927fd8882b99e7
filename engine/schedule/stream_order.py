"""The order of operations on each stream of a device plan, derived and never stored.

A task's key is its pin, or without one the start it would have if nothing were pinned. Tasks are taken by key, a pinned
one before others of the same key, then by row; a predecessor always comes before its successors. So a small drag keeps
the order, and a bar dropped before a neighbor goes before it.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.model import Dependency, DependencyKind, Plan, TaskId, Ticks

Link = tuple[TaskId, TaskId, Dependency]


def stream_links(
    plan: Plan, durations: Mapping[TaskId, Ticks], links: Sequence[Link]
) -> tuple[tuple[TaskId, TaskId], ...]:
    """Pairs of consecutive tasks of each stream. `links` are between leaves and without a cycle; durations in ticks."""
    placing = _Placing(plan, durations, links)
    starts = placing.unpinned_starts()
    last: dict[int, TaskId] = {}
    pairs: list[tuple[TaskId, TaskId]] = []
    for task_id in placing.by_key(starts):
        stream = plan.stream_of.get(task_id)
        if stream is None:
            continue
        if stream in last:
            pairs.append((last[stream], task_id))
        last[stream] = task_id
    return tuple(pairs)


@dataclass(slots=True)
class _Stream:
    """When a stream is free, and what waits for that by row; the first of those stands in the heap, on offer."""

    free_at: Ticks
    parked: list[tuple[int, TaskId]] = field(default_factory=list)
    offered: tuple[int, TaskId] | None = None

    def offer(self, taken: tuple[int, TaskId], heap: list[tuple[Ticks, int, TaskId]]) -> None:
        """After a task was taken from the heap, have the first that waits stand there for when the stream is free."""
        if taken == self.offered:
            self.offered = None
        if self.parked and (self.offered is None or self.parked[0] < self.offered):
            self.offered = heapq.heappop(self.parked)
            heapq.heappush(heap, (self.free_at, *self.offered))


class _Placing:
    """The leaves of a plan, taken one by one, each after its predecessors."""

    def __init__(self, plan: Plan, durations: Mapping[TaskId, Ticks], links: Sequence[Link]) -> None:
        self._plan = plan
        self._durations = durations
        self._leaves = [task for task in plan.tasks if task.id not in plan.children]
        self._successors: dict[TaskId, list[tuple[TaskId, Dependency]]] = defaultdict(list)
        self._waiting: dict[TaskId, int] = dict.fromkeys((task.id for task in self._leaves), 0)
        for before, after, link in links:
            self._successors[before].append((after, link))
            self._waiting[after] += 1

    def unpinned_starts(self) -> dict[TaskId, Ticks]:
        """The start each task would have without pins: a stream takes what can start first, then by row."""
        plan, waiting, starts = self._plan, dict(self._waiting), dict[TaskId, Ticks]()
        bound = dict.fromkeys(waiting, plan.start)
        streams: dict[int, _Stream] = defaultdict(lambda: _Stream(plan.start))
        heap = [(plan.start, plan.rows[task.id], task.id) for task in self._leaves if not waiting[task.id]]
        heapq.heapify(heap)
        while heap:
            start, row, task_id = heapq.heappop(heap)
            stream = streams[plan.stream_of.get(task_id, -task_id)]
            if start < stream.free_at:
                heapq.heappush(stream.parked, (row, task_id))
            else:
                duration = self._durations[task_id]
                starts[task_id], stream.free_at = start, start + duration
                for after, link in self._successors[task_id]:
                    earliest = _bound(link, (start, start + duration), duration, self._durations[after])
                    bound[after] = max(bound[after], earliest)
                    waiting[after] -= 1
                    if not waiting[after]:
                        heapq.heappush(heap, (bound[after], plan.rows[after], after))
            stream.offer((row, task_id), heap)
        return starts

    def by_key(self, starts: Mapping[TaskId, Ticks]) -> list[TaskId]:
        """All leaves by key, a predecessor before its successors."""
        waiting = dict(self._waiting)
        heap = [self._key(task.id, starts) for task in self._leaves if not waiting[task.id]]
        heapq.heapify(heap)
        order: list[TaskId] = []
        while heap:
            task_id = heapq.heappop(heap)[-1]
            order.append(task_id)
            for after, _ in self._successors[task_id]:
                waiting[after] -= 1
                if not waiting[after]:
                    heapq.heappush(heap, self._key(after, starts))
        return order

    def _key(self, task_id: TaskId, starts: Mapping[TaskId, Ticks]) -> tuple[Ticks, bool, int, TaskId]:
        pin = self._plan.task(task_id).pin
        return (starts[task_id] if pin is None else pin, pin is None, self._plan.rows[task_id], task_id)


def _bound(link: Dependency, predecessor: tuple[Ticks, Ticks], duration: Ticks, successor_duration: Ticks) -> Ticks:
    """Earliest start of the successor that the link allows, on a clock that always works."""
    lag = lag_ticks(link, duration)
    start, finish = predecessor
    anchor = start if link.kind in (DependencyKind.SS, DependencyKind.SF) else finish
    bounds_finish = link.kind in (DependencyKind.FF, DependencyKind.SF)
    return anchor + lag - (successor_duration if bounds_finish else 0)


def lag_ticks(link: Dependency, predecessor_duration: Ticks) -> Ticks:
    """The lag of a link in ticks; a percentage is of the predecessor's duration, rounded down."""
    if link.lag.kind.is_percent:
        return predecessor_duration * link.lag.amount // 100
    return link.lag.amount
