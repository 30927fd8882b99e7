"""Days off out of the whole-day events of an iCalendar file. It never makes tasks of them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

from engine.formats.ics.events import Event, read_agenda
from engine.model import DAY, CalendarException, Recurrence, RecurrenceKind

_LAST_DAY = 65_744  # 2149-12-31, the last day that a plan may use
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_POSITION = re.compile(r"([1-4]|-1)(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"(\d{4})(\d\d)(\d\d)(T\d{6}Z?)?", re.ASCII)


def load_holidays(path: str | Path) -> tuple[tuple[CalendarException, ...], int]:
    """The days off in a file, those that come again with their rule, and how many events have a time of day.

    Of an event that comes again by a rule that no calendar of ours can follow, its first time is taken. Raises
    FormatError as loading a file does.
    """
    events = read_agenda(path).events
    whole = [event for event in events if event.is_whole_day]
    return tuple(found for event in whole for found in _days_off(event)), len(events) - len(whole)


def _days_off(event: Event) -> list[CalendarException]:
    first, last = event.start // DAY, event.end // DAY - 1
    name = event.text("SUMMARY").strip()
    rule = next((line.value for line in event.lines if line.name == "RRULE"), "")
    if not rule:
        return [CalendarException(first, last, (), name)]
    days = [_again(day, rule, name) for day in range(first, min(last, first + 30) + 1)]
    found = [each for each in days if each is not None]
    return found if len(found) == len(days) else [CalendarException(first, last, (), name)]


def _again(first: int, rule: str, name: str) -> CalendarException | None:
    """One day of an event, by its rule; None where it cannot be said in ours."""
    parts = dict(part.upper().split("=", 1) for part in rule.strip().split(";") if "=" in part)
    if set(parts) - {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "WKST"}:
        return None
    day = date(1970, 1, 1) + timedelta(first)
    count, period = parts.get("COUNT", "0"), parts.get("INTERVAL", "1")
    found = _kind(parts, day)
    until = _until(parts.get("UNTIL", ""))
    if found is None or until is None or until < first or not (_is_number(count) and _is_number(period)):
        return None
    kind, weekdays, position = found
    again = Recurrence(kind, int(period), weekdays, day.day, day.month, position, int(count))
    return CalendarException(first, until, (), name, again)


def _kind(parts: dict[str, str], day: date) -> tuple[RecurrenceKind, tuple[int, ...], int] | None:
    """The kind of a rule, the days of the week it takes, and their place in the month."""
    by_day = parts.get("BYDAY", "")
    names = by_day.split(",") if by_day else []
    place = _POSITION.fullmatch(by_day)
    if parts.get("BYMONTH", str(day.month)) != str(day.month):
        return None
    if parts.get("BYMONTHDAY", str(day.day)) != str(day.day):
        return None
    frequency = parts.get("FREQ", "")
    if place and frequency in ("MONTHLY", "YEARLY"):
        position = 5 if place[1] == "-1" else int(place[1])
        kind = RecurrenceKind.MONTHLY_POSITION if frequency == "MONTHLY" else RecurrenceKind.YEARLY_POSITION
        return kind, (_WEEKDAYS.index(place[2]),), position
    if frequency == "WEEKLY" and set(names) <= set(_WEEKDAYS):
        return RecurrenceKind.WEEKLY, tuple(sorted(map(_WEEKDAYS.index, names))) or (day.weekday(),), 1
    simple = {
        "DAILY": RecurrenceKind.DAILY,
        "MONTHLY": RecurrenceKind.MONTHLY_DAY,
        "YEARLY": RecurrenceKind.YEARLY_DAY,
    }.get(frequency)
    return None if simple is None or names else (simple, (), 1)


def _until(text: str) -> int | None:
    """The last day of a rule; the last that a plan may use where it says none."""
    if not text:
        return _LAST_DAY
    found = _UNTIL.fullmatch(text)
    try:
        return (date(*map(int, found.groups()[:3])) - date(1970, 1, 1)).days if found else None
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 6
