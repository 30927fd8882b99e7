"""Ticks of a calendar plan's axis: minutes to decades in seconds since 1970, and dates in words.

It never knows a working calendar, nor where on the window the ticks stand.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

_EPOCH = datetime(1970, 1, 1)
_FIRST = date(1900, 1, 1)
_LAST = date(2900, 1, 1)
_DAY, _HOUR_S = 86_400, 3_600
_MONDAY = -3 * _DAY
_MARK_PX = 8.0
_MINUS = "\u2212"

Tier: TypeAlias = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """What months, days and spans of time are called. Days begin with Monday; patterns take a number."""

    months: tuple[str, ...] = (
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    )  # fmt: skip
    short_months: tuple[str, ...] = (
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    )  # fmt: skip
    short_days: tuple[str, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    week: str = "W {}"
    quarter: str = "Q{}"
    decade: str = "{}s"
    units: tuple[str, str, str, str] = ("d", "h", "min", "s")


_words = [Words()]


def speak(words: Words) -> None:
    """Use these words from now on."""
    _words[0] = words
    _label.cache_clear()


@dataclass(frozen=True, slots=True)
class _Step:
    """`seconds` apart, counted from a Monday; or `months` apart, counted from January of year 0."""

    seconds: int = 0
    months: int = 0

    @property
    def span(self) -> float:
        return self.seconds or self.months * 30.44 * _DAY

    def floor(self, tick: int) -> int:
        if self.seconds:
            return (tick - _MONDAY) // self.seconds * self.seconds + _MONDAY
        at = _date(tick)
        return _month_tick((at.year * 12 + at.month - 1) // self.months * self.months)

    def after(self, mark: int, steps: int = 1) -> int:
        if self.seconds:
            return mark + steps * self.seconds
        at = _date(mark)
        return _month_tick(at.year * 12 + at.month - 1 + steps * self.months)

    def over(self, start: int, end: int) -> tuple[int, ...]:
        found = [self.floor(start)]
        while (following := self.after(found[-1])) <= end and following > found[-1]:
            found.append(following)
        return tuple(found)


_MINUTE, _MINUTES_5, _MINUTES_15 = _Step(60), _Step(300), _Step(900)
_HOUR, _HOURS_4, _DAY_STEP, _WEEK = _Step(3600), _Step(4 * 3600), _Step(_DAY), _Step(7 * _DAY)
_MONTH, _QUARTER, _YEAR = _Step(months=1), _Step(months=3), _Step(months=12)
_YEARS_2, _YEARS_5, _DECADE, _CENTURY = _Step(months=24), _Step(months=60), _Step(months=120), _Step(months=1200)

# (lower step, pixels its label needs, its label, middle step, its label, upper step, its label), closest first.
_LEVELS = (
    (_MINUTE, 48, "time", _HOUR, "time", _DAY_STEP, "day"),
    (_MINUTES_5, 48, "time", _HOUR, "time", _DAY_STEP, "day"),
    (_MINUTES_15, 48, "time", _HOUR, "time", _DAY_STEP, "day"),
    (_HOUR, 48, "time", _DAY_STEP, "day_month", _WEEK, "week"),
    (_HOURS_4, 48, "time", _DAY_STEP, "day_month", _WEEK, "week"),
    (_DAY_STEP, 52, "weekday", _WEEK, "week_number", _MONTH, "month"),
    (_DAY_STEP, 22, "number", _WEEK, "week_number", _MONTH, "month"),
    (_WEEK, 44, "week_number", _MONTH, "month_name", _QUARTER, "quarter_year"),
    (_MONTH, 36, "month_name", _QUARTER, "quarter", _YEAR, "year"),
    (_QUARTER, 30, "quarter", _YEAR, "year", _DECADE, "decade"),
    (_YEAR, 44, "year", _YEARS_5, "years", _DECADE, "decade"),
    (_YEARS_2, 0, "short_year", _DECADE, "decade", _CENTURY, "century"),
)
_MARKS = (_MINUTE, _MINUTES_5, _MINUTES_15, _HOUR, _DAY_STEP, _WEEK, _MONTH, _QUARTER, _YEAR, _YEARS_2)


def tiers(start: int, end: int, ticks_per_px: float) -> tuple[Tier, Tier, Tier]:
    """Upper, middle and lower tier over start to end. A label names the time from its tick to the next."""
    level = next(level for level in _LEVELS if level[0].span / ticks_per_px >= level[1])
    lower, _, lower_label, middle, middle_label, upper, upper_label = level
    return (
        _tier(upper, upper_label, start, end),
        _tier(middle, middle_label, start, end),
        _tier(lower, lower_label, start, end),
    )


def _tier(step: _Step, label: str, start: int, end: int) -> Tier:
    return tuple((tick, _label(tick, label)) for tick in step.over(start, end))


def marks(start: int, end: int, ticks_per_px: float) -> tuple[int, ...]:
    """The smallest visible ticks over start to end."""
    return _mark_step(ticks_per_px).over(start, end)


def snapped(tick: int, ticks_per_px: float) -> int:
    """The mark nearest to an instant."""
    step = _mark_step(ticks_per_px)
    before = step.floor(tick)
    after = step.after(before)
    return before if tick - before < after - tick else after


def stepped(tick: int, steps: int, ticks_per_px: float) -> int:
    """The mark so many marks after an instant; before it, when negative."""
    step = _mark_step(ticks_per_px)
    before = step.floor(tick)
    return step.after(before, steps + 1 if steps < 0 and before != tick else steps)


def instant_text(tick: int) -> str:
    """A date with its time of day: "Mon 2 Mar 2026 08:00"."""
    return f"{date_text(tick)} {_date(tick):%H:%M}"


def date_text(tick: int) -> str:
    """A date without its time of day: "Mon 2 Mar 2026"."""
    at, words = _date(tick), _words[0]
    return f"{words.short_days[at.weekday()]} {at.day} {words.short_months[at.month - 1]} {at.year}"


def day_text(tick: int, *, has_time: bool = False) -> str:
    """A date in as few letters as it takes: "2 Mar", or "2 Mar 08:00"."""
    at = _date(tick)
    day = f"{at.day} {_words[0].short_months[at.month - 1]}"
    return f"{day} {at:%H:%M}" if has_time else day


def elapsed_text(seconds: int) -> str:
    """Seconds of the clock, as exact_text has working ones, but "1.5 ed" and "4 eh 15 min"; "20 min" as they are."""
    return exact_text(seconds, _DAY / 3600, "e")


def exact_text(seconds: int, hours_per_day: float = 8.0, mark: str = "") -> str:
    """Working seconds to the minute: "2.5 d" and "4.5 h", where one decimal tells them, else "1 d 30 min" and
    "4 h 15 min". From ten days on they are told to a tenth of a day. `mark` stands before days and hours.
    """
    day = round(hours_per_day * 60)
    minutes = round(abs(seconds) / 60)
    size = day if minutes >= day else 60
    if minutes < 60 or minutes >= 10 * day or minutes * 10 % size == 0:
        number, _, unit = duration_text(seconds, hours_per_day).partition(" ")
        return f"{number} {mark if abs(seconds) >= _HOUR_S else ''}{unit}".strip()
    days, hours = divmod(minutes, day) if size == day else (0, minutes)
    d, h, m, _ = _words[0].units
    told = ((days, mark + d), (hours // 60, mark + h), (hours % 60, m))
    return (_MINUS if seconds < 0 else "") + " ".join(f"{count} {unit}" for count, unit in told if count)


def duration_text(seconds: int, hours_per_day: float = 8.0) -> str:
    """Working seconds in the largest unit they fill, to one decimal: "3 d", "2.5 d", "4 h", "15 min"."""
    if seconds == 0:
        return "0"
    sizes = (hours_per_day * 3600, 3600.0, 60.0, 1.0)
    size, unit = next(pair for pair in zip(sizes, _words[0].units, strict=True) if abs(seconds) >= pair[0])
    return f"{seconds / size:.1f}".removesuffix(".0").replace("-", _MINUS) + f" {unit}"


def _mark_step(ticks_per_px: float) -> _Step:
    widths = [step.span / ticks_per_px for step in _MARKS]
    return _MARKS[min(bisect_left(widths, _MARK_PX), len(_MARKS) - 1)]


def _date(tick: int) -> datetime:
    """The date of a tick, kept within the years that have a name."""
    days, seconds = divmod(tick, _DAY)
    first, last = (_FIRST - _EPOCH.date()).days, (_LAST - _EPOCH.date()).days
    return _EPOCH + timedelta(days=min(max(days, first), last), seconds=seconds)


def _month_tick(months: int) -> int:
    return (datetime(months // 12, months % 12 + 1, 1) - _EPOCH).days * _DAY


@lru_cache(maxsize=8192)
def _label(tick: int, kind: str) -> str:
    at, words = _date(tick), _words[0]
    month, day = words.months[at.month - 1], words.short_days[at.weekday()]
    return {
        "time": f"{at:%H:%M}",
        "day_month": f"{day} {at.day} {words.short_months[at.month - 1]}",
        "day": f"{day} {at.day} {month} {at.year}",
        "week": f"{words.week.format(at.isocalendar().week)}, {month} {at.year}",
        "weekday": f"{day} {at.day}",
        "number": str(at.day),
        "month": f"{month} {at.year}",
        "week_number": words.week.format(at.isocalendar().week),
        "month_name": words.short_months[at.month - 1],
        "quarter": words.quarter.format((at.month - 1) // 3 + 1),
        "quarter_year": f"{words.quarter.format((at.month - 1) // 3 + 1)} {at.year}",
        "year": str(at.year),
        "short_year": f"{at.year % 100:02d}",
        "years": f"{at.year}\u2013{at.year % 100 + 4:02d}",
        "century": words.decade.format(at.year // 100 * 100),
        "decade": words.decade.format(at.year),
    }[kind]
