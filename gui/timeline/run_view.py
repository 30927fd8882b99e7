"""RunView: what the timeline and its card ask of a run, live or kept. It never says how a run is made.

RunJob of the session satisfies it as it is; KeptRun makes one of a run that was saved with its plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.trace.counters import Track
from engine.trace.overlap import Metrics
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import Timeline


class RunDevice(Protocol):
    """What a device says of itself."""

    @property
    def name(self) -> str:
        """What it calls itself, such as "cpu" or "H200"."""

    @property
    def stamps(self) -> str:
        """Where its instants come from: measured, inferred, wall or simulated."""


class RunView(Protocol):
    """One run, as it is at the moment it is asked. While `outcome` is None it goes on, and `timeline` grows."""

    @property
    def number(self) -> int:
        """Which run this is, in the order in which they were started."""

    @property
    def repeat(self) -> int:
        """How often the plan is run in a row."""

    @property
    def timeline(self) -> Timeline:
        """What happened so far."""

    @property
    def predicted(self) -> Timeline | None:
        """What the plan expects, if it is known."""

    @property
    def outcome(self) -> str | None:
        """finished, failed, canceled, or None while the run goes on."""

    @property
    def error(self) -> str:
        """Why it failed, in one sentence; empty when it did not."""

    @property
    def failed_task(self) -> int:
        """The task whose operation failed; 0 when none did."""

    @property
    def is_paused(self) -> bool:
        """Whether it was asked to stand still between two parts until it is resumed."""

    @property
    def stands_still(self) -> bool:
        """Whether its device has said that it does; while it should not, it is about to go on."""

    @property
    def progress(self) -> float:
        """The share of operations that are done, 0 to 1; at 1 and without an outcome its results are being checked."""

    @property
    def counter_tracks(self) -> tuple[Track, ...]:
        """What the machine's counters said meanwhile, one a counter; empty where it has none."""

    @property
    def device(self) -> RunDevice | None:
        """What runs it, once that is known."""

    def metrics(self, most_gaps: int | None = None) -> Metrics:
        """The figures so far, with the longest gaps only when asked so."""


@dataclass(frozen=True, slots=True)
class KeptDevice:
    """A RunDevice that was written down."""

    name: str
    stamps: str


class KeptRun:
    """A RunView of a run that is over and was kept with its plan."""

    def __init__(self, run: RecordedRun) -> None:
        self.number = run.number
        self.repeat = run.repeat
        self.timeline = run.timeline()
        self.predicted: Timeline | None = self.timeline.like
        self.outcome: str | None = run.outcome
        self.progress = 1.0
        self.error = run.error
        self.failed_task = run.failed_task
        self.is_paused = self.stands_still = False
        self.counter_tracks = run.counters
        self.device: RunDevice | None = KeptDevice(run.device_name or run.device, run.stamps)
        self.metrics = run.metrics


def latest(started: RunView | None, kept: Sequence[RecordedRun]) -> RunView | None:
    """The run that was started here, else the last that was kept, if there is one."""
    return started or (KeptRun(kept[-1]) if kept else None)
