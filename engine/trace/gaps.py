"""Gap: when a row of a timeline stood idle, and why. It never guesses from a name; only from stamps and links.

Between the timeline's first start and last end, and outside of pauses, a row (a stream, or an engine, that has
operations) is idle where none of its spans lies. An idle stretch [a, b) ends with the row's operation n; let

    ready   = min(b, max(a, last end of what n follows))     its links, and what ran before it on its stream
    launch  = when the host handed n to the device, if that is known
    full    = where the spans on n's engine leave fewer lanes than n takes

Each instant of it has one cause, and what follows each other with the same cause is one gap:

    dependency    [a, ready): `task` is the predecessor that ended last
    engine_busy   in [ready, b), full: `task` is the operation on n's engine that ended last until then
    host_late     in [ready, b), not full, before launch: nothing but the host kept n from starting; `task` is n
    launch        in [ready, b), neither, and no longer than the launch threshold: what a start costs; `task` is n
    stall         in [ready, b), neither, and longer: the device held n back, for memory or to synchronize; `task` is n
    no_work       no operation of the row came after it: none was left, or the run failed or was canceled before one
                  did, as its outcome says; `task` is None

Where the launch is not known, what is longer than the threshold is host_late if the whole device stood still meanwhile.
The gaps of a row sum to its idle time, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.columns import Int64
from engine.trace.intervals import Intervals, holds, union
from engine.trace.obstacles import Group, Obstacles, find_obstacles
from engine.trace.timeline import ENGINES, NOT_KNOWN, Timeline
from engine.trace.waits import Waits

LAUNCH_NS = 30_000
HOST = ENGINES.index("host")
CAUSES = ("dependency", "engine_busy", "host_late", "launch", "stall", "no_work")
_DEPENDENCY, _ENGINE_BUSY, _HOST_LATE, _LAUNCH, _STALL, _NO_WORK = range(len(CAUSES))
_NONE = -1

Pauses = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Gap:
    """Idle [start_ns, end_ns) of one row: the name of a stream, or (is_engine) one of ENGINES.

    `cause`, one of CAUSES, and `task` are said above; `iteration` is that of `task`.
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


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gaps of a timeline as columns, shape (n,) each, ordered by start, then streams before engines.

    `place` counts streams, then ENGINES; `cause` indexes CAUSES; `span` is a row of the timeline, -1 for no work.
    """

    timeline: Timeline
    start: Int64
    end: Int64
    place: Int64
    cause: Int64
    span: Int64

    @property
    def is_engine(self) -> NDArray[np.bool_]:
        """Whether each gap is one of an engine."""
        return self.place >= len(self.timeline.streams)

    def totals(self, place: int | None = None) -> dict[str, int]:
        """Idle nanoseconds by cause, of one row or of all engines; causes that have none are left out."""
        mine = self.is_engine if place is None else self.place == place
        sums = np.zeros(len(CAUSES), np.int64)
        np.add.at(sums, self.cause[mine], (self.end - self.start)[mine])
        return {cause: total for cause, total in zip(CAUSES, sums.tolist(), strict=True) if total}

    def longest(self, most: int | None = None) -> tuple[Gap, ...]:
        """The `most` longest gaps, or all of them, in the order of the columns."""
        chosen = np.arange(len(self.start))
        if most is not None and most < len(chosen):
            chosen = np.sort(np.argsort(self.start - self.end, kind="stable")[:most])
        return tuple(self.gap(index) for index in chosen.tolist())

    def at(self, place: int, instant: int) -> Gap | None:
        """The gap of a row that holds an instant."""
        found = np.flatnonzero((self.place == place) & (self.start <= instant) & (instant < self.end))
        return self.gap(int(found[0])) if len(found) else None

    def gap(self, index: int) -> Gap:
        """One row of the columns."""
        timeline, place, span = self.timeline, int(self.place[index]), int(self.span[index])
        is_engine = place >= len(timeline.streams)
        return Gap(
            row=ENGINES[place - len(timeline.streams)] if is_engine else timeline.streams[place],
            start_ns=int(self.start[index]),
            end_ns=int(self.end[index]),
            cause=CAUSES[self.cause[index]],
            task=None if span < 0 else int(timeline.task[span]),
            iteration=0 if span < 0 else int(timeline.iteration[span]),
            is_engine=is_engine,
        )


def find_gaps(
    timeline: Timeline,
    waits: Waits,
    launch_ns: int = LAUNCH_NS,
    pauses: Pauses = (),
    *,
    is_over: bool = True,
    obstacles: Obstacles | None = None,
) -> Gaps:
    """The gaps of every row, in O(n log n). `launch_ns` is how late an operation may start and still count as launched.

    While a run goes on (not `is_over`) nobody knows what comes after the last operation of a row: that is left out.
    `obstacles` are those of the timeline and `waits`, where they are known.
    """
    idle = _idle(timeline)
    if not is_over:
        idle = idle[:, idle[3] != _NONE]
    start, end, place, cause, span = _explained(
        timeline, obstacles or find_obstacles(timeline, waits), idle, launch_ns, pauses
    )
    order = np.lexsort((place, start))
    return Gaps(timeline, start[order], end[order], place[order], cause[order], span[order])


def _idle(timeline: Timeline) -> Int64:
    """Every idle stretch: its start, end and row, and the span that ends it (-1: none); shape (4, n)."""
    starts, ends = timeline.start_ns, timeline.end_ns
    begin, finish = starts.min(initial=np.iinfo(np.int64).max), ends.max(initial=0)
    has_length = np.flatnonzero(ends > starts)
    by_start = has_length[np.argsort(starts[has_length], kind="stable")]
    found = [np.empty((4, 0), np.int64)]
    for column, count, first in (
        (timeline.stream, len(timeline.streams), 0),
        (timeline.engine, len(ENGINES), len(timeline.streams)),
    ):
        grouped = by_start[np.argsort(column[by_start], kind="stable")]
        edges = np.searchsorted(column[grouped], np.arange(count + 1))
        for index in range(count):
            spans = grouped[edges[index] : edges[index + 1]]
            if len(spans):
                busy_from, busy_to = union(starts[spans], ends[spans])
                after = np.append(spans[np.searchsorted(starts[spans], busy_from)], _NONE)
                edge = (np.append(begin, busy_to), np.append(busy_from, finish), np.full_like(after, first + index))
                gaps = np.stack((*edge, after))
                found.append(gaps[:, gaps[0] < gaps[1]])
    return np.concatenate(found, axis=1)


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Idle stretches: when the operation that ends each was ready, what it waited for last, when it was launched.

    `group` tells those apart whose operations need other lanes; -1 where no operation ends the stretch.
    """

    start: Int64
    end: Int64
    place: Int64
    next: Int64
    waited: Int64
    ready: Int64
    launch: Int64
    group: Int64


