"""Frame: task table and chart side by side under one scroll bar. It never knows what they show."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QSplitter, QVBoxLayout, QWidget

from gui.canvas.time_bar import TimeBar
from gui.gantt.chart import GanttChart
from gui.gantt.columns import Column
from gui.gantt.task_table import TaskTable
from gui.theme import METRICS

# No wider than this share of both does the table become by itself.
_MOST_LEFT = 0.5
_LEAST_CHART_PX = 200


class Frame(QSplitter):
    """Table left, chart right, and beside them the bar that scrolls both. `scrolled` tells that rows moved."""

    scrolled = Signal()
    left_width_changed = Signal(int)

    def __init__(self, table: TaskTable, chart: GanttChart, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._table, self._chart = table, chart
        self._narrow = METRICS.left_width_px
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.setObjectName("rows")
        self._bar.setSingleStep(METRICS.row_px)
        self._time_bar = TimeBar(chart, self)
        self.addWidget(self._left_side())
        self.addWidget(self._right_side())
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setSizes([METRICS.left_width_px, 1000])
        inner = table.verticalScrollBar()
        inner.rangeChanged.connect(self._match)
        inner.valueChanged.connect(self._bar.setValue)
        self._bar.valueChanged.connect(inner.setValue)
        self._bar.valueChanged.connect(self.scrolled)
        chart.resized.connect(self._match)
        chart.wheel_turned.connect(self.scroll_by)
        table.wheel_turned.connect(self.scroll_by)
        table.header.column_chosen.connect(self._show_column)
        self._match()
        self.splitterMoved.connect(lambda: self.left_width_changed.emit(table.width()))

    @property
    def scroll_px(self) -> int:
        """How far the rows are scrolled."""
        return self._bar.value()

    def scroll_by(self, pixels: int) -> None:
        """Scrolls the rows down."""
        self._bar.setValue(self._bar.value() + pixels)

    def reveal(self, row: int) -> None:
        """Scrolls as little as it takes to see a row; one that is more than a screen away comes into the middle."""
        top, high = row * METRICS.row_px, min(self._chart.chart_height, self._table.viewport().height())
        near = min(max(self._bar.value(), top + METRICS.row_px - high), top)
        is_far = abs(near - self._bar.value()) > high
        self._bar.setValue(top - (high - METRICS.row_px) // 2 if is_far else near)

    def place(self, row: int, below_px: int) -> None:
        """Scrolls so that a row stands so far below the top, as far as there are rows for that."""
        self._bar.setValue(row * METRICS.row_px - below_px)

    def set_left_width(self, width_px: int) -> None:
        """Gives the table a width, without telling."""
        if width_px != self._table.width():
            self.setSizes([width_px, max(self.width() - width_px - self.handleWidth(), 1)])

    def widen(self) -> None:
        """Makes the table as wide as all its columns, as far as some of the chart stays; again: as it was before."""
        now, wanted = self._table.width(), min(self._table.header.least_px, self.width() - _LEAST_CHART_PX)
        self._narrow, width = (now, wanted) if now < wanted else (self._narrow, self._narrow)
        self.set_left_width(width)
        self.left_width_changed.emit(self._table.width())

    def _show_column(self, column: Column) -> None:
        """Makes room for a column that a person wants to see, as far as the chart keeps half, and scrolls to it."""
        wanted = min(self._table.header.least_px, round(_MOST_LEFT * self.width()))
        if wanted > self._table.width():
            self.set_left_width(wanted)
            self.left_width_changed.emit(self._table.width())
        self._table.reveal(column)

    def _right_side(self) -> QWidget:
        side = QWidget(self)
        side.setObjectName("ground")
        under_axis = QVBoxLayout()
        under_axis.setContentsMargins(0, METRICS.header_px, 0, 0)
        under_axis.addWidget(self._bar)
        across = QHBoxLayout(side)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        down = QVBoxLayout()
        down.setSpacing(0)
        down.addWidget(self._chart, 1)
        down.addWidget(self._time_bar)
        across.addLayout(down, 1)
        across.addLayout(under_axis)
        return side

    def _left_side(self) -> QWidget:
        """The table, as high as the chart: beside the bar that scrolls time nothing stands."""
        side = QWidget(self)
        side.setObjectName("ground")
        down = QVBoxLayout(side)
        down.setContentsMargins(0, 0, 0, self._time_bar.sizeHint().height())
        down.addWidget(self._table)
        return side

    def _match(self) -> None:
        inner = self._table.verticalScrollBar()
        self._bar.setPageStep(self._chart.chart_height)
        self._bar.setRange(inner.minimum(), inner.maximum())
