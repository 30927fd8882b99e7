"""Links: the way of each link around the bars, as elbows in pixels. It never knows what a link means for dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model import Dependency, DependencyKind, TaskId
from gui.canvas.shapes import Point
from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Bar, BarKind, Coordinates, Layout
from gui.gantt.labels import words_beside
from gui.gantt.row_links import Flags, NearLinks, Places, RowLink
from gui.gantt.rows import Rows
from gui.theme import METRICS

STUB_PX = 5.0
INSET_PX = 4.0
_CLEAR_PX = 3.0
_DETOUR_PX = 160.0
_NEAR_PX = 24.0
# A link both of whose ends are so far beside the chart is nowhere in it: no detour is as long.
_AWAY_PX = 2 * _DETOUR_PX
_CLOSE_ROWS = 3
# Added to the stub, by the row of the bar.
_LANES_PX = (0.0, 2.0, -2.0)
_SUMMARY_TOP_PX = 9.0

Span = tuple[float, float]

_NOBODY: frozenset[TaskId] = frozenset()
_SOURCE_IS_FINISH = {DependencyKind.FS, DependencyKind.FF}
_TARGET_IS_FINISH = {DependencyKind.FF, DependencyKind.SF}


@dataclass(frozen=True, slots=True)
class End:
    """One end of a bar: where it is, which way is out (1 right, -1 left), and the bar's upper and lower edge.

    `y` is the upper edge of its row; `inset` how far inside the bar a link from above or below meets it. Links that
    leave bars of several lanes next to each other turn at several places: their uprights stand apart.
    """

    x: float
    y: float
    out: int
    top: float
    bottom: float
    inset: float = INSET_PX
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Route:
    """A link and the points it runs through, from its first task to the tip of its arrow.

    `beyond` are the tasks of other links that look alike in the chart: they leave it by the same upright.
    """

    link: RowLink
    points: tuple[Point, ...]
    beyond: frozenset[TaskId] = frozenset()


def routes(layout: Layout, first_row: int, last_row: int, words: Mapping[int, Span] | None = None) -> Sequence[Route]:
    """The ways of all links that touch these rows and may be seen; of those that look alike there, the first.

    `words` are what stands beside the bars of some, by row; None: find out.
    """
    words = words_beside(layout, first_row, last_row) if words is None else words
    sight = first_row, last_row, frozenset(words.items())
    known: Sequence[Route] | None = layout.ways.get(sight)
    if known is None:
        known = layout.ways[sight] = _Routing(layout, first_row, last_row, words).routes()
    return known


class _Routing:
    """The ways of links in one picture. Links that run through the same rows have the same walls: merged once."""

    def __init__(self, layout: Layout, first_row: int, last_row: int, words: Mapping[int, Span]) -> None:
        self._layout = layout
        self._rows = first_row, last_row
        self._walls = _walls(layout, first_row, last_row, words)
        self._labeled = {row for row, (left, _) in words.items() if left >= layout.bar(row).right}
        self._merged: dict[tuple[int, int], list[Span]] = {}
        self._ends: dict[tuple[int, bool], End] = {}

    def routes(self) -> tuple[Route, ...]:
        """In the order of the links."""
        near = self._in_reach()
        groups = self._alike(near)
        seconds, tasks = near.second, self._layout.rows.tasks
        found = []
        for place in range(len(near)):
            group = groups.get(place)
            if group is None or group[0] == place:
                link = near.link(place)
                beyond = frozenset(tasks[row].id for row in seconds[group[1:]].tolist()) if group else _NOBODY
                found.append(Route(link, self._way(link), beyond))
        return tuple(found)

    def _in_reach(self) -> NearLinks:
        """Those that are not beside the chart as a whole."""
        near = self._layout.rows.near_links(*self._rows)
        source = self._layout.edges(near.first, near.from_finish)
        target = self._layout.edges(near.second, near.to_finish)
        farthest = self._layout.scale.width_px + _AWAY_PX
        return near.only((np.maximum(source, target) >= -_AWAY_PX) & (np.minimum(source, target) <= farthest))

    def _alike(self, near: NearLinks) -> dict[int, list[int]]:
        """Places of links that look alike in the chart, by each of them but for lonely ones.

        They lead from one end of a bar in sight to rows so far out of it that no more than their upright is seen.
        """
        first, last = self._rows
        is_up, is_seen = near.second < first - 1, (near.first >= first) & (near.first <= last)
        is_far = (near.second > last + 1) | is_up
        leaving: Places = np.flatnonzero(is_seen & is_far & (np.abs(near.second - near.first) > _CLOSE_ROWS))
        looks = (near.first, near.from_finish, is_up, near.is_stored)
        found: dict[int, list[int]] = {}
        for bundle in _bundles(leaving, *(look[leaving] for look in looks)):
            for group in self._by_upright(near, np.array(bundle)):
                found |= dict.fromkeys(group, group)
        return found

    def _by_upright(self, near: NearLinks, bundle: Places) -> list[list[int]]:
        """Links that leave one end in one direction, those together that do so by one upright; lonely ones left out.

        What stands beside the chart is all alike.
        """
        some = near.only(bundle)
        link = some.link(0)
        source, has_label = self._end(link.first, link.kind in _SOURCE_IS_FINISH), link.first in self._labeled
        enter = self._layout.edges(some.second, some.to_finish, INSET_PX)
        upright, is_straight = _uprights(source, enter, self._walls_between(link), has_label)
        beside = np.clip(upright, -METRICS.row_px, self._layout.scale.width_px + METRICS.row_px)
        return _bundles(bundle, is_straight, beside)

    def _way(self, link: RowLink) -> tuple[Point, ...]:
        source = self._end(link.first, link.kind in _SOURCE_IS_FINISH)
        target = self._end(link.second, link.kind in _TARGET_IS_FINISH)
        return _way(source, target, self._walls_between(link), link.first in self._labeled)

    def _end(self, row: int, is_finish: bool) -> End:
        found = self._ends.get((row, is_finish))
        if found is None:
            found = self._ends[row, is_finish] = end_of(self._layout, self._layout.bar(row), is_finish)
        return found

    def _walls_between(self, link: RowLink) -> list[Span]:
        first_row, last_row = self._rows
        upper, lower = (link.first, link.second) if link.first < link.second else (link.second, link.first)
        between = max(upper + 1, first_row), min(lower, last_row + 1)
        if between not in self._merged:
            self._merged[between] = _merged(span for row in range(*between) for span in self._walls[row])
        return self._merged[between]


def in_sight(points: tuple[Point, ...], height_px: float) -> tuple[Point, ...]:
    """The part of a way that a chart so high shows, as far as a row beyond its edges.

    Links of one end that leave the chart by one upright have it in common: drawn once, it stands for all.
    """
    top, bottom = -float(METRICS.row_px), height_px + METRICS.row_px
    seen = [place for place, (_, y) in enumerate(points) if top <= y <= bottom]
    if not seen or len(seen) == len(points):
        return points
    part = points[max(seen[0] - 1, 0) : seen[-1] + 2]
    return tuple((x, min(max(y, top), bottom)) for x, y in part)


def way_of(layout: Layout, first_row: int, last_row: int, link: Dependency) -> tuple[Point, ...] | None:
    """The points that one link runs through, None where it touches none of these rows."""
    near = (each for each in routes(layout, first_row, last_row) if is_way_of(each, link, layout.rows))
    return next((each.points for each in near), None)


def is_way_of(way: Route, link: Dependency, rows: Rows) -> bool:
    """Whether a link runs there as far as it is seen."""
    if way.link.dependency == link:
        return True
    return link.successor in way.beyond and rows.tasks[way.link.first].id == link.predecessor


def _walls(layout: Layout, first_row: int, last_row: int, words: Mapping[int, Span]) -> dict[int, list[Span]]:
    """What stands in each row that an upright line should not run through: a bar, and the words beside it."""
    found = {}
    for row in range(first_row, last_row + 1):
        bar = layout.bar(row)
        found[row] = [] if bar.kind is BarKind.SUMMARY else [_span(bar)]
        if row in words:
            found[row].append((words[row][0] - _CLEAR_PX, words[row][1] + _CLEAR_PX))
    return found


def end_of(layout: Layout, bar: Bar, is_finish: bool) -> End:
    """An end of a bar, outside what frames it."""
    dates = layout.state.schedule
    is_framed = bool(dates.is_critical[bar.plan_row] or dates.is_near_critical[bar.plan_row])
    out_px = METRICS.frame_px if is_framed and bar.kind is BarKind.LEAF else 0
    top = bar.y + (_SUMMARY_TOP_PX if bar.kind is BarKind.SUMMARY else METRICS.bar_top_px - out_px)
    x, out = (bar.right, 1) if is_finish else (bar.left, -1)
    inset = min(INSET_PX, (bar.right - bar.left) / 2)
    if bar.kind is BarKind.MILESTONE:
        x += out * METRICS.bar_px / 2
        inset = METRICS.bar_px / 2
    return End(x, bar.y, out, top, bar.y + BOTTOM_PX + out_px, inset, bar.row % len(_LANES_PX))


def route(source: End, target: End, blocked: Iterable[Span], has_label: bool = False) -> tuple[Point, ...]:
    """From an end, first along the rows beside it, then along the gutter between two rows, to another end.

    All links of one end so share one upright, and cross what lies between in gutters, where nothing stands. A link to
    a place near by goes straight across. `blocked` are the bars and words of the rows between; where they stand in the
    way the upright goes to the nearest gap, or straight on where that is too far to follow with the eye.
    """
    return _way(source, target, _merged(blocked), has_label)


def _way(source: End, target: End, walls: list[Span], has_label: bool) -> tuple[Point, ...]:
    is_down = target.y > source.y
    enter = target.x - target.out * target.inset
    tip = (enter, target.top if is_down else target.bottom)
    middle = source.y + MIDDLE_PX
    stub = _stub(source, has_label)
    reach_y = target.y + (0 if is_down else METRICS.row_px)
    far = abs(enter - source.x)
    is_ahead = (enter - source.x) * source.out >= 0 and (not has_label or far <= STUB_PX + 1)
    is_next = abs(target.y - source.y) <= METRICS.row_px
    is_enter_free = _free(walls, enter) == enter
    if is_ahead and is_enter_free and (is_next or far <= _NEAR_PX):
        return _simple(((source.x, middle), (enter, middle), tip))
    if _is_free(walls, stub):
        return _simple(((source.x, middle), (stub, middle), (stub, reach_y), (enter, reach_y), tip))
    is_close = abs(target.y - source.y) <= _CLOSE_ROWS * METRICS.row_px
    beside = _spread(walls, stub, _gap(walls, stub, enter), source.lane)
    if is_ahead and is_enter_free and (is_close or not _is_free(walls, beside)):
        return _simple(((source.x, middle), (enter, middle), tip))
    leave_y = source.y + (METRICS.row_px if is_down else 0)
    lane = _free(walls, enter) if is_close or not _is_free(walls, beside) else beside
    way = ((source.x, middle), (stub, middle), (stub, leave_y), (lane, leave_y), (lane, reach_y), (enter, reach_y), tip)
    return _simple(way)


def _stub(source: End, has_label: bool) -> float:
    """Where a link turns first."""
    apart = _LANES_PX[source.lane]
    return source.x + source.out * (STUB_PX + (min(apart, 0.0) if has_label else apart))


def _bundles(places: Places, *looks: NDArray[Any]) -> list[list[int]]:
    """Places that look alike in every way, together; lonely ones left out."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for place, *look in zip(places.tolist(), *(look.tolist() for look in looks), strict=True):
        found.setdefault(tuple(look), []).append(place)
    return [alike for alike in found.values() if len(alike) > 1]


