"""OfferTable: the tasks that an offered plan moves, each with a box to take it or leave it. It never changes a plan."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTableView, QWidget

from engine.model import Plan, TaskId
from engine.session.offers import Offer, Shift
from gui.panels.task_list import as_list, fit_columns
from gui.plan_words import change_text, full_name, instant_text

Index = QModelIndex | QPersistentModelIndex
_COLUMN_MOST_PX = 260
_ROWS_MEASURED = 20  # for the width of a column: those in sight, since a search has many offers
_TASK, _START, _THEN, _BY, _DONE_BY, _DONE_THEN = range(6)


class _Model(QAbstractTableModel):
    """The shifts as Qt asks for them; their words are made when they are seen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.offer: Offer | None = None
        self.shifts: list[Shift] = []
        self.left_out: set[TaskId] = set()
        self._names: dict[int, str] = {}
        self._said: dict[TaskId, tuple[str, ...]] = {}
        self._sorted: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self._titles = (
            *(self.tr("Task"), self.tr("Starts"), self.tr("Would start")),
            *(self.tr("By"), self.tr("Done by"), self.tr("Would be done by")),
        )

    def show_offer(self, offer: Offer | None) -> None:
        self.beginResetModel()
        self.offer = offer
        self.shifts = [] if offer is None else list(offer.shifts)
        self.left_out &= {shift.task for shift in self.shifts}
        self._names = {} if offer is None else {each.id: each.name for each in offer.state.plan.resources}
        self._said = {}
        self._sort()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self.beginResetModel()
        self._sort()
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.shifts)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        shift = self.shifts[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(shift, index.column())
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == _TASK:
            return Qt.CheckState.Unchecked if shift.task in self.left_out else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (self._text(shift, column) for column in range(len(self._titles)))
            return ", ".join(filter(None, words))
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        task = self.shifts[index.row()].task
        (self.left_out.discard if Qt.CheckState(value) is Qt.CheckState.Checked else self.left_out.add)(task)
        self.dataChanged.emit(index, index)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _TASK else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return None

    def _sort(self) -> None:
        column, order = self._sorted
        if column < 0 or self.offer is None:
            return
        plan = self.offer.state.plan

        keys: dict[int, Callable[[Shift], str | int]] = {
            _TASK: lambda shift: full_name(plan, shift.task),
            _START: lambda shift: shift.before,
            _THEN: lambda shift: shift.after,
            _BY: lambda shift: shift.by,
            _DONE_BY: lambda shift: self._done(shift.done_by),
            _DONE_THEN: lambda shift: self._done(shift.done_then),
        }
        self.shifts.sort(key=lambda shift: plan.rows[shift.task])
        self.shifts.sort(key=keys[column], reverse=order is Qt.SortOrder.DescendingOrder)

    def _text(self, shift: Shift, column: int) -> str:
        """The words of a row are made once, for each of its cells is asked for them many times."""
        if self.offer is None:
            return ""
        words = self._said.get(shift.task)
        if words is None:
            words = self._said[shift.task] = self._words(self.offer.state.plan, shift)
        return words[column]

    def _done(self, resources: tuple[int, ...]) -> str:
        return ", ".join(self._names.get(each, "") for each in resources)

    def _words(self, plan: Plan, shift: Shift) -> tuple[str, ...]:
        then = instant_text(plan, shift.after) if shift.after != shift.before else ""
        now, other = self._done(shift.done_by), self._done(shift.done_then)
        return (
            *(full_name(plan, shift.task), instant_text(plan, shift.before), then),
            *(change_text(plan, shift.by), now, "" if other == now else other),
        )


class OfferTable(QTableView):
    """`task_chosen` carries the id of the task whose row was reached; `picked` says that another row, or box, is."""

    task_chosen = Signal(int)
    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Model(self)
        self._fitted: tuple[str, str] | None = None
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Tasks that the offered plan moves"))
        self.setToolTip(self.tr("Space takes a task or leaves it; a click on a title sorts"))
        as_list(self)
        self.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self.clicked.connect(self._choose)
        self._model.dataChanged.connect(self.picked)

    @property
    def current(self) -> Shift | None:
        """The shift whose row is reached."""
        row = self.currentIndex().row()
        return self._model.shifts[row] if 0 <= row < len(self._model.shifts) else None

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """What is listed, from the top."""
        return tuple(self._model.shifts)

    @property
    def chosen(self) -> frozenset[TaskId]:
        """The tasks whose boxes are checked."""
        return frozenset(shift.task for shift in self._model.shifts) - self._model.left_out

    def show_offer(self, offer: Offer | None) -> None:
        """Other rows; the place in them stays where its task is still listed, and so do the boxes."""
        current = self.current
        if offer is not self._model.offer:
            self._model.show_offer(offer)
        self._find(None if current is None else current.task)
        # Of one that is better still, or of the plan after an edit, they are hardly others: columns only grow.
        if offer is not None:
            is_known = self._fitted == (offer.state.path, offer.state.plan.name)
            self._fitted = (offer.state.path, offer.state.plan.name)
            fit_columns(self, _COLUMN_MOST_PX, is_growing=is_known)
        self.picked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space is for the box, in whatever column the keyboard is."""
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Space and index.isValid():
            box, role = index.siblingAtColumn(_TASK), Qt.ItemDataRole.CheckStateRole
            is_taken = self._model.data(box, role) is Qt.CheckState.Checked
            self._model.setData(box, Qt.CheckState.Unchecked if is_taken else Qt.CheckState.Checked, role)
        else:
            super().keyPressEvent(event)

    def _find(self, task: TaskId | None) -> None:
        row = next((row for row, shift in enumerate(self._model.shifts) if shift.task == task), -1)
        if row >= 0:
            model = self.selectionModel()
            model.blockSignals(True)
            self.selectRow(row)
            model.blockSignals(False)

    def _choose(self, index: Index) -> None:
        if (current := self.current) is not None and index.isValid():
            self.task_chosen.emit(current.task)
        self.picked.emit()
