"""Days, weeks and holidays as GanttProject counts them. It never reads or writes a file.

GanttProject knows whole days only. A day of work is eight hours of ours, 08:00 to 12:00 and 13:00 to 17:00.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise

from engine.model import (
    DAY,
    Calendar,
    CalendarException,
    Plan,
    Recurrence,
    RecurrenceKind,
    Shift,
    Ticks,
    Week,
)
from engine.schedule.working_time import FIRST_DAY, LAST_DAY, WorkingTime

DAY_OF_WORK = 8 * 3600
HOURS = (Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600))
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_EPOCH = date(1970, 1, 1)
_DATE = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*", re.ASCII)


def day_of(text: str) -> int:
    """Days since 1970-01-01 of a date such as 2024-05-27. Raises ValueError where it is none."""
    found = _DATE.fullmatch(text)
    if not found:
        raise ValueError(text)
    return (date(*map(int, found.groups())) - _EPOCH).days


def text_of(day: int) -> str:
    """2024-05-27."""
    return date_of(day).isoformat()


def date_of(day: int) -> date:
    """The date so many days after 1970-01-01, or the first or last that there is."""
    return _EPOCH + timedelta(max(-719_162, min(day, 2_932_896)))


def yearly(month: int, month_day: int, shifts: tuple[Shift, ...], name: str) -> CalendarException:
    """A date that comes every year."""
    again = Recurrence(RecurrenceKind.YEARLY_DAY, month=month, month_day=month_day)
    return CalendarException(FIRST_DAY, LAST_DAY, shifts, name, again)


def is_yearly(exception: CalendarException) -> bool:
    """Whether an exception takes one date of every year that a plan can reach."""
    again = exception.recurrence
    return (
        again is not None
        and (again.kind, again.period, again.occurrences) == (RecurrenceKind.YEARLY_DAY, 1, 0)
        and (exception.first_day, exception.last_day) == (FIRST_DAY, LAST_DAY)
    )


def whole_week(plan: Plan) -> Week:
    """The week of the plan's calendar, its bases' days filled in."""
    calendar = plan.calendar or Calendar.standard()
    week = list(calendar.week)
    while None in week and calendar.base is not None:
        calendar = plan.calendar_of[calendar.base]
        week = [own if own is not None else below for own, below in zip(week, calendar.week, strict=True)]
    return tuple(week)


class WorkedDays:
    """Which days of a span are worked, counted once."""

    def __init__(self, time: WorkingTime, instants: Iterable[Ticks]) -> None:
        found = [instant // DAY for instant in instants]
        self._time = time
        self._first = max(min(found, default=0), FIRST_DAY)
        self._last = min(max(found, default=0), LAST_DAY) + 1

    @cached_property
    def _counts(self) -> list[int]:
        """Worked days before each day of the span."""
        done = [self._time.work_before(day * DAY) for day in range(self._first, self._last + 2)]
        counts = [0]
        for before, after in pairwise(done):
            counts.append(counts[-1] + (after > before))
        return counts

    def count(self, start: Ticks, finish: Ticks) -> int:
        """Worked days that the time from one instant to another touches."""
        first, last = self._index(start // DAY), self._index(-(-finish // DAY))
        return max(0, self._counts[last] - self._counts[first])

    def _index(self, day: int) -> int:
        return max(0, min(day - self._first, len(self._counts) - 1))
