"""Calendars against a reading of their rules day by day: bases, periods, exceptions that recur and that do not."""

from __future__ import annotations

import calendar as months
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import DAY, Calendar, CalendarException, Recurrence, RecurrenceKind, Shift, WorkWeek
from engine.schedule.recurrence import days_of
from engine.schedule.working_time import LAST_DAY, WorkingTime
from tests.engine.schedule.plans import HOUR, WORKDAY, at, said

EPOCH = date(1970, 1, 1)
Kind = RecurrenceKind
MORNING, EVENING = Shift(8 * HOUR, 12 * HOUR), Shift(18 * HOUR, 20 * HOUR)
STANDARD = Calendar.standard()


def number(day: date) -> int:
    return (day - EPOCH).days


def taken(rule: Recurrence, first: date, last: date) -> list[date]:
    exception = CalendarException(number(first), number(last), recurrence=rule)
    return [EPOCH + timedelta(days=day) for day in days_of(exception, LAST_DAY).tolist()]


@pytest.mark.parametrize(
    ("rule", "first", "last"),
    [
        (Recurrence(Kind.DAILY, occurrences=3), date(2000, 1, 1), date(2000, 1, 3)),
        (Recurrence(Kind.DAILY, 3, occurrences=4), date(2000, 2, 1), date(2000, 2, 10)),
        (Recurrence(Kind.WEEKLY, 1, (0,), occurrences=3), date(2001, 1, 1), date(2001, 1, 15)),
        (Recurrence(Kind.WEEKLY, 2, (1,), occurrences=4), date(2001, 1, 1), date(2001, 2, 13)),
        (Recurrence(Kind.WEEKLY, 6, (5,), occurrences=8), date(2001, 1, 1), date(2001, 10, 27)),
        (Recurrence(Kind.WEEKLY, 7, (6,), occurrences=9), date(2001, 1, 1), date(2002, 3, 17)),
        (Recurrence(Kind.MONTHLY_POSITION, 2, (0,), position=1, occurrences=3), date(2002, 1, 1), date(2002, 5, 6)),
        (Recurrence(Kind.MONTHLY_POSITION, 6, (4,), position=5, occurrences=7), date(2002, 1, 1), date(2005, 1, 28)),
        (Recurrence(Kind.MONTHLY_DAY, 2, month_day=1, occurrences=3), date(2003, 1, 1), date(2003, 5, 1)),
        (Recurrence(Kind.MONTHLY_DAY, 5, month_day=4, occurrences=6), date(2003, 1, 1), date(2005, 2, 4)),
        (
            Recurrence(Kind.YEARLY_POSITION, 1, (1,), month=3, position=1, occurrences=4),
            date(2004, 1, 1),
            date(2007, 3, 6),
        ),
        (Recurrence(Kind.YEARLY_DAY, month=3, month_day=2, occurrences=4), date(2005, 1, 1), date(2008, 3, 2)),
    ],
)
def test_that_exceptions_end_on_the_day_that_microsoft_project_says(rule: Recurrence, first: date, last: date) -> None:
    days = taken(replace(rule, occurrences=0), first, last)
    assert len(days) == rule.occurrences
    assert days[-1] == last
    assert taken(rule, first, date(2049, 1, 1)) == days


def test_that_a_month_without_the_day_takes_its_last() -> None:
    days = taken(Recurrence(Kind.MONTHLY_DAY, month_day=31), date(2023, 1, 1), date(2023, 4, 30))
    assert days == [date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31), date(2023, 4, 30)]
    assert taken(Recurrence(Kind.YEARLY_DAY, month=2, month_day=29), date(2023, 1, 1), date(2024, 12, 31)) == [
        date(2023, 2, 28),
        date(2024, 2, 29),
    ]


def test_that_a_monthly_day_that_has_passed_begins_with_the_next_month() -> None:
    days = taken(Recurrence(Kind.MONTHLY_DAY, 2, month_day=5), date(2023, 1, 6), date(2023, 6, 30))
    assert days == [date(2023, 2, 5), date(2023, 4, 5), date(2023, 6, 5)]