def _spread(walls: list[Span], wanted: float, gap: float, lane: int) -> float:
    """A place in a gap, a little farther from the wall that pushed a link there: links of several lanes stand apart."""
    apart = gap + (2.0 * lane if gap > wanted else -2.0 * lane)
    return apart if _is_free(walls, apart) else gap


def distance(points: tuple[Point, ...], x_px: float, y_px: float) -> float:
    """How far a place is from a run of level and upright segments, the larger of both axes."""
    return min(
        max(min(a[0], b[0]) - x_px, x_px - max(a[0], b[0]), min(a[1], b[1]) - y_px, y_px - max(a[1], b[1]), 0.0)
        for a, b in pairwise(points)
    )


def _span(bar: Bar) -> Span:
    half = METRICS.bar_px / 2 if bar.kind is BarKind.MILESTONE else 0.0
    return bar.left - half - _CLEAR_PX, bar.right + half + _CLEAR_PX


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for left, right in sorted(spans):
        if merged and left <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], right))
        else:
            merged.append((left, right))
    return merged


def _free(walls: list[Span], x: float) -> float:
    """The nearest place to x where nothing stands; x itself where that is far."""
    for left, right in walls:
        if left < x < right:
            gap = left if x - left <= right - x else right
            return gap if abs(gap - x) <= _DETOUR_PX else x
    return x


