"""BoardChart: the board as a place to press, drag and let go. It never knows what lies under the mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from gui.canvas.kept import KeptPicture, Picture
from gui.gantt.pressed_chart import PressedChart, Tip, place_of
from gui.theme import Theme


class BoardChart(PressedChart):
    """`moved` and `released` carry a Point and whether Alt is down. A press takes the focus."""

    def __init__(self, picture: Callable[[], Picture], tip: Tip, parent: QWidget | None = None) -> None:
        self._seen, self._kept = picture, KeptPicture(is_at_once=True)
        super().__init__(lambda: picture().shapes(), tip, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Board of resources"))
        self.setAccessibleDescription(
            self.tr("Up and down choose a resource's task, left and right the one before or after, Alt moves it.")
        )

    def paint_picture(self, painter: QPainter, theme: Theme) -> None:
        """Draws what is under the axis; while the plan and what is seen of it stay, over what is there already."""
        size = QSize(round(self.time_scale.width_px), self.chart_height)
        self._kept.paint(painter, self._seen(), size, theme)

    def hold_of(self, modifiers: Qt.KeyboardModifier) -> bool:
        """Whether Alt is down."""
        return bool(modifiers & Qt.KeyboardModifier.AltModifier)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and place_of(event.position())[1] >= 0:
            self.setFocus()
        super().mousePressEvent(event)
