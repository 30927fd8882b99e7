"""A made-up run: three frames on three streams, for the timeline's and the card's tests."""

from __future__ import annotations

import numpy as np

from engine.trace.counters import Track
from engine.trace.overlap import Metrics, measure_timeline
from engine.trace.timeline import Timeline
from engine.trace.waits import Waits
from gui.timeline.run_view import KeptDevice, RunDevice

STREAMS = ("Stream 1", "Stream 2", "Stream 3")
US = 1_000
IN, COMPUTE, OUT, HOST = range(4)
# (task, stream, engine, start, end) in microseconds: task 10 f + 1 copies in, + 2 computes, + 3 copies out.
PLANNED = (
    (11, 0, IN, 0, 100), (12, 0, COMPUTE, 100, 300), (13, 0, OUT, 300, 350),
    (21, 1, IN, 100, 200), (22, 1, COMPUTE, 300, 500), (23, 1, OUT, 500, 550),
    (31, 2, IN, 200, 300), (32, 2, COMPUTE, 500, 700), (33, 2, OUT, 700, 750),
)  # fmt: skip
NAMES = {11: "copy in", 12: "denoise", 13: "copy out", 21: "copy in", 22: "denoise", 23: "copy out"} | {
    31: "copy in", 32: "denoise", 33: "copy out",
}  # fmt: skip
WAITS = Waits((frame + step - 1, frame + step, 0) for frame in (10, 20, 30) for step in (2, 3))


def timeline_of(operations: tuple[tuple[int, int, int, int, int], ...], late_us: int = 0) -> Timeline:
    """A timeline of one part a span; instants in microseconds."""
    timeline = Timeline(STREAMS, NAMES)
    add(timeline, *operations, late_us=late_us)
    return timeline


def add(timeline: Timeline, *operations: tuple[int, int, int, int, int], late_us: int = 0) -> None:
    """Lets operations end."""
    rows = [(t, 0, 0, 1, s, e, (a + late_us) * US, (b + late_us) * US) for t, s, e, a, b in operations]
    timeline.extend(np.array(rows, np.int64).reshape(-1, 8))


class MadeUpRun:
    """A RunView whose spans a test lets arrive; live until a test sets its outcome."""

    def __init__(self, number: int = 1, stamps: str = "simulated") -> None:
        self.number = number
        self.repeat = 1
        self.timeline = timeline_of(())
        self.predicted: Timeline | None = timeline_of(PLANNED)
        self.outcome: str | None = None
        self.progress = 0.0
        self.error = ""
        self.failed_task = 0
        self.is_paused = self.stands_still = False
        self.device: RunDevice | None = KeptDevice("H200-like" if stamps == "simulated" else "cpu", stamps)
        self.pauses: tuple[tuple[int, int], ...] = ()
        self.counter_tracks: tuple[Track, ...] = ()
        self.measured = 0

    def metrics(self, most_gaps: int | None = None) -> Metrics:
        """The figures so far; counts how often they were asked for."""
        self.measured += 1
        return measure_timeline(self.timeline, WAITS, 750 * US, most_gaps=most_gaps, pauses=self.pauses)
