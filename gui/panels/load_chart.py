"""LoadChart: the load over time as a place to pick an instant, by mouse or by key. It never draws a load."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.time_chart import Drawing, TimeChart
from gui.theme import METRICS


class LoadChart(TimeChart):
    """`instant_picked` carries the instant, in ticks, that was clicked or reached with Left and Right; None by Esc."""

    instant_picked = Signal(object)

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(drawing, parent)
        self.is_calendar = True
        self._instant: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Load of the chosen resources"))
        self.setAccessibleDescription(self.tr("Click, or press Left and Right, to list who is at work at an instant."))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and event.position().y() >= METRICS.header_px:
            self.setFocus()
            self._pick(self.time_scale.tick(event.position().x()))
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {int(Qt.Key.Key_Left): -1, int(Qt.Key.Key_Right): 1}.get(event.key())
        if event.key() == Qt.Key.Key_Escape:
            self._pick(None)
        elif steps is None:
            event.ignore()
        else:
            middle = self.time_scale.tick(self.time_scale.width_px / 2)
            start = middle if self._instant is None else self._instant
            self._pick(self.time_scale.stepped(start, steps, self.is_calendar))

    def _pick(self, instant: int | None) -> None:
        self._instant = instant
        self.instant_picked.emit(instant)
