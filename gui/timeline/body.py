"""TimelineBody: row names, chart and scroll bar side by side. It never knows a run; rows and drawing are handed in."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QWidget

from gui.canvas.film import Take
from gui.canvas.time_chart import Drawing
from gui.theme import METRICS, Theme
from gui.timeline.chart import TimelineChart
from gui.timeline.names import RowNames
from gui.timeline.rows import Row, height_of


class TimelineBody(QWidget):
    """Names and chart scroll as one; the bar is there only when the rows are higher than the chart."""

    def __init__(self, drawing: Drawing, film: Callable[[], Take | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()
        self.names = RowNames()
        self.chart = TimelineChart(drawing, film)
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for widget in (self.names, self.chart, self.bar):
            line.addWidget(widget)
        self.bar.hide()
        self.bar.setSingleStep(METRICS.row_px)
        self.bar.valueChanged.connect(self._scrolled)
        self.chart.wheel_turned.connect(lambda down_px: self.bar.setValue(self.bar.value() + down_px))
        self.chart.resized.connect(self._fit_bar)

    @property
    def scroll_px(self) -> int:
        """How far the rows are scrolled."""
        return self.bar.value()

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Names these rows, and scrolls over them."""
        if rows != self.rows:
            self.rows = rows
            self._fit_bar()

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self.chart.set_theme(theme)
        self.names.set_theme(theme)

    def _fit_bar(self) -> None:
        room = self.chart.chart_height
        self.bar.setRange(0, max(0, height_of(self.rows) - room))
        self.bar.setPageStep(max(room, 1))
        self.bar.setVisible(self.bar.maximum() > 0)
        self._scrolled()

    def _scrolled(self) -> None:
        self.names.show_rows(self.rows, self.scroll_px, self.chart.axis_px)
        self.chart.refresh()
