"""Dates and times of day as people write them in tables. It never asks what day it is.

A date without a time is a whole day; a date with one is that instant, whatever zone stands behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from engine.model import DAY, Ticks

_EPOCH = datetime(1970, 1, 1)
_EXCEL_EPOCH = -25_569  # 1899-12-30 in days since 1970-01-01


class DateOrder(Enum):
    """In which order a date such as 03/04/2025 names its parts. A year of four digits in front speaks for itself."""

    DAY_FIRST = "D/M/Y"
    MONTH_FIRST = "M/D/Y"
    YEAR_FIRST = "Y/M/D"


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant in ticks; midnight where only a day was written."""

    ticks: Ticks
    has_time: bool


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("jan ene gen янв", "feb fév fev фев", "mar mär maa mrz мар", "apr avr abr апр", "may mai mag mei май"),
            *("jun juin giu июн", "jul juil lug июл", "aug aoû ago авг", "sep set сен", "oct okt ott out окт"),
            *("nov ноя", "dec dez déc dic дек"),
        ),
        1,
    )
    for name in names.split()
}
_NUMBERS = re.compile(r"(\d{1,4})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*(?:de\s+)?([^\W\d_]{3,})\.?[\s,-]*(?:de\s+)?(\d{4}|\d{2})")
_MONTH_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}|\d{2})")
_WEEKDAY = re.compile(r"[^\W\d_]{2,}\.?,?\s+(?=\d)")
_TIME = re.compile(
    r"[Tt\s,-]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*([AaPp])?(?:\.?\s*[Mm]\.?)?\s*(?:Uhr|h)?"
    r"\s*(?:[Zz]|[A-Z]{3,4}|[+-]{1,2}\d\d:?\d\d)?"
)
_SERIAL = re.compile(r"\d{5}(\.\d+)?")
_CJK = {ord("年"): "-", ord("月"): "-", ord("日"): " "}
_NOTHING = {"", "na", "n/a", "nv", "nd", "nc", "-", "--", "none", "nan", "nat"}


def is_nothing(text: str) -> bool:
    """Whether a cell says that there is no date: empty, or NA in one of its languages."""
    return text.strip().casefold() in _NOTHING


def parse_moment(text: str, order: DateOrder) -> Moment | None:
    """The date in a cell, None where it cannot be read."""
    text = text.translate(_CJK).strip()
    if _SERIAL.fullmatch(text):  # a day in a spreadsheet's own count
        return Moment((int(float(text)) + _EXCEL_EPOCH) * DAY + _seconds(float(text) % 1), "." in text)
    day, rest = _day(text, order)
    if day is None:
        return None
    if not rest.strip():
        return Moment(day * DAY, False)
    matched = _TIME.fullmatch(rest)
    seconds = _time_of_day(*matched.groups()) if matched else None
    return None if seconds is None else Moment(day * DAY + seconds, True)


def sniff_order(texts: Iterable[str]) -> tuple[DateOrder | None, bool]:
    """The order that the numbers of whole columns allow, and whether they allow no other; None if there is no hint."""
    first_most = second_most = 0
    dots = other = False
    for text in texts:
        matched = _NUMBERS.search(text)
        if matched is None:
            continue
        if len(matched[1]) > 2:
            continue
        other = True
        dots |= matched[2] == "."
        if len(matched[4]) <= 2 and int(matched[1]) > 31:
            return DateOrder.YEAR_FIRST, True
        first_most, second_most = max(first_most, int(matched[1])), max(second_most, int(matched[3]))
    if not other:
        return DateOrder.YEAR_FIRST, True
    if first_most > 12:
        return DateOrder.DAY_FIRST, True
    if second_most > 12:
        return DateOrder.MONTH_FIRST, True
    return (DateOrder.DAY_FIRST, True) if dots else (None, False)


def _day(text: str, order: DateOrder) -> tuple[int | None, str]:
    """The day since 1970-01-01, and what stands behind it."""
    for at in (0, found.end() if (found := _WEEKDAY.match(text)) else 0):
        matched = _NUMBERS.match(text, at)
        if matched:
            return _from_numbers(matched, order), text[matched.end() :]
        matched = _DAY_MONTH.match(text, at)
        if matched and (month := _month(matched[2])):
            return _number_of(_year(matched[3]), month, int(matched[1])), text[matched.end() :]
        matched = _MONTH_DAY.match(text, at)
        if matched and (month := _month(matched[1])):
            return _number_of(_year(matched[3]), month, int(matched[2])), text[matched.end() :]
    if len(text) == 8 and text.isdecimal():
        return _number_of(int(text[:4]), int(text[4:6]), int(text[6:])), ""
    return None, ""


def _from_numbers(matched: re.Match[str], order: DateOrder) -> int | None:
    first, second, third = matched[1], int(matched[3]), matched[4]
    if len(first) > 2 or order is DateOrder.YEAR_FIRST:
        return _number_of(_year(first), second, int(third))
    day, month = (second, int(first)) if order is DateOrder.MONTH_FIRST else (int(first), second)
    return _number_of(_year(third), month, day)


def _month(name: str) -> int:
    lower = name.casefold()
    return _MONTHS.get(lower[:4], 0) or _MONTHS.get(lower[:3], 0)


def _year(text: str) -> int:
    """Two digits mean 1984 to 2083, the years that a plan can use."""
    number = int(text)
    return number if len(text) > 2 else number + (1900 if number >= 84 else 2000)


def _number_of(year: int, month: int, day: int) -> int | None:
    try:
        return (datetime(year, month, day) - _EPOCH).days
    except ValueError:
        return None


def _time_of_day(hour: str, minute: str, second: str | None, half: str | None) -> int | None:
    hours, minutes, seconds = int(hour), int(minute), int(second or 0)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half in "Pp" else 0)
    is_midnight = (hours, minutes, seconds) == (24, 0, 0)
    if not is_midnight and (hours > 23 or minutes > 59 or seconds > 59):
        return None
    return hours * 3600 + minutes * 60 + seconds


def _seconds(part_of_day: float) -> int:
    return round(part_of_day * DAY)


def to_text(ticks: Ticks) -> str:
    """An instant as it is written: 2025-03-03 08:00, with seconds where there are some."""
    found = _EPOCH + timedelta(seconds=ticks)
    return found.strftime("%Y-%m-%d %H:%M:%S" if found.second else "%Y-%m-%d %H:%M")
