"""TimeChart: a pyqtgraph view with a time axis above one painted picture. It never knows what the picture shows.

Pan and zoom are its own: Ctrl+wheel zooms at the cursor, Shift+wheel and the middle button pan. A plain wheel is
handed on, for the rows of table and chart scroll as one.
"""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from gui.canvas import calendar_ticks
from gui.canvas.axis import axis_shapes
from gui.canvas.calendar_words import calendar_words
from gui.canvas.kept import KeptPicture, Picture
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import LIGHT, METRICS, Theme

_ZOOM_STEP = 1.25
_NOTCH = 120.0
_WHEEL_ROWS = 3
_PAN_NOTCH_PX = 80.0

Drawing = Callable[[], list[Shape]]
Paint = Callable[[QPainter, Theme], None]


def wheel_px(angle: int) -> int:
    """Pixels to scroll down for a turn of the wheel in eighths of a degree: three rows a notch."""
    return round(-angle / _NOTCH * _WHEEL_ROWS * METRICS.row_px)


class _Picture(pg.GraphicsObject):
    """Everything under the axis, drawn as one item in the pixels of the view box it lies in."""

    def __init__(self, paint: Paint, view_box: pg.ViewBox) -> None:
        super().__init__()
        self._paint = paint
        self._view_box = view_box
        self.theme = LIGHT
        self.setParentItem(view_box)
        view_box.sigResized.connect(self.prepareGeometryChange)

    def boundingRect(self) -> QRectF:
        return QRectF(self._view_box.rect())

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        self._paint(painter, self.theme)


class _TimeAxis(pg.AxisItem):
    """An axis whose tiers are drawn by the canvas kit; kept while they stay, for rows scroll more than time does."""

    def __init__(self, picture: Callable[[], Picture]) -> None:
        super().__init__("top")
        self._seen, self._kept = picture, KeptPicture()
        self.theme = LIGHT
        self.setHeight(METRICS.header_px)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        self._kept.paint(painter, self._seen(), self.size().toSize(), self.theme)


class TimeChart(pg.GraphicsView):
    """A chart over time. `drawing` gives the shapes under the axis, in pixels from its lower left corner's top.

    `scale_changed` carries the TimeScale after a person panned or zoomed, `wheel_turned` pixels to scroll down;
    `scale_shown` says that another stretch of time is seen, or can be scrolled to, whoever made it so.
    """

    scale_changed = Signal(object)
    wheel_turned = Signal(int)
    resized = Signal()
    scale_shown = Signal()

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        calendar_ticks.speak(calendar_words())
        self.time_scale = TimeScale(0, 1000.0, 1.0)
        self.is_calendar = False
        self._bounds: tuple[int, int] | None = None
        self._pan_from: QPointF | None = None
        box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0)
        box.invertY(True)
        box.disableAutoRange()
        self._axis = _TimeAxis(self._axis_picture)
        self._axis.linkToView(box)
        self._drawing = drawing
        self._picture = _Picture(self.paint_picture, box)
        self.view_box = box
        self.centralLayout.setContentsMargins(0, 0, 0, 0)
        self.centralLayout.setSpacing(0)
        self.centralLayout.addItem(self._axis, 0, 0)
        self.centralLayout.addItem(box, 1, 0)
        self.viewport().setMouseTracking(True)
        self.set_theme(LIGHT)

    @property
    def chart_height(self) -> int:
        """Height under the axis in pixels."""
        return max(int(self.height()) - METRICS.header_px, 0)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """A person scrolls at most half a window past these two instants."""
        return self._bounds

    @bounds.setter
    def bounds(self, bounds: tuple[int, int] | None) -> None:
        self._bounds = bounds
        self.scale_shown.emit()

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self._axis.theme = self._picture.theme = theme
        self.setBackground(QColor(theme.ground))
        self.refresh()

    def set_time_scale(self, scale: TimeScale) -> None:
        """Shows another stretch of time; the width stays the chart's own."""
        self.time_scale = scale.resized(float(max(self.width(), 1)))
        self.view_box.setXRange(0, self.time_scale.width_px * self.time_scale.ticks_per_px, padding=0)
        self._axis.update()
        self.refresh()
        self.scale_shown.emit()

    def paint_picture(self, painter: QPainter, theme: Theme) -> None:
        """Draws what is under the axis."""
        draw(painter, self._drawing(), theme)

    def refresh(self) -> None:
        """Draws the picture again in the next frame."""
        self._picture.update()

    def zoom(self, factor: float, at_px: float | None = None) -> None:
        """Zooms about a place, by default the middle."""
        at = self.time_scale.width_px / 2 if at_px is None else at_px
        self._change(self.time_scale.zoomed(factor, at, self.is_calendar))

    def pan(self, dx_px: float) -> None:
        """Moves what is seen to the right, no farther away from what there is than half a window."""
        scale = self.time_scale.panned(dx_px)
        if self.bounds is not None:
            middle = self.time_scale.tick(self.time_scale.width_px / 2)
            scale = scale.within(min(self.bounds[0], middle), max(self.bounds[1], middle))
        self._change(scale)

    def _axis_picture(self) -> Picture:
        scale, is_calendar = self.time_scale, self.is_calendar
        return Picture((scale, is_calendar), lambda: axis_shapes(scale, is_calendar, text_width), list)

    def close(self) -> bool:
        """As any widget: pyqtgraph's own takes the viewport away while Qt still paints on it, which may crash."""
        return QWidget.close(self)

    def _change(self, scale: TimeScale) -> None:
        self.set_time_scale(scale)
        self.scale_changed.emit(self.time_scale)

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches_x, notches_y = event.angleDelta().x() / _NOTCH, event.angleDelta().y() / _NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_ZOOM_STEP**notches_y, event.position().x())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or notches_x:
            self.pan((notches_x + notches_y) * _PAN_NOTCH_PX)
        else:
            self.wheel_turned.emit(wheel_px(event.angleDelta().y()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pan_from is not None:
            moved = event.position() - self._pan_from
            self._pan_from = event.position()
            self.pan(moved.x())
            self.wheel_turned.emit(round(-moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None
            self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def leaveEvent(self, _event: QEvent) -> None:
        """Nothing: no item below listens to the mouse."""

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            self.set_time_scale(self.time_scale)
            self.resized.emit()
