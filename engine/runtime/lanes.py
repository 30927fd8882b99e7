"""Lanes of a simulated device: which part has how much of an engine, and when it will have ended. They run nothing.

Whoever adds or finishes parts calls share() of every engine afterwards, those first whose parts wait longest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.program.operation import Nanoseconds
from engine.runtime.backend import Launch

# Later than any run.
FAR_NS = 1 << 62


@dataclass(slots=True)
class Part:
    """A part on its engine: `wanted` lanes, `left_ns` of work at full speed, `rate` of full speed it has now.

    Where it starts after `due_ns`, its stream slept and takes `wake_ns` to wake up, on the lanes that it has.
    """

    launch: Launch
    wanted: int
    left_ns: float
    bound: str = ""
    ready_ns: Nanoseconds = 0
    due_ns: Nanoseconds = 0
    wake_ns: Nanoseconds = 0
    rate: float = 0.0
    slowdown: float = 1.0
    start_ns: Nanoseconds | None = None
    has_ended: bool = False


@dataclass(slots=True)
class Room:
    """The streams whose operations have begun and not ended, on whatever engine: at most `most`."""

    most: int
    holders: set[int] = field(default_factory=set)

    def take(self, stream: int) -> bool:
        """Whether its operation may go on, or begin."""
        if stream not in self.holders and len(self.holders) >= self.most:
            return False
        self.holders.add(stream)
        return True


@dataclass(slots=True)
class Pool:
    """The lanes of one engine: the earliest operation takes what it wants, later ones what is left, at a lower rate.

    An operation keeps its place between two of its parts: one that has ended stands for the next until that comes.
    """

    lanes: int
    room: Room
    now: Nanoseconds = 0
    parts: list[Part] = field(default_factory=list)

    def add(self, part: Part, now: Nanoseconds) -> None:
        self._advance(now)
        stream = part.launch.operation.stream
        ended = (place for place, each in enumerate(self.parts) if each.has_ended)
        place = next((place for place in ended if self.parts[place].launch.operation.stream == stream), None)
        if place is None:
            self.parts.append(part)
        else:
            self.parts[place] = part

    def next_end(self) -> tuple[Nanoseconds, int] | None:
        """When the part that ends first does, and its place; the earlier of equals."""
        # A nanosecond is the grain: what floats add beyond it must not push an end over to the next one.
        ends = [
            (self.now + max(0, math.ceil(part.left_ns * part.slowdown / part.rate - 1e-6)), place)
            for place, part in enumerate(self.parts)
            if part.rate
        ]
        return min(ends, default=None)

    def finish(self, now: Nanoseconds, place: int) -> Part:
        self._advance(now)
        part = self.parts[place]
        part.has_ended = True
        if part.launch.part == part.launch.operation.parts - 1:
            del self.parts[place]
            self.room.holders.discard(part.launch.operation.stream)
        return part

    @property
    def longest_wait(self) -> Nanoseconds:
        """Since when the first part has waited to start; far in the future where none does."""
        return min((part.ready_ns for part in self.parts if part.start_ns is None), default=FAR_NS)

    def share(self, now: Nanoseconds) -> None:
        """Give lanes to those that are there, and start those that get one for the first time."""
        self._advance(now)
        self._share()

    def give_away(self) -> None:
        """Whoever waits takes the places of operations whose next part does not come."""
        self.parts = [part for part in self.parts if not part.has_ended]

    def slow_down(self, now: Nanoseconds, slowdown: Callable[[str], float]) -> None:
        """From now on every part takes so many times as long, by what it is bound by."""
        self._advance(now)
        for part in self.parts:
            part.slowdown = slowdown(part.bound)

    def drop_waiting(self) -> list[Launch]:
        """Take out the parts that have not started."""
        waiting = [part.launch for part in self.parts if part.start_ns is None]
        self.parts = [part for part in self.parts if part.start_ns is not None]
        return waiting

    def _advance(self, now: Nanoseconds) -> None:
        for part in self.parts:
            part.left_ns -= (now - self.now) * part.rate / part.slowdown
        self.now = now

    def _share(self) -> None:
        free = self.lanes
        for part in self.parts:
            lanes = min(part.wanted, free)
            if lanes and not self.room.take(part.launch.operation.stream):
                lanes = 0
            free -= lanes
            part.rate = 0.0 if part.has_ended else lanes / part.wanted
            if lanes and part.start_ns is None:
                wake_ns = part.wake_ns if self.now > part.due_ns else 0
                part.start_ns = self.now + wake_ns
                part.left_ns += wake_ns
