"""CriticalPath: the chain of operations that decided when a run ended. It never asks the plan, only what happened.

It is followed back from the span that ended last. What decided the start of a span n is what ended last until then, of

    what n follows by a link, to the iteration before among them, or on its stream,
    and what freed the lanes that n took, when its engine had too few of them.

Between the two lies a wait: for the host, the launch, or a stall. The chain ends at a span that waited for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.trace.columns import Int64
from engine.trace.obstacles import Obstacles
from engine.trace.timeline import Timeline


@dataclass(frozen=True, slots=True)
class CriticalPath:
    """`spans` are rows of the timeline in the order of time; of `span_ns` they were at work for `work_ns`."""

    spans: tuple[int, ...] = ()
    work_ns: int = 0
    span_ns: int = 0

    @property
    def share_pct(self) -> float | None:
        """How much of the run the chain was at work; the rest it waited."""
        return 100.0 * self.work_ns / self.span_ns if self.span_ns else None


def critical_path(timeline: Timeline, obstacles: Obstacles) -> CriticalPath:
    """The chain that ends with the span that ended last. `obstacles` are those of the timeline."""
    if not timeline.count:
        return CriticalPath()
    starts, ends = timeline.start_ns, timeline.end_ns
    last = int(np.lexsort((np.arange(len(ends)), ends))[-1])
    spans = _followed(last, _deciders(timeline, obstacles).tolist())
    chain = np.array(spans)
    work_ns = int((ends[chain] - starts[chain]).sum())
    return CriticalPath(spans, work_ns, int(ends.max() - starts.min()))


def _deciders(timeline: Timeline, obstacles: Obstacles) -> Int64:
    """What decided the start of each span, -1 for nothing."""
    starts = timeline.start_ns
    waited, freed = obstacles.waited, obstacles.freed(timeline)
    ends = np.append(timeline.end_ns, np.iinfo(np.int64).min)  # of -1: nothing
    # The traces of others may hold predecessors that had not ended: those decided nothing.
    waited = np.where(ends[waited] <= starts, waited, -1)
    return np.where(ends[freed] > ends[waited], freed, waited)


def _followed(last: int, deciders: list[int]) -> tuple[int, ...]:
    found, seen = [], set[int]()
    at = last
    while at >= 0 and at not in seen:
        found.append(at)
        seen.add(at)
        at = deciders[at]
    return tuple(reversed(found))
