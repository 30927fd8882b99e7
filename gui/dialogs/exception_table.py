"""ExceptionTable: days that a calendar works otherwise, typed row by row. It never knows the rest of the calendar."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from engine.errors import PlanError
from engine.model import DAY, CalendarException, Ticks
from engine.session.typed_times import read_day
from gui.canvas.calendar_ticks import date_text
from gui.dialogs.shift_words import parse_shifts, shifts_text
from gui.habits import habits
from gui.theme import METRICS

_FIRST, _LAST, _SHIFTS, _NAME = range(4)
_DATE_PX, _SHIFTS_PX = 120, 180


class ExceptionTable(QTableWidget):
    """A row an exception; dates as they are typed everywhere, those without a year nearest to `near`."""

    def __init__(self, near: Ticks) -> None:
        super().__init__(0, 4)
        self._near = near
        self.setHorizontalHeaderLabels([self.tr("First day"), self.tr("Last day"), self.tr("Shifts"), self.tr("Name")])
        self.setAccessibleName(self.tr("Days worked otherwise"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(METRICS.row_px + METRICS.grid_px)
        self.horizontalHeader().setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        for column, width_px in ((_FIRST, _DATE_PX), (_LAST, _DATE_PX), (_SHIFTS, _SHIFTS_PX)):
            self.setColumnWidth(column, width_px)
        self.setTabKeyNavigation(False)
        self.itemChanged.connect(self._say)

    def show_exceptions(self, exceptions: Iterable[CalendarException]) -> None:
        """These and no others."""
        self.setRowCount(0)
        for each in exceptions:
            days = (date_text(each.first_day * DAY), date_text(each.last_day * DAY))
            self._insert((*days, shifts_text(each.shifts), each.name))

    def add(self) -> None:
        """A row more, with the keyboard in its first day."""
        self._insert(("", "", "", ""))
        self._edit(self.rowCount() - 1, _FIRST)

    def exceptions(self) -> tuple[CalendarException, ...]:
        """What was typed, without rows that have no day. Raises PlanError, with the keyboard at the cell it names."""
        rows = [row for row in range(self.rowCount()) if self._text(row, _FIRST)]
        return tuple(self._exception(row) for row in rows)

    def _exception(self, row: int) -> CalendarException:
        column = _FIRST
        try:
            first = last = self._day(row, _FIRST)
            column = _LAST
            if self._text(row, _LAST):
                last = self._day(row, _LAST)
            if last < first:
                words = self.tr("“{last}” is before “{first}”, the first day.")
                raise PlanError(words.format(first=self._text(row, _FIRST), last=self._text(row, _LAST)))
            column = _SHIFTS
            return CalendarException(first, last, parse_shifts(self._text(row, _SHIFTS)), self._text(row, _NAME))
        except PlanError:
            self._edit(row, column)
            raise

    def _day(self, row: int, column: int) -> int:
        """The day in a cell; a last day without a year, or a day of the week, is the one nearest to the first."""
        near = self._near
        if column == _LAST:
            near = self._day(row, _FIRST) * DAY
        return read_day(self._text(row, column), near, habits())

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item else ""

    def _say(self, item: QTableWidgetItem) -> None:
        """Write a date as it was understood; one that cannot be read stays as it was typed."""
        if item.column() not in {_FIRST, _LAST} or not item.text().strip():
            return
        try:
            day = self._day(item.row(), item.column())
        except PlanError:
            return
        with QSignalBlocker(self):
            item.setText(date_text(day * DAY))

    def _insert(self, texts: Iterable[str]) -> None:
        row = self.rowCount()
        with QSignalBlocker(self):
            self.insertRow(row)
            for column, text in enumerate(texts):
                self.setItem(row, column, QTableWidgetItem(text))

    def _edit(self, row: int, column: int) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setCurrentCell(row, column)
        self.edit(self.currentIndex())
