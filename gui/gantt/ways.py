"""Ways: the points that links run through around the bars, those of a whole picture at once, as arrays.

They never know which links there are, nor what a link means for dates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Layout
from gui.gantt.row_links import Flags, Places
from gui.theme import METRICS

STUB_PX = 5.0
INSET_PX = 4.0
POINTS = 7
DETOUR_PX = 160.0
NEAR_PX = 24.0
# A link both of whose ends are so far beside the chart is nowhere in it: no detour is as long.
AWAY_PX = 2 * DETOUR_PX
CLOSE_ROWS = 3
# Added to the stub, by the row of the bar.
LANES_PX = np.array((0.0, 2.0, -2.0))
SUMMARY_TOP_PX = 9.0

Pixels: TypeAlias = NDArray[np.float64]
Span = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Ends of bars, an entry each: where they are, which way is out (1 right, -1 left), and the bar's upper and lower
    edge.

    `y` is the upper edge of the row; `inset` how far inside the bar a link from above or below meets it. Links that
    leave bars of several lanes next to each other turn at several places: their uprights stand apart.
    """

    x: Pixels
    y: Pixels
    out: Pixels
    top: Pixels
    bottom: Pixels
    inset: Pixels
    lane: Places

    @staticmethod
    def of(layout: Layout, rows: Places, is_finish: Flags) -> Ends:
        """The finishes of the bars in some rows, or their starts, outside what frames them."""
        plan_rows, dates, traits = layout.rows.plan_rows[rows], layout.state.schedule, layout.rows.traits(rows)
        framed = dates.is_critical[plan_rows] | dates.is_near_critical[plan_rows]
        out_px = np.where(framed & ~traits.is_summary & ~traits.is_milestone, float(METRICS.frame_px), 0.0)
        left, right = layout.spans(rows)
        half, out = np.where(traits.is_milestone, METRICS.bar_px / 2, 0.0), np.where(is_finish, 1.0, -1.0)
        inset = np.where(traits.is_milestone, half, np.minimum(INSET_PX, (right - left) / 2))
        y = rows.astype(np.float64) * METRICS.row_px - layout.scroll_px
        top = y + np.where(traits.is_summary, SUMMARY_TOP_PX, METRICS.bar_top_px - out_px)
        x = np.where(is_finish, right, left) + out * half
        return Ends(x, y, out, top, y + BOTTOM_PX + out_px, inset, rows % len(LANES_PX))

    @property
    def enter(self) -> Pixels:
        """Where a link from above or below meets the bar."""
        return self.x - self.out * self.inset


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What stands at some places: whether something does, and how far it reaches with all that touches it."""

    is_walled: Flags
    left: Pixels
    right: Pixels


class Walls:
    """What an upright line should not run through, for each of several runs of rows: what stands there, merged where
    it overlaps.

    `spans` are (left, right) pairs, each in one of the `rows`; run `i` are the rows from `firsts[i]` up to `ends[i]`.
    """

    def __init__(self, spans: Iterable[Span], rows: Iterable[int], firsts: Places, ends: Places) -> None:
        given = np.array([*spans], dtype=np.float64).reshape(-1, 2)
        ranked = np.argsort(given[:, 0], kind="stable")
        self._lefts, rights = given[ranked, 0], given[ranked, 1]
        row = np.array([*rows], dtype=np.int64)[ranked]
        is_in = (row >= firsts[:, None]) & (row < ends[:, None])
        # One more column in front, for places left of everything.
        reach = np.full((len(firsts), len(row) + 1), -np.inf)
        np.maximum.accumulate(np.where(is_in, rights, -np.inf), axis=1, out=reach[:, 1:])
        is_first = is_in & (self._lefts > reach[:, :-1])
        is_last = np.ones_like(reach, dtype=np.bool_)
        is_last[:, :-1] = is_first
        self._reach = reach
        self._left = np.full_like(reach, -np.inf)
        np.maximum.accumulate(np.where(is_first, self._lefts, -np.inf), axis=1, out=self._left[:, 1:])
        self._right = np.minimum.accumulate(np.where(is_last, reach, np.inf)[:, ::-1], axis=1)[:, ::-1]

    def at(self, runs: Places, x: Pixels) -> Hits:
        """What stands at places, each within its run."""
        place = np.searchsorted(self._lefts, x, side="left")
        return Hits(self._reach[runs, place] > x, self._left[runs, place], self._right[runs, place])

    def is_free(self, runs: Places, x: Pixels) -> Flags:
        """Where nothing stands."""
        place = np.searchsorted(self._lefts, x, side="left")
        free: Flags = self._reach[runs, place] <= x
        return free

    def beside(self, runs: Places, x: Pixels) -> Pixels:
        """The nearest place to each where nothing stands; the place itself where that is far."""
        hits = self.at(runs, x)
        gap = np.where(x - hits.left <= hits.right - x, hits.left, hits.right)
        return np.where(hits.is_walled & (np.abs(gap - x) <= DETOUR_PX), gap, x)

    def toward(self, runs: Places, x: Pixels, goal: Pixels) -> Pixels:
        """The place near each where nothing stands that makes the way to another the shortest; itself where none is."""
        hits = self.at(runs, x)
        costs = []
        for edge in (hits.left, hits.right):
            is_near = hits.is_walled & (np.abs(edge - x) <= DETOUR_PX)
            costs.append(np.where(is_near, np.abs(edge - x) + np.abs(goal - edge), np.inf))
        nearest = np.where(costs[1] < costs[0], hits.right, hits.left)
        return np.where(np.isfinite(costs[0]) | np.isfinite(costs[1]), nearest, x)


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Ways of links, an entry each: POINTS points, of which some may be one or lie on a line.

    `upright` is where each has its longest upright, `is_straight` which go straight across to that.
    """

    points: Pixels
    upright: Pixels
    is_straight: Flags


