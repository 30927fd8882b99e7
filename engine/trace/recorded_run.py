"""RecordedRun: a run that is over, as it is kept with the plan. It never changes; what it is asked for is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.counters import Track
from engine.trace.overlap import Metrics, measure_timeline
from engine.trace.timeline import PARTS, Timeline
from engine.trace.waits import Waits

Parts = NDArray[np.int64]


def no_parts() -> Parts:
    """Parts of a run in which nothing happened: shape (0, 9)."""
    return np.empty((0, len(PARTS)), np.int64)


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """What is kept of a run. `parts` and `predicted` have shape (n, 9), columns timeline.PARTS, in order of arrival.

    `device`, `device_name` and `stamps` are what the device said of itself; `outcome` is finished, failed or canceled,
    `error` a sentence. `names` are the (id, name) of its tasks, `waits` what it obeyed,
    `bound_ns` the shortest span the plan allowed, `pauses` the [start, end) in which nothing ran because the run was
    paused.
    """

    number: int
    device: str
    outcome: str
    device_name: str = ""
    stamps: str = ""
    error: str = ""
    failed_task: TaskId = 0
    repeat: int = 1
    bound_ns: int | None = None
    is_verified: bool | None = None
    streams: tuple[str, ...] = ()
    names: tuple[tuple[TaskId, str], ...] = ()
    waits: Waits = field(default_factory=Waits)
    parts: Parts = field(default_factory=no_parts)
    predicted: Parts = field(default_factory=no_parts)
    pauses: tuple[tuple[int, int], ...] = ()
    counters: tuple[Track, ...] = ()

    def timeline(self) -> Timeline:
        """What happened, beside what was planned."""
        return self._happened

    def predicted_timeline(self) -> Timeline:
        """What was planned."""
        return self._planned

    def metrics(self, most_gaps: int | None = None) -> Metrics:
        """The figures, with the longest gaps only when asked so. A long run is measured in a worker first."""
        if most_gaps not in self._measured:
            self._measured[most_gaps] = measure_timeline(
                self._happened, self.waits, self.bound_ns, most_gaps=most_gaps, pauses=self.pauses
            )
        return self._measured[most_gaps]

    @cached_property
    def _measured(self) -> dict[int | None, Metrics]:
        return {}

    @cached_property
    def _happened(self) -> Timeline:
        timeline = self._timeline(self.parts)
        timeline.like = self._planned if self._planned.count else None
        return timeline

    @cached_property
    def _planned(self) -> Timeline:
        return self._timeline(self.predicted)

    def _timeline(self, parts: Parts) -> Timeline:
        timeline = Timeline(self.streams, dict(self.names))
        timeline.extend(parts)
        return timeline
