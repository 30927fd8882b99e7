"""Gap: when a row of a timeline stood idle, and why. It never guesses from a name; only from stamps and links.

Between the timeline's first start and last end, a row (a stream, or an engine that has operations) is idle where none
of its spans lies. Take such a gap [a, b), and the row's operation n that starts at b:

    ready  = min(b, max(a, last end of what n follows))     its links, and what ran before it on its stream
    free   = max(ready, last end <= b on n's engine)        stream rows only: an engine row is free while it is idle

The gap is waiting until `ready`, standing behind others until `free`, and late from then on. Its cause is the longest
of the three, the earlier one of equals:

    dependency    [a, ready):    `task` is the predecessor that ended last
    engine_busy   [ready, free): `task` is the operation that held the engine last
    launch        [free, b) no longer than the launch threshold: what starting an operation costs; `task` is n
    host_late     [free, b) longer, and nothing ran on the device meanwhile: the host gave it nothing to do; `task` is n
    stall         [free, b) longer, while the device ran something else; `task` is n
    no_work       the row has no operation after the gap; `task` is None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.model import TaskId
from engine.trace.columns import Int64
from engine.trace.intervals import Intervals, union
from engine.trace.timeline import ENGINES, Span, Timeline

LAUNCH_NS = 30_000
HOST = ENGINES.index("host")

Predecessors = Mapping[TaskId, tuple[TaskId, ...]]


@dataclass(frozen=True, slots=True)
class Gap:
    """Idle [start_ns, end_ns) of one row: the name of a stream, or (is_engine) one of ENGINES.

    `cause` and `task` are said above; `iteration` is that of `task`.
    """

    row: str
    start_ns: int
    end_ns: int
    cause: str
    task: TaskId | None
    iteration: int = 0
    is_engine: bool = False

    @property
    def duration_ns(self) -> int:
        """How long the row stood idle."""
        return self.end_ns - self.start_ns


class _Idle(NamedTuple):
    """A gap without its cause: the place of its row in the order of rows, and the span that ends it (-1: none)."""

    start: int
    place: int
    end: int
    next: int


def find_gaps(
    timeline: Timeline, predecessors: Predecessors, launch_ns: int = LAUNCH_NS, most: int | None = None
) -> tuple[Gap, ...]:
    """The gaps of every row (the `most` longest of them), ordered by start, then streams before engines."""
    idle = _idle(timeline)
    if most is not None and most < len(idle):
        idle = idle[np.argsort(idle[:, 0] - idle[:, 2], kind="stable")[:most]]
    causes = _Causes(timeline, predecessors, launch_ns)
    return tuple(causes.explain(_Idle(*gap)) for gap in sorted(idle.tolist()))


def _idle(timeline: Timeline) -> Int64:
    """Every gap as a row of _Idle; the place of an engine comes after those of all streams."""
    starts, ends = timeline.start_ns, timeline.end_ns
    begin, finish = starts.min(initial=np.iinfo(np.int64).max), ends.max(initial=0)
    rows = [timeline.stream == index for index in range(len(timeline.streams))]
    rows += [timeline.engine == index for index in range(len(ENGINES))]
    found = [np.empty((0, len(_Idle._fields)), np.int64)]
    for place, belongs in enumerate(rows):
        spans = np.flatnonzero(belongs & (ends > starts))
        if len(spans):
            spans = spans[np.argsort(starts[spans], kind="stable")]
            busy_from, busy_to = union(starts[spans], ends[spans])
            after = np.append(spans[np.searchsorted(starts[spans], busy_from)], -1)
            gaps = np.stack(
                (np.append(begin, busy_to), np.full_like(after, place), np.append(busy_from, finish), after), axis=1
            )
            found.append(gaps[gaps[:, 0] < gaps[:, 2]])
    return np.concatenate(found)


class _Causes:
    """What the causes of many gaps of one timeline are looked up in."""

    def __init__(self, timeline: Timeline, predecessors: Predecessors, launch_ns: int) -> None:
        self._timeline = timeline
        self._predecessors = predecessors
        self._launch_ns = launch_ns
        engine, ends = timeline.engine, timeline.end_ns
        self._device = union(timeline.start_ns[engine != HOST], ends[engine != HOST])
        self._before = _before(timeline)
        by_end = np.argsort(ends, kind="stable")
        self._by_engine = {name: by_end[engine[by_end] == index] for index, name in enumerate(ENGINES)}
        self._ends = {name: ends[spans] for name, spans in self._by_engine.items()}

    def explain(self, gap: _Idle) -> Gap:
        streams = self._timeline.streams
        is_engine = gap.place >= len(streams)
        row = ENGINES[gap.place - len(streams)] if is_engine else streams[gap.place]
        if gap.next < 0:
            return Gap(row, gap.start, gap.end, "no_work", None, is_engine=is_engine)
        late = self._timeline.span_at(gap.next)
        waited = self._waited_for(gap.next, late)
        ready = gap.start if waited is None else min(gap.end, max(gap.start, waited.end_ns))
        holder = None if is_engine else self._held_by(late.engine, gap.end)
        free = ready if holder is None else max(ready, holder.end_ns)
        waiting, behind, rest = ready - gap.start, free - ready, gap.end - free
        cause, span = self._late(free, gap.end), late
        if waited is not None and waiting >= max(1, behind, rest):
            cause, span = "dependency", waited
        elif holder is not None and behind >= max(1, rest):
            cause, span = "engine_busy", holder
        return Gap(row, gap.start, gap.end, cause, span.task, span.iteration, is_engine)

    def _waited_for(self, row: int, late: Span) -> Span | None:
        links = self._predecessors.get(late.task, ())
        spans = [span for task in links if (span := self._timeline.span(task, late.iteration)) is not None]
        if self._before[row] >= 0:
            spans.append(self._timeline.span_at(int(self._before[row])))
        return max(spans, key=lambda span: span.end_ns, default=None)

    def _held_by(self, engine: str, end: int) -> Span | None:
        """What ended last on an engine, up to `end`."""
        place = int(np.searchsorted(self._ends[engine], end, side="right"))
        return self._timeline.span_at(int(self._by_engine[engine][place - 1])) if place else None

    def _late(self, free: int, end: int) -> str:
        if end - free <= self._launch_ns:
            return "launch"
        return "stall" if _touches(self._device, free, end) else "host_late"


def _before(timeline: Timeline) -> Int64:
    """The span before each span on its stream, -1 for the first."""
    order = np.lexsort((timeline.start_ns, timeline.stream))
    before = np.full(timeline.count, -1, np.int64)
    same = timeline.stream[order[1:]] == timeline.stream[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    return before


def _touches(intervals: Intervals, start: int, end: int) -> bool:
    """Whether any of disjoint ordered intervals shares an instant with [start, end)."""
    starts, ends = intervals
    place = int(np.searchsorted(ends, start, side="right"))
    return place < len(starts) and bool(starts[place] < end)
