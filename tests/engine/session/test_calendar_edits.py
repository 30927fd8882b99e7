"""Days off that a person adds to the plan's calendar."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError, PlanError
from engine.model import DAY, Calendar, CalendarException, Recurrence, RecurrenceKind
from engine.schedule.cpm import schedule
from engine.session.calendar_edits import AddCalendar, AddHolidays, ChangeCalendar, RemoveCalendar
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


def test_that_a_calendar_takes_the_place_of_the_one_it_was() -> None:
    plan = office()
    renamed = replace(plan.calendar, name="Office hours")
    edit = ChangeCalendar(renamed)
    assert edit.label(plan) == "Change the calendar “Office hours”"
    assert edit.apply(plan) == replace(plan, calendar=renamed)
    assert ChangeCalendar(plan.calendar).apply(plan) is plan
    with pytest.raises(PlanError, match="There is no calendar 99"):
        ChangeCalendar(Calendar.standard(99)).apply(plan)
    with pytest.raises(PlanError, match="no working time"):
        ChangeCalendar(replace(plan.calendar, week=((),) * 7)).apply(plan)


def test_that_another_calendar_is_added_once_and_changed_where_it_stands() -> None:
    plan = office()
    added = AddCalendar(Calendar.standard(99, "Nights")).apply(plan)
    assert added.calendars[-1].name == "Nights"
    changed = ChangeCalendar(Calendar.standard(99, "Late")).apply(added)
    assert [each.name for each in changed.calendars] == [*(each.name for each in plan.calendars), "Late"]
    for name, number in (("Nights", 99), (" ", 98)):
        with pytest.raises(PlanError):
            AddCalendar(Calendar.standard(number, name)).apply(added)
    with pytest.raises(PlanError, match="A device plan has no calendar"):
        AddCalendar(Calendar.standard(99)).apply(pipeline())


def test_that_a_calendar_is_removed_unless_it_is_used() -> None:
    plan = office()
    assert plan.calendar is not None
    night, early = (Calendar(number, name, plan.calendar.week) for number, name in ((8, "Night"), (9, "Early")))
    resting = replace(early, base=8)
    more = replace(plan, calendars=(night, early))
    assert RemoveCalendar(9).label(more) == "Remove the calendar “Early”"
    assert RemoveCalendar(9).apply(more).calendars == (night,)
    with pytest.raises(PlanError, match="“Night” is used by “Early”"):
        RemoveCalendar(8).apply(replace(plan, calendars=(night, resting)))
    worked = replace(more, tasks=tuple(replace(task, calendar=9) for task in more.tasks))
    with pytest.raises(PlanError, match=f"“Early” is used by “.*” and {len(plan.tasks) - 1} more"):
        RemoveCalendar(9).apply(worked)
    with pytest.raises(PlanError, match="the plan's own"):
        RemoveCalendar(plan.calendar.id).apply(plan)
    with pytest.raises(PlanError, match="no calendar 77"):
        RemoveCalendar(77).apply(plan)
