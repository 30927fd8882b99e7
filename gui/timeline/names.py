"""RowNames: the timeline's left column. It never scrolls by itself; the view says how far."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.painter import draw
from gui.theme import LIGHT, METRICS, Theme
from gui.timeline.rows import Row, RowKind
from gui.timeline.scene import names_scene


class RowNames(QWidget):
    """Names of rows, drawn by the scene beside the chart; `top_px` is left free above them for its axis.

    `folded` says that the fold was clicked.
    """

    folded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._rows: tuple[Row, ...] = ()
        self._scroll_px = 0
        self._top_px = 0
        self._values: tuple[str, ...] = ()
        self.setFixedWidth(METRICS.left_width_px)

    def show_rows(self, rows: tuple[Row, ...], scroll_px: int, top_px: int) -> None:
        """Draws these rows, scrolled so far."""
        if (rows, scroll_px, top_px) != (self._rows, self._scroll_px, self._top_px):
            self._rows, self._scroll_px, self._top_px = rows, scroll_px, top_px
            self.update()

    def show_values(self, values: tuple[str, ...]) -> None:
        """The latest values of the counters, by index."""
        if values != self._values:
            self._values = values
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        y = event.position().y() + self._scroll_px - self._top_px
        if any(row.kind is RowKind.FOLD and row.y <= y < row.y + row.h for row in self._rows):
            self.folded.emit()

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self._theme = theme
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.width(), METRICS.row_px)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        shapes = names_scene(self._rows, self.width(), self.height(), self._scroll_px - self._top_px, self._values)
        draw(painter, shapes, self._theme)
