"""Surface: a painter that is told only what it does not know. It never draws a shape, nor chooses a color."""

from __future__ import annotations

from PySide6.QtGui import QBrush, QFont, QPainter, QPen

from gui.canvas.pixels import Pixels, fill_pixels
from gui.theme import Theme

_SMOOTH = QPainter.RenderHint.Antialiasing


class Surface:
    """A painter while shapes are drawn with it, plain rectangles at first. To tell it the same pen, brush or font once
    more takes as long as to draw a shape."""

    __slots__ = ("_brush", "_font", "_is_smooth", "_pen", "painter", "ratio", "theme")

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter, self.theme = painter, theme
        self.ratio = painter.device().devicePixelRatioF()
        painter.setRenderHint(_SMOOTH, False)
        self._is_smooth = False
        self.forget()

    def forget(self) -> None:
        """Somebody else told the painter of pens, brushes or fonts."""
        self._pen: QPen | None = None
        self._brush: QBrush | None = None
        self._font: QFont | None = None

    def smooth(self, is_smooth: bool) -> None:
        """Whether what is drawn from now on has smooth edges."""
        if is_smooth is not self._is_smooth:
            self.painter.setRenderHint(_SMOOTH, is_smooth)
            self._is_smooth = is_smooth

    def outline(self, pen: QPen) -> None:
        """Outline what is drawn from now on."""
        if pen is not self._pen:
            self.painter.setPen(pen)
            self._pen = pen

    def paint(self, brush: QBrush) -> None:
        """Fill what is drawn from now on."""
        if brush is not self._brush:
            self.painter.setBrush(brush)
            self._brush = brush

    def write(self, font: QFont) -> None:
        """Write in a font from now on."""
        if font is not self._font:
            self.painter.setFont(font)
            self._font = font

    def fill(self, pixels: Pixels, brush: QBrush) -> None:
        """Fill many rectangles of whole device pixels."""
        self.smooth(False)
        fill_pixels(self.painter, pixels, brush, self.ratio)
        self._pen = self._brush = None
