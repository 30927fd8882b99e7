"""The time axis as shapes: three tiers of labels and the marks that a drag snaps to. It never knows a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from gui.canvas.shapes import Box, Boxes, Label, Line, Shape
from gui.canvas.time_scale import Tier, TimeScale
from gui.theme import METRICS

# Text, its size, and whether it is bold: to its width in pixels.
TextWidth = Callable[[str, int, bool], float]

_GAP_PX = 4.0
_MARK_PX = 3.0
_LOWER_MARK_PX = 6.0


def axis_shapes(scale: TimeScale, is_calendar: bool, text_width: TextWidth) -> list[Shape]:
    """The axis over the scale's width, METRICS.header_px high: three tiers, the coarsest on top."""
    upper, middle, lower = scale.tiers(is_calendar)
    first, second, _ = METRICS.tiers_px
    bottom = float(METRICS.header_px)
    shapes: list[Shape] = [Box(0, 0, scale.width_px, bottom, "panel")]
    shapes.append(_uprights(scale, scale.marks(is_calendar), bottom - _MARK_PX, bottom, "line"))
    top, color = (float(first + second), "line") if is_calendar else (bottom - _LOWER_MARK_PX, "muted:60")
    shapes.append(_uprights(scale, [tick for tick, _ in lower], top, bottom, color))
    shapes.append(_uprights(scale, [tick for tick, _ in middle], first, bottom, "line"))
    shapes.append(_uprights(scale, [tick for tick, _ in upper], 0, bottom if is_calendar else first, "line"))
    shapes.append(Line(((0, bottom - 0.5), (scale.width_px, bottom - 0.5)), "line"))
    tiers = ((upper, True), (middle, is_calendar), (lower, is_calendar))
    for (tier, is_span), style in zip(tiers, _STYLES, strict=True):
        shapes += _labels(scale, tier, is_span, style, text_width)
    return shapes


@dataclass(frozen=True, slots=True)
class _Style:
    """How one tier is written."""

    y: float
    h: float
    color: str
    px: int
    is_bold: bool


_FIRST, _SECOND, _THIRD = METRICS.tiers_px
_STYLES = (
    _Style(0, _FIRST, "text", METRICS.label_px, True),
    _Style(_FIRST, _SECOND, "text", METRICS.tier_text_px, False),
    _Style(_FIRST + _SECOND, _THIRD, "muted", METRICS.tier_text_px, False),
)


def _labels(scale: TimeScale, tier: Tier, is_span: bool, style: _Style, text_width: TextWidth) -> list[Shape]:
    """A label that names a span stays in sight while the span does; one that names an instant stands at it."""
    shapes: list[Shape] = []
    edges = [scale.x(tick) for tick, _ in tier] + [scale.width_px]
    for (left, right), (_, text) in zip(pairwise(edges), tier, strict=True):
        x = max(left, 0.0) if is_span else left
        width = text_width(text, style.px, style.is_bold) if text else 0.0
        if width and x >= 0 and x + _GAP_PX + width <= min(right, scale.width_px):
            place = (x + _GAP_PX, style.y, width)
            shapes.append(Label(*place, text, style.color, is_bold=style.is_bold, px=style.px, h=style.h))
    return shapes


def _uprights(scale: TimeScale, ticks: Iterable[int], top: float, bottom: float, color: str) -> Boxes:
    """Marks one pixel wide; there are many, and they are drawn at once."""
    places = (scale.x(tick) for tick in ticks)
    return Boxes(tuple((x - 0.5, x + 0.5) for x in places), top, bottom - top, color)
