"""BoardChart: the board as a place to press, drag and let go. It never knows what lies under the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.time_chart import Drawing
from gui.gantt.pressed_chart import PressedChart, Tip, place_of


class BoardChart(PressedChart):
    """`moved` and `released` carry a Point and whether Alt is down. A press takes the focus."""

    def __init__(self, drawing: Drawing, tip: Tip, parent: QWidget | None = None) -> None:
        super().__init__(drawing, tip, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Board of resources"))
        self.setAccessibleDescription(
            self.tr("Up and down choose a resource's task, left and right the one before or after, Alt moves it.")
        )

    def hold_of(self, modifiers: Qt.KeyboardModifier) -> bool:
        """Whether Alt is down."""
        return bool(modifiers & Qt.KeyboardModifier.AltModifier)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and place_of(event.position())[1] >= 0:
            self.setFocus()
        super().mousePressEvent(event)
