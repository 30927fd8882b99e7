"""Calendar: which seconds of which days are worked. It never computes with them; schedule/working_time.py does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError

DAY = 86_400
_FARTHEST_DAY = 1_000_000  # some 2,700 years from 1970; the schedule says which years it can compute with


@dataclass(frozen=True, slots=True)
class Shift:
    """Working seconds of a day, half-open: 0 <= start < end <= 86400; a night of a week is two of them.

    Of an exception the end may lie in the next day: start < 86400 and end <= start + 86400.
    """

    start: int
    end: int


class RecurrenceKind(Enum):
    """How an exception comes again."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY_DAY = "monthly_day"
    MONTHLY_POSITION = "monthly_position"
    YEARLY_DAY = "yearly_day"
    YEARLY_POSITION = "yearly_position"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Which days from an exception's first to its last it takes.

    Every `period` days, weeks, months or years. `weekdays` (0 is Monday) are those of WEEKLY and of the positions;
    empty means any day there. `month_day` is 1 to 31, `month` 1 to 12, `position` 1 to 4, or 5 for the last.
    `occurrences` ends it after so many days; 0: the last day does.
    """

    kind: RecurrenceKind
    period: int = 1
    weekdays: tuple[int, ...] = ()
    month_day: int = 1
    month: int = 1
    position: int = 1
    occurrences: int = 0


@dataclass(frozen=True, slots=True)
class CalendarException:
    """Days worked otherwise. `first_day` to `last_day` inclusive, in days since 1970-01-01; no shifts: a day off.

    A shift that runs past midnight goes on into the next day, whatever else that day works. With a `recurrence` only
    the days it takes; an exception without one wins over one that recurs.
    """

    first_day: int
    last_day: int
    shifts: tuple[Shift, ...] = ()
    name: str = ""
    recurrence: Recurrence | None = None


# Seven days, Monday first; None where the base calendar's day holds.
Week = tuple[tuple[Shift, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class WorkWeek:
    """A week that holds for a period only, `first_day` to `last_day` inclusive; it wins over the calendar's own."""

    first_day: int
    last_day: int
    week: Week
    name: str = ""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A working week, Monday first, its periods and its exceptions; of two that hold, the later one wins.

    A day's rule is the first there is of: exception, recurring exception, work week of a period, own week, then the
    same of the calendar `base` names. A calendar without a base has no None in its week.
    """

    id: int
    name: str
    week: Week
    exceptions: tuple[CalendarException, ...] = ()
    base: int | None = None
    periods: tuple[WorkWeek, ...] = ()

    def check(self) -> None:
        """Raises a PlanError where a rule above is broken, or where the week has no working time at all."""
        for week in (self.week, *(period.week for period in self.periods)):
            if len(week) != 7:
                raise PlanError(f"Calendar “{self.name}” has a week of {len(week)} days instead of seven.")
        if self.base is None and (not any(self.week) or None in self.week):
            raise PlanError(f"Calendar “{self.name}” has no working time: give it at least one shift in the week.")
        spans: tuple[CalendarException | WorkWeek, ...] = (*self.exceptions, *self.periods)
        for span in spans:
            if not -_FARTHEST_DAY <= span.first_day <= span.last_day <= _FARTHEST_DAY:
                raise PlanError(f"Exception “{span.name}” of calendar “{self.name}” ends before it begins.")
        days = (*self.week, *(day for period in self.periods for day in period.week))
        plain = [shift for shifts in days for shift in shifts or () if shift.end > DAY]
        every = (*days, *(exception.shifts for exception in self.exceptions))
        wrong = [s for shifts in every for s in shifts or () if not 0 <= s.start < s.end <= s.start + DAY < 2 * DAY]
        for shift in (*plain, *wrong):
            sentence = f"A shift from second {shift.start} to {shift.end} is not part of a day."
            raise PlanError(f"Calendar “{self.name}”: {sentence}")

    @staticmethod
    def standard(calendar_id: int = 1, name: str = "Standard") -> Calendar:
        """Monday to Friday, 08:00 to 12:00 and 13:00 to 17:00."""
        day = (Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600))
        return Calendar(calendar_id, name, (day,) * 5 + ((), ()))


def split_nights(shifts: Iterable[Shift]) -> tuple[tuple[Shift, ...], tuple[Shift, ...]]:
    """What of shifts lies in the day they begin in, and what in the next."""
    found = tuple(shifts)
    here = tuple(Shift(shift.start, min(shift.end, DAY)) for shift in found)
    return here, tuple(Shift(0, shift.end - DAY) for shift in found if shift.end > DAY)


def check_calendars(calendars: Mapping[int, Calendar], users: Iterable[tuple[str, int | None]]) -> None:
    """Raises a PlanError where a calendar breaks a rule, rests on itself, or somebody uses one that is not there."""
    for calendar in calendars.values():
        calendar.check()
        seen, base = {calendar.id}, calendar.base
        while base is not None:
            if base in seen or base not in calendars:
                raise PlanError(f"Calendar “{calendar.name}” rests on one that is not in the plan, or on itself.")
            seen.add(base)
            base = calendars[base].base
    for name, used in users:
        if used is not None and used not in calendars:
            raise PlanError(f"“{name}” uses calendar {used}, which is not in the plan.")
