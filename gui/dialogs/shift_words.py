"""Shifts and days of a calendar as a person types them. It never knows a calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from engine.errors import PlanError
from engine.model import DAY, Shift

_EPOCH = date(1970, 1, 1)
_SHIFT = re.compile(r"\s*(\d{1,2})(?::(\d{2}))?\s*[-\N{EN DASH}]\s*(\d{1,2})(?::(\d{2}))?\s*")


def shifts_text(shifts: tuple[Shift, ...]) -> str:
    """Such as "08:00-12:00, 13:00-17:00"; nothing for a day off."""
    return ", ".join(f"{_clock(shift.start)}-{_clock(shift.end)}" for shift in shifts)


def parse_shifts(text: str) -> tuple[Shift, ...]:
    """The shifts that were typed, in order; an end of 0:00 is that of the day. Raises PlanError that names the text."""
    found = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        match = _SHIFT.fullmatch(part)
        if match is None:
            raise PlanError(_wrong(part))
        first, last = (_seconds(match[place], match[place + 1]) for place in (1, 3))
        last = last or DAY
        if not first < last <= DAY:
            raise PlanError(_wrong(part))
        found.append(Shift(first, last))
    found.sort(key=lambda shift: shift.start)
    if any(one.end > other.start for one, other in pairwise(found)):
        raise PlanError(_tr("The shifts “{text}” overlap.").format(text=text))
    return tuple(found)


def day_text(day: int) -> str:
    """A day since 1970-01-01 as 2026-12-25."""
    return (_EPOCH + timedelta(days=day)).isoformat()


def parse_day(text: str) -> int:
    """The day that was typed. Raises PlanError that names the text."""
    try:
        return (date.fromisoformat(text.strip()) - _EPOCH).days
    except ValueError as error:
        raise PlanError(_tr("“{text}” is no date: type it as 2026-12-25.").format(text=text)) from error


def _clock(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _seconds(hours: str, minutes: str | None) -> int:
    return int(hours) * 3600 + int(minutes or 0) * 60


def _wrong(part: str) -> str:
    return _tr("“{part}” is no shift of a day: type it as 08:00-12:00.").format(part=part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Shifts", text)
