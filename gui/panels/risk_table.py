"""RiskTable: rows of figures, sorted by any of them, that stay where they are while the figures change.

It never computes one; words are made when they are seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from engine.model import TaskId
from gui.panels.task_list import as_list, fit_columns

Index = QModelIndex | QPersistentModelIndex
RowText = Callable[[int], str]
Keys = NDArray[np.float64] | NDArray[np.int64]

_COLUMN_MOST_PX, _COLUMN_LEAST_PX = 260, 64
# What a row has for a delegate to draw, in the column that says so.
DRAWN = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of each row: its words, and what it is sorted by; without keys, by the order of the rows.

    `tip` says more of a row than its words do, `meaning` what the title means.
    """

    title: str
    text: RowText
    keys: Keys | None = None
    is_number: bool = True
    tip: RowText | None = None
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """So many rows, the task that each is about, or None, and what a delegate draws of each."""

    count: int
    columns: tuple[Column, ...]
    task: Callable[[int], TaskId | None] = lambda _row: None
    drawn: Callable[[int], object] = lambda _row: None


NOTHING = Rows(0, ())


class _Model(QAbstractTableModel):
    """Rows as Qt asks for them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = NOTHING
        self.order: NDArray[np.int64] = np.arange(0)
        self._sorted: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)

    def show_rows(self, rows: Rows) -> bool:
        """Other figures; true where there are other rows or columns too."""
        titles = [column.title for column in self.rows.columns]
        if rows.count != self.rows.count or [column.title for column in rows.columns] != titles:
            self.beginResetModel()
            self.rows, self.order = rows, self._ordered(rows)
            self.endResetModel()
            return True
        self.rows = rows
        self._reorder()
        return False

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self._reorder()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self.rows.count

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, columns = int(self.order[index.row()]), self.rows.columns
        column = columns[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return (column.tip or column.text)(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(f"{column.title} {text}" for column in columns if (text := column.text(row)))
        return self.rows.drawn(row) if role == DRAWN else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and self.rows.columns[section].is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.rows.columns[section].meaning or None
        return self.rows.columns[section].title if role == Qt.ItemDataRole.DisplayRole else None

    def _ordered(self, rows: Rows) -> NDArray[np.int64]:
        column, order = self._sorted
        keys = rows.columns[column].keys if 0 <= column < len(rows.columns) else None
        found = np.arange(rows.count) if keys is None else np.argsort(keys, kind="stable")
        if order is Qt.SortOrder.DescendingOrder and column >= 0:
            # Equal ones stay in the order of the rows either way.
            found = np.arange(rows.count)[::-1] if keys is None else np.argsort(-keys, kind="stable")
        return found

    def _reorder(self) -> None:
        """The rows in their order; the place in them goes along with its row."""
        self.layoutAboutToBeChanged.emit()
        before, self.order = self.order, self._ordered(self.rows)
        places = np.empty(self.rows.count, dtype=np.int64)
        places[self.order] = np.arange(self.rows.count)
        held = self.persistentIndexList()
        self.changePersistentIndexList(
            held, [self.index(int(places[before[each.row()]]), each.column()) for each in held]
        )
        self.layoutChanged.emit()


class RiskTable(QTableView):
    """`task_chosen` carries the id of the task whose row was reached; `reached` says that a row was.

    The first column takes the room that the others leave, and says in its tip what it has no room for.
    """

    task_chosen = Signal(int)
    reached = Signal()

    def __init__(self, name: str, most_px: int = _COLUMN_MOST_PX, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most_px = most_px  # of a column
        self._model = _Model(self)
        self.setModel(self._model)
        self.setAccessibleName(name)
        self.setToolTip(self.tr("A click on a title sorts; a click on a row goes to the task"))
        as_list(self)
        self.horizontalHeader().setStretchLastSection(False)
        self.horizontalHeader().setMinimumSectionSize(_COLUMN_LEAST_PX)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self.clicked.connect(self._choose)

    @property
    def rows(self) -> Rows:
        """What is listed."""
        return self._model.rows

    @property
    def current(self) -> int | None:
        """The row of Rows that is reached."""
        index = self.currentIndex()
        return int(self._model.order[index.row()]) if index.isValid() and index.row() < self.rows.count else None

    def texts(self, place: int) -> tuple[str, ...]:
        """The words at a place from the top."""
        return tuple(column.text(int(self._model.order[place])) for column in self.rows.columns)

    def sort_by(self, column: int) -> None:
        """The greatest of a column on top, until a person wants it otherwise."""
        self.sortByColumn(column, Qt.SortOrder.DescendingOrder)

    def show_rows(self, rows: Rows) -> None:
        """Other figures."""
        if self._model.show_rows(rows) and rows.count:
            fit_columns(self, self._most_px)
            self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place, column in enumerate(rows.columns[1:], 1):
            if column.is_number:
                needed = self.sizeHintForColumn(place), self.horizontalHeader().sectionSizeHint(place)
                self.setColumnWidth(place, max(self.columnWidth(place), *needed))

    def _choose(self, index: Index) -> None:
        current = self.current
        if current is not None and index.isValid():
            task = self.rows.task(current)
            if task is not None:
                self.task_chosen.emit(task)
        self.reached.emit()