def _explained(
    timeline: Timeline, obstacles: Obstacles, idle: Int64, launch_ns: int, pauses: Pauses
) -> tuple[Int64, Int64, Int64, Int64, Int64]:
    """(start, end, place, cause, span) of the gaps that idle stretches are made of."""
    groups, some = obstacles.groups, _stretches(timeline, obstacles, idle)
    which, cut = _cuts(some, groups, pauses)
    is_piece = (which[1:] == which[:-1]) & (cut[1:] > cut[:-1])
    which, first, last = which[:-1][is_piece], cut[:-1][is_piece], cut[1:][is_piece]
    kept = ~holds(_intervals(pauses), first)
    which, first, last = which[kept], first[kept], last[kept]
    cause, span = _classified(timeline, some, groups, (which, first, last), launch_ns)
    goes_on = (which[1:] == which[:-1]) & (first[1:] == last[:-1]) & (cause[1:] == cause[:-1]) & (span[1:] == span[:-1])
    begins = np.flatnonzero(np.append(np.ones(min(1, len(which)), np.bool_), ~goes_on))
    ends = np.append(begins[1:], len(which))[: len(begins)] - 1
    return first[begins], last[ends], some.place[which[begins]], cause[begins], span[begins]


def _stretches(timeline: Timeline, obstacles: Obstacles, idle: Int64) -> _Stretches:
    start, end, place, after = idle
    # Of what ends with no operation nothing is looked up: the last place of each column says so.
    ends = np.append(timeline.end_ns, np.iinfo(np.int64).min)
    waited = np.append(obstacles.waited, _NONE)[after]
    launch, group = np.append(timeline.launch_ns, NOT_KNOWN)[after], np.append(obstacles.group, _NONE)[after]
    return _Stretches(start, end, place, after, waited, np.clip(ends[waited], start, end), launch, group)


