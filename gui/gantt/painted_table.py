"""PaintedTable: rows of the task table drawn with the canvas kit, so that table and chart look alike.

It never chooses a row or a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPoint, QRect
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from gui.canvas.painter import draw, elided
from gui.canvas.shapes import Box, Line, Shape
from gui.gantt.cells import cell_shapes, row_lines
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.ground import HEADING_GROUND
from gui.gantt.table_header import TableHeader
from gui.gantt.task_model import Index, TaskModel
from gui.theme import LIGHT, METRICS, Theme

_NAMES = COLUMNS.index(Column.TASK)
_LEAST_BESIDE_PX = 80


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
        self.header.frozen_px = lambda: self.frozen_px

    # Names stay in sight

    @property
    def names_px(self) -> int:
        """Pixels that names keep at the left while other columns are scrolled; 0 where that leaves those no room."""
        width = self.columnWidth(_NAMES)
        return width if width + _LEAST_BESIDE_PX <= self.viewport().width() else 0

    @property
    def frozen_px(self) -> int:
        """Pixels at the left where names stand over columns that are scrolled under them; 0 where they are none."""
        return self.names_px if self.columnViewportPosition(_NAMES) < 0 else 0

    def indexAt(self, at: QPoint) -> QModelIndex:
        """The cell at a place of the viewport."""
        return super().indexAt(at) if at.x() >= self.frozen_px else self.task_model.index(self.rowAt(at.y()), _NAMES)

    def visualRect(self, index: Index) -> QRect:
        """Where a cell stands in the viewport."""
        rect = super().visualRect(index)
        if index.column() == _NAMES and self.frozen_px:
            rect.moveLeft(0)
        return rect

    def scrollContentsBy(self, right_px: int, down_px: int) -> None:
        """Names that stay are painted anew where columns are moved under them."""
        super().scrollContentsBy(right_px, down_px)
        if right_px:
            self.viewport().update()
            self.header.viewport().update()

    # How it looks

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
        area, frozen = event.rect(), self.frozen_px
        left = max(area.left(), frozen)
        columns = [each for each in self._places() if each[2] > left and each[1] <= area.right()]
        rows = sorted({row for rect in cast("Iterable[QRect]", event.region()) for row in self._rows_at(rect)})
        painter = QPainter(self.viewport())
        draw(painter, self._shapes(rows, columns) if columns else (), self._theme)
        if frozen > area.left():
            edge = Line(((frozen - 0.5, area.top()), (frozen - 0.5, area.bottom() + 1)), "baseline")
            draw(painter, [*self._shapes(rows, [(Column.TASK, 0, frozen)]), edge], self._theme)
        painter.end()

    def _places(self) -> list[tuple[Column, int, int]]:
        """The columns that are shown, each with its left and its right edge in the viewport."""
        sections = ((column, COLUMNS.index(column)) for column in self.header.shown)
        lefts = ((column, self.columnViewportPosition(place), self.columnWidth(place)) for column, place in sections)
        return [(column, left, left + width) for column, left, width in lefts]

    def _rows_at(self, area: QRect) -> range:
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        return range(first, last + 1 if last >= 0 else self.task_model.rowCount()) if first >= 0 else range(0)

    def _shapes(self, seen: list[int], columns: list[tuple[Column, int, int]]) -> list[Shape]:
        """The rows that are to be painted, all in one: their grounds, their cells, their lines."""
        state, rows, ranges = self.task_model.state, self.task_model.rows, self.selectionModel().selection()
        if state is None or rows is None or not seen:
            return []
        chosen = [(each.top(), each.bottom()) for each in (ranges.at(place) for place in range(ranges.count()))]
        first, wide, has_focus = columns[0][1], columns[-1][2] - columns[0][1], self.hasFocus()
        # What of it lies between rows that are to be painted is none of what is painted.
        upper, lower = self.rowViewportPosition(seen[0]), self.rowViewportPosition(seen[-1]) + METRICS.row_px
        grounds: list[Shape] = [Box(first, upper, wide, lower - upper, "panel")]
        cells: list[Shape] = []
        lines: list[Shape] = []
        for row in seen:
            y, is_selected = self.rowViewportPosition(row), any(top <= row <= bottom for top, bottom in chosen)
            tints = ("selection",) * is_selected + (HEADING_GROUND,) * (row in rows.headings)
            grounds += [Box(first, y, wide, METRICS.row_px, tint) for tint in tints]
            for column, left, right in columns:
                if row not in rows.headings and self.is_changed(int(rows.plan_rows[row]), column):
                    cells.append(Box(left, y, right - left, METRICS.row_px, "changed"))
                cells += cell_shapes(state, rows, (row, column), right - left, elided, (left, y))
            if is_selected and has_focus and not self.is_whole:
                cells += self._cursors(row, y, columns)
            lines += row_lines(y, wide, is_selected and has_focus, first)
        return [*grounds, *cells, *lines]

    def _cursors(self, row: int, y: int, columns: list[tuple[Column, int, int]]) -> list[Shape]:
        """A frame around the cell where the keyboard is, a tint over the others that are chosen."""
        block, here = self.block, self.column if row == self.currentIndex().row() else None
        places = [(column, left, right - left) for column, left, right in columns if column in block]
        return [_cursor(left, y, width, column is here) for column, left, width in places]


def _cursor(x: int, y: int, width: int, is_present: bool) -> Box:
    if is_present:
        return Box(x, y, width, METRICS.row_px - 1, "", "accent", width=2)
    return Box(x, y, width, METRICS.row_px - 1, "accent:10")
