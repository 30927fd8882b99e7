"""EventPage: what may happen once, how likely it is, and what it does to which tasks. It never simulates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, PlanError
from engine.model import Impact, Plan, RiskEvent, TaskId
from engine.session.typed_impacts import TaskNames, impact_text, read_impact, task_text
from engine.session.typed_spreads import chance_text, read_chance
from gui.dialogs.choice_list import ChoiceList
from gui.dialogs.entry_table import set_up_entries
from gui.theme import METRICS

_LIST_PX = 220
_WIDTHS_PX = (170, 40)


@dataclass(frozen=True, slots=True)
class ImpactRow:
    """The fields of one task that an event changes."""

    task: QLineEdit
    change: QLineEdit
    remove: QPushButton


class EventPage(QWidget):
    """A list of events, and beside it the one that is chosen. `refused` says why it cannot be left as it is."""

    refused = Signal(str)

    def __init__(self, plan: Plan, selected: Sequence[TaskId], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan, self._selected = plan, tuple(selected)
        self._events = list(plan.risks.events)
        self._next = max((event.id for event in self._events), default=0) + 1
        self._shown = -1
        self.list = ChoiceList()
        self.name, self.chance = QLineEdit(), QLineEdit()
        self.table = QTableWidget(0, 3)
        self.rows: list[ImpactRow] = []
        self.add, self.remove = QPushButton(self.tr("&New event")), QPushButton(self.tr("&Remove it"))
        self.add_task = QPushButton(self.tr("&Add a task"))
        self._set_up()
        self._lay_out()
        self._connect()
        self._list(0)

    @cached_property
    def _names(self) -> TaskNames:
        return TaskNames.of(self._plan)

    @cached_property
    def _known(self) -> QStringListModel:
        """What is offered while a task is typed: made once, when the first is asked for."""
        return QStringListModel([task_text(self._plan, task.id) for task in self._plan.tasks], self)

    def events(self) -> tuple[RiskEvent, ...]:
        """Those that are entered. Raises PlanError where something of the one that is shown cannot be."""
        self._take()
        return tuple(self._events)

    # Set-up

    def _set_up(self) -> None:
        self.list.setFixedWidth(_LIST_PX)
        self.list.setAccessibleName(self.tr("Events that may happen"))
        self.chance.setPlaceholderText(self.tr("20%"))
        titles = [self.tr("Task"), self.tr("It takes longer by"), ""]
        set_up_entries(self.table, self.tr("What the event does to tasks"), titles, _WIDTHS_PX)
        self.add_task.setToolTip(self.tr("A row for a task, or for each of those that are selected"))
        for button in (self.add, self.remove, self.add_task):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("Na&me"), self.name)
        form.addRow(self.tr("&Chance"), self.chance)
        hint = QLabel(self.tr("Write 5d, 20% of the planned length, -1d for less, or a range: 2d..3d..8d."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        left, right, across = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(self)
        left.addWidget(self.list, 1)
        left.addWidget(self.add)
        left.addWidget(self.remove)
        right.addLayout(form)
        right.addWidget(self.table, 1)
        right.addWidget(self.add_task, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(hint)
        across.setContentsMargins(*(4 * (2 * METRICS.grid_px,)))
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left)
        across.addLayout(right, 1)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._turn)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.add_task.clicked.connect(self._add_tasks)
        self.name.textEdited.connect(self._rename)

    # Which event is shown

    def _list(self, row: int) -> None:
        self._show(self.list.list_names((event.name for event in self._events), row))

    def _turn(self, row: int) -> None:
        """Another one is chosen; one with something in it that cannot be is not left."""
        if self._is_taken():
            self._show(row)
        else:
            self.list.stay(self._shown)

    def _show(self, row: int) -> None:
        self._shown = row
        is_there = 0 <= row < len(self._events)
        for widget in (self.name, self.chance, self.table, self.remove, self.add_task):
            widget.setEnabled(is_there)
        event = self._events[row] if is_there else RiskEvent(0, "", 1.0)
        self.name.setText(event.name)
        self.chance.setText(chance_text(event.chance))
        self.table.setRowCount(0)
        self.rows.clear()
        for impact in event.impacts:
            self._add_row(task_text(self._plan, impact.task), impact_text(self._plan, impact))

    def _rename(self, text: str) -> None:
        if (item := self.list.item(self._shown)) is not None:
            item.setText(text)

    # What was entered

    def _is_taken(self) -> bool:
        try:
            self._take()
        except EngineError as error:
            self.refused.emit(error.sentence)
            return False
        self.refused.emit("")
        return True

    def _take(self) -> None:
        """Keep what was entered of the event that is shown. Raises PlanError."""
        if 0 <= self._shown < len(self._events):
            before, name = self._events[self._shown], self.name.text().strip()
            if not name:
                raise PlanError(self.tr("An event needs a name."))
            chance = self.chance.text()
            kept = before.chance if chance == chance_text(before.chance) else read_chance(chance)
            impacts = tuple(self._impact(row, before) for row in self.rows if row.task.text() or row.change.text())
            self._events[self._shown] = replace(before, name=name, chance=kept, impacts=impacts)

    def _impact(self, row: ImpactRow, before: RiskEvent) -> Impact:
        """What was not touched stays to the last figure."""
        found = read_impact(self._names, row.task.text(), row.change.text())
        known = next((each for each in before.impacts if each.task == found.task), found)
        return known if row.change.text() == impact_text(self._plan, known) else found

    # What a person does

    def _add(self) -> None:
        if not self._is_taken():
            return
        self._events.append(RiskEvent(self._next, self.tr("New event"), 0.2))
        self._next += 1
        self._list(len(self._events) - 1)
        self._add_tasks()
        self.name.setFocus()
        self.name.selectAll()

    def _remove(self) -> None:
        if 0 <= self._shown < len(self._events):
            self._events.pop(self._shown)
            self._list(max(self._shown - 1, 0))

    def _add_tasks(self) -> None:
        """A row for each selected task that has none; else an empty one."""
        there = {row.task.text() for row in self.rows}
        new = [text for text in (task_text(self._plan, task) for task in self._selected) if text not in there]
        for text in new or [""]:
            self._add_row(text, "")
        self.table.scrollToBottom()
        last = self.rows[-1]
        (last.change if last.task.text() else last.task).setFocus()

    def _add_row(self, task: str, change: str) -> None:
        made = ImpactRow(QLineEdit(task), QLineEdit(change), QPushButton("\N{MULTIPLICATION SIGN}"))
        completer = QCompleter(self._known, made.task)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        made.task.setCompleter(completer)
        made.task.setPlaceholderText(self.tr("number or name"))
        made.task.setAccessibleName(self.tr("Task that the event changes"))
        made.change.setPlaceholderText("5d")
        made.change.setAccessibleName(self.tr("What is added to its length"))
        made.remove.setAutoDefault(False)
        made.remove.setAccessibleName(self.tr("Remove this task"))
        made.remove.setToolTip(made.remove.accessibleName())
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, widget in enumerate((made.task, made.change, made.remove)):
            self.table.setCellWidget(row, column, widget)
        self.rows.append(made)
        made.remove.clicked.connect(lambda: self._remove_row(made))

    def _remove_row(self, row: ImpactRow) -> None:
        at = self.rows.index(row)
        self.rows.pop(at)
        self.table.removeRow(at)
        (self.rows[min(at, len(self.rows) - 1)].task if self.rows else self.add_task).setFocus()