def test_that_any_day_of_the_week_will_do_where_none_is_named() -> None:
    days = taken(Recurrence(Kind.MONTHLY_POSITION, position=5), date(2023, 1, 1), date(2023, 3, 31))
    assert days == [date(2023, 1, 31), date(2023, 2, 28), date(2023, 3, 31)]


rules = st.builds(
    Recurrence,
    st.sampled_from(Kind),
    st.integers(1, 4),
    st.lists(st.integers(0, 6), unique=True, max_size=3).map(tuple),
    st.integers(1, 31),
    st.integers(1, 12),
    st.integers(1, 5),
    st.sampled_from([0, 0, 1, 5]),
)


@given(rules, st.integers(0, 2000), st.integers(0, 2000))
@settings(max_examples=200)
def test_that_recurring_days_are_those_found_by_walking_the_days(rule: Recurrence, first: int, length: int) -> None:
    start = date(2020, 1, 1) + timedelta(days=first)
    assert taken(rule, start, start + timedelta(days=length)) == list(
        walked(rule, start, start + timedelta(days=length))
    )


def walked(rule: Recurrence, first: date, last: date) -> Iterator[date]:
    """The same by looking at each day and asking whether the rule means it."""
    month_of_first = first.year * 12 + first.month
    if rule.kind is Kind.MONTHLY_DAY and rule.month_day < first.day:
        month_of_first += 1
    year_of_first = first.year
    if rule.kind in (Kind.YEARLY_DAY, Kind.YEARLY_POSITION) and in_month(rule, first.year, rule.month) < first:
        year_of_first += 1
    found = 0
    day = first
    while day <= last and not (rule.occurrences and found == rule.occurrences):
        month = day.year * 12 + day.month
        is_meant = {
            Kind.DAILY: (day - first).days % rule.period == 0,
            Kind.WEEKLY: weeks_between(first, day) % rule.period == 0
            and (not rule.weekdays or day.weekday() in rule.weekdays),
        }.get(rule.kind)
        if rule.kind in (Kind.MONTHLY_DAY, Kind.MONTHLY_POSITION):
            is_due = month >= month_of_first and (month - month_of_first) % rule.period == 0
            is_meant = is_due and in_month(rule, day.year, day.month) == day
        elif is_meant is None:
            is_due = day.year >= year_of_first and (day.year - year_of_first) % rule.period == 0
            is_meant = is_due and day.month == rule.month and in_month(rule, day.year, day.month) == day
        if is_meant:
            found += 1
            yield day
        day += timedelta(days=1)


def weeks_between(first: date, day: date) -> int:
    sunday = first - timedelta(days=(first.weekday() + 1) % 7)
    return (day - sunday).days // 7


def in_month(rule: Recurrence, year: int, month: int) -> date:
    days = [date(year, month, day) for day in range(1, months.monthrange(year, month)[1] + 1)]
    if rule.kind in (Kind.MONTHLY_DAY, Kind.YEARLY_DAY):
        return days[min(rule.month_day, len(days)) - 1]
    fits = [day for day in days if not rule.weekdays or day.weekday() in rule.weekdays]
    return fits[-1] if rule.position == 5 else fits[rule.position - 1]


def worked(time: WorkingTime, text: str) -> list[str]:
    """The working intervals of a day."""
    midnight = at(text + " 00:00")
    starts, ends = time.intervals(midnight, midnight + DAY)
    return [f"{said(start)[11:]}-{said(end)[11:]}" for start, end in zip(starts, ends, strict=True)]


def day(text: str) -> int:
    return at(text + " 00:00") // DAY


def test_that_one_day_has_the_first_rule_there_is_of() -> None:
    weekly = CalendarException(
        day("2025-03-03"), day("2025-03-28"), (EVENING,), "late", Recurrence(Kind.WEEKLY, 1, (0,))
    )
    once = CalendarException(day("2025-03-10"), day("2025-03-10"), (), "off")
    summer = WorkWeek(day("2025-03-10"), day("2025-03-21"), ((MORNING,),) * 5 + ((), ()))
    base = replace(STANDARD, exceptions=(once,), periods=(summer,))
    own = Calendar(2, "own", (None,) * 6 + ((MORNING,),), (weekly,), base=1)
    time = WorkingTime.of(own, {1: base})
    assert worked(time, "2025-03-03") == ["18:00-20:00"]  # recurring of its own
    assert worked(time, "2025-03-04") == ["08:00-12:00", "13:00-17:00"]  # the base's week
    assert worked(time, "2025-03-10") == ["18:00-20:00"]  # its own before the base's, even one that recurs
    assert worked(time, "2025-03-11") == ["08:00-12:00"]  # the base's period
    assert worked(time, "2025-03-09") == ["08:00-12:00"]  # its own week adds a Sunday
    assert worked(WorkingTime.of(base), "2025-03-10") == []  # an exception before the period


