"""TaskTable: the rows of the plan as a table beside the chart, row for row.

It never scrolls its rows or selects on its own: the view that holds both does. At which cell the keyboard is, it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QWidget,
)

from engine.session.state import State
from gui.canvas.painter import text_width
from gui.canvas.time_chart import wheel_px
from gui.gantt.cells import column_width, expander_left
from gui.gantt.columns import COLUMNS, Column, offered
from gui.gantt.keyboard import reach_of
from gui.gantt.painted_table import PaintedTable
from gui.gantt.rows import Rows
from gui.refreshing import Refreshing
from gui.theme import METRICS

KeyUse = Callable[[QKeyEvent], bool]


class TaskTable(PaintedTable):
    """The table. `folded` carries the id of a summary whose triangle was clicked, `row_chosen` a row and a Reach,
    `wheel_turned` pixels to scroll down, `cell_opened` a row and a Column that is to be typed over, `menu_wanted` the
    place in the viewport where the right button was pressed, or None where a key was.
    """

    folded = Signal(int)
    wheel_turned = Signal(int)
    row_chosen = Signal(int, object)
    cell_opened = Signal(int, object)
    menu_wanted = Signal(object)

    def __init__(self, refreshing: Refreshing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._refreshing = refreshing
        self._is_behind = False
        self._shown: tuple[int, ...] = ()
        self.uses_key: KeyUse = lambda _: False
        self.wants_key: KeyUse = lambda _: False
        self.setHorizontalHeader(self.header)
        self.setModel(self.task_model)
        self.setAccessibleName(self.tr("Tasks"))
        self.setAccessibleDescription(
            self.tr(
                "Arrow keys go through the cells. Enter, F2 or a letter types over one, Control and Enter does so in "
                "all chosen rows, Escape leaves it. Shift and Space chooses rows as a whole."
            )
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAutoScroll(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(METRICS.row_px)
        self.verticalHeader().setDefaultSectionSize(METRICS.row_px)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.header.show_at_first()
        self.header.columns_changed.connect(self.fit_columns)

    # What is shown

    def show_rows(self, state: State, rows: Rows) -> None:
        """Other rows, or other figures in the same ones: those are painted, and columns fitted to them, later."""
        self.header.offered = offered(state.plan.clock)
        before, seen = self.task_model.state, self.task_model.rows
        are_same = state is not before and seen is not None and rows.stand_as(seen)
        if not are_same:
            self._catch_up()
        else:  # what stands beside the chart is painted after it
            self._is_behind = True
            self.viewport().setUpdatesEnabled(False)
            self._refreshing.soon(self._catch_up)
        self.task_model.show_rows(state, rows)
        if state is not before and not self._is_behind:
            self.fit_columns()
        if not are_same:
            self.doItemsLayout()

    def _catch_up(self) -> None:
        """Paints what there is, in columns that fit it, once somebody sees that."""
        if self._is_behind and self.isVisible():
            self._is_behind = False
            self.fit_columns()
            self.viewport().setUpdatesEnabled(True)

    def fit_columns(self) -> None:
        """Every column as wide as it needs, the names as wide as is left, but for what a person made otherwise."""
        state, rows = self.task_model.state, self.task_model.rows
        if self.column not in self.header.shown:
            self.column, self._from = Column.TASK, None
        if state is not None and rows is not None:
            for column in self.header.shown:
                if column is not Column.TASK and column not in self.header.by_hand:
                    width = column_width(state, rows, column, self.header.title_px(column), text_width)
                    self.header.fit(column, width)
        self.header.fit_name(self.viewport().width())
        self.updateGeometries()  # what can be scrolled to

    def set_column_shown(self, column: Column, is_shown: bool) -> None:
        """Shows or hides a column."""
        self.header.set_shown(column, is_shown)
        self.fit_columns()

    # Where the keyboard is

    def go_to(self, column: Column, *, is_further: bool = False) -> None:
        """Takes the keyboard to a column, choosing all up to it where `is_further`."""
        self._from = (self._from or self.column) if is_further else None
        self.is_whole = False
        self.column = column
        current = self.currentIndex()
        if current.isValid():
            self._point_at(current.row())
        self.reveal(column)
        self.viewport().update()

    def reveal(self, column: Column) -> None:
        """Scrolls sideways as little as it takes to see a column."""
        bar, section = self.horizontalScrollBar(), COLUMNS.index(column)
        left, width = self.header.sectionPosition(section), self.header.sectionSize(section)
        if column is Column.TASK and self.frozen_px:
            return
        under = self.names_px if left > self.header.sectionPosition(COLUMNS.index(Column.TASK)) else 0
        bar.setValue(min(max(bar.value(), left + width - self.viewport().width()), left - under))

    def choose_whole(self) -> None:
        """Chooses rows as a whole, not cells of them."""
        self.is_whole = True
        self.viewport().update()

    def step_column(self, step: int, *, is_further: bool = False) -> bool:
        """Takes the keyboard to the next column; False at the last."""
        shown = self.header.shown
        place = (shown.index(self.column) if self.column in shown else 0) + step
        if not 0 <= place < len(shown):
            return False
        self.go_to(shown[place], is_further=is_further)
        return True

    def select_rows(self, rows: Sequence[int]) -> None:
        """Selects rows, the first of them the present one, without telling."""
        model = self.selectionModel()
        if (shown := tuple(rows)) == self._shown and model.hasSelection():  # thousands are not laid out anew
            self._point_at(rows[0])
            return
        self._shown = shown
        chosen = QItemSelection()
        for _, run in groupby(enumerate(sorted(rows)), key=lambda pair: pair[1] - pair[0]):
            places = [row for _, row in run]
            chosen.select(self.task_model.index(places[0], 0), self.task_model.index(places[-1], 0))
        model.blockSignals(True)
        flags = QItemSelectionModel.SelectionFlag
        self._point_at(rows[0] if rows else None)
        changed = [old.at(place) for old in (model.selection(), chosen) for place in range(old.count())]
        model.select(chosen, flags.ClearAndSelect | flags.Rows)
        model.blockSignals(False)
        for each in changed:
            self._update_rows(each.top(), each.bottom())

    def _update_rows(self, first: int, last: int) -> None:
        """Paints rows anew, with the lines around them."""
        top, high = self.rowViewportPosition(first), (last - first + 1) * METRICS.row_px
        self.viewport().update(0, top - 1, self.viewport().width(), high + 2)

    def _point_at(self, row: int | None) -> None:
        """Makes a cell the present one, and tells screen readers."""
        model, before = self.selectionModel(), QModelIndex(self.currentIndex())
        index = QModelIndex() if row is None else self.task_model.index(row, COLUMNS.index(self.column))
        was_quiet = model.blockSignals(True)
        model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        model.blockSignals(was_quiet)
        if index.isValid() and index != before:
            self.currentChanged(index, before)

    # What a person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a triangle folds, one elsewhere chooses the row and the cell."""
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        rows, column = self.task_model.rows, COLUMNS[index.column()]
        if rows is not None and index.row() in rows.headings:
            self.folded.emit(rows.tasks[index.row()].id)
            return
        left = None if rows is None or column is not Column.TASK else expander_left(rows, index.row())
        x = event.position().x() - self.visualRect(index).left()
        if rows is not None and left is not None and left - 4 <= x <= left + 12:
            self.folded.emit(rows.tasks[index.row()].id)
        else:
            self.go_to(column, is_further=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            self.is_whole = column is Column.NUMBER
            self.row_chosen.emit(index.row(), reach_of(event.modifiers()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Nothing: dragging over rows does not select."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A second press on a cell opens it; on a triangle it folds again."""
        index = self.indexAt(event.position().toPoint())
        seen = self.task_model.rows
        self.mousePressEvent(event)
        if index.isValid() and self.task_model.rows is seen and event.button() is Qt.MouseButton.LeftButton:
            self.cell_opened.emit(index.row(), COLUMNS[index.column()])

    def event(self, event: QEvent) -> bool:
        """Keys that mean something in a cell come here before they are shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.wants_key(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Those of cells; the others are left to the view, for they mean the same in table and chart."""
        if self.uses_key(event):
            event.accept()
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(None if is_key else event.pos())
        event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()
        self._catch_up()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fill()

    def _fill(self) -> None:
        """Over an opaque ground Qt moves what is seen, and paints only what comes in sight; a style takes it away."""
        self.viewport().setAutoFillBackground(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header.fit_name(self.viewport().width())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Handed on, for the rows of table and chart scroll as one; sideways the columns move."""
        turn = event.angleDelta()
        if abs(turn.x()) > abs(turn.y()) or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + wheel_px(turn.x() or turn.y()))
        else:
            self.wheel_turned.emit(wheel_px(turn.y()))
        event.accept()
