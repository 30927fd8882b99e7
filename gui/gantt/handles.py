"""Handles: where a bar or a link can be taken hold of beside its ends, and how that looks. It never changes a plan."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import copysign

from engine.model import Clock
from gui.canvas.shapes import Box, Point, Polygon, Shape
from gui.gantt.bar_shapes import HALF_PX
from gui.gantt.bars import BOTTOM_PX, Bar, BarKind, Layout
from gui.gantt.work import done_at
from gui.theme import METRICS

_INSET_PX = 8.0
_LEAST_PX = 28.0
_HALF_PX = 4.0
_ALONG_PX = 12.0
_END_PX = 7.0
# The dots that links are drawn from; words beside a bar begin behind them.
DOT_PX, DOT_GAP_PX = 8.0, 7.0


def dots(bar: Bar) -> tuple[float, float]:
    """The middles of the dots before and behind a bar."""
    half = HALF_PX if bar.kind is BarKind.MILESTONE else 0.0
    far = half + DOT_GAP_PX + DOT_PX / 2
    return bar.left - far, bar.right + far


def progress_x(layout: Layout, bar: Bar) -> float | None:
    """Where the end of what is done of a bar is held: below its fill, clear of the ends; None where it cannot be."""
    if bar.kind is not BarKind.LEAF or layout.state.plan.clock is Clock.DEVICE or bar.right - bar.left < _LEAST_PX:
        return None
    x = layout.scale.x(done_at(layout.state, bar.task.id))
    return min(max(x, bar.left + _INSET_PX), bar.right - _INSET_PX)


def progress_handle(layout: Layout, bar: Bar) -> list[Shape]:
    """A small triangle under the end of what is done, pointing at it."""
    x = progress_x(layout, bar)
    if x is None:
        return []
    top, foot = bar.y + BOTTOM_PX - 4, bar.y + BOTTOM_PX + 4
    return [Polygon(((x, top), (x + _HALF_PX + 1, foot), (x - _HALF_PX - 1, foot)), "panel", "accent", 1.5)]


def link_ends(points: Sequence[Point]) -> tuple[Point, Point]:
    """Where the two ends of a link are held: a little way along it from its first task, and back from its arrow."""
    return _along(points, _ALONG_PX), _along(tuple(reversed(points)), _ALONG_PX)


def link_handles(points: Sequence[Point]) -> list[Shape]:
    """A knob at either end of a chosen link."""
    half = _END_PX / 2
    return [Box(x - half, y - half, _END_PX, _END_PX, "panel", "accent", half, width=1.5) for x, y in link_ends(points)]


def end_at(points: Sequence[Point], at: Point) -> int | None:
    """The end of a link that is held at a place: 0 the first task's, 1 the arrow's."""
    near = [max(abs(x - at[0]), abs(y - at[1])) for x, y in link_ends(points)]
    end = near.index(min(near))
    return end if near[end] <= METRICS.edge_px else None


def _along(points: Sequence[Point], far: float) -> Point:
    """A place so far along a run of level and upright segments, its middle where it is short."""
    whole = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(points))
    left = min(far, whole / 2)
    for (ax, ay), (bx, by) in pairwise(points):
        length = abs(bx - ax) + abs(by - ay)
        if left <= length:
            return (ax + copysign(left, bx - ax), ay) if bx != ax else (ax, ay + copysign(left, by - ay))
        left -= length
    return points[-1]
