"""Typed times: dates and lengths of time as a person types them into a cell. It never asks what day it is.

    date   = 2026-03-03 [13:00] | 3/3[/26] | 3 mar | mon | today | 13:00 | +2d | -1ed
    length = 3d | 2w | 4h | 30m | 5ed | 1.5d | 1w 2d, and on a device plan 3 ms | 250 us | 40 ns
A date without a year is the one nearest to what the cell says now; a day of the week is the next one from there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.errors import PlanError
from engine.formats.table.dates import DateOrder, Moment, parse_moment
from engine.formats.table.durations import Span, Units, number, parse_span
from engine.model import DAY, Clock, Plan, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.working_time import WorkingTime
from engine.session.cell_words import units_of
from engine.session.typed_doubts import no_such_day

_EPOCH = datetime(1970, 1, 1)
_ENGLISH = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEAR_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_DEVICE = {"s": 1_000_000_000, "sec": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "µs": 1_000, "μs": 1_000, "ns": 1}
_DEVICE_SPAN = re.compile(r"\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*([^\W\d_]+)\s*")
# The years 1 to 9999, and three hundred years of a run.
_GOALS = {Clock.CALENDAR: (-62_135_596_800, 253_402_300_799), Clock.DEVICE: (0, (1 << 63) - 1)}
_HOW_TO_GO = {
    Clock.CALENDAR: "write 3 Mar, 2026-03-03, mon, today, 13:00 or +2w",
    Clock.DEVICE: "write 3 ms, 250 us, 40 ns or +1 ms",
}
_HOW_TO_NAME_A_DAY = "write 24 Dec 2026, 24 Dec, 2026-12-24, fri or today"
_WALL = Units(DAY, 7 * DAY, 30 * DAY)
_DAY_MONTH = re.compile(r"(\d{1,2})\s*([-/.])\s*(\d{1,2})\.?(?=\s|$)(.*)")
_DOTTED = re.compile(r"\d{1,2}\s*\.\s*\d{1,2}(?!\d)")
_DAY_NAME = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s*([^\W\d_]{3,})\.?(?=[\s,]|$)(.*)")
_NAME_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?=[\s,]|$)(.*)")
_WORD = re.compile(r"([^\W\d_]{2,})\.?(.*)", re.DOTALL)
_TIME = re.compile(r"(\d{1,2})(?::(\d\d))?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person writes dates: in which order, at which instant, and what they call the days, Monday first."""

    order: DateOrder = DateOrder.DAY_FIRST
    now: Ticks = 0
    weekdays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """The cell that a date is typed into: what it says now, None for nothing, whether that is an end, and the calendar
    of its task."""

    now: Ticks | None
    is_end: bool
    time: WorkingTime


def read_length(plan: Plan, text: str) -> Span | None:
    """A length of time in ticks, None where it cannot be read. On a calendar a number alone is days."""
    if plan.clock is Clock.CALENDAR:
        return parse_span(text, units_of(plan))
    matched = _DEVICE_SPAN.fullmatch(text)
    if matched is None:
        return Span(0) if text.strip() in {"0", "0.0"} else None
    size = _DEVICE.get(matched[2].casefold())
    return None if size is None else Span(round(number(matched[1]) * size))


def read_instant(plan: Plan, text: str, place: Place, habits: Habits) -> Ticks | None:
    """An instant in ticks, None where it cannot be read."""
    text = text.strip()
    if text[:1] in {"+", "-", "\N{MINUS SIGN}"}:
        span = read_length(plan, text[1:])
        return None if span is None or place.now is None else _later(plan, place, span, -1 if text[0] != "+" else 1)
    if plan.clock is Clock.DEVICE:
        span = read_length(plan, text)
        return None if span is None else span.ticks
    found = _moment(text, habits, habits.now if place.now is None else place.now)
    if found is None:
        return None
    return found.ticks if found.has_time else _on_day(plan, found.ticks, place)


def read_goal(plan: Plan, text: str, near: Ticks, habits: Habits) -> Ticks:
    """An instant to look at, in ticks. Raises PlanError where it cannot be read.

    `near` is what “+2w” counts from: two weeks of the calendar on the wall, whoever works in them.
    """
    try:
        found = _by_the_wall(plan, text.strip(), near)
        if found is None:
            found = read_instant(plan, text, Place(near, False, working_time(plan)), habits)
    except OverflowError:
        found = None
    if found is None or not _GOALS[plan.clock][0] <= found <= _GOALS[plan.clock][1]:
        why = "" if plan.clock is Clock.DEVICE else no_such_day(text, habits.order)
        what = "date" if plan.clock is Clock.CALENDAR else "time of a run"
        raise PlanError(f"“{text.strip()}” is no {what}: {why or _HOW_TO_GO[plan.clock]}.")
    return found


def read_day(text: str, near: Ticks, habits: Habits) -> int:
    """A day in days since 1970-01-01, whatever hour was typed with it. Raises PlanError where it cannot be read."""
    try:
        found = _dated(text.strip(), habits, near)
    except OverflowError:
        found = None
    if found is None:
        raise PlanError(f"“{text.strip()}” is no date: {no_such_day(text, habits.order) or _HOW_TO_NAME_A_DAY}.")
    return found.ticks // DAY


