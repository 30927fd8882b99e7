"""Ticks: what the three tiers of the axis say at each zoom, and durations and instants in words."""

from datetime import datetime

import pytest

from gui.canvas import calendar_ticks, device_ticks
from gui.canvas.time_scale import TimeScale

HOUR, DAY = 3600, 86_400


def at(*when: int) -> int:
    return int((datetime(*when) - datetime(1970, 1, 1)).total_seconds())


def words(start: int, ticks: int, is_calendar: bool) -> tuple[list[str], list[str], list[str]]:
    """The labels of the three tiers over so many ticks on a thousand pixels."""
    upper, middle, lower = TimeScale(start, ticks / 1000, 1000).tiers(is_calendar)
    return [label for _, label in upper], [label for _, label in middle], [label for _, label in lower]


@pytest.mark.parametrize(
    ("ticks", "middle", "lower"),
    [
        (1_000, ["0 ns", "500 ns", "1000 ns"], ["", "100 ns", "200 ns"]),
        (12_000_000, ["0 ms", "5 ms", "10 ms"], ["", "1 ms", "2 ms"]),
        (30 * 10**9, ["0 s", "20 s"], ["", "5 s", "10 s"]),
    ],
)
def test_that_a_device_axis_counts_in_ones_twos_and_fives(ticks: int, middle: list[str], lower: list[str]) -> None:
    found = words(0, ticks, is_calendar=False)
    assert found[1] == middle
    assert found[2][:3] == lower


@pytest.mark.parametrize(
    ("start", "ticks", "upper"),
    [
        (12_345_000, 1_000, ["12.345 ms", "12.346 ms"]),
        (12_000_000, 400_000, ["12 ms"]),
        (3 * 10**9, 40 * 10**6, ["3 s"]),
        (0, 30 * 10**9, ["0 s"]),
    ],
)
def test_that_the_upper_tier_counts_whole_larger_units(start: int, ticks: int, upper: list[str]) -> None:
    """Microseconds over nanoseconds, milliseconds over microseconds, seconds over milliseconds."""
    assert words(start, ticks, is_calendar=False)[0] == upper


def test_that_nothing_is_named_before_a_run_begins() -> None:
    assert words(-(10**6), 5 * 10**6, is_calendar=False)[0] == ["", "0 s"]


def test_that_a_lower_label_too_long_to_read_counts_from_the_middle_one() -> None:
    _, middle, lower = words(12_345_000, 1_000, is_calendar=False)
    assert middle[0] == "12.3450 ms"
    assert lower[:3] == ["", "+100 ns", "+200 ns"]


@pytest.mark.parametrize(
    ("start", "ticks", "middle", "lower"),
    [
        (20_400 * 10**6, 900 * 10**6, ["20.0 s", "20.5 s", "21.0 s"], ["20.4 s", "", "20.6 s"]),
        (9_000_000, 1_000_000, ["9.0 ms", "9.5 ms", "10.0 ms"], ["", "9.1 ms", "9.2 ms"]),
        (1_500_000, 1_000_000, ["1500 µs", "2000 µs", "2500 µs"], ["", "1600 µs", "1700 µs"]),
    ],
)
def test_that_an_axis_far_out_takes_the_larger_unit(
    start: int, ticks: int, middle: list[str], lower: list[str]
) -> None:
    found = words(start, ticks, is_calendar=False)
    assert (found[1], found[2][:3]) == (middle, lower)


@pytest.mark.parametrize(
    ("seconds", "upper", "middle", "lower"),
    [
        (2 * HOUR, "Mon 2 March 2026", "00:00", ["00:00", "00:15", "00:30"]),
        (12 * HOUR, "W 10, March 2026", "Mon 2 Mar", ["00:00", "01:00", "02:00"]),
        (10 * DAY, "March 2026", "W 10", ["Mon 2", "Tue 3", "Wed 4"]),
        (40 * DAY, "March 2026", "W 10", ["2", "3", "4"]),
        (120 * DAY, "Q1 2026", "Mar", ["W 10", "W 11", "W 12"]),
        (600 * DAY, "2026", "Q1", ["Mar", "Apr", "May"]),
        (2000 * DAY, "2020s", "2026", ["Q1", "Q2", "Q3"]),
        (7000 * DAY, "2020s", "2025\u201329", ["2026", "2027", "2028"]),
        (14_000 * DAY, "2000s", "2020s", ["26", "28", "30"]),
    ],
)
def test_that_a_calendar_axis_follows_the_zoom(seconds: int, upper: str, middle: str, lower: list[str]) -> None:
    found = words(at(2026, 3, 2), seconds, is_calendar=True)
    assert (found[0][0], found[1][0]) == (upper, middle)
    assert found[2][:3] == lower


