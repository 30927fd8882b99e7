"""TimelineChart: the time chart with the mouse of a timeline. It never knows a run; the view does.

The wheel scrolls the rows, with Shift pans and with Ctrl zooms at the cursor; dragging pans; a click picks.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.film import Film, Take
from gui.canvas.time_chart import Drawing, TimeChart
from gui.theme import METRICS, Theme

_REST = 2


class TimelineChart(TimeChart):
    """`touched` says that a person scrolled, panned or zoomed; points are in pixels below the axis.

    `film` gives the next picture of what only moves, None where all of it is drawn.
    """

    touched = Signal()
    clicked = Signal(QPointF)
    hovered = Signal(QPointF)
    left = Signal()

    def __init__(self, drawing: Drawing, film: Callable[[], Take | None], parent: QWidget | None = None) -> None:
        super().__init__(drawing, parent)
        self._film, self._next_take = Film(), film
        self._painted_ns = self._paint_ns = 0
        self._pressed_at: QPointF | None = None
        self._dragged_to: QPointF | None = None
        self._is_axis_shown = True

    @property
    def axis_px(self) -> int:
        """Height of the axis; 0 while another chart above shows it."""
        return METRICS.header_px if self._is_axis_shown else 0

    @property
    def chart_height(self) -> int:
        """Height under the axis in pixels."""
        return max(int(self.height()) - self.axis_px, 0)

    @property
    def is_rested(self) -> bool:
        """Whether twice the time that drawing took has gone by since: then it leaves the window time to answer."""
        return perf_counter_ns() - self._painted_ns >= _REST * self._paint_ns

    def paintEvent(self, event: QPaintEvent) -> None:
        began = perf_counter_ns()
        super().paintEvent(event)
        self._painted_ns = perf_counter_ns()
        self._paint_ns = self._painted_ns - began

    def paint_picture(self, painter: QPainter, theme: Theme) -> None:
        """A film while there is one, else the picture as it is."""
        take = self._next_take()
        if take is None:
            super().paint_picture(painter, theme)
        else:
            self._film.paint(painter, take, QSize(int(self.time_scale.width_px), self.chart_height), theme)

    def show_axis(self, is_shown: bool) -> None:
        """Shows or hides the time axis above the picture."""
        self._is_axis_shown = is_shown
        self._axis.setVisible(is_shown)
        self._axis.setHeight(self.axis_px)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.touched.emit()
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        at = event.position()
        if self._pressed_at is None:
            self.hovered.emit(self._below_axis(at))
            return
        if self._dragged_to is None and (at - self._pressed_at).manhattanLength() < METRICS.drag_px:
            return
        moved = at - (self._dragged_to or self._pressed_at)
        self._dragged_to = at
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self.touched.emit()
        self.pan(moved.x())
        self.wheel_turned.emit(round(-moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_at is not None:
            if self._dragged_to is None:
                self.clicked.emit(self._below_axis(event.position()))
            self._pressed_at = self._dragged_to = None
            self.viewport().unsetCursor()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * METRICS.row_px, self.axis_px + 2 * METRICS.row_px)

    def _below_axis(self, at: QPointF) -> QPointF:
        return at - QPointF(0, self.axis_px)
