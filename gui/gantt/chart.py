"""GanttChart: the time chart as a place to press, drag and let go.

It turns Qt's events into places under the axis; it never knows what lies there.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.canvas.shapes import Point
from gui.canvas.time_chart import Drawing, TimeChart
from gui.gantt.keyboard import grip_of, reach_of
from gui.theme import METRICS

Tip = Callable[[Point], str]
# A hand that presses twice is not quite still.
_STILL_PX = 2.0


class GanttChart(TimeChart):
    """`moved` and `released` carry a Point and a Grip, `pressed` a Point and a Reach.

    `left` says that the mouse is gone, `doubled` that a place was pressed twice at once, and nothing dragged.
    """

    pressed = Signal(object, object)
    moved = Signal(object, object)
    released = Signal(object, object)
    left = Signal()
    doubled = Signal()

    def __init__(self, drawing: Drawing, tip: Tip, parent: QWidget | None = None) -> None:
        super().__init__(drawing, parent)
        self._tip = tip
        self._is_pressed = False
        self._doubled_at: Point | None = None
        self.name("")
        self.setAccessibleDescription(
            self.tr(
                "Arrow keys choose a task, Alt with left or right moves it, Control and Alt with left or right change "
                "how long it is, Control with up or down follows its links, Delete takes a chosen link or pin away."
            )
        )

    def name(self, bar: str) -> None:
        """What a screen reader says of the chart: the bar that is chosen, in a sentence, where one is."""
        title = self.tr("Gantt chart")
        self.setAccessibleName(f"{title}: {bar}" if bar else title)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = _place(event.position())
        if event.button() is Qt.MouseButton.LeftButton and at[1] >= 0:
            self._is_pressed = True
            self.pressed.emit(at, reach_of(event.modifiers()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() & Qt.MouseButton.MiddleButton:
            self.moved.emit(_place(event.position()), grip_of(event.modifiers()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self._is_pressed:
            self._is_pressed = False
            at, doubled_at = _place(event.position()), self._doubled_at
            self._doubled_at = None
            self.released.emit(at, grip_of(event.modifiers()))
            if doubled_at is not None and max(abs(at[0] - doubled_at[0]), abs(at[1] - doubled_at[1])) <= _STILL_PX:
                self.doubled.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._doubled_at = _place(event.position())
        super().mouseDoubleClickEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left to the view, for keys mean the same in table and chart."""
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
