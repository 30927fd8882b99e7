"""The queues of tasks that are ready to be placed, one a scheme. They never place a task.

Both are told where a task fits by a call: fit(node, instant) is the first start from there on, None where there is no
start in time. What is free only grows less, so a start that was too early once is so for good.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.model import Ticks
from engine.schedule.leveling_demand import Piece

Fit = Callable[[int, Ticks], Ticks | None]
FirstInstant = Callable[[Sequence[Piece], Ticks], Ticks]
Found = tuple[int, Ticks | None]


class Ready(NamedTuple):
    """A node that may start at or after `bound`, how urgent it is, and what it uses."""

    bound: Ticks
    rank: int
    node: int
    pieces: tuple[Piece, ...]


class SerialQueue:
    """The most urgent first, wherever it fits."""

    def __init__(self, fit: Fit) -> None:
        self._fit = fit
        self._heap: list[tuple[int, int]] = []

    def add(self, ready: Ready) -> None:
        """One more that is ready."""
        heapq.heappush(self._heap, (ready.rank, ready.node))

    def take(self) -> Found | None:
        """The next one and its start; None when none is left."""
        if not self._heap:
            return None
        _, node = heapq.heappop(self._heap)
        return node, self._fit(node, 0)


class ParallelQueue:
    """The one that fits first, of equals the most urgent.

    Tasks that need the same of the same resources, for however long, wait as one group: while not even an instant is
    free for them, none of them is looked at.
    """

    def __init__(self, fit: Fit, first_instant: FirstInstant) -> None:
        self._fit = fit
        self._first_instant = first_instant
        self._groups: dict[tuple[object, ...], _Group] = {}
        # (an instant before which none of the group fits, rank of its most urgent, its state, group)
        self._heap: list[tuple[Ticks, int, int, _Group]] = []

    def add(self, ready: Ready) -> None:
        """One more that is ready."""
        key = tuple((p.resource, id(p.time), id(p.hours), p.first, p.units) for p in ready.pieces)
        group = self._groups.setdefault(key, _Group(ready.pieces))
        group.add(ready.bound, ready.rank, ready.node)
        self._push(group)

    def take(self) -> Found | None:
        """The next one and its start; None when none is left."""
        while self._heap:
            now, _, state, group = heapq.heappop(self._heap)
            if state != group.state:
                continue
            free = self._first_instant(group.pieces, now)
            if free > now:
                group.not_before = free
            else:
                rank, node, _ = heapq.heappop(group.urgent)
                start = self._fit(node, now)
                if start is None or start <= now:
                    self._push(group)
                    return node, start
                heapq.heappush(group.later, (start, rank, node))
            self._push(group)
        return None

    def _push(self, group: _Group) -> None:
        if group.look():
            heapq.heappush(self._heap, (group.now, group.urgent[0][0], group.state, group))


@dataclass(slots=True, eq=False)
class _Group:
    """Tasks with the same needs: those that could start at `now`, by urgency, and those that cannot yet, by bound."""

    pieces: tuple[Piece, ...]
    not_before: Ticks = -(1 << 61)
    now: Ticks = -(1 << 61)
    state: int = 0
    urgent: list[tuple[int, int, Ticks]] = field(default_factory=list)
    later: list[tuple[Ticks, int, int]] = field(default_factory=list)

    def add(self, bound: Ticks, rank: int, node: int) -> None:
        if self.urgent and bound < self.now:
            for known_rank, known, known_bound in self.urgent:
                heapq.heappush(self.later, (known_bound, known_rank, known))
            self.urgent.clear()
        heapq.heappush(self.later, (bound, rank, node))

    def look(self) -> bool:
        """Whether any is left; then `now` is the first instant at which one could start, and `urgent` has those."""
        self.state += 1
        if not self.urgent and not self.later:
            return False
        first = self.now if self.urgent else self.later[0][0]
        self.now = max(self.not_before, first)
        while self.later and self.later[0][0] <= self.now:
            bound, rank, node = heapq.heappop(self.later)
            heapq.heappush(self.urgent, (rank, node, bound))
        return True
