"""BoardChart: the board as a place to press, drag and let go. It never knows what lies under the mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.canvas.shapes import Point
from gui.canvas.time_chart import Drawing, TimeChart
from gui.gantt.keyboard import reach_of
from gui.theme import METRICS


class BoardChart(TimeChart):
    """`pressed` carries a Point under the axis and a Reach, `moved` and `released` a Point and whether Alt is down."""

    pressed = Signal(object, object)
    moved = Signal(object, bool)
    released = Signal(object, bool)

    def __init__(self, drawing: Drawing, tip: Callable[[Point], str], parent: QWidget | None = None) -> None:
        super().__init__(drawing, parent)
        self._tip = tip
        self._is_pressed = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Board of resources"))
        self.setAccessibleDescription(
            self.tr("Up and down choose a resource's task, left and right the one before or after, Alt moves it.")
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = _place(event.position())
        if event.button() is Qt.MouseButton.LeftButton and at[1] >= 0:
            self.setFocus()
            self._is_pressed = True
            self.pressed.emit(at, reach_of(event.modifiers()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() & Qt.MouseButton.MiddleButton:
            self.moved.emit(_place(event.position()), _is_alt(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self._is_pressed:
            self._is_pressed = False
            self.released.emit(_place(event.position()), _is_alt(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left to the view."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.refresh()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.refresh()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(_place(QPointF(event.pos()))), self)
            return True
        return bool(super().viewportEvent(event))


def _place(position: QPointF) -> Point:
    return position.x(), position.y() - METRICS.header_px


def _is_alt(event: QMouseEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
