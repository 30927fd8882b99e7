"""Film: a picture that scrolls. What only moved is copied, what changed is drawn anew. It never knows what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from gui.canvas.painter import draw
from gui.canvas.shapes import Shape
from gui.theme import Theme

# A place that is a whole device pixel at any usual scale: quarters of a pixel are the finest.
_GRID_PX = 4


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One picture of a film.

    `subject` is equal to that of the picture before as long as nothing but time went on. `offset_px` is where the left
    edge stands, in whole pixels from a place of the subject's own; `changed_px` from where on the picture may be
    another, in pixels from its left edge. `shapes(x)` draws it from the pixel x on, its shapes counted from there;
    `over` is drawn on top and never kept.
    """

    subject: tuple[object, ...]
    offset_px: int
    changed_px: float
    shapes: Callable[[int], list[Shape]]
    over: tuple[Shape, ...] = ()


class Film:
    """The last picture of one chart."""

    def __init__(self) -> None:
        self._kept = QPixmap()
        self._frame: tuple[object, ...] = ()
        self._offset_px = 0

    def paint(self, painter: QPainter, take: Take, size: QSize, theme: Theme) -> None:
        """Draws a picture of this size in logical pixels."""
        ratio = painter.device().devicePixelRatioF()
        first = self._first(take, size, theme, ratio)
        if first < size.width():
            inner = QPainter(self._kept)
            inner.setClipRect(first, 0, size.width() - first, size.height())
            inner.fillRect(first, 0, size.width() - first, size.height(), QColor(theme.ground))
            inner.translate(first, 0)
            draw(inner, take.shapes(first), theme)
            inner.end()
        painter.drawPixmap(0, 0, self._kept)
        draw(painter, take.over, theme)

    def _first(self, take: Take, size: QSize, theme: Theme, ratio: float) -> int:
        """The pixel from which on has to be drawn, once what is kept has been moved to its place."""
        frame = (take.subject, size.width(), size.height(), theme.name, ratio)
        moved, self._offset_px = take.offset_px - self._offset_px, take.offset_px
        is_new = frame != self._frame or not 0 <= moved < size.width() or not (moved * ratio).is_integer()
        if is_new:
            self._frame = frame
            self._kept = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
            self._kept.setDevicePixelRatio(ratio)
            return 0
        if moved:
            self._kept.scroll(-round(moved * ratio), 0, QRect(0, 0, self._kept.width(), self._kept.height()))
        return max(floor(min(take.changed_px, size.width() - moved) / _GRID_PX) * _GRID_PX, 0)