def ways(source: Ends, target: Ends, has_label: Flags, walls: Walls, runs: Places) -> Ways:
    """From an end, first along the rows beside it, then along the gutter between two rows, to another end.

    All links of one end so share one upright, and cross what lies between in gutters, where nothing stands. A link to
    a place near by goes straight across. `runs` are those of the rows between; where walls stand in the way the upright
    goes to the nearest gap, or straight on where that is too far to follow with the eye.
    """
    row_px = float(METRICS.row_px)
    enter, stub, down = target.enter, _stubs(source, has_label), target.y > source.y
    far, high = np.abs(enter - source.x), np.abs(target.y - source.y)
    is_ahead = ((enter - source.x) * source.out >= 0) & (~has_label | (far <= STUB_PX + 1))
    free_enter = walls.beside(runs, enter)
    is_ahead &= free_enter == enter
    is_near = is_ahead & ((high <= row_px) | (far <= NEAR_PX))
    turns = walls.is_free(runs, stub) & ~is_near
    is_close = high <= CLOSE_ROWS * row_px
    beside = _spread(source, stub, walls.toward(runs, stub, enter), walls, runs)
    is_shut = is_close | ~walls.is_free(runs, beside)
    is_straight = is_near | (is_ahead & ~turns & is_shut)
    lane = np.where(is_shut, free_enter, beside)
    leave = source.y + np.where(down, row_px, 0.0)
    reach = target.y + np.where(down, 0.0, row_px)
    # What runs along one gutter alone has no use for a lane of its own.
    lane = np.where(turns | (leave == reach), stub, lane)
    middle, tip = source.y + MIDDLE_PX, np.where(down, target.top, target.bottom)
    stub, lane = np.where(is_straight, enter, stub), np.where(is_straight, enter, lane)
    leave, reach = np.where(turns, reach, leave), np.where(is_straight, middle, reach)
    leave = np.where(is_straight, middle, leave)
    xs, ys = (source.x, stub, stub, lane, lane, enter, enter), (middle, middle, leave, leave, reach, reach, tip)
    return Ways(np.stack((np.stack(xs, axis=1), np.stack(ys, axis=1)), axis=2), lane, is_straight)


def _stubs(source: Ends, has_label: Flags) -> Pixels:
    """Where links turn first."""
    apart = LANES_PX[source.lane]
    return source.x + source.out * (STUB_PX + np.where(has_label, np.minimum(apart, 0.0), apart))


def _spread(source: Ends, wanted: Pixels, gap: Pixels, walls: Walls, runs: Places) -> Pixels:
    """Places in gaps, a little farther from the wall that pushed links there: those of several lanes stand apart."""
    apart = gap + np.where(gap > wanted, 2.0, -2.0) * source.lane
    return np.where(walls.is_free(runs, apart), apart, gap)
