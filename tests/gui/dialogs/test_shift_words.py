"""Shifts as a person types them, and what a week keeps of those that run past midnight."""

import pytest

from engine.errors import PlanError
from engine.model import DAY, Calendar, Shift
from gui.dialogs.shift_words import TypedDay, kept_week, parse_day, parse_shifts, shifts_text, typed_week, understood

HOUR = 3600
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
OFF = TypedDay()
MORNING = (Shift(8 * HOUR, 12 * HOUR),)
EVENING, DAWN = Shift(22 * HOUR, DAY), Shift(0, 6 * HOUR)


def test_that_shifts_are_read_as_they_are_written() -> None:
    assert parse_shifts("13:00-17:00, 8 - 12") == (*MORNING, Shift(13 * HOUR, 17 * HOUR))
    assert parse_shifts("8-12; 13.00 to 5 pm") == (*MORNING, Shift(13 * HOUR, 17 * HOUR))
    assert parse_shifts("22:00-0:00") == (EVENING,)
    assert parse_shifts("") == ()
    assert shifts_text((EVENING,)) == "22:00-24:00"
    assert parse_shifts(shifts_text(MORNING)) == MORNING


@pytest.mark.parametrize("text", ["22:00-06:00", "22-6", "22.00\N{EN DASH}6", "10pm-6am", "22h00 to 6h00"])
def test_that_a_night_runs_into_the_next_day(text: str) -> None:
    night = parse_day(text)
    assert night == TypedDay((EVENING,), 6 * HOUR)
    assert understood(night, "Tuesday") == "8 h, until 06:00 on Tuesday"
    week = kept_week((night, *(6 * [OFF])), NAMES)
    assert week == ((EVENING,), (DAWN,), (), (), (), (), ())
    written = typed_week(week)
    assert [shifts_text(day.shifts, day.over) for day in written] == ["22:00-06:00", *(6 * [""])]
    assert kept_week(written, NAMES) == week


def test_that_the_night_of_sunday_ends_on_monday() -> None:
    week = kept_week((TypedDay((EVENING,)), *(5 * [OFF]), parse_day("22-6")), NAMES)
    assert (week[0], week[6]) == ((DAWN, EVENING), (EVENING,))
    assert kept_week(typed_week(week), NAMES) == week


def test_that_weeks_without_nights_are_written_day_by_day() -> None:
    always = 7 * ((Shift(0, DAY),),)
    assert [shifts_text(day.shifts, day.over) for day in typed_week(always)] == 7 * ["00:00-24:00"]
    week = Calendar.standard().week
    assert kept_week(typed_week(week), NAMES) == week
    assert typed_week((None, *week[1:]))[0] is None


@pytest.mark.parametrize(
    "text",
    ["8:00", "25:00-26:00", "8-12, 11-13", "soon", "24-6", "8:75-9", "22-6, 23-5", "13pm-5pm", "8-12, 20-9, 21-22"],
)
def test_that_what_is_no_shift_is_refused_with_its_words(text: str) -> None:
    with pytest.raises(PlanError, match="shift"):
        parse_day(text)


def test_that_a_night_that_does_not_fit_the_next_day_is_refused() -> None:
    with pytest.raises(PlanError, match="The night of Monday ends at 09:00, when Tuesday is at work already"):
        kept_week((parse_day("22-9"), TypedDay(MORNING), *(5 * [OFF])), NAMES)
    with pytest.raises(PlanError, match="The night of Monday runs into Tuesday: type the shifts of Tuesday too"):
        kept_week((parse_day("22-6"), None, *(5 * [OFF])), NAMES)


def test_that_a_night_of_a_day_alone_ends_in_the_day_after_and_reads_as_it_was_typed() -> None:
    found = parse_shifts("22-6, 8-12")
    assert found == (*MORNING, Shift(22 * HOUR, 30 * HOUR))
    assert shifts_text(found) == "08:00-12:00, 22:00-06:00"
    assert parse_shifts(shifts_text(found)) == found
