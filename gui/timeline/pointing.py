"""Pointing: what the mouse finds in the timeline: a tooltip for a bar under it, a pick for one clicked.

It never changes what is shown.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QToolTip

from gui.timeline.chart import TimelineChart
from gui.timeline.scene import Hit, Picture, hit

PictureOf = Callable[[], Picture | None]


class Pointing(QObject):
    """The mouse over one chart. `picked` carries the task of a clicked bar, None for the ground.

    `words` is what is said of a bar, in rich text, or of the ground, at a point below the axis.
    """

    picked = Signal(object)

    def __init__(
        self,
        chart: TimelineChart,
        picture: PictureOf,
        words: Callable[[Hit | None, QPointF], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._chart = chart
        self._picture = picture
        self._words = words
        chart.clicked.connect(self._clicked)
        chart.hovered.connect(self._hovered)
        chart.left.connect(QToolTip.hideText)

    def _hit(self, at: QPointF) -> Hit | None:
        picture = self._picture()
        return None if picture is None else hit(picture, self._chart.time_scale, at.x(), at.y())

    def _clicked(self, at: QPointF) -> None:
        found = self._hit(at)
        self.picked.emit(None if found is None else found.span.task)

    def _hovered(self, at: QPointF) -> None:
        found = self._hit(at)
        words = self._words(found, at)
        if not words:
            QToolTip.hideText()
            return
        point = QPointF(at.x(), at.y() + self._chart.axis_px).toPoint()
        QToolTip.showText(self._chart.viewport().mapToGlobal(point), words, self._chart.viewport())
