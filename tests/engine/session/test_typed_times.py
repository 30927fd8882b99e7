"""Dates and lengths of time as people type them into cells."""

from datetime import datetime

import pytest

from engine.errors import PlanError
from engine.formats.table import DateOrder
from engine.model import Calendar, Clock, Plan
from engine.schedule.cpm import working_time
from engine.session.typed_times import Habits, Place, read_day, read_goal, read_instant, read_length


def at(*when: int) -> int:
    return int((datetime(*when) - datetime(1970, 1, 1)).total_seconds())


PLAN = Plan("p", Clock.CALENDAR, at(2026, 3, 2), calendar=Calendar.standard())
DEVICE = Plan("d", Clock.DEVICE)
HABITS = Habits(DateOrder.DAY_FIRST, at(2026, 3, 12, 10), ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"))
START = Place(at(2026, 3, 4, 8), False, working_time(PLAN))
FINISH = Place(at(2026, 3, 4, 17), True, working_time(PLAN))


@pytest.mark.parametrize(
    ("text", "start", "finish"),
    [
        ("2026-03-03", (2026, 3, 3, 8), (2026, 3, 3, 17)),
        ("2026-03-03 13:00", (2026, 3, 3, 13), (2026, 3, 3, 13)),
        ("3/4/2026", (2026, 4, 3, 8), (2026, 4, 3, 17)),
        ("3/4", (2026, 4, 3, 8), (2026, 4, 3, 17)),
        ("5.3.", (2026, 3, 5, 8), (2026, 3, 5, 17)),
        ("5.3. 9:30", (2026, 3, 5, 9, 30), (2026, 3, 5, 9, 30)),
        ("31/12", (2025, 12, 31, 8), (2025, 12, 31, 17)),
        ("1/8", (2026, 8, 1, 8), (2026, 8, 1, 17)),
        ("9 mar", (2026, 3, 9, 8), (2026, 3, 9, 17)),
        ("mar 9 13:00", (2026, 3, 9, 13), (2026, 3, 9, 13)),
        ("fri", (2026, 3, 6, 8), (2026, 3, 6, 17)),
        ("Wednesday", (2026, 3, 4, 8), (2026, 3, 4, 17)),
        ("tue", (2026, 3, 10, 8), (2026, 3, 10, 17)),
        ("do", (2026, 3, 5, 8), (2026, 3, 5, 17)),
        ("mon 13:00", (2026, 3, 9, 13), (2026, 3, 9, 13)),
        ("today", (2026, 3, 12, 8), (2026, 3, 12, 17)),
        ("tomorrow 9:00", (2026, 3, 13, 9), (2026, 3, 13, 9)),
        ("now", (2026, 3, 12, 10), (2026, 3, 12, 10)),
        ("13:00", (2026, 3, 4, 13), (2026, 3, 4, 13)),
        ("1 pm", (2026, 3, 4, 13), (2026, 3, 4, 13)),
        ("+2d", (2026, 3, 6, 8), (2026, 3, 6, 17)),
        ("+1w", (2026, 3, 11, 8), (2026, 3, 11, 17)),
        ("+4h", (2026, 3, 4, 13), (2026, 3, 5, 12)),
        ("-1d", (2026, 3, 3, 8), (2026, 3, 3, 17)),
        ("-3d", (2026, 2, 27, 8), (2026, 2, 27, 17)),
        ("+3ed", (2026, 3, 9, 8), (2026, 3, 6, 17)),
        ("sunday", (2026, 3, 8, 8), (2026, 3, 8, 17)),
    ],
)
def test_that_a_date_is_read_as_a_start_and_as_a_finish(text: str, start: tuple[int], finish: tuple[int]) -> None:
    assert read_instant(PLAN, text, START, HABITS) == at(*start)
    assert read_instant(PLAN, text, FINISH, HABITS) == at(*finish)


def test_that_the_order_of_a_date_is_the_persons() -> None:
    american = Habits(DateOrder.MONTH_FIRST, HABITS.now)
    assert read_instant(PLAN, "3/4", START, american) == at(2026, 3, 4, 8)
    assert read_instant(PLAN, "3/4", START, Habits(DateOrder.YEAR_FIRST)) == at(2026, 3, 4, 8)
    assert read_instant(PLAN, "25/3", START, american) is None


@pytest.mark.parametrize("text", ["", "soon", "40/40", "3/3/3/3", "25:00", "+", "+x", "12"])
def test_that_what_is_no_date_is_none(text: str) -> None:
    assert read_instant(PLAN, text, START, HABITS) is None


def test_that_nothing_is_later_than_nothing() -> None:
    assert read_instant(PLAN, "+2d", Place(None, True, working_time(PLAN)), HABITS) is None


@pytest.mark.parametrize(
    ("text", "ticks", "is_elapsed"),
    [
        ("3d", 3 * 8 * 3600, False),
        ("3", 3 * 8 * 3600, False),
        ("1.5d", 12 * 3600, False),
        ("1,5 days", 12 * 3600, False),
        ("2w", 80 * 3600, False),
        ("4h", 4 * 3600, False),
        ("30m", 1800, False),
        ("5ed", 5 * 86_400, True),
        ("1w 2d", 56 * 3600, False),
        ("0", 0, False),
    ],
)
def test_that_a_length_is_read_in_the_plans_units(text: str, ticks: int, is_elapsed: bool) -> None:
    span = read_length(PLAN, text)
    assert span is not None
    assert (span.ticks, span.is_elapsed) == (ticks, is_elapsed)


@pytest.mark.parametrize("text", ["", "long", "-3d", "3 lightyears", "3d 2ed"])
def test_that_what_is_no_length_is_none(text: str) -> None:
    assert read_length(PLAN, text) is None


@pytest.mark.parametrize(
    ("text", "ns"),
    [("3 ms", 3_000_000), ("250us", 250_000), ("250 µs", 250_000), ("40 ns", 40), ("1.5s", 1_500_000_000), ("0", 0)],
)
def test_that_a_device_counts_in_seconds_and_less(text: str, ns: int) -> None:
    span = read_length(DEVICE, text)
    assert span is not None
    assert span.ticks == ns
    assert read_instant(DEVICE, text, Place(0, False, working_time(DEVICE)), HABITS) == ns


def test_that_a_device_wants_a_unit_and_counts_on() -> None:
    place = Place(5_000, False, working_time(DEVICE))
    assert read_length(DEVICE, "3") is None
    assert read_length(DEVICE, "3d") is None
    assert read_instant(DEVICE, "+2 us", place, HABITS) == 7_000
    assert read_instant(DEVICE, "-9 us", place, HABITS) == 0


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("3 Mar", at(2026, 3, 3, 8)),
        ("today", at(2026, 3, 12, 8)),
        ("+2w", at(2026, 3, 18, 8)),
        ("-1d", at(2026, 3, 3, 8)),
        ("+3d", at(2026, 3, 7, 8)),
    ],
)
def test_that_a_goal_is_a_date_or_so_much_by_the_calendar_on_the_wall(text: str, goal: int) -> None:
    assert read_goal(PLAN, text, at(2026, 3, 4, 8), HABITS) == goal


