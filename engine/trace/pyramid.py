"""Level and Window: spans merged to bars no finer than a power of two of nanoseconds. They never keep a span's parts.

A row here is one lane of a stream or an engine. A bar is small at level k when it lasts less than 2**k ns. Small bars
of one row whose starts share a cell [c * 2**k, (c + 1) * 2**k) become one bar from their first start to their last end;
other bars stay alone. The merged bar shows the longest of its spans (the earlier one of two equals). Merging level k to
k + 1 gives what merging the spans themselves at k + 1 gives, so a coarse level may be made of any finer one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.trace.columns import Columns, Int64

# `span` is the row in the timeline of the longest span in the bar, `longest` its duration.
BAR = ("row", "start", "end", "span", "longest", "count")
_ROW, _START, _END, _SPAN, _LONGEST, _COUNT = range(6)


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Bars that touch [t0, t1), ordered by start, then row, then lane; arrays of equal length.

    `row` is a stream or an engine, `lane` where in it the bar stands; `start` and `end` are ns; `span` is the row in
    the timeline's columns of the longest span in the bar, `task` and `engine` are its; `count` says how many spans the
    bar stands for.
    """

    row: Int64
    lane: Int64
    start: Int64
    end: Int64
    span: Int64
    task: Int64
    engine: Int64
    count: Int64


class Level:
    """The bars of one timeline at 2**k ns, ordered by start. Spans that may still grow wait outside, in `open`."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.seen = 0
        self.open: Int64 = np.empty(0, np.int64)
        self._bars = Columns(*BAR, "reach")

    def coarser(self, k: int) -> Level:
        """The same bars merged at a higher k."""
        level = Level(k)
        level.seen, level.open = self.seen, self.open
        level.add(self._bars.block()[:-1])
        return level

    def add(self, bars: Int64) -> None:
        """Merge bars of shape (6, n) in. Only bars from the first new start on are touched: O(n) when time moves on."""
        if bars.shape[1] == 0:
            return
        cell = (int(bars[_START].min()) >> self.k) << self.k
        first = int(np.searchsorted(self._bars["start"], cell))
        merged = merge(np.concatenate((self._bars.block(first)[:-1], bars), axis=1), self.k)
        reach = np.maximum.accumulate(merged[_END])
        if first:
            reach = np.maximum(reach, self._bars["reach"][first - 1])
        self._bars.cut(first)
        self._bars.append(np.concatenate((merged, reach[np.newaxis])))

    def between(self, t0: int, t1: int, still_open: Int64) -> Int64:
        """Bars that touch [t0, t1), those of the spans that are still open merged in; shape (6, n).

        A bar of no length touches when it starts in [t0, t1).
        """
        # A cell wider on both sides: an open span may merge with a bar that does not itself touch.
        first = int(np.searchsorted(self._bars["reach"], t0 - (2 << self.k)))
        last = int(np.searchsorted(self._bars["start"], t1 + (1 << self.k)))
        bars = self._bars.block(first, max(first, last))[:-1]
        if still_open.shape[1]:
            bars = merge(np.concatenate((bars, still_open), axis=1), self.k)
        starts, ends = bars[_START], bars[_END]
        return bars[:, (starts < t1) & ((ends > t0) | ((starts == ends) & (starts >= t0)))]


def bars_of(row: Int64, start: Int64, end: Int64, span: Int64) -> Int64:
    """One bar a span, shape (6, n)."""
    return np.stack((row, start, end, span, end - start, np.ones_like(row)))


def merge(bars: Int64, k: int) -> Int64:
    """Bars of shape (6, n) merged at 2**k ns (see the module), ordered by start, then row, then span."""
    is_small = bars[_LONGEST] < 1 << k
    small = bars[:, is_small]
    if small.shape[1] > 1:
        bars = np.concatenate((bars[:, ~is_small], _merge_small(_by_start(small), k)), axis=1)
    return _by_start(bars)


def _by_start(bars: Int64) -> Int64:
    start, row, span = (np.diff(bars[column]) for column in (_START, _ROW, _SPAN))
    # Bars nearly always come in their order, and to see that costs a tenth of sorting them.
    if ((start > 0) | (start == 0) & ((row > 0) | (row == 0) & (span > 0))).all():
        return bars
    return bars[:, np.lexsort((bars[_SPAN], bars[_ROW], bars[_START]))]


def _merge_small(small: Int64, k: int) -> Int64:
    cell = small[_START] >> k
    small = small[:, np.lexsort((small[_ROW], cell))]  # stable: by start inside a group
    cell = small[_START] >> k
    is_first = np.ones(small.shape[1], np.bool_)
    is_first[1:] = (cell[1:] != cell[:-1]) | (small[_ROW, 1:] != small[_ROW, :-1])
    first = np.flatnonzero(is_first)
    longest = np.maximum.reduceat(small[_LONGEST], first)
    group = np.cumsum(is_first) - 1
    places = np.arange(small.shape[1])
    shown = np.minimum.reduceat(np.where(small[_LONGEST] == longest[group], places, len(places)), first)
    return np.stack(
        (
            small[_ROW, first],
            small[_START, first],
            np.maximum.reduceat(small[_END], first),
            small[_SPAN, shown],
            longest,
            np.add.reduceat(small[_COUNT], first),
        )
    )