def read_wall(text: str, near: Ticks, habits: Habits) -> Ticks:
    """An instant by the clock on the wall, in ticks; a day without an hour has that of `near`, “+2w” counts from there.

    Raises PlanError where it cannot be read.
    """
    text = text.strip()
    try:
        if text[:1] in {"+", "-", "\N{MINUS SIGN}"} and (span := parse_span(text[1:], _WALL)) is not None:
            return near + (span.ticks if text[0] == "+" else -span.ticks)
        found = _moment(text, habits, near)
    except OverflowError:
        found = None
    if found is None:
        raise PlanError(f"“{text}” is no date: {no_such_day(text, habits.order) or _HOW_TO_GO[Clock.CALENDAR]}.")
    return found.ticks if found.has_time else found.ticks + near % DAY


def _by_the_wall(plan: Plan, text: str, near: Ticks) -> Ticks | None:
    if plan.clock is Clock.DEVICE or text[:1] not in {"+", "-", "\N{MINUS SIGN}"}:
        return None
    span = parse_span(text[1:], _WALL)
    return None if span is None else near + (span.ticks if text[0] == "+" else -span.ticks)


def _later(plan: Plan, place: Place, span: Span, sign: int) -> Ticks | None:
    """So much after what the cell says, in the task's own working time; before it where `sign` is negative."""
    if place.now is None:
        return None
    if plan.clock is Clock.DEVICE:
        return max(place.now + sign * span.ticks, 0)
    at = place.now + sign * span.ticks if span.is_elapsed else place.time.add(place.now, sign * span.ticks)
    return place.time.previous_finish(at) if place.is_end else place.time.next_start(at)


def _on_day(plan: Plan, day: Ticks, place: Place) -> Ticks:
    """When work begins on a day, or ends; the usual hour where nobody works then."""
    if place.is_end:
        at = place.time.previous_finish(day + DAY)
        return at if day < at <= day + DAY else day + plan.settings.default_finish
    at = place.time.next_start(day)
    return at if day <= at < day + DAY else day + plan.settings.default_start


def _moment(text: str, habits: Habits, near: Ticks) -> Moment | None:
    """The first reading that there is: a day, or else a time of the one that is near."""
    return _dated(text, habits, near) or _time_of(text, near)


def _dated(text: str, habits: Habits, near: Ticks) -> Moment | None:
    """The first reading that names a day: a whole date, one without a year, a day by its name."""
    order = _order_of(text, habits.order)
    whole = parse_moment(text, order)
    if whole is not None:
        return whole
    return _without_year(text, order, near) or _named_day(text, habits, near)


def _order_of(text: str, order: DateOrder) -> DateOrder:
    """The locale's; but where dots part the numbers nobody writes the month first."""
    return DateOrder.DAY_FIRST if _DOTTED.match(text) and order is DateOrder.MONTH_FIRST else order


def _without_year(text: str, order: DateOrder, near: Ticks) -> Moment | None:
    if matched := _DAY_MONTH.fullmatch(text):
        first, second = matched[1], matched[3]
        day, month = (first, second) if order is DateOrder.DAY_FIRST else (second, first)
        written = f"{{year}}-{month}-{day} {matched[4]}"
    elif matched := _DAY_NAME.fullmatch(text):
        written = f"{matched[1]} {matched[2]} {{year}} {matched[3]}"
    elif matched := _NAME_DAY.fullmatch(text):
        written = f"{matched[2]} {matched[1]} {{year}} {matched[3]}"
    else:
        return None
    year = (_EPOCH + timedelta(seconds=near)).year
    found = [parse_moment(written.format(year=each), DateOrder.YEAR_FIRST) for each in (year, year - 1, year + 1)]
    return min((each for each in found if each), key=lambda each: abs(each.ticks - near), default=None)


def _named_day(text: str, habits: Habits, near: Ticks) -> Moment | None:
    matched = _WORD.fullmatch(text)
    if matched is None:
        return None
    word, rest = matched[1].casefold(), matched[2].strip()
    if word == "now" and not rest:
        return Moment(habits.now, True)
    if word in _NEAR_DAYS:
        day = habits.now // DAY * DAY + _NEAR_DAYS[word] * DAY
    else:
        own = [name.casefold() for name in habits.weekdays] or list(_ENGLISH)
        names = enumerate(zip(_ENGLISH, own, strict=True))
        place = next((at for at, each in names if any(_is_short_of(word, name) for name in each)), None)
        if place is None:
            return None
        today = near // DAY
        day = (today + (place - (today + 3)) % 7) * DAY  # 1970-01-01 was a Thursday
    if not rest:
        return Moment(day, False)
    return _time_of(rest, day)


def _is_short_of(word: str, name: str) -> bool:
    return word == name or (len(word) >= 3 and name.startswith(word))


def _time_of(text: str, near: Ticks) -> Moment | None:
    """A time on the day of an instant: 13:00, 1 pm."""
    matched = _TIME.fullmatch(text.strip())
    if matched is None or not (matched[2] or matched[3]):
        return None
    day = _EPOCH + timedelta(seconds=near // DAY * DAY)
    half = f" {matched[3]}m" if matched[3] else ""
    return parse_moment(f"{day:%Y-%m-%d} {matched[1]}:{matched[2] or '00'}{half}", DateOrder.YEAR_FIRST)
