"""CalendarsDialog: the weeks and exceptions of the plan's calendars, changed as one step. It dates nothing."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from engine.errors import PlanError
from engine.model import Calendar, Plan
from engine.session.calendar_edits import AddCalendar, ChangeCalendar, RemoveCalendar
from engine.session.edits import Edit
from gui.bridge import Bridge
from gui.dialogs.choice_list import ChoiceList
from gui.dialogs.exception_table import ExceptionTable
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.week_fields import WeekFields
from gui.theme import METRICS

_SIZE_PX = (940, 600)
_LIST_PX = 150
translate = QCoreApplication.translate


class CalendarsDialog(FormDialog):
    """A list of the calendars, and beside it the one that is chosen.

    An exception that recurs is shown and stays as it is; it cannot be entered here.
    """

    def __init__(self, bridge: Bridge, plan: Plan, parent: QWidget) -> None:
        title, step = translate("CalendarsDialog", "Calendars"), translate("CalendarsDialog", "Change the calendars")
        super().__init__(bridge, title, step, parent)
        self._plan = plan
        self._calendars = list(plan.calendar_of.values())
        self._own = plan.calendar.id if plan.calendar else 0
        self._shown = -1
        self.list = ChoiceList()
        self.list.setFixedWidth(_LIST_PX)
        self.list.setAccessibleName(self.tr("Calendars of the plan"))
        self.name = QLineEdit()
        self.week = WeekFields()
        self.exceptions = ExceptionTable(plan.start)
        self.hint = QLabel()
        self.add = QPushButton(self.tr("New &calendar"))
        self.remove = QPushButton(self.tr("Remove ca&lendar"))
        self.add_exception = QPushButton(self.tr("Add an &exception"))
        self.remove_exception = QPushButton(self.tr("&Remove it"))
        self._lay_out()
        self._list()
        self._connect()
        self.list.setCurrentRow(0)
        self.resize(*_SIZE_PX)

    def edits(self) -> list[Edit]:
        """What is another, what is new, what is gone. Raises PlanError for what was typed and is no time."""
        self._take()
        before, found = self._plan.calendar_of, list[Edit]()
        for calendar in self._calendars:
            if calendar.id not in before:
                found.append(AddCalendar(calendar))
            elif before[calendar.id] != calendar:
                found.append(ChangeCalendar(calendar))
        kept = {calendar.id for calendar in self._calendars}
        return found + [RemoveCalendar(each) for each in before if each not in kept]

    # Set-up

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addWidget(self.add)
        left.addWidget(self.remove)
        form = QFormLayout()
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("&Name"), self.name)
        self.hint.setProperty("role", "muted")
        self.hint.setWordWrap(True)
        below = QHBoxLayout()
        below.addWidget(self.add_exception)
        below.addWidget(self.remove_exception)
        below.addStretch(1)
        right = QVBoxLayout()
        right.addLayout(form)
        right.addWidget(self.week)
        right.addWidget(self.hint)
        right.addWidget(self.exceptions, 1)
        right.addLayout(below)
        page, across = QWidget(), QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left)
        across.addLayout(right, 1)
        self.stack(across)
        page.setLayout(across)
        self.lay_out(page)
        for button in (self.add, self.remove, self.add_exception, self.remove_exception):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._turn)
        self.name.textEdited.connect(self._rename)
        for day in self.week.days:
            day.textChanged.connect(self._hint)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.add_exception.clicked.connect(self.exceptions.add)
        self.remove_exception.clicked.connect(lambda: self.exceptions.removeRow(self.exceptions.currentRow()))

    # Which calendar is shown

    def _list(self) -> None:
        self.list.list_names([self._title(each, each.name) for each in self._calendars], self.list.currentRow())

    def _title(self, calendar: Calendar, name: str) -> str:
        return self.tr("{name} (the plan's)").format(name=name) if calendar.id == self._own else name

    def _rename(self, name: str) -> None:
        """The list says a name as it is typed."""
        if (item := self.list.item(self._shown)) is not None:
            item.setText(self._title(self._calendars[self._shown], name))

    def _turn(self, row: int) -> None:
        """Another calendar is chosen; one with something in it that is no time is not left."""
        if self._is_taken():
            self._show(row)
        else:
            self.list.stay(self._shown)

    def _is_taken(self) -> bool:
        """Whether what was entered could be kept; else the dialog says why not."""
        try:
            self._take()
        except PlanError as error:
            self._say_wrong(error.sentence)
            return False
        self.wrong.hide()
        return True

    def _say_wrong(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.show()

    def _show(self, row: int) -> None:
        self._shown = row
        if not 0 <= row < len(self._calendars):
            return
        calendar = self._calendars[row]
        self.name.setText(calendar.name)
        self.week.show_week(calendar.week, has_base=calendar.base is not None)
        self.exceptions.show_exceptions(each for each in calendar.exceptions if each.recurrence is None)
        self.remove.setEnabled(calendar.id != self._own)
        self._hint()

    def _hint(self) -> None:
        """How to type a day, and what a night means for days off."""
        words = [self.tr("Shifts such as 08:00-12:00, 13:00-17:00, or 22-6 for a night that ends the next day.")]
        if 0 <= self._shown < len(self._calendars) and self._calendars[self._shown].base is not None:
            words.append(self.tr("= is a day as in the calendar it rests on."))
        if self.week.has_nights:
            words.append(self.tr("A day off is off from 0:00 to 24:00, whatever nights it lies in."))
        self.hint.setText(" ".join(words))

    # What was entered

    def _take(self) -> None:
        """Keep what was entered of the calendar that is shown. Raises PlanError."""
        if not 0 <= self._shown < len(self._calendars):
            return
        before = self._calendars[self._shown]
        week = self.week.week()
        recurring = tuple(each for each in before.exceptions if each.recurrence is not None)
        single = self.exceptions.exceptions()
        known = tuple(each for each in before.exceptions if each.recurrence is None)
        exceptions = before.exceptions if single == known else (*recurring, *single)
        self._calendars[self._shown] = replace(before, name=self.name.text().strip(), week=week, exceptions=exceptions)

    def _add(self) -> None:
        """A calendar that works as the plan's own does, until it is changed."""
        if not self._is_taken():
            return
        number = max((*self._plan.calendar_of, *(calendar.id for calendar in self._calendars))) + 1
        own = next(calendar for calendar in self._calendars if calendar.id == self._own)
        self._calendars.append(Calendar(number, self.tr("New calendar"), own.week))
        self._list()
        self.list.setCurrentRow(len(self._calendars) - 1)
        self.name.setFocus()
        self.name.selectAll()

    def _remove(self) -> None:
        """Drop the calendar that is shown; one that is used stays, and the dialog says by whom."""
        calendar = self._calendars[self._shown]
        try:
            if calendar.id in self._plan.calendar_of:
                RemoveCalendar(calendar.id).apply(self._plan)
        except PlanError as error:
            self._say_wrong(error.sentence)
            return
        self.wrong.hide()
        del self._calendars[self._shown]
        self._list()
        self._show(self.list.currentRow())
