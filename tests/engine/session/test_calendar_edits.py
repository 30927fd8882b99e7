"""Days off that a person adds to the plan's calendar."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError, PlanError
from engine.model import DAY, CalendarException, Recurrence, RecurrenceKind
from engine.schedule.cpm import schedule
from engine.session.calendar_edits import AddHolidays
from engine.session.importing import read_holidays
from tests.engine.model.strategies import office, pipeline

MONDAY = office().start // DAY
YEARLY = Recurrence(RecurrenceKind.YEARLY_DAY, 1, (), 25, 12)
HOLIDAY, CHRISTMAS = CalendarException(MONDAY, MONDAY, (), "Day off"), CalendarException(MONDAY, 60_000, (), "", YEARLY)


def test_that_a_holiday_moves_every_task_and_its_successors() -> None:
    plan = office()
    edit = AddHolidays((HOLIDAY, CHRISTMAS))
    changed = edit.apply(plan)
    assert edit.label(plan) == "Add 2 holidays"
    assert changed.calendar.exceptions == (*plan.calendar.exceptions, HOLIDAY, CHRISTMAS)
    assert schedule(changed).start_of(2) - schedule(plan).start_of(2) == DAY
    assert schedule(changed).start_of(3) - schedule(plan).start_of(3) == DAY


def test_that_a_holiday_that_is_known_is_not_added_again_under_another_name() -> None:
    plan = AddHolidays((HOLIDAY,)).apply(office())
    again = AddHolidays((replace(HOLIDAY, name="Jour férié"),))
    assert again.apply(plan) is plan
    more = AddHolidays((HOLIDAY, CHRISTMAS, replace(CHRISTMAS, name="Noël")))
    assert more.label(plan) == "Add 1 holiday"
    assert len(more.apply(plan).calendar.exceptions) == len(plan.calendar.exceptions) + 1


def test_that_a_device_plan_has_no_holidays() -> None:
    with pytest.raises(PlanError, match="no calendar"):
        AddHolidays((HOLIDAY,)).apply(pipeline())


def test_that_the_events_of_whole_days_are_read_and_a_file_without_any_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "days.ics"
    path.write_text(
        "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nSUMMARY:Day off\nDTSTART;VALUE=DATE:20250303\n"
        "DTEND;VALUE=DATE:20250304\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    assert read_holidays(path) == AddHolidays((CalendarException(20_150, 20_150, (), "Day off"),))
    path.write_text("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n")
    with pytest.raises(FormatError, match=r"days\.ics has no event of whole days"):
        read_holidays(path)
