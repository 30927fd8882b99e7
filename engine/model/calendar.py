"""Calendar: which seconds of which days are worked. It never computes with them; schedule/working_time.py does."""

from __future__ import annotations

from dataclasses import dataclass

DAY = 86_400


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

    @staticmethod
    def standard(calendar_id: int = 1, name: str = "Standard") -> Calendar:
        """Monday to Friday, 08:00 to 12:00 and 13:00 to 17:00."""
        day = (Shift(8 * 3600, 12 * 3600), Shift(13 * 3600, 17 * 3600))
        return Calendar(calendar_id, name, (day,) * 5 + ((), ()))
