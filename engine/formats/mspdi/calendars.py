"""Calendars of an MSPDI file: weeks, work weeks, exceptions old and new, read. It never computes working time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import FormatError
from engine.formats.mspdi.values import Record
from engine.formats.xml_text import Element
from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    Recurrence,
    RecurrenceKind,
    Shift,
    Week,
    WorkWeek,
    split_nights,
)

Shifts = tuple[Shift, ...]
_OFFICE: Shifts = (Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600))
_EVERY_WEEKDAY = (0, 1, 2, 3, 4)
# What MonthItem says: any day, Monday to Friday, Saturday and Sunday, then Sunday to Saturday.
MONTH_ITEMS: tuple[tuple[int, ...], ...] = ((), _EVERY_WEEKDAY, (5, 6), (6,), (0,), (1,), (2,), (3,), (4,), (5,))
KINDS = {
    2: RecurrenceKind.YEARLY_DAY,
    3: RecurrenceKind.YEARLY_POSITION,
    4: RecurrenceKind.MONTHLY_DAY,
    5: RecurrenceKind.MONTHLY_POSITION,
    6: RecurrenceKind.WEEKLY,
    7: RecurrenceKind.DAILY,
    8: RecurrenceKind.WEEKLY,  # so many weekdays
}
UNDERSTOOD = frozenset(("UID", "Name", "IsBaseCalendar", "BaseCalendarUID", "WeekDays", "Exceptions", "WorkWeeks"))


def read_calendars(project: Element) -> tuple[Calendar, ...]:
    """Every calendar, those that others rest on first. Raises FormatError with the line."""
    records = [Record(element) for element in project.below("Calendars", "Calendar")]
    numbers = {record.integer("UID", -1) for record in records}
    own = Record(project).integer("CalendarUID", -1)
    found: dict[int, Calendar] = {}
    for record in records:
        if not record.has("UID"):
            raise FormatError("A calendar has no UID", line=record.line)
        number = record.integer("UID")
        if number in found:
            raise FormatError(f"Two calendars have the UID {number}", line=record.line)
        base = None if record.flag("IsBaseCalendar") else record.integer("BaseCalendarUID", -1)
        if base is not None and (base not in numbers or base == number):
            # Of a resource, and of a base that the file does not hold: the project's takes its place.
            base = own if own in numbers and own != number else None
        found[number] = _calendar(record, number, base)
    return sort_calendars(found.values())


def sort_calendars(calendars: Iterable[Calendar]) -> tuple[Calendar, ...]:
    """Bases before those that rest on them, by id otherwise: the order in which they are read and written."""
    known = {calendar.id: calendar for calendar in calendars}

    def depth(calendar: Calendar) -> int:
        seen: set[int] = set()
        base = calendar.base
        while base is not None and base in known and base not in seen:
            seen.add(base)
            base = known[base].base
        return len(seen)

    return tuple(sorted(known.values(), key=lambda calendar: (depth(calendar), calendar.id)))


def _calendar(record: Record, number: int, base: int | None) -> Calendar:
    days = record.child("WeekDays")
    rules = [Record(day) for day in days.all("WeekDay")] if days else []
    # Newer files say their exceptions twice: once so that older programs understand them.
    new = _children(record, "Exceptions", "Exception")
    exceptions = [_exception(Record(each)) for each in new] or [
        _old_exception(rule) for rule in rules if rule.integer("DayType") == 0
    ]
    return Calendar(
        number,
        record.text("Name"),
        _week(rules, is_derived=base is not None),
        tuple(exceptions),
        base,
        tuple(_work_week(Record(each)) for each in _children(record, "WorkWeeks", "WorkWeek")),
    )


def _children(record: Record, parent: str, tag: str) -> list[Element]:
    element = record.child(parent)
    return list(element.all(tag)) if element else []


def _week(rules: Sequence[Record], *, is_derived: bool) -> Week:
    """Seven days; a shift that ends the next morning is two, one in each day."""
    week: list[Shifts | None] = [None] * 7
    over: list[Shifts] = [()] * 7
    for rule in rules:
        if 1 <= rule.integer("DayType") <= 7:
            day = (rule.integer("DayType") + 5) % 7
            week[day], over[(day + 1) % 7] = _day(rule)
    if not is_derived:
        week = [(_OFFICE if day < 5 else ()) if shifts is None else shifts for day, shifts in enumerate(week)]
    return tuple(
        shifts if not night else tuple(sorted((*(shifts or ()), *night), key=lambda shift: shift.start))
        for shifts, night in zip(week, over, strict=True)
    )


def _day(rule: Record) -> tuple[Shifts, Shifts]:
    """Shifts of a day, and what of them lies in the next."""
    return split_nights(_shifts(rule))


def _shifts(rule: Record) -> Shifts:
    """Shifts that begin in a day; one that ends the next morning ends there."""
    if not rule.flag("DayWorking"):
        return ()
    times = _children(rule, "WorkingTimes", "WorkingTime")
    found = []
    for time in map(Record, times):
        start, end = time.seconds("FromTime"), time.seconds("ToTime")
        if start is None or end is None:
            continue
        end = end or DAY
        if start != end:
            found.append(Shift(start, end if start < end else DAY + end))
    return tuple(found) if times else _OFFICE


def read_period(record: Record) -> tuple[int, int]:
    """First and last day of a TimePeriod."""
    element = record.child("TimePeriod")
    if element is None:
        raise FormatError("An exception of a calendar has no TimePeriod", line=record.line)
    period = Record(element)
    first, last = period.instant("FromDate"), period.instant("ToDate")
    if first is None or last is None:
        raise FormatError("An exception of a calendar does not say when it is", line=period.line)
    return first // DAY, max(first, last) // DAY


def _old_exception(rule: Record) -> CalendarException:
    return CalendarException(*read_period(rule), _shifts(rule))


def _exception(record: Record) -> CalendarException:
    shifts = _shifts(record) if record.flag("DayWorking") else ()
    return CalendarException(*read_period(record), shifts, record.text("Name"), _recurrence(record))


def _recurrence(record: Record) -> Recurrence | None:
    number = record.integer("Type", 1)
    kind = KINDS.get(number)
    if kind is None:  # 1: every day of the period; 9: no kind
        return None
    occurrences = max(0, record.integer("Occurrences")) if record.flag("EnteredByOccurrences") else 0
    period = max(1, record.integer("Period", 1))
    if kind is RecurrenceKind.WEEKLY:
        return Recurrence(kind, period, _weekdays(record, number), occurrences=occurrences)
    if kind is RecurrenceKind.DAILY:
        return Recurrence(kind, period, occurrences=occurrences)
    is_yearly = kind in (RecurrenceKind.YEARLY_DAY, RecurrenceKind.YEARLY_POSITION)
    month = _within(record, "Month", 0, 11) + 1 if is_yearly else 1
    if kind in (RecurrenceKind.MONTHLY_DAY, RecurrenceKind.YEARLY_DAY):
        day = _within(record, "MonthDay", 1, 31)
        return Recurrence(kind, period, month_day=day, month=month, occurrences=occurrences)
    weekdays = MONTH_ITEMS[_within(record, "MonthItem", 0, len(MONTH_ITEMS) - 1)]
    position = _within(record, "MonthPosition", 0, 4) + 1
    return Recurrence(kind, period, weekdays, month=month, position=position, occurrences=occurrences)


def _weekdays(record: Record, number: int) -> tuple[int, ...]:
    """DaysOfWeek counts Sunday as 1, Monday as 2, Tuesday as 4 ..."""
    mask = record.integer("DaysOfWeek", 62 if number == 8 else 0)
    return tuple(day for day in range(7) if mask >> (day + 1) % 7 & 1)


def _within(record: Record, tag: str, low: int, high: int) -> int:
    value = record.integer(tag, low)
    if not low <= value <= high:
        raise record.wrong(tag, f"number from {low} to {high}")
    return value


def _work_week(record: Record) -> WorkWeek:
    rules = [Record(day) for day in _children(record, "WeekDays", "WeekDay")]
    return WorkWeek(*read_period(record), _week(rules, is_derived=True), record.text("Name"))
