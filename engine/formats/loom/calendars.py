"""Calendars out of the tables of a .loom file, and hours as text. It never computes with them."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable

from engine.errors import FormatError
from engine.formats.loom.tables import one_of, rows, truth, version_of
from engine.model import Calendar, CalendarException, Recurrence, RecurrenceKind, Shift, Week, WorkWeek

_TIME = r"(\d\d):(\d\d)(?::(\d\d))?"
_SHIFT = re.compile(f"{_TIME}-{_TIME}", re.ASCII)
_WEEKDAYS = re.compile(r"([0-6](,[0-6])*)?", re.ASCII)
_EXCEPTION = (
    "calendar:int first_day:int last_day:int hours:str name:str "
    "recurs:str? period:int? weekdays:str? month_day:int? month:int? place:int? occurrences:int?"
)

# Of one calendar and the number of its week, 0 being its own: the hours of each of seven days.
_Weeks = dict[tuple[int, int], list[tuple[Shift, ...] | None]]


def hours_text(shifts: Iterable[Shift]) -> str:
    """Shifts as 08:00-12:00,13:00-17:00."""
    return ",".join(f"{_time(shift.start)}-{_time(shift.end)}" for shift in shifts)


def read_calendars(db: sqlite3.Connection) -> tuple[Calendar | None, tuple[Calendar, ...]]:
    """The plan's own calendar and the others. Raises sqlite3.Error, or FormatError with a sentence's end."""
    if version_of(db) == 1:
        return _only_calendar(db), ()
    weeks, exceptions = _weeks(db), _exceptions(db)
    periods: defaultdict[int, list[WorkWeek]] = defaultdict(list)
    for calendar, number, first, last, name in rows(
        db, "work_week", "calendar:int number:int first_day:int last_day:int name:str"
    ):
        periods[calendar].append(WorkWeek(first, last, _week(weeks, calendar, number), name))
    own: list[Calendar] = []
    others: list[Calendar] = []
    for is_project, number, name, base in rows(db, "calendar", "is_project:int id:int name:str base:int?"):
        found = Calendar(number, name, _week(weeks, number, 0), tuple(exceptions[number]), base, tuple(periods[number]))
        (own if truth(is_project) else others).append(found)
    if len(own) > 1:
        raise FormatError("is damaged: two of its calendars are the plan's own")
    return own[0] if own else None, tuple(others)


def _weeks(db: sqlite3.Connection) -> _Weeks:
    found: _Weeks = {}
    for calendar, week, weekday, hours in rows(db, "calendar_day", "calendar:int week:int weekday:int hours:str?"):
        if not 0 <= weekday <= 6:
            raise FormatError(f"is damaged: “weekday” in its table “calendar_day” is {weekday}")
        days = found.setdefault((calendar, week), [()] * 7)
        days[weekday] = None if hours is None else _shifts(hours)
    return found


def _week(weeks: _Weeks, calendar: int, number: int) -> Week:
    return tuple(weeks.get((calendar, number), [()] * 7))


def _exceptions(db: sqlite3.Connection) -> defaultdict[int, list[CalendarException]]:
    found: defaultdict[int, list[CalendarException]] = defaultdict(list)
    for calendar, first, last, hours, name, *recurs in rows(db, "calendar_exception", _EXCEPTION):
        found[calendar].append(CalendarException(first, last, _shifts(hours), name, _recurrence(recurs)))
    return found


def _recurrence(columns: list[int | str | None]) -> Recurrence | None:
    kind, period, weekdays, month_day, month, place, occurrences = columns
    if kind is None:
        return None
    numbers = [number for number in (period, month_day, month, place, occurrences) if isinstance(number, int)]
    if len(numbers) != 5 or not _WEEKDAYS.fullmatch(str(weekdays)):
        raise FormatError("is damaged: an exception of its table “calendar_exception” does not say when it recurs")
    days = tuple(int(day) for day in str(weekdays).split(",") if day)
    return Recurrence(one_of(RecurrenceKind, str(kind)), numbers[0], days, *numbers[1:])


def _only_calendar(db: sqlite3.Connection) -> Calendar | None:
    """The calendar of a file of version 1, which kept each shift in a row."""
    named = next(rows(db, "calendar", "id:int name:str", order="id"), None)
    if named is None:
        return None
    exceptions = list(rows(db, "calendar_exception", "first_day:int last_day:int name:str"))
    week = _shift_rows(db, "shift", "weekday", 7)
    hours = _shift_rows(db, "exception_shift", "exception", len(exceptions))
    days = zip(exceptions, hours, strict=True)
    return Calendar(
        named[0], named[1], week, tuple(CalendarException(first, last, worked, n) for (first, last, n), worked in days)
    )


def _shift_rows(db: sqlite3.Connection, table: str, group: str, count: int) -> tuple[tuple[Shift, ...], ...]:
    groups: list[list[Shift]] = [[] for _ in range(count)]
    for index, start, finish in rows(db, table, f"{group}:int start:int finish:int"):
        if not 0 <= index < count:
            raise FormatError(f"is damaged: “{group}” in its table “{table}” is {index}")
        groups[index].append(Shift(start, finish))
    return tuple(tuple(shifts) for shifts in groups)


def _shifts(text: str) -> tuple[Shift, ...]:
    found = [_SHIFT.fullmatch(shift) for shift in text.split(",")] if text else []
    if None in found:
        raise FormatError(f"is damaged: “{text:.60}” are no hours")
    return tuple(Shift(*_seconds(each.groups("0"))) for each in found if each)


def _seconds(groups: tuple[str, ...]) -> tuple[int, int]:
    hour, minute, second, to_hour, to_minute, to_second = map(int, groups)
    return hour * 3600 + minute * 60 + second, to_hour * 3600 + to_minute * 60 + to_second


def _time(second: int) -> str:
    text = f"{second // 3600:02}:{second // 60 % 60:02}"
    return f"{text}:{second % 60:02}" if second % 60 else text
