"""Measuring: the figures of one run while it grows, without anybody waiting for them. It never changes a timeline."""

from __future__ import annotations

import asyncio
import ctypes
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from engine.program.operation import Nanoseconds
from engine.trace.overlap import Metrics, measure_timeline, pauses_after
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import Timeline
from engine.trace.waits import Waits

# So many operations are measured whenever somebody asks; of more, a worker measures the latest now and then.
AT_ONCE = 100
LATEST = 20_000
EACH_SECONDS = 0.25
# No more than this share of one processor goes into it.
SHARE = 0.05
# Measuring takes some 500 bytes an operation for a while: of a longer run that is over, so many of the latest are.
MEASURED_AT_MOST = 500_000
# What of the gaps of a long run is kept to be shown.
MOST_GAPS = 64
# In as many pixels a run is shown at first: the bars of each are merged to another power of two.
WIDTHS_PX = (512, 1024, 2048)


def measure_latest(runs: Sequence[RecordedRun]) -> None:
    """Measures the latest of the runs that were kept, and lays its bars out as all of it is shown at first.

    Takes about a second for 100,000 operations: a worker is to do it, and what is then asked for is there.
    """
    for run in runs[-1:]:
        run.metrics(MOST_GAPS)
        for timeline in (run.timeline(), run.predicted_timeline()):
            for by, width in product(("stream", "engine"), WIDTHS_PX):
                timeline.window(0, timeline.end_ns_max, timeline.end_ns_max // width, by)


class Measuring:
    """The metrics of a timeline. `waits` and `bound_ns` are those of measure_timeline; `paused_at` grows."""

    def __init__(
        self,
        timeline: Timeline,
        waits: Waits,
        bound_ns: int,
        paused_at: Sequence[Nanoseconds],
    ) -> None:
        self._timeline = timeline
        self._waits = waits
        self._is_over = False
        self._bound_ns = bound_ns
        self._paused_at = paused_at
        self._latest: Metrics | None = None

    def metrics(self, most_gaps: int | None) -> Metrics:
        """The figures of all spans, measured now where these are few or all gaps are wanted; else the last measured."""
        if most_gaps is None or self._timeline.count <= AT_ONCE:
            return self._measure(self._timeline, most_gaps)
        return self._latest or self._measure_tail(self._timeline.frozen(AT_ONCE))

    async def follow(self) -> None:
        """Measures the latest of a run that has become long, again and again until it is canceled."""
        rest = EACH_SECONDS
        while True:
            await asyncio.sleep(rest)
            if self._timeline.count > AT_ONCE:
                began = time.monotonic()
                latest = self._timeline.frozen(LATEST)
                self._latest = await asyncio.to_thread(self._measure_tail, latest)
                rest = max(EACH_SECONDS, (time.monotonic() - began) / SHARE)

    async def conclude(self) -> None:
        """The run is over: all of a long one is measured, unless it is longer than that."""
        self._is_over = True
        if self._timeline.count > AT_ONCE:
            still = self._timeline.frozen(MEASURED_AT_MOST)
            self._latest = await asyncio.to_thread(self._measure_tail, still)
            self._timeline.rest()
            await asyncio.to_thread(_give_back)

    def _measure(self, timeline: Timeline, most_gaps: int | None) -> Metrics:
        earliest = int(timeline.start_ns.min(initial=timeline.end_ns_max))
        pauses = [pause for pause in pauses_after(timeline, self._paused_at) if pause[0] >= earliest]
        return measure_timeline(timeline, self._waits, self._bound_ns, most_gaps, pauses, is_over=self._is_over)

    def _measure_tail(self, timeline: Timeline) -> Metrics:
        found = self._measure(timeline, MOST_GAPS)
        if timeline.count == self._timeline.count:
            return found
        path = replace(found.path, spans=tuple(timeline.first + row for row in found.path.spans))
        return replace(found, bound_ns=None, is_of_latest=True, path=path)


def _give_back() -> None:
    """What the C library holds of memory that was freed goes back to the system, where there is a way to say so."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # not every one has that
            ctypes.CDLL(None).malloc_trim(0)
