"""PressedChart: a time chart as a place to press, drag and let go.

It turns Qt's events into places under the axis; it never knows what lies there.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.canvas.shapes import Point
from gui.canvas.time_chart import Drawing, TimeChart
from gui.gantt.keyboard import reach_of
from gui.theme import METRICS

Tip = Callable[[Point], str]


class PressedChart(TimeChart):
    """`pressed` carries a Point under the axis and a Reach, `moved` and `released` a Point and what `hold_of` says.

    `menu_wanted` carries the Point where the right button was pressed, above zero on the axis, or None where a key was.
    """

    pressed = Signal(object, object)
    moved = Signal(object, object)
    released = Signal(object, object)
    menu_wanted = Signal(object)

    def __init__(self, drawing: Drawing, tip: Tip, parent: QWidget | None = None) -> None:
        super().__init__(drawing, parent)
        self._tip = tip
        self._is_pressed = False

    def hold_of(self, modifiers: Qt.KeyboardModifier) -> object:
        """How the keys that are down change what is dragged."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = place_of(event.position())
        if event.button() is Qt.MouseButton.LeftButton and at[1] >= 0:
            self._is_pressed = True
            self.pressed.emit(at, reach_of(event.modifiers()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() & Qt.MouseButton.MiddleButton:
            self.moved.emit(place_of(event.position()), self.hold_of(event.modifiers()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self._is_pressed:
            self._is_pressed = False
            self.released.emit(place_of(event.position()), self.hold_of(event.modifiers()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left to the view, for keys mean the same wherever in it the focus is."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(None if is_key else place_of(QPointF(event.pos())))
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.refresh()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.refresh()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(place_of(QPointF(event.pos()))), self)
            return True
        return bool(super().viewportEvent(event))


def place_of(position: QPointF) -> Point:
    """A place under the axis."""
    return position.x(), position.y() - METRICS.header_px
