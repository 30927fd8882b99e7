"""Hit: what of the chart lies under a place, in pixels. It never changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.model import Dependency, TaskId
from gui.canvas.shapes import Point
from gui.gantt import links
from gui.gantt.bars import MIDDLE_PX, Bar, BarKind, Layout
from gui.gantt.handles import progress_x
from gui.theme import METRICS

_DOT_REACH_PX = 17.0
_PIN_PX = 4.0
_LINK_PX = 4.0
_HANDLE_PX = 5.0
_AROUND_PX = 3.0
# The last third of a bar, and what lies right of it, is taken for its finish when a link ends there.
_FINISH_SHARE = 2 / 3


class Part(Enum):
    """The part of a bar that was hit."""

    MIDDLE = "middle"
    START_EDGE = "start edge"
    FINISH_EDGE = "finish edge"
    START_DOT = "start dot"
    FINISH_DOT = "finish dot"
    PIN = "pin"
    PROGRESS = "progress"


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of the bar of a task."""

    task: TaskId
    part: Part


def part_at(bar: Bar, x_px: float) -> Part | None:
    """The part of a bar at x, its row given. Edges reach 6 px out and in, yet leave a third of a short bar to hold."""
    half = METRICS.bar_px / 2 if bar.kind is BarKind.MILESTONE else 0.0
    left, right = bar.left - half, bar.right + half
    reach = float(METRICS.edge_px)
    if not left - _DOT_REACH_PX <= x_px <= right + _DOT_REACH_PX:
        return None
    if x_px < left - reach:
        return Part.START_DOT
    if x_px > right + reach:
        return Part.FINISH_DOT
    inside = min(reach, (right - left) / 3)
    if bar.kind is not BarKind.LEAF or left + inside <= x_px <= right - inside:
        return Part.MIDDLE
    return Part.START_EDGE if x_px < left + inside else Part.FINISH_EDGE


def hit_at(layout: Layout, at: Point, around_px: float = _AROUND_PX) -> Hit | None:
    """The bar, or the pin before it, at a place of the chart, so far above or below it.

    Between the bars of two rows links can be reached.
    """
    row = layout.row_at(at[1])
    if row is None:
        return None
    bar = layout.bar(row)
    if bar.kind is BarKind.HEADING:
        return None
    pin = bar.task.pin
    if pin is not None and at[1] - bar.y < 8 and abs(layout.scale.x(pin) - 3 - at[0]) <= _PIN_PX:
        return Hit(bar.task.id, Part.PIN)
    if not METRICS.bar_top_px - around_px <= at[1] - bar.y <= METRICS.bar_top_px + METRICS.bar_px + around_px:
        return None
    part = part_at(bar, at[0])
    if part is Part.MIDDLE and at[1] - bar.y > MIDDLE_PX and _is_near(at[0], progress_x(layout, bar)):
        part = Part.PROGRESS
    return None if part is None else Hit(bar.task.id, part)


def _is_near(x_px: float, handle_px: float | None) -> bool:
    return handle_px is not None and abs(x_px - handle_px) <= _HANDLE_PX


def link_at(layout: Layout, height_px: float, at: Point) -> Dependency | None:
    """The stored link nearest to a place, within 4 px."""
    first, last = layout.seen(height_px)
    near = [
        (links.distance(found.points, *at), found.link.dependency)
        for found in links.routes(layout, first, last)
        if found.link.dependency is not None
    ]
    best = min(near, key=lambda pair: pair[0], default=(_LINK_PX + 1, None))
    return best[1] if best[0] <= _LINK_PX else None


def is_finish_end(bar: Bar, x_px: float) -> bool:
    """Whether a link that ends at x on a bar means its finish: its last third, or right of it."""
    return x_px > bar.left + (bar.right - bar.left) * _FINISH_SHARE