def test_that_the_first_week_of_a_year_is_the_one_with_its_first_thursday() -> None:
    _, _, lower = words(at(2025, 12, 22), 120 * DAY, is_calendar=True)
    assert lower[:3] == ["W 52", "W 1", "W 2"]


def test_that_a_month_is_snapped_to_its_first_day_though_months_differ_in_length() -> None:
    scale = TimeScale(at(2026, 1, 1), 3 * DAY)
    assert scale.snapped(at(2026, 2, 10), True) == at(2026, 2, 1)
    assert scale.snapped(at(2026, 2, 20), True) == at(2026, 3, 1)
    assert scale.stepped(at(2026, 1, 31), 1, True) == at(2026, 2, 1)
    assert scale.stepped(at(2026, 1, 31), -1, True) == at(2026, 1, 1)


def test_that_an_axis_far_from_any_date_still_has_labels() -> None:
    assert words(-(10**12), 10_000 * DAY, is_calendar=True)[0]
    assert words(10**12, 10_000 * DAY, is_calendar=True)[0]


@pytest.mark.parametrize(
    ("ticks", "text"),
    [
        (0, "0"),
        (400, "400 ns"),
        (410_000, "410 µs"),
        (470_833, "470.8 µs"),
        (999_999, "1 ms"),
        (1_369_800, "1.37 ms"),
        (1_600_000, "1.6 ms"),
        (13_200_000, "13.2 ms"),
        (13_816_000, "13.82 ms"),
        (2_578_412_000, "2.58 s"),
        (12 * 10**9, "12 s"),
        (-900_000, "\u2212900 µs"),
        (25_000 * 10**9, "25\u202f000 s"),
    ],
)
def test_that_a_device_duration_takes_its_shortest_unit(ticks: int, text: str) -> None:
    assert device_ticks.duration_text(ticks) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0"), (8 * HOUR, "1 d"), (20 * HOUR, "2.5 d"), (4 * HOUR, "4 h"), (900, "15 min"), (-8 * HOUR, "\u22121 d")],
)
def test_that_a_working_duration_is_told_in_days_of_the_plan(seconds: int, text: str) -> None:
    assert calendar_ticks.duration_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0"),
        (20 * HOUR, "2.5 d"),
        (4 * HOUR, "4 h"),
        (-4 * HOUR - 900, "\u22124 h 15 min"),
        (2 * HOUR + 2700, "2 h 45 min"),
        (12 * HOUR + 1800, "1 d 4 h 30 min"),
        (8 * HOUR + 1800, "1 d 30 min"),
        (3 * HOUR + 3570, "4 h"),
        (900, "15 min"),
        (90, "1.5 min"),
        (-5, "\u22125 s"),
        (101 * HOUR, "12.6 d"),
    ],
)
def test_that_a_length_that_was_planned_is_told_to_the_minute(seconds: int, text: str) -> None:
    assert calendar_ticks.exact_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(36 * HOUR, "1.5 ed"), (26 * HOUR, "1 ed 2 eh"), (4 * HOUR + 900, "4 eh 15 min"), (1200, "20 min"), (0, "0")],
)
def test_that_a_length_by_the_clock_is_marked_as_one(seconds: int, text: str) -> None:
    assert calendar_ticks.elapsed_text(seconds) == text


def test_that_a_day_of_six_hours_makes_other_days() -> None:
    assert calendar_ticks.duration_text(12 * HOUR, 6.0) == "2 d"


def test_that_instants_are_told_by_both_clocks() -> None:
    assert calendar_ticks.instant_text(at(2026, 3, 6, 17)) == "Fri 6 Mar 2026 17:00"
    assert device_ticks.instant_text(0) == "0 ms"
    assert device_ticks.instant_text(4_100_000) == "4.1 ms"
    assert device_ticks.instant_text(20_412_345_678) == "20.412 s"
    assert device_ticks.instant_text(44_213_712) == "44.214 ms"
