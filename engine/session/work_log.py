"""WorkLog: what other processes worked behind the window of late, as a run that the timeline can show.

It never asks for work, and forgets the oldest: it is bounded. Instants are the system's monotonic clock, which all
processes share.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from engine.process.solve_messages import Slice
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import ENGINES, NOT_KNOWN

MOST = 4_000
_COMPUTE = ENGINES.index("compute")


class WorkLog:
    """Slices of work, each of one engine; `count` is another whenever they are others."""

    def __init__(self) -> None:
        self.count = 0
        self._slices: deque[Slice] = deque(maxlen=MOST)

    def add(self, slices: Iterable[Slice]) -> None:
        """These ended."""
        for each in slices:
            self._slices.append(each)
            self.count += 1

    def clear(self) -> None:
        """Another plan is open."""
        self._slices.clear()
        self.count += 1

    def run(self, name_of: Callable[[str], str] = str, where: str = "other processes") -> RecordedRun | None:
        """The slices that are kept, a stream an engine, from the first start on; None where there are none.

        `name_of` an engine, and `where` it worked, are what a person reads.
        """
        if not self._slices:
            return None
        slices = sorted(self._slices, key=lambda each: each.start_ns)
        begun = slices[0].start_ns
        streams = tuple(dict.fromkeys(each.engine for each in slices))
        counts = dict.fromkeys(streams, 0)
        parts = np.zeros((len(slices), 9), np.int64)
        for row, each in enumerate(slices):
            stream = streams.index(each.engine)
            start_ns, end_ns = each.start_ns - begun, each.end_ns - begun
            parts[row] = (stream + 1, counts[each.engine], 0, 1, stream, _COMPUTE, start_ns, end_ns, NOT_KNOWN)
            counts[each.engine] += 1
        return RecordedRun(
            number=0,
            device="cpu",
            device_name=where,
            stamps="wall",
            outcome="finished",
            streams=tuple(map(name_of, streams)),
            names=tuple((stream + 1, name_of(name)) for stream, name in enumerate(streams)),
            repeat=max(counts.values()),
            parts=parts,
        )
