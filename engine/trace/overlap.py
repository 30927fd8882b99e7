"""Metrics: how well a run kept its device busy, in exact integer nanoseconds. They never change a timeline.

Over the spans so far, [s, e) each, U(S) the union of a set of spans and |U| its length in ns:

    span       max e - min s, over all operations
    serial     sum of e - s, over all operations: what the run would take with nothing beside anything
    busy       |U(copies, kernels)|: host operations do not keep a device busy, so they are not in it
    hidden     |U(copies) ∩ U(compute)| / |U(copies)|, in percent; the same for copies in and copies out alone
    speed-up   serial / span

A pause is no part of any of these but the span: what stands under it is shorter by it, and the busy share and the
speed-up are of the span without it.

A quotient whose denominator is zero is None: a run that copies nothing hides neither all nor nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.trace.critical_path import CriticalPath, critical_path
from engine.trace.gaps import HOST, Gap, Gaps, find_gaps
from engine.trace.intervals import Intervals, concurrency, intersect, measure, union
from engine.trace.obstacles import find_obstacles
from engine.trace.timeline import ENGINES, PARTS, Timeline
from engine.trace.waits import Waits

__all__ = ["Gap", "Metrics", "concurrency", "intersect", "measure", "measure_timeline", "pauses_after", "union"]

_NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of one run, as the module says. `concurrency_ns[k]` is how much of the span exactly k
    operations took at once, `paused_ns` how much of it was a pause. `idle_ns` is how long engines stood idle, by cause,
    and `path` the chain of operations that decided the end. `explained` are all gaps, as columns.

    `bound_ns` is the least span the plan allows (the busiest engine or the longest path), None when it is not known.
    `is_of_latest`: a long run goes on, or was too long, and these are the figures of its latest operations alone.
    """

    span_ns: int
    busy_ns: int
    serial_ns: int
    bound_ns: int | None
    hidden_copy_pct: float | None
    speed_up: float | None
    gaps: tuple[Gap, ...]
    hidden_in_pct: float | None = None
    hidden_out_pct: float | None = None
    concurrency_ns: tuple[int, ...] = ()
    paused_ns: int = 0
    idle_ns: Mapping[str, int] = field(default_factory=dict)
    is_of_latest: bool = False
    path: CriticalPath = field(default_factory=CriticalPath)
    explained: Gaps | None = field(default=None, compare=False, repr=False)

    @property
    def busy_pct(self) -> float | None:
        """The share of the span, without pauses, in which the device did something."""
        return _share(self.busy_ns, self.span_ns - self.paused_ns)


def measure_timeline(
    timeline: Timeline,
    waits: Waits,
    bound_ns: int | None,
    most_gaps: int | None = None,
    pauses: Sequence[tuple[int, int]] = (),
    *,
    is_over: bool = True,
) -> Metrics:
    """The metrics of the spans so far. `waits` is what the run obeys.

    `most_gaps` keeps the longest gaps only. The run stood still in the [start, end) of `pauses`. While it goes on, it
    is not `is_over`.
    """
    spans, engine = (_without(pauses, timeline.start_ns), _without(pauses, timeline.end_ns)), timeline.engine
    worked_ns = int(spans[1].max() - spans[0].min()) if timeline.count else 0
    paused_ns = sum(end - start for start, end in pauses)
    obstacles = find_obstacles(timeline, waits)
    gaps = find_gaps(timeline, waits, pauses=pauses, is_over=is_over, obstacles=obstacles)
    serial_ns = int((spans[1] - spans[0]).sum())
    copy_in, compute, copy_out = (_of(spans, engine == ENGINES.index(name)) for name in ENGINES[:3])
    copies = (np.concatenate((copy_in[0], copy_out[0])), np.concatenate((copy_in[1], copy_out[1])))
    return Metrics(
        span_ns=worked_ns + paused_ns,
        busy_ns=measure(*_of(spans, engine != HOST)),
        serial_ns=serial_ns,
        bound_ns=bound_ns,
        hidden_copy_pct=_hidden(copies, compute),
        speed_up=serial_ns / worked_ns if worked_ns else None,
        gaps=gaps.longest(most_gaps),
        explained=gaps,
        idle_ns=gaps.totals(),
        path=critical_path(timeline, obstacles),
        hidden_in_pct=_hidden(copy_in, compute),
        hidden_out_pct=_hidden(copy_out, compute),
        concurrency_ns=_histogram(*spans, worked_ns),
        paused_ns=paused_ns,
    )


def pauses_after(timeline: Timeline, paused_at: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The [start, end) of pauses that were asked for: from an end of a part in `paused_at` until the next part began.

    Parts in flight when it was asked for are no part of a pause.
    """
    found = []
    for instant in sorted(set(paused_at)):
        starts, ends = (timeline.rows()[:, PARTS.index(name)] for name in ("start_ns", "end_ns"))
        begins = int(starts.min(initial=_NEVER, where=(starts >= instant) & (ends > starts)))
        has_ended = ((starts < instant) & (ends == instant)).any()
        goes_on = ((starts < instant) & (ends > instant)).any()
        if has_ended and not goes_on and instant < begins < _NEVER:
            found.append((instant, begins))
    return tuple(found)


def _without(pauses: Sequence[tuple[int, int]], instants: NDArray[np.int64]) -> NDArray[np.int64]:
    """The instants on a clock that stood still in every pause."""
    stood = np.zeros_like(instants)
    for start, end in pauses:
        stood += np.clip(instants - start, 0, end - start)
    return instants - stood


def _of(spans: Intervals, belongs: NDArray[np.bool_]) -> Intervals:
    return spans[0][belongs], spans[1][belongs]


def _hidden(copies: Intervals, compute: Intervals) -> float | None:
    return _share(measure(*intersect(copies, compute)), measure(*copies))


def _share(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None


def _histogram(starts: NDArray[np.int64], ends: NDArray[np.int64], span_ns: int) -> tuple[int, ...]:
    edges, counts = concurrency(starts, ends)
    lengths = np.zeros(int(counts.max(initial=0)) + 1, np.int64)
    np.add.at(lengths, counts[:-1], np.diff(edges))
    lengths[0] = span_ns - lengths[1:].sum()
    return tuple(lengths.tolist()) if span_ns else ()
