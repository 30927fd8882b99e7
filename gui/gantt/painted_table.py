"""PaintedTable: rows of the task table drawn with the canvas kit, so that table and chart look alike.

It never chooses a row or a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from gui.canvas.painter import draw, elided
from gui.canvas.shapes import Box, Shape
from gui.gantt.cells import cell_shapes, row_lines
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.table_header import TableHeader
from gui.gantt.task_model import TaskModel
from gui.theme import LIGHT, METRICS, Theme


class PaintedTable(QTableView):
    """The look of the table: what it shows, which cells the last edit changed, where the keyboard is.

    All is drawn at once: Qt asks for one cell after the other, and each of its calls takes as long as the cell.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.task_model = TaskModel(self)
        self.header, self._theme = TableHeader(self), LIGHT
        self.column = Column.TASK
        self.is_whole = False
        self._from: Column | None = None
        self.changes: Mapping[Column, NDArray[np.bool_]] = {}

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self.header.theme = self._theme = theme
        self.header.viewport().update()
        self.viewport().update()

    @property
    def block(self) -> tuple[Column, ...]:
        """The columns that are chosen in the chosen rows, from left to right; all where rows are chosen as a whole."""
        shown = self.header.shown
        if self.is_whole:
            return shown
        ends = sorted(shown.index(each) for each in (self.column, self._from or self.column) if each in shown)
        return shown[ends[0] : ends[-1] + 1] if ends else ()

    def is_changed(self, plan_row: int, column: Column) -> bool:
        """Whether the last edit changed what a cell says."""
        found = self.changes.get(column)
        return found is not None and plan_row < len(found) and bool(found[plan_row])

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the rows that are to be painted."""
        area, columns = event.rect(), self._places()
        columns = [each for each in columns if each[2] > area.left() and each[1] <= area.right()]
        seen = {row for rect in cast("Iterable[QRect]", event.region()) for row in self._rows_at(rect)}
        painter = QPainter(self.viewport())
        for row in sorted(seen) if columns else ():
            self._paint_row(painter, row, columns)
        painter.end()

    def _places(self) -> list[tuple[Column, int, int]]:
        """The columns that are shown, each with its left and its right edge in the viewport."""
        sections = ((column, COLUMNS.index(column)) for column in self.header.shown)
        lefts = ((column, self.columnViewportPosition(place), self.columnWidth(place)) for column, place in sections)
        return [(column, left, left + width) for column, left, width in lefts]

    def _rows_at(self, area: QRect) -> range:
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        return range(first, last + 1 if last >= 0 else self.task_model.rowCount()) if first >= 0 else range(0)

    def _paint_row(self, painter: QPainter, row: int, columns: list[tuple[Column, int, int]]) -> None:
        state, rows, y = self.task_model.state, self.task_model.rows, self.rowViewportPosition(row)
        if state is None or rows is None:
            return
        is_selected, plan_row = self.selectionModel().isRowSelected(row, QModelIndex()), int(rows.plan_rows[row])
        is_held = is_selected and self.hasFocus()
        block = self.block if is_held and not self.is_whole else ()
        is_present = row == self.currentIndex().row()
        first, last = columns[0][1], columns[-1][2]
        painter.translate(0, y)
        ground = "selection" if is_selected else "panel"
        draw(painter, [Box(first, 0, last - first, METRICS.row_px, ground)], self._theme)
        for column, left, right in columns:
            width = right - left
            shapes = cell_shapes(state, rows, (row, column), width, elided)
            if self.is_changed(plan_row, column):
                shapes.insert(0, Box(0, 0, width, METRICS.row_px, "changed"))
            painter.translate(left, 0)
            draw(painter, shapes, self._theme)
            if column in block:
                draw(painter, _cursor(width, is_present and column is self.column), self._theme)
            painter.translate(-left, 0)
        painter.translate(first, 0)
        draw(painter, row_lines(0, last - first, is_held), self._theme)
        painter.translate(-first, -y)


def _cursor(width: int, is_present: bool) -> list[Shape]:
    if is_present:
        return [Box(0, 0, width, METRICS.row_px - 1, "", "accent", width=2)]
    return [Box(0, 0, width, METRICS.row_px - 1, "accent:10")]
