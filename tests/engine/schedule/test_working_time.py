"""Tests of working time against day-by-day arithmetic."""

from __future__ import annotations

import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import DAY, Calendar, CalendarException, Shift
from engine.schedule.working_time import FIRST_DAY, WorkingTime
from tests.engine.schedule.plans import HOUR, WORKDAY, at, said

STANDARD = WorkingTime.of(Calendar.standard())
INSTANTS = st.integers(at("2000-01-01 00:00"), at("2030-01-01 00:00"))


def test_that_work_skips_lunch_and_weekend() -> None:
    assert said(STANDARD.add(at("2025-03-07 11:00"), 2 * HOUR)) == "2025-03-07 14:00"
    assert said(STANDARD.add(at("2025-03-07 16:00"), 2 * HOUR)) == "2025-03-10 09:00"
    assert said(STANDARD.add(at("2025-03-10 09:00"), -2 * HOUR)) == "2025-03-07 16:00"


def test_that_a_start_takes_the_later_name_of_an_instant_and_a_finish_the_earlier() -> None:
    friday, monday = at("2025-03-07 17:00"), at("2025-03-10 08:00")
    assert STANDARD.between(friday, monday) == 0
    assert STANDARD.next_start(friday) == monday
    assert STANDARD.previous_finish(monday) == friday


def test_that_an_exception_takes_away_or_adds_work() -> None:
    day = at("2025-03-05 00:00") // DAY
    off = CalendarException(day, day)
    sunday = CalendarException(day + 4, day + 4, (Shift(10 * HOUR, 12 * HOUR),))
    time = WorkingTime.of(replace(Calendar.standard(), exceptions=(off, sunday)))
    assert said(time.add(at("2025-03-04 16:00"), 2 * HOUR)) == "2025-03-06 09:00"
    assert said(time.next_start(at("2025-03-08 09:00"))) == "2025-03-09 10:00"


def test_that_round_the_clock_work_is_one_interval() -> None:
    always = WorkingTime.of(Calendar(1, "24 h", ((Shift(0, DAY),),) * 7))
    assert len(always.starts) == 1
    assert said(always.add(at("2025-03-07 20:00"), 12 * HOUR)) == "2025-03-08 08:00"


def test_that_a_night_shift_runs_over_midnight() -> None:
    night = (Shift(0, 6 * HOUR), Shift(22 * HOUR, DAY))
    time = WorkingTime.of(Calendar(1, "night", (night,) * 7))
    assert said(time.add(at("2025-03-03 23:00"), 4 * HOUR)) == "2025-03-04 03:00"
    assert said(time.next_start(at("2025-03-03 12:00"))) == "2025-03-03 22:00"


def test_that_a_night_of_an_exception_ends_in_the_day_after_whatever_that_day_works() -> None:
    friday = at("2025-03-07 00:00") // DAY
    nights = CalendarException(friday, friday + 1, (Shift(22 * HOUR, 30 * HOUR),))
    off = CalendarException(friday + 2, friday + 2)
    time = WorkingTime.of(replace(Calendar.standard(), exceptions=(nights, off)))
    starts, ends = time.intervals(at("2025-03-07 00:00"), at("2025-03-10 10:00"))
    said_of = [(said(one), said(other)) for one, other in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert said_of == [
        ("2025-03-07 22:00", "2025-03-08 06:00"),
        ("2025-03-08 22:00", "2025-03-09 06:00"),
        ("2025-03-10 08:00", "2025-03-10 10:00"),
    ]


def test_that_any_week_pattern_is_worked_and_an_empty_one_refused() -> None:
    days = tuple((Shift(8 * HOUR, 16 * HOUR),) if day in (1, 3) else () for day in range(7))
    time = WorkingTime.of(Calendar(1, "Tue, Thu", days))
    assert said(time.add(at("2025-03-03 08:00"), 2 * WORKDAY)) == "2025-03-06 16:00"
    with pytest.raises(PlanError, match="no working time"):
        WorkingTime.of(Calendar(1, "never", ((),) * 7))


def test_that_shading_intervals_are_clipped_to_what_is_asked() -> None:
    starts, ends = STANDARD.intervals(at("2025-03-07 10:00"), at("2025-03-10 09:00"))
    assert [said(t) for t in starts] == ["2025-03-07 10:00", "2025-03-07 13:00", "2025-03-10 08:00"]
    assert [said(t) for t in ends] == ["2025-03-07 12:00", "2025-03-07 17:00", "2025-03-10 09:00"]


@given(st.lists(st.tuples(INSTANTS, st.integers(0, 9 * DAY)), max_size=9))
def test_that_intervals_of_many_are_those_of_each(asked: list[tuple[int, int]]) -> None:
    firsts = np.array([first for first, _ in asked], np.int64)
    which, starts, ends = STANDARD.intervals_of_all(firsts, firsts + [length for _, length in asked])
    for place, (first, length) in enumerate(asked):
        one = STANDARD.intervals(first, first + length)
        assert [(starts[which == place]).tolist(), (ends[which == place]).tolist()] == [side.tolist() for side in one]


@given(INSTANTS, st.integers(1, 500 * WORKDAY))
def test_that_adding_then_measuring_gives_the_work_back(instant: int, work: int) -> None:
    later = STANDARD.add(instant, work)
    assert STANDARD.between(instant, later) == work
    assert STANDARD.previous_finish(later) == later
    assert STANDARD.add(later, -work) == STANDARD.next_start(instant)


@given(INSTANTS)
def test_that_next_start_is_the_first_working_second(instant: int) -> None:
    start = STANDARD.next_start(instant)
    assert start >= instant
    assert STANDARD.between(instant, start) == 0
    assert STANDARD.between(start, start + 1) == 1


def test_that_the_device_clock_always_works() -> None:
    device = WorkingTime.of(None)
    assert device.add(5, 7) == 12
    assert device.between(3, 11) == 8
    assert device.next_start(9) == device.previous_finish(9) == 9


def test_that_calendars_of_one_content_are_compiled_once_and_forgotten_with_their_plan() -> None:
    days = [CalendarException(FIRST_DAY + 9_000, FIRST_DAY + 9_000, (), name) for name in ("Ours", "Theirs")]
    ours, theirs = (WorkingTime.of(Calendar(1, day.name, Calendar.standard().week, (day,))) for day in days)
    assert ours is theirs
    holidays = [CalendarException(day, day, ()) for day in range(9_100, 9_140)]
    many = [Calendar(1, "c", Calendar.standard().week, (holiday,)) for holiday in holidays]
    known = weakref.ref(ours)
    held = [WorkingTime.of(calendar) for calendar in many]
    assert [WorkingTime.of(calendar) for calendar in many] == held
    del ours, theirs
    assert known() is None
