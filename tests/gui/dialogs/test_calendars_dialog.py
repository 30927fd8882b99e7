"""Calendars as a planner types them: nights, dates as they are written everywhere, names, and those that go."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from engine.model import DAY, Calendar, CalendarException, Shift
from engine.session.calendar_edits import AddCalendar
from engine.session.resource_edits import AddResource, ChangeResource
from gui.dialogs.calendars_dialog import CalendarsDialog
from tests.gui.gantt.plans import HOUR
from tests.gui.shell import settle, show, shown, until
from tests.gui.test_planning import opened, press_ok

CHRISTMAS = (date(2026, 12, 24) - date(1970, 1, 1)).days
NIGHTS = ((Shift(22 * HOUR, DAY),), (Shift(0, 6 * HOUR),), (), (), (), (), ())


def typed(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


async def test_that_a_night_shift_is_typed_said_kept_and_shown_again(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "calendars", CalendarsDialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        typed(dialog.name, "Night")
        assert dialog.list.item(1).text() == "Night"
        for day in dialog.week.days:
            day.clear()
        typed(dialog.week.days[0], "22-6")
        assert dialog.week.words[0].text() == "8 h, until 06:00 on Tuesday"
        press_ok(dialog)
        assert [each.week for each in window.bridge.state.plan.calendars] == [NIGHTS]
        again = opened(window, "calendars", CalendarsDialog)
        again.list.setCurrentRow(1)
        assert [day.text() for day in again.week.days[:2]] == ["22:00-06:00", ""]
        press_ok(again)
        assert [each.week for each in window.bridge.state.plan.calendars] == [NIGHTS]


async def test_that_what_is_understood_of_a_day_is_not_cut(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "calendars", CalendarsDialog)
        for day in dialog.week.days:
            typed(day, "13:00-21:45, 23:00-06:45")
        settle(qapp)
        said = dialog.week.words[1]
        assert said.text() == "16.5 h, until 06:45 on Wednesday"
        assert all(words.width() >= words.sizeHint().width() > 0 for words in dialog.week.words)
        dialog.reject()


@pytest.mark.parametrize("text", ["24 Dec 2026", "Thu 24 Dec 2026", "2026-12-24", "24.12.2026", "24 dec"])
async def test_that_days_off_are_typed_as_dates_are_everywhere(qapp: QApplication, house: str, text: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        plan = window.bridge.state.plan
        dialog = CalendarsDialog(window.bridge, replace(plan, start=(CHRISTMAS - 30) * DAY), window)
        dialog.open()
        QTest.mouseClick(dialog.add_exception, Qt.MouseButton.LeftButton)
        editor = dialog.exceptions.findChild(QLineEdit)
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        settle(qapp)
        assert dialog.exceptions.item(0, 0).text() == "Thu 24 Dec 2026"
        dialog.exceptions.item(0, 1).setText("sat")
        assert dialog.exceptions.item(0, 1).text() == "Sat 26 Dec 2026"
        press_ok(dialog)
        assert window.bridge.state.plan.calendar.exceptions == (CalendarException(CHRISTMAS, CHRISTMAS + 2),)


async def test_that_a_night_of_a_single_day_is_typed_as_in_the_week_and_kept_in_the_file(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = CalendarsDialog(window.bridge, window.bridge.state.plan, window)
        dialog.open()
        dialog.exceptions.add()
        dialog.exceptions.item(0, 0).setText("24 Dec 2026")
        dialog.exceptions.item(0, 2).setText("22-6")
        press_ok(dialog)
        night = CalendarException(CHRISTMAS, CHRISTMAS, (Shift(22 * 3600, 30 * 3600),))
        assert window.bridge.state.plan.calendar.exceptions == (night,)
        window.bridge.save()
        await until(lambda: not window.bridge.state.is_dirty)
        await show(window, house)
        assert window.bridge.state.plan.calendar.exceptions == (night,)
        again = CalendarsDialog(window.bridge, window.bridge.state.plan, window)
        assert again.exceptions.item(0, 2).text() == "22:00-06:00"
        again.deleteLater()


async def test_that_the_keyboard_goes_to_what_is_wrong(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = opened(window, "calendars", CalendarsDialog)
        dialog.exceptions.add()
        dialog.exceptions.item(0, 0).setText("24 Dec 2026")
        dialog.exceptions.item(0, 1).setText("31 Feb 2026")
        press_ok(dialog)
        assert "“31 Feb 2026” is no date: write 24 Dec 2026" in dialog.wrong.text()
        assert (dialog.exceptions.currentRow(), dialog.exceptions.currentColumn()) == (0, 1)
        dialog.exceptions.setRowCount(0)
        dialog.week.days[3].setText("evening")
        press_ok(dialog)
        assert "“evening” is no shift of a day" in dialog.wrong.text()
        assert "22:00-06:00 for a night" in dialog.wrong.text()
        assert dialog.focusWidget() is dialog.week.days[3]


async def test_that_a_calendar_is_removed_unless_somebody_works_by_it(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        for number, name in ((2, "Night"), (3, "Early")):
            window.bridge.execute(AddCalendar(Calendar(number, name, NIGHTS)))
        window.bridge.execute(AddResource("Weld"))
        window.bridge.execute(ChangeResource(window.bridge.state.plan.resources[-1].id, calendar=2))
        dialog = opened(window, "calendars", CalendarsDialog)
        assert not dialog.remove.isEnabled()
        dialog.list.setCurrentRow(1)
        QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
        assert dialog.list.count() == 3
        assert "“Night” is used by “Weld”" in dialog.wrong.text()
        dialog.list.setCurrentRow(2)
        QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
        assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == [
            "Standard (the plan's)",
            "Night",
        ]
        press_ok(dialog)
        assert [each.name for each in window.bridge.state.plan.calendars] == ["Night"]
        window.bridge.undo()
        assert [each.name for each in window.bridge.state.plan.calendars] == ["Night", "Early"]
