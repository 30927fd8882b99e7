"""The way of one link, readable: what the ways of a whole picture are held to."""

from collections.abc import Iterable
from dataclasses import dataclass

from gui.canvas.shapes import Point
from gui.gantt.bars import BOTTOM_PX, MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.ways import CLOSE_ROWS, DETOUR_PX, INSET_PX, LANES_PX, NEAR_PX, STUB_PX, SUMMARY_TOP_PX, Span
from gui.theme import METRICS


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


def end_of(layout: Layout, bar: Bar, is_finish: bool) -> End:
    """An end of a bar, outside what frames it."""
    dates = layout.state.schedule
    is_framed = bool(dates.is_critical[bar.plan_row] or dates.is_near_critical[bar.plan_row])
    out_px = METRICS.frame_px if is_framed and bar.kind is BarKind.LEAF else 0
    top = bar.y + (SUMMARY_TOP_PX if bar.kind is BarKind.SUMMARY else METRICS.bar_top_px - out_px)
    x, out = (bar.right, 1) if is_finish else (bar.left, -1)
    inset = min(INSET_PX, (bar.right - bar.left) / 2)
    if bar.kind is BarKind.MILESTONE:
        x += out * METRICS.bar_px / 2
        inset = METRICS.bar_px / 2
    return End(x, bar.y, out, top, bar.y + BOTTOM_PX + out_px, inset, bar.row % len(LANES_PX))


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
    if is_ahead and is_enter_free and (is_next or far <= NEAR_PX):
        return _simple(((source.x, middle), (enter, middle), tip))
    if _is_free(walls, stub):
        return _simple(((source.x, middle), (stub, middle), (stub, reach_y), (enter, reach_y), tip))
    is_close = abs(target.y - source.y) <= CLOSE_ROWS * METRICS.row_px
    beside = _spread(walls, stub, _gap(walls, stub, enter), source.lane)
    if is_ahead and is_enter_free and (is_close or not _is_free(walls, beside)):
        return _simple(((source.x, middle), (enter, middle), tip))
    leave_y = source.y + (METRICS.row_px if is_down else 0)
    lane = _free(walls, enter) if is_close or not _is_free(walls, beside) else beside
    way = ((source.x, middle), (stub, middle), (stub, leave_y), (lane, leave_y), (lane, reach_y), (enter, reach_y), tip)
    return _simple(way)


def _stub(source: End, has_label: bool) -> float:
    """Where a link turns first."""
    apart = float(LANES_PX[source.lane])
    return source.x + source.out * (STUB_PX + (min(apart, 0.0) if has_label else apart))


def _spread(walls: list[Span], wanted: float, gap: float, lane: int) -> float:
    """A place in a gap, a little farther from the wall that pushed a link there: links of several lanes stand apart."""
    apart = gap + (2.0 * lane if gap > wanted else -2.0 * lane)
    return apart if _is_free(walls, apart) else gap


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
            return gap if abs(gap - x) <= DETOUR_PX else x
    return x


def _gap(walls: list[Span], x: float, toward: float) -> float:
    """The place near x where nothing stands that makes the way to another the shortest; x itself where none is near."""
    return min(_gaps(walls, x), key=lambda place: abs(place - x) + abs(toward - place), default=x)


def _gaps(walls: list[Span], x: float) -> list[float]:
    """The places at both sides of the wall that stands at x, those that are near."""
    for left, right in walls:
        if left < x < right:
            return [place for place in (left, right) if abs(place - x) <= DETOUR_PX]
    return []


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
