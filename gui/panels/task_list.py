"""TaskList: a sentence, and below it tasks with what is to be said of each. It never finds out or changes anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from engine.model import TaskId
from gui.theme import METRICS

Index = QModelIndex | QPersistentModelIndex
_COLUMN_MOST_PX = 320
_LEAST_ROWS, _MOST_ROWS = 3, 8
_ROWS_MEASURED, _ROWS_WRAPPED = 100, 16  # for the width of a column, and for lines; more would hold the window up


class Entry:
    """One row: the task that it is about, and its words, a text a column, made when they are first seen."""

    def __init__(self, task: TaskId, words: Callable[[], tuple[str, ...]]) -> None:
        self.task = task
        self._words = words

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The words of each column."""
        return self._words()


class _Model(QAbstractTableModel):
    """The entries as Qt asks for them."""

    def __init__(self, titles: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.titles = titles
        self.entries: Sequence[Entry] = ()

    def show_entries(self, entries: Sequence[Entry]) -> bool:
        """Other rows, or False for other words in the same ones: then the place in them stays."""
        if entries and [entry.task for entry in entries] == [entry.task for entry in self.entries]:
            self.entries = entries
            self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, len(self.titles) - 1))
            return False
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()
        return True

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.entries[index.row()].texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(self.entries[index.row()].texts)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        return None


class TaskList(QWidget):
    """`task_chosen` carries the id of the task whose row was clicked or reached with a key.

    The last column takes the room there is. A list of few rows breaks what is longer than its column into lines.
    """

    task_chosen = Signal(int)

    def __init__(self, name: str, titles: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("ground")
        self.sentence = QLabel()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.table = QTableView()
        self.table.setAccessibleName(name)
        self._model = _Model(titles, self)
        self._set_up_table()
        self.setFocusProxy(self.table)
        self._head = QHBoxLayout()
        self._head.setSpacing(2 * METRICS.grid_px)
        self._head.addWidget(self.sentence, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * METRICS.grid_px, METRICS.grid_px, 4 * METRICS.grid_px, METRICS.grid_px)
        layout.addLayout(self._head)
        layout.addWidget(self.table)

    @property
    def wanted_px(self) -> int:
        """How high it is with its rows, as far as they are not too many to leave the chart its place."""
        rows = min(max(len(self.entries), _LEAST_ROWS), _MOST_ROWS)
        return self._head.sizeHint().height() + (2 + rows) * METRICS.row_px + 4 * METRICS.grid_px

    @property
    def entries(self) -> Sequence[Entry]:
        """What is listed."""
        return self._model.entries

    def add_button(self, text: str, tooltip: str) -> QPushButton:
        """A button beside the sentence."""
        button = QPushButton(text)
        button.setToolTip(tooltip)
        self.add_widget(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Something else beside the sentence."""
        self._head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)

    def show_entries(self, sentence: str, entries: Sequence[Entry]) -> None:
        """Other rows; the place in them stays where its task is still listed."""
        self.sentence.setText(sentence)
        task = self._current()
        if not self._model.show_entries(entries):
            return
        self.fit_columns()
        row = next((row for row, entry in enumerate(entries) if entry.task == task), -1)
        if row >= 0:
            model = self.table.selectionModel()
            model.blockSignals(True)
            self.table.selectRow(row)
            model.blockSignals(False)

    def fit_columns(self) -> None:
        """Make each column as wide as its words, as far as they are not too many."""
        fit_columns(self.table, _COLUMN_MOST_PX)
        self._fit_rows()

    def _fit_rows_to(self, column: int) -> None:
        """The last column is resized after all others."""
        if column == self._model.columnCount() - 1:
            self._fit_rows()

    def _fit_rows(self) -> None:
        """Make each row as high as its lines, apart from those of the next, where there are few of them."""
        is_few = len(self.entries) <= _ROWS_WRAPPED
        self.table.setWordWrap(is_few)
        if not is_few:
            for row in range(_ROWS_WRAPPED):  # as high as they were in a list of few
                self.table.setRowHeight(row, METRICS.row_px)
            return
        self.table.resizeRowsToContents()
        for row in range(len(self.entries)):
            if (height := self.table.rowHeight(row)) > METRICS.row_px:
                self.table.setRowHeight(row, height + METRICS.grid_px)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self._model)
        as_list(table)
        table.horizontalHeader().sectionResized.connect(self._fit_rows_to)
        table.setMinimumHeight((1 + _LEAST_ROWS) * METRICS.row_px)
        table.selectionModel().currentRowChanged.connect(self._choose)
        table.clicked.connect(self._choose)

    def _choose(self, index: Index) -> None:
        if index.isValid():
            self.task_chosen.emit(self.entries[index.row()].task)

    def _current(self) -> TaskId | None:
        index = self.table.currentIndex()
        return self.entries[index.row()].task if index.isValid() else None


def as_list(table: QTableView) -> None:
    """Have a table look and behave as a list of rows: chosen one at a time, read only, as high as those of the plan."""
    table.setProperty("role", "list")
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setMinimumSectionSize(METRICS.row_px)
    table.verticalHeader().setDefaultSectionSize(METRICS.row_px)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setStretchLastSection(True)
    table.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def fit_columns(table: QTableView, most_px: int, *, is_growing: bool = False) -> None:
    """Make each column but the last, which stretches, as wide as its words, at most so wide; or never narrower."""
    header, last = table.horizontalHeader(), table.model().columnCount() - 1
    header.resizeSection(last, header.sectionSizeHint(last))  # no less, where there is no more
    for column in range(last):
        least = table.columnWidth(column) if is_growing else 0
        table.resizeColumnToContents(column)
        table.setColumnWidth(column, max(least, min(most_px, table.columnWidth(column))))
