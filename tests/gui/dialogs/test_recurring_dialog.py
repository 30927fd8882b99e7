"""A recurring task is asked for in the window: what is said meanwhile, and what comes of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from engine.formats import loom
from engine.model import DAY, Calendar, CalendarException, Plan, RecurrenceKind, Shift
from gui.dialogs.recurring_dialog import RecurringDialog
from gui.main_window import MainWindow
from tests.gui.shell import action, settle, show, shown, three_days

OK, LEFT = QDialogButtonBox.StandardButton.Ok, Qt.MouseButton.LeftButton
HOUR = 3600
NINE = 1_772_409_600 + 9 * HOUR  # Monday 2 March 2026, 09:00


def with_a_holiday() -> Plan:
    """Three days of work; Monday 16 March 2026 is off, and there is a calendar for each day."""
    plan = three_days()
    monday = plan.start // DAY + 14
    calendar = replace(plan.calendar, exceptions=(CalendarException(monday, monday),))
    return replace(plan, calendar=calendar, calendars=(Calendar(9, "Always", ((Shift(0, DAY),),) * 7),))


async def opened(window: MainWindow, folder: Path) -> RecurringDialog:
    loom.save(folder / "house.loom", with_a_holiday())
    await show(window, str(folder / "house.loom"))
    window.gantt.select((2,))
    action(window, "recurring").trigger()
    settle(QApplication.instance())
    dialog = next(each for each in window.findChildren(RecurringDialog) if each.isVisible())
    dialog.first.show_instant(NINE)
    return dialog


def press(dialog: RecurringDialog) -> None:
    QTest.mouseClick(dialog.findChild(QDialogButtonBox).button(OK), LEFT)


async def test_that_a_weekly_meeting_is_inserted_as_one_step_and_says_what_moved(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, heard):
        dialog = await opened(window, tmp_path)
        QTest.keyClicks(dialog.name, "Meeting")
        dialog.times.setValue(1)
        assert dialog.said.text() == "Once, Mon 2 Mar 2026 09:00."
        dialog.times.setValue(3)
        moved = "Moved to working time: Mon 16 Mar 2026 09:00 → Tue 17 Mar 2026 09:00."
        said = "3 times, the first Mon 2 Mar 2026 09:00, the last Tue 17 Mar 2026 09:00."
        assert dialog.said.text() == f"{said} {moved}"
        press(dialog)
        state = window.bridge.state
        assert [task.name for task in state.plan.tasks] == [
            *("dig", "pour", "Meeting", "Meeting 1", "Meeting 2", "Meeting 3", "build")
        ]
        assert [state.schedule.start_of(task) - NINE for task in (5, 6, 7)] == [0, 7 * DAY, 15 * DAY]
        assert heard.messages[-1] == f"“Meeting” is inserted: {said} {moved}"
        assert window.gantt.selection == (4,)
        assert not dialog.isVisible()
        window.bridge.undo()
        assert window.bridge.state.plan == with_a_holiday()


async def test_that_what_is_chosen_makes_the_rule(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        dialog = await opened(window, tmp_path)
        assert dialog.rule.rule(0).weekdays == (0,)
        dialog.rule.weekdays[3].click()
        dialog.rule.period.setValue(2)
        rule = dialog.rule.rule(5)
        assert (rule.kind, rule.period, rule.weekdays, rule.occurrences) == (RecurrenceKind.WEEKLY, 2, (0, 3), 5)
        dialog.rule.unit.setCurrentIndex(2)
        assert (dialog.rule.rule(0).kind, dialog.rule.rule(0).month_day) == (RecurrenceKind.MONTHLY_DAY, 2)
        dialog.rule.position.setCurrentIndex(2)
        rule = dialog.rule.rule(0)
        assert (rule.kind, rule.position, rule.weekdays) == (RecurrenceKind.MONTHLY_POSITION, 2, (0,))
        dialog.rule.unit.setCurrentIndex(0)
        assert dialog.rule.rule(0).kind is RecurrenceKind.DAILY
        assert not dialog.rule.weekdays[0].isVisible()
        dialog.close()


async def test_that_it_goes_on_to_a_last_day_on_a_calendar_that_is_chosen(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        dialog = await opened(window, tmp_path)
        dialog.name.setText("Backup")
        dialog.length.setText("2h")
        dialog.rule.unit.setCurrentIndex(0)
        dialog.ends.setCurrentIndex(1)
        dialog.until.show_instant(NINE + 9 * DAY)
        assert "2 on days off are left out" in dialog.said.text()
        dialog.calendar.setCurrentIndex(1)
        assert dialog.said.text().startswith("10 times, ")
        press(dialog)
        plan = window.bridge.state.plan
        assert [plan.task(number).calendar for number in range(5, 15)] == [9] * 10
        assert plan.task(5).duration == 2 * HOUR


@pytest.mark.parametrize(
    ("name", "length", "weekday", "words"),
    [("", "1h", True, "needs a name"), ("a", "soon", True, "no length"), ("a", "1h", False, "Choose a weekday")],
)
async def test_that_what_is_wrong_is_said_and_stays_to_be_mended(
    qapp: QApplication, tmp_path: Path, name: str, length: str, weekday: bool, words: str
) -> None:
    async with shown(qapp) as (window, _):
        dialog = await opened(window, tmp_path)
        before = window.bridge.state
        dialog.name.setText(name)
        dialog.length.setText(length)
        dialog.rule.weekdays[0].setChecked(weekday)
        press(dialog)
        assert dialog.isVisible()
        assert words in dialog.wrong.text()
        assert window.bridge.state is before
        dialog.close()
