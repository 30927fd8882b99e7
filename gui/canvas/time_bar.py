"""TimeBar: scrolls a chart through the time there is something in. It never knows what that is."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QScrollBar, QWidget

from gui.canvas.time_chart import TimeChart

# A scroll bar counts in 32 bits: more ticks than this are counted several at a time.
_MOST_STEPS = 1 << 30
_ARROW_SHARE = 10


class TimeBar(QScrollBar):
    """As long as the chart's bounds, or what is seen where that reaches farther."""

    def __init__(self, chart: TimeChart, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("time")
        self.setAccessibleName(self.tr("Time"))
        self._chart = chart
        self._ticks_per_step = 1
        self._first = 0
        chart.scale_shown.connect(self._match)
        self.valueChanged.connect(self._scroll)

    def _match(self) -> None:
        scale, (start, end) = self._chart.time_scale, self._chart.bounds or (0, 0)
        origin, window = scale.origin_ticks, max(scale.end_ticks - scale.origin_ticks, 1)
        self._first = min(start, origin)
        length = max(end, scale.end_ticks) - self._first
        self._ticks_per_step = max(-(-length // _MOST_STEPS), 1)
        with QSignalBlocker(self):
            self.setRange(0, (length - window) // self._ticks_per_step)
            self.setPageStep(max(window // self._ticks_per_step, 1))
            self.setSingleStep(max(self.pageStep() // _ARROW_SHARE, 1))
            self.setValue((origin - self._first) // self._ticks_per_step)

    def _scroll(self, value: int) -> None:
        scale = self._chart.time_scale
        self._chart.pan((scale.origin_ticks - self._first - value * self._ticks_per_step) / scale.ticks_per_px)