def _gap(walls: list[Span], x: float, toward: float) -> float:
    """The place near x where nothing stands that makes the way to another the shortest; x itself where none is near."""
    return min(_gaps(walls, x), key=lambda place: abs(place - x) + abs(toward - place), default=x)


def _gaps(walls: list[Span], x: float) -> list[float]:
    """The places at both sides of the wall that stands at x, those that are near."""
    for left, right in walls:
        if left < x < right:
            return [place for place in (left, right) if abs(place - x) <= _DETOUR_PX]
    return []


def _uprights(source: End, enter: Coordinates, walls: list[Span], has_label: bool) -> tuple[Coordinates, Flags]:
    """What `_way` does for links to places far away, all at once: where their longest uprights stand, and which links
    go straight across to theirs."""
    stub, far = _stub(source, has_label), np.abs(enter - source.x)
    gap = _all_free(walls, enter)
    is_ahead = ((enter - source.x) * source.out >= 0) & (not has_label or far <= STUB_PX + 1) & (gap == enter)
    is_straight = is_ahead & (far <= _NEAR_PX)
    if _is_free(walls, stub):
        return np.where(is_straight, enter, stub), is_straight
    gaps = _gaps(walls, stub) or [stub]
    costs = np.stack([abs(each - stub) + np.abs(enter - each) for each in gaps])
    spread = [_spread(walls, stub, each, source.lane) for each in gaps]
    beside = np.array([place if _is_free(walls, place) else np.inf for place in spread])[costs.argmin(axis=0)]
    is_open = np.isfinite(beside)
    return np.where(is_open & ~is_straight, beside, gap), is_straight | (is_ahead & ~is_open)


def _all_free(walls: list[Span], places: Coordinates) -> Coordinates:
    """What `_free` does, for many places."""
    if not walls:
        return places
    lefts, rights = np.array(walls).T
    at = np.maximum(np.searchsorted(lefts, places, side="left") - 1, 0)
    left, right = lefts[at], rights[at]
    gap = np.where(places - left <= right - places, left, right)
    is_walled = (left < places) & (places < right) & (np.abs(gap - places) <= _DETOUR_PX)
    return np.where(is_walled, gap, places)


def _is_free(walls: list[Span], x: float) -> bool:
    for left, right in walls:
        if x <= left:
            return True
        if x < right:
            return False
    return True


def _simple(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Without points that stand still or lie on the way."""
    kept: list[Point] = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        if len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            if ax == bx == point[0] or ay == by == point[1]:
                kept.pop()
        kept.append(point)
    return tuple(kept)
