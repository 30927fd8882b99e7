"""Calendar: which seconds of which days are worked. It never computes with them; schedule/working_time.py does."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import PlanError

DAY = 86_400
_FARTHEST_DAY = 1_000_000  # some 2,700 years from 1970; the schedule says which years it can compute with


@dataclass(frozen=True, slots=True)
class Shift:
    """Working seconds of a day, half-open: 0 <= start < end <= 86400 (a night shift is two of them)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CalendarException:
    """Days worked otherwise. `first_day` to `last_day` inclusive, in days since 1970-01-01; no shifts: a day off."""

    first_day: int
    last_day: int
    shifts: tuple[Shift, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A working week, Monday first, and its exceptions. A later exception wins over an earlier one."""

    id: int
    name: str
    week: tuple[tuple[Shift, ...], ...]
    exceptions: tuple[CalendarException, ...] = ()

    def check(self) -> None:
        """Raises a PlanError where a rule above is broken, or where the week has no working time at all."""
        if len(self.week) != 7:
            raise PlanError(f"Calendar “{self.name}” has {len(self.week)} days in its week instead of seven.")
        if not any(self.week):
            raise PlanError("The plan has no working time: give its calendar at least one shift in the week.")
        for exception in self.exceptions:
            if not -_FARTHEST_DAY <= exception.first_day <= exception.last_day <= _FARTHEST_DAY:
                raise PlanError(f"Exception “{exception.name}” of calendar “{self.name}” ends before it begins.")
        for shifts in (*self.week, *(exception.shifts for exception in self.exceptions)):
            for shift in shifts:
                if not 0 <= shift.start < shift.end <= DAY:
                    sentence = f"A shift from second {shift.start} to {shift.end} is not part of a day."
                    raise PlanError(f"Calendar “{self.name}”: {sentence}")

    @staticmethod
    def standard(calendar_id: int = 1, name: str = "Standard") -> Calendar:
        """Monday to Friday, 08:00 to 12:00 and 13:00 to 17:00."""
        day = (Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600))
        return Calendar(calendar_id, name, (day,) * 5 + ((), ()))