def test_that_goals_of_a_run_are_lengths_of_time_and_what_is_none_is_refused() -> None:
    assert read_goal(DEVICE, "+1 ms", 250_000, HABITS) == 1_250_000
    for plan, text in ((PLAN, "soon"), (PLAN, "+99999999999999w"), (DEVICE, "mon")):
        with pytest.raises(PlanError, match=r"is no (date|time of a run)"):
            read_goal(plan, text, 0, HABITS)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("24 Dec 2026", (2026, 12, 24)),
        ("Thu 24 Dec 2026", (2026, 12, 24)),
        ("Thu 24 Dec 2026 08:00", (2026, 12, 24)),
        ("24.12.2026", (2026, 12, 24)),
        ("24 dec", (2025, 12, 24)),
        ("fri", (2026, 3, 6)),
        ("tomorrow", (2026, 3, 13)),
    ],
)
def test_that_a_day_is_read_as_dates_are(text: str, day: tuple[int]) -> None:
    assert read_day(text, at(2026, 3, 4), HABITS) * 86_400 == at(*day)


@pytest.mark.parametrize("text", ["", "13:00", "soon", "31 Dec 99999", "24"])
def test_that_what_names_no_day_is_refused_with_a_way_to_write_one(text: str) -> None:
    with pytest.raises(PlanError, match="is no date: write 24 Dec 2026"):
        read_day(text, at(2026, 3, 4), HABITS)
