"""Holidays out of a calendar file: one step that can be undone, and said."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from tests.gui.shell import action, emitted, show, shown


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """A calendar with the first day of the plan off."""
    path = tmp_path / "days.ics"
    path.write_text(
        "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nSUMMARY:Day off\nDTSTART;VALUE=DATE:20260302\n"
        "DTEND;VALUE=DATE:20260303\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    return path


async def test_that_holidays_are_added_in_one_step_and_a_second_time_nothing_is(
    qapp: QApplication, house: str, days: Path
) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        before = window.bridge.state
        for message in (
            "Added 1 holiday to the plan's calendar.",
            "The plan's calendar has all of these days off already.",
        ):
            action(window, "add_holidays").trigger()
            dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
            assert dialog.nameFilters()[0] == "Calendars (*.ics)"
            dialog.selectFile(str(days))
            await emitted(window.bridge.message, dialog.accept)
            assert heard.messages[-1] == message
        state = window.bridge.state
        assert (state.undo_label, state.is_dirty) == ("Add 1 holiday", True)
        assert state.schedule.start_of(1) - before.schedule.start_of(1) == 86_400
        window.bridge.undo()
        assert window.bridge.state.plan == before.plan


async def test_that_events_with_a_time_of_day_and_days_that_come_again_are_told(
    qapp: QApplication, house: str, days: Path
) -> None:
    weekly = "BEGIN:VEVENT\nUID:2\nDTSTART;VALUE=DATE:20260609\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\n"
    timed = "BEGIN:VEVENT\nUID:3\nDTSTART:20260608T120000\nDTEND:20260608T170000\nEND:VEVENT\nEND:VCALENDAR"
    days.write_text(days.read_text().replace("END:VCALENDAR", weekly + timed))
    async with shown(qapp) as (window, heard):
        await show(window, house)
        action(window, "add_holidays").trigger()
        dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
        dialog.selectFile(str(days))
        await emitted(window.bridge.message, dialog.accept)
        assert heard.messages[-1] == (
            "Added 2 holidays, 1 of which come again, to the plan's calendar."
            " 1 event with a time of day was left out: only whole days are taken."
        )


async def test_that_a_device_plan_is_offered_none(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        assert not action(window, "add_holidays").isEnabled()