def test_that_an_exception_of_one_day_wins_over_one_that_recurs_and_the_later_of_two() -> None:
    weekly = CalendarException(
        day("2025-03-03"), day("2025-03-28"), (EVENING,), "late", Recurrence(Kind.WEEKLY, 1, (0,))
    )
    off = CalendarException(day("2025-03-10"), day("2025-03-10"))
    late = CalendarException(day("2025-03-10"), day("2025-03-10"), (MORNING,))
    assert worked(WorkingTime.of(replace(STANDARD, exceptions=(off, weekly))), "2025-03-10") == []
    assert worked(WorkingTime.of(replace(STANDARD, exceptions=(off, late, weekly))), "2025-03-10") == ["08:00-12:00"]


def test_that_a_derived_calendar_without_a_rule_of_its_own_is_its_base() -> None:
    derived = Calendar(2, "derived", (None,) * 7, base=1)
    assert WorkingTime.of(derived, {1: STANDARD}) is WorkingTime.of(STANDARD)


def test_that_a_derived_calendar_without_any_work_is_refused_by_name() -> None:
    with pytest.raises(PlanError, match="Calendar “idle” has no working time"):
        WorkingTime.of(Calendar(2, "idle", ((),) * 7, base=1), {1: STANDARD})


def test_that_two_calendars_have_the_hours_in_common_in_which_both_work() -> None:
    late = WorkingTime.of(Calendar(2, "late", ((Shift(10 * HOUR, 15 * HOUR),),) * 7))
    both = WorkingTime.of(STANDARD).intersected(late)
    assert worked(both, "2025-03-07") == ["10:00-12:00", "13:00-15:00"]
    assert worked(both, "2025-03-08") == []
    night = WorkingTime.of(Calendar(3, "night", ((Shift(20 * HOUR, DAY),),) * 7))
    assert WorkingTime.of(STANDARD).intersected(night).is_empty


def test_that_a_calendar_without_work_for_years_costs_no_time() -> None:
    pause = CalendarException(day("2026-01-01"), day("2120-12-31"))
    time = WorkingTime.of(replace(STANDARD, exceptions=(pause,)))
    assert said(time.add(at("2025-12-31 09:00"), WORKDAY)) == "2121-01-01 09:00"


def test_that_a_day_of_24_hours_ends_at_midnight_and_three_of_them_have_72() -> None:
    always = WorkingTime.of(Calendar(1, "24 h", ((Shift(0, DAY),),) * 7))
    assert always.between(at("2025-03-03 00:00"), at("2025-03-06 00:00")) == 72 * HOUR


INSTANTS = st.lists(st.integers(at("1983-01-01 00:00"), at("2151-01-01 00:00")), min_size=1, max_size=20)
HALF = replace(STANDARD, exceptions=(CalendarException(day("2025-01-01"), day("2025-12-31"), (MORNING,)),))


@given(INSTANTS, st.lists(st.integers(-(10**7), 10**7), min_size=20, max_size=20))
@settings(max_examples=100)
def test_that_many_instants_at_once_give_what_each_gives_alone(instants: list[int], work: list[int]) -> None:
    time = WorkingTime.of(HALF)
    all_at_once, amounts = np.array(instants), np.array(work[: len(instants)])
    pairs = list(zip(instants, work, strict=False))
    assert time.add_all(all_at_once, amounts).tolist() == [time.add(instant, amount) for instant, amount in pairs]
    assert time.next_starts(all_at_once).tolist() == [time.next_start(instant) for instant in instants]
    assert time.previous_finishes(all_at_once).tolist() == [time.previous_finish(instant) for instant in instants]
    assert time.between_all(all_at_once, all_at_once + amounts).tolist() == [time.between(t, t + w) for t, w in pairs]
