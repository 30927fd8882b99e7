"""The time axis as shapes: two tiers of labels and the marks that a drag snaps to. It never knows a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from gui.canvas.shapes import Box, Boxes, Label, Line, Shape
from gui.canvas.time_scale import Tier, TimeScale
from gui.theme import METRICS

# Text, its size, and whether it is bold: to its width in pixels.
TextWidth = Callable[[str, int, bool], float]

_GAP_PX = 6.0
_MARK_PX = 3.0
_LOWER_MARK_PX = 6.0


def axis_shapes(scale: TimeScale, is_calendar: bool, text_width: TextWidth) -> list[Shape]:
    """The axis over the scale's width, METRICS.header_px high."""
    upper, lower = scale.tiers(is_calendar)
    bottom, middle = float(METRICS.header_px), float(METRICS.tier_px)
    shapes: list[Shape] = [Box(0, 0, scale.width_px, bottom, "panel")]
    shapes.append(_uprights(scale, scale.marks(is_calendar), bottom - _MARK_PX, bottom, "line"))
    top, color = (middle, "line") if is_calendar else (bottom - _LOWER_MARK_PX, "muted:60")
    shapes.append(_uprights(scale, [tick for tick, _ in lower], top, bottom, color))
    shapes.append(_uprights(scale, [tick for tick, _ in upper], 0, bottom, "line"))
    shapes.append(Line(((0, bottom - 0.5), (scale.width_px, bottom - 0.5)), "line"))
    shapes += _labels(scale, upper, is_calendar, _Style(0, "text", METRICS.text_px, True), text_width)
    shapes += _labels(scale, lower, is_calendar, _Style(middle, "muted", METRICS.label_px, False), text_width)
    return shapes


@dataclass(frozen=True, slots=True)
class _Style:
    """How one tier is written."""

    y: float
    color: str
    px: int
    is_bold: bool


def _labels(scale: TimeScale, tier: Tier, is_calendar: bool, style: _Style, text_width: TextWidth) -> list[Shape]:
    """A calendar's label names a span and stays in sight while the span does; a device's names an instant."""
    shapes: list[Shape] = []
    edges = [scale.x(tick) for tick, _ in tier] + [scale.width_px]
    for (left, right), (_, text) in zip(pairwise(edges), tier, strict=True):
        x = max(left, 0.0) if is_calendar else left
        width = text_width(text, style.px, style.is_bold) if text else 0.0
        if width and x >= 0 and x + _GAP_PX + width <= min(right, scale.width_px):
            shapes.append(
                Label(
                    x + _GAP_PX,
                    style.y,
                    width,
                    text,
                    style.color,
                    is_bold=style.is_bold,
                    px=style.px,
                    h=METRICS.tier_px,
                )
            )
    return shapes


def _uprights(scale: TimeScale, ticks: Iterable[int], top: float, bottom: float, color: str) -> Boxes:
    """Marks one pixel wide; there are many, and they are drawn at once."""
    places = (scale.x(tick) for tick in ticks)
    return Boxes(tuple((x - 0.5, x + 0.5) for x in places), top, bottom - top, color)
