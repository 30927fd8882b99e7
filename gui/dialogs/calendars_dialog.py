"""CalendarsDialog: the weeks and exceptions of the plan's calendars, changed as one step. It dates nothing."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import PlanError
from engine.model import Calendar, CalendarException, Plan, Shift
from engine.session.calendar_edits import AddCalendar, ChangeCalendar
from engine.session.edits import Edit
from gui.bridge import Bridge
from gui.dialogs.choice_list import ChoiceList
from gui.dialogs.form_dialog import FormDialog
from gui.dialogs.shift_words import day_text, parse_day, parse_shifts, shifts_text
from gui.theme import METRICS

_SIZE_PX = (860, 560)
_LIST_PX = 200
_SAME = "="  # a day of a calendar that rests on another: as there
translate = QCoreApplication.translate


class CalendarsDialog(FormDialog):
    """A list of the calendars, and beside it the one that is chosen.

    An exception that recurs is shown and stays as it is; it cannot be entered here.
    """

    def __init__(self, bridge: Bridge, plan: Plan, parent: QWidget) -> None:
        title, step = translate("CalendarsDialog", "Calendars"), translate("CalendarsDialog", "Change the calendars")
        super().__init__(bridge, title, step, parent)
        self._before = plan.calendar_of
        self._calendars = list(plan.calendar_of.values())
        self._own = plan.calendar.id if plan.calendar else 0
        self._shown = -1
        self.list = ChoiceList()
        self.list.setFixedWidth(_LIST_PX)
        self.list.setAccessibleName(self.tr("Calendars of the plan"))
        self.name = QLineEdit()
        self.days = [QLineEdit() for _ in range(7)]
        self.exceptions = QTableWidget(0, 4)
        self.add = QPushButton(self.tr("New &calendar"))
        self.add_exception = QPushButton(self.tr("Add an &exception"))
        self.remove_exception = QPushButton(self.tr("&Remove it"))
        self._lay_out()
        self._list()
        self.list.currentRowChanged.connect(self._turn)
        self.add.clicked.connect(self._add)
        self.add_exception.clicked.connect(self._add_exception)
        self.remove_exception.clicked.connect(lambda: self.exceptions.removeRow(self.exceptions.currentRow()))
        self.list.setCurrentRow(0)
        self.resize(*_SIZE_PX)

    def edits(self) -> list[Edit]:
        """What is another, then what is new. Raises PlanError for what was typed and is no time."""
        self._take()
        found: list[Edit] = []
        for calendar in self._calendars:
            before = self._before.get(calendar.id)
            if before is None:
                found.append(AddCalendar(calendar))
            elif before != calendar:
                found.append(ChangeCalendar(calendar))
        return found

    # Set-up

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addWidget(self.add)
        form = QFormLayout()
        form.setVerticalSpacing(METRICS.grid_px)
        form.addRow(self.tr("&Name"), self.name)
        for name, day in zip(_weekdays(), self.days, strict=True):
            day.setPlaceholderText(self.tr("day off"))
            form.addRow(name, day)
        hint = QLabel(self.tr("Shifts such as 08:00-12:00, 13:00-17:00; = as the calendar it rests on."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self._set_up_exceptions()
        below = QHBoxLayout()
        below.addWidget(self.add_exception)
        below.addWidget(self.remove_exception)
        below.addStretch(1)
        right = QVBoxLayout()
        right.addLayout(form)
        right.addWidget(hint)
        right.addWidget(self.exceptions, 1)
        right.addLayout(below)
        page, across = QWidget(), QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(4 * METRICS.grid_px)
        across.addLayout(left)
        across.addLayout(right, 1)
        page.setLayout(across)
        self.lay_out(page)
        for button in (self.add, self.add_exception, self.remove_exception):
            button.setAutoDefault(False)

    def _set_up_exceptions(self) -> None:
        table = self.exceptions
        table.setHorizontalHeaderLabels([self.tr("First day"), self.tr("Last day"), self.tr("Shifts"), self.tr("Name")])
        table.setAccessibleName(self.tr("Days worked otherwise"))
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(METRICS.row_px)
        table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        table.setTabKeyNavigation(False)

    # Which calendar is shown

    def _list(self) -> None:
        own = self.tr("{name} (the plan's)")
        names = [own.format(name=each.name) if each.id == self._own else each.name for each in self._calendars]
        self.list.list_names(names, self.list.currentRow())

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
            self.wrong.setText(error.sentence)
            self.wrong.show()
            return False
        self.wrong.hide()
        return True

    def _show(self, row: int) -> None:
        self._shown = row
        if not 0 <= row < len(self._calendars):
            return
        calendar = self._calendars[row]
        self.name.setText(calendar.name)
        for field, shifts in zip(self.days, calendar.week, strict=True):
            field.setText(_SAME if shifts is None else shifts_text(shifts))
        self.exceptions.setRowCount(0)
        for exception in calendar.exceptions:
            if exception.recurrence is None:
                self._list_exception(exception)

    def _list_exception(self, exception: CalendarException) -> None:
        row = self.exceptions.rowCount()
        self.exceptions.insertRow(row)
        texts = (
            day_text(exception.first_day),
            day_text(exception.last_day),
            shifts_text(exception.shifts),
            exception.name,
        )
        for column, text in enumerate(texts):
            self.exceptions.setItem(row, column, QTableWidgetItem(text))

    # What was entered

    def _take(self) -> None:
        """Keep what was entered of the calendar that is shown. Raises PlanError."""
        if not 0 <= self._shown < len(self._calendars):
            return
        before = self._calendars[self._shown]
        week = tuple(self._day(field.text(), before) for field in self.days)
        recurring = tuple(each for each in before.exceptions if each.recurrence is not None)
        single = tuple(each for row in range(self.exceptions.rowCount()) for each in self._exception(row))
        known = tuple(each for each in before.exceptions if each.recurrence is None)
        exceptions = before.exceptions if single == known else (*recurring, *single)
        self._calendars[self._shown] = replace(before, name=self.name.text().strip(), week=week, exceptions=exceptions)

    @staticmethod
    def _day(text: str, calendar: Calendar) -> tuple[Shift, ...] | None:
        return None if text.strip() == _SAME and calendar.base is not None else parse_shifts(text.replace(_SAME, ""))

    def _exception(self, row: int) -> list[CalendarException]:
        """The exception in a row; none where no day was typed."""
        texts = [item.text() if (item := self.exceptions.item(row, column)) else "" for column in range(4)]
        if not texts[0].strip():
            return []
        first = parse_day(texts[0])
        last = parse_day(texts[1]) if texts[1].strip() else first
        return [CalendarException(first, last, parse_shifts(texts[2]), texts[3].strip())]

    def _add(self) -> None:
        """A calendar that works as the plan's own does, until it is changed."""
        if not self._is_taken():
            return
        number = max(calendar.id for calendar in self._calendars) + 1
        own = next(calendar for calendar in self._calendars if calendar.id == self._own)
        self._calendars.append(Calendar(number, self.tr("New calendar"), own.week))
        self._list()
        self.list.setCurrentRow(len(self._calendars) - 1)
        self.name.setFocus()
        self.name.selectAll()

    def _add_exception(self) -> None:
        row = self.exceptions.rowCount()
        self.exceptions.insertRow(row)
        for column in range(4):
            self.exceptions.setItem(row, column, QTableWidgetItem(""))
        self.exceptions.setFocus(Qt.FocusReason.OtherFocusReason)
        self.exceptions.setCurrentCell(row, 0)
        self.exceptions.edit(self.exceptions.currentIndex())


def _weekdays() -> tuple[str, ...]:
    return (
        translate("CalendarsDialog", "&Monday"),
        translate("CalendarsDialog", "&Tuesday"),
        translate("CalendarsDialog", "&Wednesday"),
        translate("CalendarsDialog", "T&hursday"),
        translate("CalendarsDialog", "&Friday"),
        translate("CalendarsDialog", "&Saturday"),
        translate("CalendarsDialog", "S&unday"),
    )
