"""MatrixTable: times from each family to each, typed, copied and pasted as in a spreadsheet. It never reads a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem

from engine.session.typed_changeovers import Matrix
from gui.theme import METRICS

_COLUMN_PX = 84


class MatrixTable(QTableWidget):
    """`pasted` carries the text of the clipboard; who hears it says what becomes of it by `put`."""

    pasted = Signal(str)

    def __init__(self) -> None:
        super().__init__(0, 0)
        self.setAccessibleName(self.tr("Times of set-up, from the family of a row to that of a column"))
        self.verticalHeader().setDefaultSectionSize(METRICS.row_px)
        self.horizontalHeader().setDefaultSectionSize(_COLUMN_PX)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)

    def show_matrix(self, families: Sequence[str], matrix: Matrix) -> None:
        """These families, with these times between them."""
        self.clear()
        self.setRowCount(len(families))
        self.setColumnCount(len(families))
        self.setVerticalHeaderLabels([self.tr("from {family}").format(family=family) for family in families])
        self.setHorizontalHeaderLabels([self.tr("to {family}").format(family=family) for family in families])
        self.put(matrix, 0, 0)

    def texts(self) -> Matrix:
        """What stands in the cells."""
        rows, columns = range(self.rowCount()), range(self.columnCount())
        return tuple(tuple(self._text(row, column) for column in columns) for row in rows)

    def put(self, grid: Matrix, top: int, left: int) -> None:
        """Texts from a cell on, to the right and down; what has no room is left out."""
        for row, line in enumerate(grid[: self.rowCount() - top], top):
            for column, text in enumerate(line[: self.columnCount() - left], left):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, paste and delete; the other keys as a table has them."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._chosen())
        elif event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            for index in self.selectedIndexes():
                self.put((("",),), index.row(), index.column())
        else:
            super().keyPressEvent(event)

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return "" if item is None else item.text()

    def _chosen(self) -> str:
        lines: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda each: (each.row(), each.column())):
            lines.setdefault(index.row(), []).append(self._text(index.row(), index.column()))
        return "\n".join("\t".join(line) for line in lines.values())
