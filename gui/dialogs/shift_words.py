"""Shifts of a day and of a week as a person types and reads them. It never knows a calendar.

A shift that ends by an earlier hour than it begins, 22:00-06:00, runs into the next day; of a week a calendar keeps two
of it, of a day that stands alone one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from engine.errors import PlanError
from engine.model import DAY, Shift, Week

SAME = "="  # a day of a calendar that rests on another: as there
_HOUR = 3600
_CLOCK = r"(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm)?"
_SHIFT = re.compile(rf"{_CLOCK}\s*(?:[-\N{{EN DASH}}]|to)\s*{_CLOCK}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedDay:
    """The shifts of a day, in order, and the second of the next day until which the last one runs on, or 0."""

    shifts: tuple[Shift, ...] = ()
    over: int = 0


def shifts_text(shifts: tuple[Shift, ...], over: int = 0) -> str:
    """Such as "08:00-12:00, 13:00-17:00"; nothing for a day off. The last one runs on until `over`, if any."""
    ends = [shift.end - DAY if shift.end > DAY else shift.end for shift in shifts]
    if over:
        ends[-1] = over
    return ", ".join(f"{_clock(shift.start)}-{_clock(end)}" for shift, end in zip(shifts, ends, strict=True))


def parse_day(text: str) -> TypedDay:
    """The shifts that were typed; an end of 0:00 is that of the day. Raises PlanError that names the text."""
    found, over = [], 0
    for part in filter(None, (each.strip() for each in re.split("[,;]", text))):
        first, last = _ends(part)
        if last <= first:
            if over:
                raise PlanError(_tr("Two shifts of “{text}” run past midnight.").format(text=text.strip()))
            over, last = last, DAY
        found.append(Shift(first, last))
    found.sort(key=lambda shift: shift.start)
    if any(one.end > other.start for one, other in pairwise(found)):
        raise PlanError(_tr("The shifts “{text}” overlap.").format(text=text.strip()))
    return TypedDay(tuple(found), over)


def parse_shifts(text: str) -> tuple[Shift, ...]:
    """The shifts of a day that stands alone; one may run on into the next. Raises PlanError that names the text."""
    day = parse_day(text)
    return (*day.shifts[:-1], replace(day.shifts[-1], end=DAY + day.over)) if day.over else day.shifts


def typed_week(week: Week) -> tuple[TypedDay | None, ...]:
    """A week as it is written: what runs past midnight stands with the day on which it began."""
    overs = [_over(week[day], week[(day + 1) % 7]) for day in range(7)]
    return tuple(
        None if shifts is None else TypedDay(shifts[1:] if overs[day - 1] else shifts, overs[day])
        for day, shifts in enumerate(week)
    )


def kept_week(days: Sequence[TypedDay | None], names: Sequence[str]) -> Week:
    """What was typed as a calendar keeps it: each day has its own part of a night. Raises PlanError that names days."""
    week: list[tuple[Shift, ...] | None] = []
    for at, day in enumerate(days):
        before = days[at - 1]
        over = before.over if before else 0
        if over and day is None:
            words = _tr("The night of {first} runs into {last}: type the shifts of {last} too, in the place of “=”.")
            raise PlanError(words.format(first=names[at - 1], last=names[at]))
        if over and day is not None and day.shifts and day.shifts[0].start < over:
            words = _tr("The night of {first} ends at {clock}, when {last} is at work already.")
            raise PlanError(words.format(first=names[at - 1], last=names[at], clock=_clock(over)))
        week.append(None if day is None else ((Shift(0, over),) if over else ()) + day.shifts)
    return tuple(week)


def understood(day: TypedDay, next_day: str) -> str:
    """What a day means: "8 h", or "8 h, until 06:00 on Tuesday"; nothing for a day off."""
    seconds = sum(shift.end - shift.start for shift in day.shifts) + day.over
    if not seconds:
        return ""
    hours = _tr("{hours} h").format(hours=f"{seconds / _HOUR:.2f}".rstrip("0").rstrip("."))
    if not day.over:
        return hours
    return _tr("{hours}, until {clock} on {day}").format(hours=hours, clock=_clock(day.over), day=next_day)


def _over(shifts: tuple[Shift, ...] | None, following: tuple[Shift, ...] | None) -> int:
    """The second of the next day until which the last shift of a day runs on, as a person would write it; else 0."""
    if not shifts or not following or shifts[-1].end != DAY or following[0].start:
        return 0
    return following[0].end if following[0].end <= shifts[-1].start else 0


def _ends(part: str) -> tuple[int, int]:
    """The seconds of a day from and until which a shift was typed."""
    match = _SHIFT.fullmatch(part)
    if match is None:
        raise PlanError(_wrong(part))
    first, last = (_seconds(part, *match.group(place, place + 1, place + 2)) for place in (1, 4))
    if first == DAY:
        raise PlanError(_wrong(part))
    return first, last or DAY


def _clock(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _seconds(part: str, hours: str, minutes: str | None, half: str | None) -> int:
    hour = int(hours)
    if half:
        hour = hour % 12 + (12 if half.casefold() == "pm" else 0) if 1 <= hour <= 12 else DAY
    seconds = hour * _HOUR + int(minutes or 0) * 60
    if seconds > DAY or int(minutes or 0) > 59:
        raise PlanError(_wrong(part))
    return seconds


def _wrong(part: str) -> str:
    return _tr("“{part}” is no shift of a day: type it as 08:00-12:00, or 22:00-06:00 for a night.").format(part=part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Shifts", text)
