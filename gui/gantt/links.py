"""Links: the way of each link around the bars, as elbows in pixels. It never knows what a link means for dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from engine.model import DependencyKind
from gui.canvas.shapes import Point
from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.rows import RowLink
from gui.theme import METRICS

STUB_PX = 5.0
INSET_PX = 4.0
_CLEAR_PX = 3.0
_DETOUR_PX = 160.0
_SUMMARY_TOP_PX = 9.0

Span = tuple[float, float]

_SOURCE_IS_FINISH = {DependencyKind.FS, DependencyKind.FF}
_TARGET_IS_FINISH = {DependencyKind.FF, DependencyKind.SF}


@dataclass(frozen=True, slots=True)
class End:
    """One end of a bar: where it is, which way is out (1 right, -1 left), and the bar's upper and lower edge.

    `y` is the upper edge of its row; `inset` how far inside the bar a link from above or below meets it.
    """

    x: float
    y: float
    out: int
    top: float
    bottom: float
    inset: float = INSET_PX


@dataclass(frozen=True, slots=True)
class Route:
    """A link and the points it runs through, from its first task to the tip of its arrow."""

    link: RowLink
    points: tuple[Point, ...]


def routes(layout: Layout, first_row: int, last_row: int, labeled_rows: frozenset[int] = frozenset()) -> list[Route]:
    """The ways of all links that touch these rows. `labeled_rows` have words to the right of their bar."""
    seen = [layout.bar(row) for row in range(first_row, last_row + 1)]
    spans = {bar.row: _span(bar) for bar in seen if bar.kind is not BarKind.SUMMARY}
    found = []
    for link in layout.rows.links_at(first_row, last_row):
        between = range(min(link.first, link.second) + 1, max(link.first, link.second))
        blocked = [spans[row] for row in between if row in spans]
        source = end_of(layout.bar(link.first), link.kind in _SOURCE_IS_FINISH)
        target = end_of(layout.bar(link.second), link.kind in _TARGET_IS_FINISH)
        found.append(Route(link, route(source, target, blocked, link.first in labeled_rows)))
    return found


def end_of(bar: Bar, is_finish: bool) -> End:
    """An end of a bar."""
    top = bar.y + (_SUMMARY_TOP_PX if bar.kind is BarKind.SUMMARY else METRICS.bar_top_px)
    x, out = (bar.right, 1) if is_finish else (bar.left, -1)
    inset = min(INSET_PX, (bar.right - bar.left) / 2)
    if bar.kind is BarKind.MILESTONE:
        x += out * METRICS.bar_px / 2
        inset = METRICS.bar_px / 2
    return End(x, bar.y, out, top, bar.y + BOTTOM_PX, inset)


def route(source: End, target: End, blocked: Iterable[Span], has_label: bool = False) -> tuple[Point, ...]:
    """From an end along the gutters between the rows to an end, entered from above or below.

    `blocked` are the bars of the rows between; where they stand in the way the elbow goes to the nearest gap, or
    straight on where that is too far to follow with the eye.
    """
    is_down = target.y > source.y
    enter = target.x - target.out * target.inset
    tip = (enter, target.top if is_down else target.bottom)
    middle = source.y + MIDDLE_PX
    walls = _merged(blocked)
    is_ahead = (enter - source.x) * source.out >= 0
    if is_ahead and _free(walls, enter) == enter and (not has_label or abs(enter - source.x) <= 2 * STUB_PX):
        return _simple(((source.x, middle), (enter, middle), tip))
    stub = source.x + source.out * STUB_PX
    leave_y = source.y + (METRICS.row_px if is_down else 0)
    reach_y = target.y + (0 if is_down else METRICS.row_px)
    lane = stub if _free(walls, enter) != enter and _free(walls, stub) == stub else _free(walls, enter)
    way = ((source.x, middle), (stub, middle), (stub, leave_y), (lane, leave_y), (lane, reach_y), (enter, reach_y), tip)
    return _simple(way)


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


def _simple(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Without points that stand still or lie on the way."""
    kept: list[Point] = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        if len(kept) > 1 and any(kept[-2][axis] == kept[-1][axis] == point[axis] for axis in (0, 1)):
            kept.pop()
        kept.append(point)
    return tuple(kept)
