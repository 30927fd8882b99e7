"""The calendar of a .gan file, read and written. It never touches the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from engine.formats.gan.days import HOURS, WEEKDAYS, date_of, day_of, is_yearly, whole_week, yearly
from engine.formats.xml_text import Element
from engine.model import Calendar, CalendarException, Plan

MOST_DATES = 5_000  # a file that lists more days than these is no help to anybody
_TRUE = ("true", "1")


def read_calendar(root: Element, error: Callable[[Element, str], Exception]) -> Calendar:
    """Its days off and its dates; `error` says where one is none."""
    weeks = root.below("calendars", "day-types", "default-week")
    shown = root.below("calendars", "day-types", "only-show-weekends")
    off = weeks[0].attributes if weeks else {"sat": "1", "sun": "1"}
    if any(each.attributes.get("value") in _TRUE for each in shown):
        off = {}  # they are drawn, and worked
    week = tuple(() if off.get(day) in _TRUE else HOURS for day in WEEKDAYS)
    name = weeks[0].attributes.get("name") if weeks else ""
    return Calendar(1, name or "Standard", week, tuple(_exceptions(root, error)))


def _exceptions(root: Element, error: Callable[[Element, str], Exception]) -> Iterator[CalendarException]:
    for element in root.below("calendars", "date"):
        kind = element.attributes.get("type", "HOLIDAY")
        if kind == "NEUTRAL":  # a day with a name or a color, and nothing else
            continue
        shifts = () if kind == "HOLIDAY" else HOURS
        year, month, day = (element.attributes.get(part, "").strip() for part in ("year", "month", "date"))
        try:
            if not year:
                date(2000, int(month), int(day))
                yield yearly(int(month), int(day), shifts, element.text)
                continue
            number = day_of(f"{year:0>4}-{month}-{day}")
        except ValueError:
            raise error(element, f"has a holiday on no date: “{year}-{month}-{day}”") from None
        yield CalendarException(number, number, shifts, element.text)


def write_calendar(plan: Plan, say: Callable[[str], None]) -> Element:
    """The plan's own calendar as an element; `say` is told what it cannot hold."""
    week = whole_week(plan)
    off = {day: "0" if shifts else "1" for day, shifts in zip(WEEKDAYS, week, strict=True)}
    calendar = plan.calendar or Calendar.standard()
    days = Element("day-types", children=[Element("day-type", attributes={"id": str(n)}) for n in (0, 1)])
    days.children += [
        Element("default-week", attributes={"id": "1", "name": calendar.name or "default", **off}),
        Element("only-show-weekends", attributes={"value": "false"}),
        Element("overriden-day-types"),
        Element("days"),
    ]
    calendars = [plan.calendar_of[base] for base in _bases(plan, calendar)]
    if any(shifts and shifts != HOURS for shifts in (*week, *(e.shifts for c in calendars for e in c.exceptions))):
        say("Its hours: a day of GanttProject is worked from 08:00 to 17:00 or not at all.")
    if any(each.periods for each in calendars):
        say("Its work weeks that hold for a period only.")
    exceptions = [exception for each in reversed(calendars) for exception in each.exceptions]
    return Element("calendars", children=[days, *_dates(exceptions, say)])


def _bases(plan: Plan, calendar: Calendar) -> Iterator[int]:
    at: int | None = calendar.id
    while at is not None:
        yield at
        at = plan.calendar_of[at].base


def _dates(exceptions: list[CalendarException], say: Callable[[str], None]) -> Iterator[Element]:
    """Each day once: the last exception that takes it wins."""
    every_year = [each for each in exceptions if is_yearly(each)]
    single: dict[int, CalendarException] = {}
    for each in exceptions:
        if each.recurrence is None:
            last = min(each.last_day, each.first_day + MOST_DATES - len(single) - 1)
            if last < each.last_day:
                say(f"Most of the {each.last_day - each.first_day + 1} days of the exception “{each.name}”.")
            single.update(dict.fromkeys(range(each.first_day, last + 1), each))
    if len(every_year) + sum(each.recurrence is None for each in exceptions) < len(exceptions):
        say("Its exceptions that come again at other times than once a year.")
    for each in every_year:
        again = each.recurrence
        if again is not None:
            yield _date("", again.month, again.month_day, each)
    for day, each in sorted(single.items()):
        on = date_of(day)
        yield _date(str(on.year), on.month, on.day, each)


def _date(year: str, month: int, day: int, exception: CalendarException) -> Element:
    kind = "WORKING_DAY" if exception.shifts else "HOLIDAY"
    on = {"year": year, "month": str(month), "date": str(day), "type": kind}
    return Element("date", attributes=on, text=exception.name)