def _cuts(some: _Stretches, groups: Sequence[Group], pauses: Pauses) -> tuple[Int64, Int64]:
    """(stretch, instant) of every instant at which a cause may change, in that order."""
    numbers = np.arange(len(some.start))
    launched = np.clip(some.launch, some.ready, some.end)
    which = [np.tile(numbers, 4)]
    cuts = [np.concatenate((some.start, some.ready, launched, some.end))]
    for number, group in enumerate(groups):
        mine, edges = np.flatnonzero(some.group == number), np.stack(group.full, axis=1).ravel()
        first = np.searchsorted(edges, some.ready[mine], side="right")
        counts = np.maximum(np.searchsorted(edges, some.end[mine]) - first, 0)
        which.append(np.repeat(mine, counts))
        cuts.append(edges[np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)])
    for instant in (instant for pause in pauses for instant in pause):
        mine = np.flatnonzero((some.start < instant) & (instant < some.end))
        which.append(mine)
        cuts.append(np.full(len(mine), instant, np.int64))
    stretch, cut = np.concatenate(which), np.concatenate(cuts)
    order = np.lexsort((cut, stretch))
    return stretch[order], cut[order]


def _classified(
    timeline: Timeline,
    some: _Stretches,
    groups: Sequence[Group],
    pieces: tuple[Int64, Int64, Int64],
    launch_ns: int,
) -> tuple[Int64, Int64]:
    """(cause, span) of each piece [first, last) of the stretch `which`: inside of one no cause changes."""
    which, first, last = pieces
    is_full, holder = np.zeros(len(which), np.bool_), np.full(len(which), _NONE, np.int64)
    for number, group in enumerate(groups):
        mine = np.flatnonzero(some.group[which] == number)
        mine = mine[holds(group.full, first[mine])]
        is_full[mine] = True
        ended = np.searchsorted(timeline.end_ns[group.by_end], last[mine], side="right")
        holder[mine] = group.by_end[np.maximum(ended - 1, 0)]
    on_device = timeline.engine != HOST
    device = union(timeline.start_ns[on_device], timeline.end_ns[on_device])
    launch, is_short = some.launch[which], last - first <= launch_ns
    is_late = np.where(launch == NOT_KNOWN, ~is_short & ~_touches(device, first, last), first < launch)
    over, waiting = some.next[which] == _NONE, first < some.ready[which]
    conditions = [over, waiting, is_full, is_late, is_short]
    cause = np.select(conditions, [_NO_WORK, _DEPENDENCY, _ENGINE_BUSY, _HOST_LATE, _LAUNCH], _STALL)
    span = np.select(conditions[:3], [np.full_like(which, _NONE), some.waited[which], holder], some.next[which])
    return cause, span


def _intervals(pauses: Pauses) -> Intervals:
    found = np.array(pauses, np.int64).reshape(-1, 2)
    return union(found[:, 0], found[:, 1])


def _touches(intervals: Intervals, first: Int64, last: Int64) -> NDArray[np.bool_]:
    """Whether any of disjoint ordered intervals shares an instant with each [first, last)."""
    starts, ends = intervals
    place = np.searchsorted(ends, first, side="right")
    return np.append(starts, np.iinfo(np.int64).max)[place] < last
