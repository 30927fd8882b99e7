"""Calendars as MSPDI wants them, with names and days that Microsoft Project takes. It never dates a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from engine.formats.mspdi.calendars import KINDS, MONTH_ITEMS, sort_calendars
from engine.formats.mspdi.kept import elements
from engine.formats.mspdi.losses import Losses
from engine.formats.mspdi.order import CALENDAR
from engine.formats.mspdi.values import from_instant, from_seconds
from engine.formats.xml_text import escape
from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    Plan,
    Recurrence,
    RecurrenceKind,
    Shift,
    Week,
    WorkWeek,
    split_nights,
)
from engine.schedule.working_time import FIRST_DAY, LAST_DAY, WorkingTime

_LONGEST_NAME = 51
_MOST_SHIFTS = 5
_TYPES = {kind: number for number, kind in KINDS.items() if number != 8}


def calendars_xml(plan: Plan, kept: Mapping[int, str], losses: Losses) -> str:
    """All calendars, those that others rest on first. `kept` is what a file said of a calendar beyond the model."""
    calendars = sort_calendars(plan.calendar_of.values())
    names = _names(calendars, losses)
    based = {task.calendar for task in plan.tasks} | {plan.calendar.id if plan.calendar else None}
    for calendar in calendars:
        if calendar.base is not None and calendar.id in based:
            losses.say("Microsoft Project knows calendars that rest on others only of resources", calendar.name)
    whole = [replace(each, exceptions=_whole_days(each, plan.calendar_of, losses)) for each in calendars]
    parts = (_calendar(calendar, names[calendar.id], kept.get(calendar.id, ""), losses) for calendar in whole)
    return f"<Calendars>{''.join(parts)}</Calendars>"


def _names(calendars: Sequence[Calendar], losses: Losses) -> dict[int, str]:
    """Names of at most 51 characters on one line, and no two alike among those that others can rest on."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for calendar in calendars:
        name = " ".join(calendar.name.splitlines())[:_LONGEST_NAME]
        number = 1
        while calendar.base is None and name and name in taken:
            number += 1
            end = f" ({number})"
            name = calendar.name[: _LONGEST_NAME - len(end)] + end
        taken.add(name)
        if name != calendar.name:
            losses.say("Calendars get names that Microsoft Project takes", calendar.name)
        found[calendar.id] = name
    return found


def _calendar(calendar: Calendar, name: str, kept: str, losses: Losses) -> str:
    days = _days(calendar.week)
    exceptions = "".join(_exception(each, calendar, losses) for each in calendar.exceptions)
    periods = "".join(map(_period, calendar.periods))
    everything = (
        *calendar.week,
        *(e.shifts for e in calendar.exceptions),
        *(d for p in calendar.periods for d in p.week),
    )
    if any(len(shifts or ()) > _MOST_SHIFTS for shifts in everything):
        losses.say("Microsoft Project takes five shifts a day at most", calendar.name)
    made = (
        ("UID", f"<UID>{calendar.id}</UID>"),
        ("Name", f"<Name>{escape(name)}</Name>"),
        ("IsBaseCalendar", f"<IsBaseCalendar>{int(calendar.base is None)}</IsBaseCalendar>"),
        ("BaseCalendarUID", f"<BaseCalendarUID>{-1 if calendar.base is None else calendar.base}</BaseCalendarUID>"),
        ("WeekDays", f"<WeekDays>{days}</WeekDays>" if days else ""),
        ("Exceptions", f"<Exceptions>{exceptions}</Exceptions>" if exceptions else ""),
        ("WorkWeeks", f"<WorkWeeks>{periods}</WorkWeeks>" if periods else ""),
    )
    return f"<Calendar>{CALENDAR.arrange(made, elements(kept))}</Calendar>"


def _whole_days(calendar: Calendar, calendars: Mapping[int, Calendar], losses: Losses) -> tuple[CalendarException, ...]:
    """Exceptions that end at midnight, as Microsoft Project has them: what runs on lies in the day after."""
    found, after = [], []
    for each in calendar.exceptions:
        if all(shift.end <= DAY for shift in each.shifts):
            found.append(each)
        elif each.recurrence is not None:
            losses.say("Exceptions that come again end at midnight", calendar.name)
            found.append(replace(each, shifts=split_nights(each.shifts)[0]))
        else:
            time = WorkingTime.of(calendar, calendars)
            days = range(max(each.first_day, FIRST_DAY), min(each.last_day + 1, LAST_DAY) + 1)
            for shifts, run in groupby(days, key=partial(_worked_on, time)):
                same = tuple(run)
                after.append(CalendarException(same[0], same[-1], shifts, each.name))
    return (*found, *after)


