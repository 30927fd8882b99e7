"""GanttChart: the time chart as a place to press, drag and let go.

It turns Qt's events into places under the axis; it never knows what lies there.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from gui.canvas.kept import KeptPicture, Picture
from gui.canvas.shapes import Point
from gui.gantt.keyboard import Grip, grip_of
from gui.gantt.pressed_chart import PressedChart, Tip, place_of
from gui.theme import Theme

# A hand that presses twice is not quite still.
_STILL_PX = 2.0


class GanttChart(PressedChart):
    """`moved` and `released` carry a Point and a Grip.

    `left` says that the mouse is gone, `doubled` that a place was pressed twice at once, and nothing dragged.
    """

    left = Signal()
    doubled = Signal()

    def __init__(self, picture: Callable[[], Picture], tip: Tip, parent: QWidget | None = None) -> None:
        self._seen, self._kept = picture, KeptPicture()
        super().__init__(lambda: picture().shapes(), tip, parent)
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

    def paint_picture(self, painter: QPainter, theme: Theme) -> None:
        """Draws what is under the axis; while the mouse alone does something, over what is there already."""
        size = QSize(round(self.time_scale.width_px), self.chart_height)
        self._kept.paint(painter, self._seen(), size, theme)

    def hold_of(self, modifiers: Qt.KeyboardModifier) -> Grip:
        """A Grip."""
        return grip_of(modifiers)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        doubled_at = self._doubled_at
        if event.button() is Qt.MouseButton.LeftButton and self._is_pressed:
            self._doubled_at = None
        else:
            doubled_at = None
        super().mouseReleaseEvent(event)
        at = place_of(event.position())
        if doubled_at is not None and max(abs(at[0] - doubled_at[0]), abs(at[1] - doubled_at[1])) <= _STILL_PX:
            self.doubled.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._doubled_at = place_of(event.position())
        super().mouseDoubleClickEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
