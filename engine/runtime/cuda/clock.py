"""DeviceClock: instants of CUDA events on the host's clock. It never decides what a part's span is; stamps.py does."""

from __future__ import annotations

import time
from typing import Any

from engine.program.operation import Nanoseconds

# An elapsed time is a float32 of milliseconds: after 4 s its step is a quarter of a microsecond, after an hour 250.
ANCHOR_NS = 2_000_000_000
FIRST_BRACKETS, LATER_BRACKETS = 10, 3


class DeviceClock:
    """Anchors: an event, and when it fired in nanoseconds from the run's start. Belongs to one thread.

    An anchor's instant is the last one's plus what the device says has passed, unless the host, which looked at its own
    clock before and after, saw that this cannot be: then it is the nearest instant that can.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._anchor = cupy.cuda.Event(block=False)
        self._anchor_ns = 0
        self.zero_ns = 0
        self.uncertainty_ns = 0

    def begin(self) -> None:
        """Set time zero, and the first anchor at the middle of the narrowest of some brackets."""
        self.zero_ns = time.perf_counter_ns()
        event, before, after = self._bracketed(FIRST_BRACKETS)
        self._anchor, self._anchor_ns = event, (before + after) // 2
        self.uncertainty_ns = (after - before + 1) // 2

    def now(self) -> Nanoseconds:
        """The host's clock, from the run's start."""
        return time.perf_counter_ns() - self.zero_ns

    def renew(self) -> None:
        """Set a new anchor when the last one is old."""
        if self.now() - self._anchor_ns < ANCHOR_NS:
            return
        event, before, after = self._bracketed(LATER_BRACKETS)
        self._anchor_ns = within(self.at(event), before, after)
        self._anchor = event

    def at(self, event: Any) -> Nanoseconds:
        """When an event that has fired did so."""
        milliseconds: float = self._cupy.cuda.get_elapsed_time(self._anchor, event)
        return self._anchor_ns + round(milliseconds * 1e6)

    def _bracketed(self, tries: int) -> tuple[Any, Nanoseconds, Nanoseconds]:
        """An event that fired on an idle stream between two looks at the host's clock, as close as they came."""
        found = []
        for _ in range(tries):
            event = self._cupy.cuda.Event(block=False)
            before = self.now()
            event.record(self._stream)
            event.synchronize()
            found.append((self.now() - before, event, before))
        width, event, before = min(found, key=lambda each: each[0])
        return event, before, before + width


def within(instant: Nanoseconds, earliest: Nanoseconds, latest: Nanoseconds) -> Nanoseconds:
    """The instant, or the nearest one that is possible."""
    return min(max(instant, earliest), latest)