def _worked_on(time: WorkingTime, day: int) -> tuple[Shift, ...]:
    starts, ends = time.intervals(day * DAY, (day + 1) * DAY)
    hours = zip((starts - day * DAY).tolist(), (ends - day * DAY).tolist(), strict=True)
    return tuple(Shift(start, end) for start, end in hours)


def _days(week: Week) -> str:
    """The days of a week that say something, Sunday, which is day 1, first."""
    days = ((number, week[(number + 5) % 7]) for number in range(1, 8))
    return "".join(
        f"<WeekDay><DayType>{number}</DayType>{_worked(shifts)}</WeekDay>"
        for number, shifts in days
        if shifts is not None
    )


def _worked(shifts: Sequence[Shift]) -> str:
    times = "".join(
        f"<WorkingTime><FromTime>{from_seconds(shift.start)}</FromTime><ToTime>{from_seconds(shift.end)}</ToTime>"
        "</WorkingTime>"
        for shift in shifts
    )
    return f"<DayWorking>{int(bool(shifts))}</DayWorking>" + (f"<WorkingTimes>{times}</WorkingTimes>" if times else "")


def _span(first_day: int, last_day: int) -> str:
    first, last = from_instant(first_day * DAY), from_instant((last_day + 1) * DAY - 60)
    return f"<TimePeriod><FromDate>{first}</FromDate><ToDate>{last}</ToDate></TimePeriod>"


def _exception(exception: CalendarException, calendar: Calendar, losses: Losses) -> str:
    """An exception; nothing where it comes again in a way that has no words in MSPDI."""
    rule = exception.recurrence
    if rule is None:
        count, kind, how = exception.last_day - exception.first_day + 1, 1, ""
    elif _is_by_position(rule) and tuple(sorted(set(rule.weekdays))) not in MONTH_ITEMS:
        losses.say("Exceptions that come again on several weekdays of a month are left out", calendar.name)
        return ""
    else:
        count, kind, how = rule.occurrences, _TYPES[rule.kind], _recurrence(rule)
    by_count = int(rule is not None and rule.occurrences > 0)
    return (
        f"<Exception><EnteredByOccurrences>{by_count}</EnteredByOccurrences>"
        f"{_span(exception.first_day, exception.last_day)}<Occurrences>{count}</Occurrences>"
        f"<Name>{escape(exception.name)}</Name><Type>{kind}</Type>{how}{_worked(exception.shifts)}</Exception>"
    )


def _is_by_position(rule: Recurrence) -> bool:
    return rule.kind in (RecurrenceKind.MONTHLY_POSITION, RecurrenceKind.YEARLY_POSITION)


def _recurrence(rule: Recurrence) -> str:
    is_yearly = rule.kind in (RecurrenceKind.YEARLY_DAY, RecurrenceKind.YEARLY_POSITION)
    how = "" if is_yearly and rule.period == 1 else f"<Period>{rule.period}</Period>"
    if rule.kind is RecurrenceKind.WEEKLY:
        how += f"<DaysOfWeek>{sum(1 << (day + 1) % 7 for day in set(rule.weekdays))}</DaysOfWeek>"
    if is_yearly:
        how += f"<Month>{rule.month - 1}</Month>"
    if _is_by_position(rule):
        item = MONTH_ITEMS.index(tuple(sorted(set(rule.weekdays))))
        how += f"<MonthItem>{item}</MonthItem><MonthPosition>{rule.position - 1}</MonthPosition>"
    if rule.kind in (RecurrenceKind.MONTHLY_DAY, RecurrenceKind.YEARLY_DAY):
        how += f"<MonthDay>{rule.month_day}</MonthDay>"
    return how


def _period(period: WorkWeek) -> str:
    days = _days(period.week)
    span, name = _span(period.first_day, period.last_day), escape(period.name)
    return f"<WorkWeek>{span}<Name>{name}</Name><WeekDays>{days}</WeekDays></WorkWeek>"
