"""BoardBand: the rectangle drawn on the board's ground that chooses every bar it touches. It never changes a plan."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import TaskId
from gui.board.layout import BAR_PX, BoardLayout
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Label, Point, Shape
from gui.gantt.interactions.band import Corners, Stretch
from gui.theme import METRICS

_PAD_PX = 8.0
_HIGH_PX = 22.0
_GAP_PX = 14.0


class BoardBand(Stretch):
    """One over the rows of the board, also over those that are scrolled away."""

    def tasks(self, layout: BoardLayout, at: Point) -> tuple[TaskId, ...]:
        """The tasks whose bars it touches, row by row, each once."""
        left, top, right, bottom = self.corners(layout, at)
        first, last = layout.scale.tick(left), layout.scale.tick(right)
        rows = layout.rows.between(top + layout.scroll_px, bottom + layout.scroll_px)
        bars = (layout.bar(row, place) for row in rows for place in layout.rows.rows[row].between(first, last))
        return tuple(dict.fromkeys(bar.slot.task.id for bar in bars if bar.top <= bottom and bar.top + BAR_PX >= top))


@dataclass(frozen=True, slots=True)
class ShownBand:
    """A band as it is shown, with what is said beside the mouse."""

    corners: Corners
    at: Point
    words: str


def band_shapes(band: ShownBand, size: Point, text_width: TextWidth) -> list[Shape]:
    """The rectangle, and how many tasks it chooses, inside a chart of this size."""
    left, top, right, bottom = band.corners
    wide = text_width(band.words, METRICS.text_px, False) + 2 * _PAD_PX
    x = min(band.at[0] + _GAP_PX, max(size[0] - wide, 0.0))
    y = min(band.at[1] + _GAP_PX, max(size[1] - _HIGH_PX, 0.0))
    return [
        Box(left, top, right - left, bottom - top, "accent:12", "accent:60"),
        Box(x, y, wide, _HIGH_PX, "panel", "line", METRICS.radius_px),
        Label(x + _PAD_PX, y, wide, band.words, "text", h=_HIGH_PX),
    ]
