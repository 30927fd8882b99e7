"""Weeks, work weeks and exceptions of MSPDI files, read and written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.formats import mspdi
from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    Recurrence,
    RecurrenceKind,
    Shift,
    WorkWeek,
)
from engine.schedule.working_time import WorkingTime
from tests.engine.formats.mspdi_files import HEAD, TIMES, at, load, project, resaved, standard
from tests.engine.model.strategies import office

HOUR = 3600
OFFICE = (Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, 17 * HOUR))
WHOLE_DAY = (Shift(0, DAY),)


def day_of(text: str) -> int:
    return at(f"{text}T00:00") // DAY


def times(*pairs: tuple[str, str]) -> str:
    inside = "".join(f"<WorkingTime><FromTime>{a}</FromTime><ToTime>{b}</ToTime></WorkingTime>" for a, b in pairs)
    return f"<WorkingTimes>{inside}</WorkingTimes>"


def week(days: dict[int, str]) -> str:
    inside = "".join(
        f"<WeekDay><DayType>{day}</DayType><DayWorking>1</DayWorking>{t}</WeekDay>" for day, t in days.items()
    )
    return f"<WeekDays>{inside}</WeekDays>"


def calendar(uid: int, inside: str = "", base: int = -1) -> str:
    kind = f"<IsBaseCalendar>{int(base < 0)}</IsBaseCalendar><BaseCalendarUID>{base}</BaseCalendarUID>"
    return f"<Calendar><UID>{uid}</UID><Name>C{uid}</Name>{kind}{inside}</Calendar>"


def exception(first: str, last: str, how: str = "<Type>1</Type>", worked: str = "<DayWorking>0</DayWorking>") -> str:
    period = f"<TimePeriod><FromDate>{first}T00:00:00</FromDate><ToDate>{last}T23:59:00</ToDate></TimePeriod>"
    return f"<Exceptions><Exception>{period}<Name>E</Name>{how}{worked}</Exception></Exceptions>"


def read(folder: Path, inside: str) -> Calendar:
    """Calendar 2 of a file beside the usual one, as read."""
    return load(folder, project(calendars=standard() + calendar(2, inside, -1))).calendars[0]


def other(folder: Path, inside: str, base: int = -1) -> Calendar:
    """Calendar 2 of a file beside the usual one, as read; written and read again it is the same."""
    plan = load(folder, project(calendars=standard() + calendar(2, inside, base)))
    assert resaved(folder, plan).calendars == plan.calendars
    return plan.calendars[0]


def test_that_day_1_is_sunday(tmp_path: Path) -> None:
    plan = load(tmp_path, project())
    assert plan.calendar == Calendar(1, "Standard", (*(OFFICE,) * 5, (), ()))


@pytest.mark.parametrize("end", ["00:00:00", "24:00:00", "24:00"])
def test_that_a_shift_to_midnight_is_whole(end: str, tmp_path: Path) -> None:
    found = other(tmp_path, week({2: times(("08:00:00", "12:00:00"), ("13:00:00", end)), 3: times(("00:00:00", end))}))
    assert found.week[0] == (Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, DAY))
    assert found.week[1] == WHOLE_DAY


def test_that_a_shift_over_midnight_belongs_to_two_days(tmp_path: Path) -> None:
    found = other(tmp_path, week({1: times(("22:00:00", "06:00:00")), 2: times(("22:00:00", "06:00:00"))}))
    night = (Shift(0, 6 * HOUR), Shift(22 * HOUR, DAY))
    assert (found.week[6], found.week[0], found.week[1]) == ((Shift(22 * HOUR, DAY),), night, night[:1] + OFFICE)


def test_that_a_night_of_an_exception_goes_on_into_the_day_after_in_new_and_old_files(tmp_path: Path) -> None:
    night = (Shift(22 * HOUR, 30 * HOUR),)
    worked = times(("22:00:00", "06:00:00"))
    new = read(tmp_path, exception("2025-03-05", "2025-03-06", worked=f"<DayWorking>1</DayWorking>{worked}"))
    span = "<TimePeriod><FromDate>2025-03-05T00:00:00</FromDate><ToDate>2025-03-05T23:59:00</ToDate></TimePeriod>"
    old = read(
        tmp_path,
        f"<WeekDays><WeekDay><DayType>0</DayType>{span}<DayWorking>1</DayWorking>{worked}</WeekDay></WeekDays>",
    )
    assert (new.exceptions[0].shifts, old.exceptions[0].shifts) == (night, night)


def test_that_a_written_night_is_days_of_their_own_with_the_same_working_time(tmp_path: Path) -> None:
    night = CalendarException(20_152, 20_153, (Shift(22 * HOUR, 30 * HOUR),), "Pour")
    plan = replace(office(), calendar=replace(Calendar.standard(), exceptions=(night,)))
    assert mspdi.save(tmp_path / "night.xml", plan) == ()
    text = (tmp_path / "night.xml").read_text(encoding="utf-8")
    found = mspdi.load(tmp_path / "night.xml").calendar
    assert [(each.first_day, each.last_day) for each in found.exceptions] == [
        (day, day) for day in range(20_152, 20_155)
    ]
    assert all(shift.end <= DAY for each in found.exceptions for shift in each.shifts)
    ours, theirs = WorkingTime.of(plan.calendar), WorkingTime.of(found)
    assert ours.starts.tolist() == theirs.starts.tolist()
    assert ours.ends.tolist() == theirs.ends.tolist()
    assert text.count("<Name>Pour</Name>") == 3


def test_that_a_night_that_comes_again_ends_at_midnight_in_the_file_and_that_is_said(tmp_path: Path) -> None:
    again = Recurrence(RecurrenceKind.WEEKLY, 1, (4,))
    night = CalendarException(20_152, 20_200, (Shift(22 * HOUR, 30 * HOUR),), "Pour", again)
    plan = replace(office(), calendar=replace(Calendar.standard(), exceptions=(night,)))
    (said,) = mspdi.save(tmp_path / "night.xml", plan)
    assert "end at midnight" in said
    assert mspdi.load(tmp_path / "night.xml").calendar.exceptions[0].shifts == (Shift(22 * HOUR, DAY),)


def test_that_a_working_day_without_times_has_the_usual_ones(tmp_path: Path) -> None:
    assert other(tmp_path, week({1: ""})).week[6] == OFFICE


def test_that_a_derived_calendar_says_only_what_is_its_own(tmp_path: Path) -> None:
    off = "<WeekDays><WeekDay><DayType>6</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays>"
    found = other(tmp_path, off, base=1)
    assert (found.base, found.week) == (1, (None, None, None, None, (), None, None))


def test_that_old_exceptions_are_days_of_type_0(tmp_path: Path) -> None:
    old = (
        "<WeekDays><WeekDay><DayType>0</DayType><DayWorking>0</DayWorking><TimePeriod>"
        "<FromDate>2025-12-24T00:00:00</FromDate><ToDate>2025-12-26T23:59:00</ToDate></TimePeriod></WeekDay></WeekDays>"
    )
    expected = CalendarException(day_of("2025-12-24"), day_of("2025-12-26"))
    assert other(tmp_path, old).exceptions == (expected,)
    # The same said again for older programs beside the new way is said once.
    both = old + exception("2025-12-24", "2025-12-26")
    assert other(tmp_path, both).exceptions == (replace(expected, name="E"),)


def test_that_an_exception_can_add_work(tmp_path: Path) -> None:
    worked = f"<DayWorking>1</DayWorking>{TIMES}"
    found = other(tmp_path, exception("2025-03-08", "2025-03-08", worked=worked)).exceptions
    assert found == (CalendarException(day_of("2025-03-08"), day_of("2025-03-08"), OFFICE, "E"),)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("<Type>1</Type>", None),
        ("<Type>9</Type>", None),
        (
            "<Type>2</Type><Month>11</Month><MonthDay>25</MonthDay>",
            Recurrence(RecurrenceKind.YEARLY_DAY, 1, (), 25, 12),
        ),
        (
            "<Type>3</Type><Month>4</Month><MonthItem>4</MonthItem><MonthPosition>4</MonthPosition>",
            Recurrence(RecurrenceKind.YEARLY_POSITION, 1, (0,), month=5, position=5),
        ),
        ("<Type>4</Type><Period>2</Period><MonthDay>15</MonthDay>", Recurrence(RecurrenceKind.MONTHLY_DAY, 2, (), 15)),
        (
            "<Type>5</Type><Period>1</Period><MonthItem>1</MonthItem><MonthPosition>0</MonthPosition>",
            Recurrence(RecurrenceKind.MONTHLY_POSITION, 1, (0, 1, 2, 3, 4)),
        ),
        (
            "<Type>5</Type><Period>1</Period><MonthItem>0</MonthItem><MonthPosition>1</MonthPosition>",
            Recurrence(RecurrenceKind.MONTHLY_POSITION, 1, (), position=2),
        ),
        (
            "<Type>5</Type><Period>1</Period><MonthItem>2</MonthItem><MonthPosition>3</MonthPosition>",
            Recurrence(RecurrenceKind.MONTHLY_POSITION, 1, (5, 6), position=4),
        ),
        ("<Type>6</Type><Period>2</Period><DaysOfWeek>65</DaysOfWeek>", Recurrence(RecurrenceKind.WEEKLY, 2, (5, 6))),
        ("<Type>7</Type><Period>3</Period>", Recurrence(RecurrenceKind.DAILY, 3)),
        ("<Type>8</Type>", Recurrence(RecurrenceKind.WEEKLY, 1, (0, 1, 2, 3, 4))),
    ],
)
def test_that_exceptions_come_again_as_they_say(how: str, expected: Recurrence | None, tmp_path: Path) -> None:
    assert other(tmp_path, exception("2025-01-01", "2027-12-31", how)).exceptions[0].recurrence == expected


def test_that_occurrences_count_only_where_they_were_entered(tmp_path: Path) -> None:
    counted = (
        "<EnteredByOccurrences>{}</EnteredByOccurrences><Occurrences>4</Occurrences><Type>7</Type><Period>2</Period>"
    )
    for entered, count in ((1, 4), (0, 0)):
        found = other(tmp_path, exception("2025-01-01", "2025-12-31", counted.format(entered))).exceptions[0]
        assert found.recurrence == Recurrence(RecurrenceKind.DAILY, 2, occurrences=count)


def test_that_work_weeks_hold_for_their_time(tmp_path: Path) -> None:
    period = "<TimePeriod><FromDate>2025-07-01T00:00:00</FromDate><ToDate>2025-08-31T23:59:00</ToDate></TimePeriod>"
    days = week({2: times(("06:00:00", "14:00:00"))})
    inside = f"<WorkWeeks><WorkWeek>{period}<Name>Summer</Name>{days}</WorkWeek></WorkWeeks>"
    assert other(tmp_path, inside).periods == (
        WorkWeek(
            day_of("2025-07-01"),
            day_of("2025-08-31"),
            ((Shift(6 * HOUR, 14 * HOUR),), None, None, None, None, None, None),
            "Summer",
        ),
    )


@pytest.mark.parametrize("base", [7, 2])
def test_that_the_project_s_calendar_stands_in_for_a_base_that_is_not_there(base: int, tmp_path: Path) -> None:
    assert other(tmp_path, "", base).base == 1


def test_that_bases_are_read_before_what_rests_on_them(tmp_path: Path) -> None:
    plan = load(tmp_path, project(calendars=calendar(9, base=4) + calendar(4, base=1) + standard()))
    assert plan.calendar is not None
    assert (plan.calendar.id, [found.id for found in plan.calendars]) == (1, [4, 9])


def test_that_a_file_without_calendars_gets_the_usual_one(tmp_path: Path) -> None:
    text = project(head=HEAD.replace("<CalendarUID>1</CalendarUID>", "")).replace(standard(), "")
    assert load(tmp_path, text).calendar == Calendar.standard()


@pytest.mark.parametrize(
    ("calendars", "sentence"),
    [
        (standard() + standard(), "Two calendars have the UID 1"),
        (standard() + calendar(2, base=3) + calendar(3, base=2), "rests on"),
        (
            calendar(
                1,
                "<WeekDays>"
                + "".join(f"<WeekDay><DayType>{d}</DayType></WeekDay>" for d in range(1, 8))
                + "</WeekDays>",
            ),
            "no working time",
        ),
        (standard(exception("2025-05-02", "2025-05-01T")), "ToDate is"),
        (standard(exception("2025-01-01", "2025-12-31", "<Type>2</Type><Month>12</Month>")), "Month is “12”"),
        (standard("<Exceptions><Exception><Type>1</Type></Exception></Exceptions>"), "no TimePeriod"),
        (standard() + calendar(2, week({2: times(("08:00", "25:00"))})), "ToTime is “25:00”, which is no time of day"),
    ],
)
def test_that_a_calendar_that_cannot_be_is_said_so(calendars: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=sentence):
        load(tmp_path, project(calendars=calendars))


def test_that_names_of_calendars_are_such_as_microsoft_project_takes(tmp_path: Path) -> None:
    plan = load(tmp_path, project(calendars=standard() + calendar(2) + calendar(3)))
    second, third = plan.calendars
    plan = replace(plan, calendars=(replace(second, name="Standard"), replace(third, name="x" * 60)))
    losses = mspdi.save(tmp_path / "out.xml", plan)
    assert losses == (f"Calendars get names that Microsoft Project takes: “Standard”, “{'x' * 60}”.",)
    assert [found.name for found in mspdi.load(tmp_path / "out.xml").calendars] == ["Standard (2)", "x" * 51]
