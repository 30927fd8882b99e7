"""The values of an MSPDI file: instants, durations, numbers, flags. It knows no plan."""

from __future__ import annotations

import re
from datetime import date

from engine.errors import FormatError
from engine.formats.xml_text import Element
from engine.model import DAY

_EPOCH = date(1970, 1, 1).toordinal()
# Microsoft Project itself has written 17:-0:00.
_INSTANT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:T(\d\d?):(?:-(?=0))?(\d\d?)(?::(?:-(?=0))?(\d\d?)(?:\.\d*)?)?)?(?:Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)
_TIME = re.compile(r"(\d\d?):(\d\d)(?::(\d\d)(?:\.\d*)?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)
_DURATION = re.compile(
    r"(-)?P(?:(\d{1,9})D)?(?:T(?:(\d{1,12}(?:\.\d*)?)H)?(?:(\d{1,12}(?:\.\d*)?)M)?(?:(\d{1,15}(?:\.\d*)?)S)?)?",
    re.ASCII,
)
_NUMBER = re.compile(r"[+-]?(\d{1,300}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_LARGEST = 1 << 53
_FLAGS = {"1": True, "true": True, "0": False, "false": False}


class Record:
    """The children of one element by name. A child without text counts as missing.

    Every method raises a FormatError with the child's line where its text is not of the kind asked for.
    """

    __slots__ = ("_first", "element")

    def __init__(self, element: Element) -> None:
        self.element = element
        self._first = {child.tag: child for child in reversed(element.children)}

    @property
    def line(self) -> int:
        """Where the element begins."""
        return self.element.line

    def has(self, tag: str) -> bool:
        """Whether there is such a child with a text or children."""
        child = self._first.get(tag)
        return child is not None and bool(child.children or child.text.strip())

    def child(self, tag: str) -> Element | None:
        """The first child of this name."""
        return self._first.get(tag)

    def text(self, tag: str, default: str = "") -> str:
        """A text as it stands."""
        child = self._first.get(tag)
        return child.text if child is not None and child.text else default

    def number(self, tag: str, default: float = 0.0) -> float:
        """A number, no larger than a plan can hold."""
        text = self._stripped(tag)
        if not text:
            return default
        if not _NUMBER.fullmatch(text):
            raise self.wrong(tag, "number")
        if abs(float(text)) > _LARGEST:
            raise self.wrong(tag, "number that a plan can hold")
        return float(text)

    def integer(self, tag: str, default: int = 0) -> int:
        """A whole number; a fraction is rounded."""
        text = self._stripped(tag)
        if text.isascii() and text.isdigit() and len(text) < 16:
            return int(text)
        return round(self.number(tag, default))

    def flag(self, tag: str, default: bool = False) -> bool:
        """Yes or no."""
        text = self._stripped(tag).lower()
        if not text:
            return default
        if text not in _FLAGS:
            raise self.wrong(tag, "yes or no (1 or 0)")
        return _FLAGS[text]

    def instant(self, tag: str, at: int = 0) -> int | None:
        """An instant in ticks; `at` seconds into its day where the file names a day only."""
        text = self._stripped(tag)
        if not text:
            return None
        found = to_instant(text, at)
        if found is None:
            raise self.wrong(tag, "date")
        return found

    def ticks(self, tag: str) -> int | None:
        """A duration in seconds."""
        text = self._stripped(tag)
        if not text:
            return None
        found = to_ticks(text)
        if found is None:
            raise self.wrong(tag, "duration")
        return found

    def seconds(self, tag: str) -> int | None:
        """A time of day in seconds after midnight."""
        text = self._stripped(tag)
        if not text:
            return None
        found = _TIME.fullmatch(text)
        if not found:
            raise self.wrong(tag, "time of day")
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        if hours * 3600 + minutes * 60 + seconds > DAY or minutes > 59 or seconds > 59:
            raise self.wrong(tag, "time of day")
        return hours * 3600 + minutes * 60 + seconds

    def wrong(self, tag: str, what: str) -> FormatError:
        """What to say of a child that is not what it should be."""
        child = self._first.get(tag, self.element)
        return FormatError(f"{tag} is “{child.text.strip():.40}”, which is no {what}", line=child.line)

    def _stripped(self, tag: str) -> str:
        child = self._first.get(tag)
        return child.text.strip() if child is not None else ""


def to_instant(text: str, at: int = 0) -> int | None:
    """Ticks of 2025-03-03T08:00:00, by the clock on the wall whatever zone it names; None where it is no date."""
    found = _INSTANT.fullmatch(text)
    if not found:
        return None
    year, month, day, *time = found.groups()
    try:
        days = date(int(year), int(month), int(day)).toordinal() - _EPOCH
    except ValueError:
        return None
    if time[0] is None:
        return days * DAY + at
    hours, minutes, seconds = (int(part or 0) for part in time)
    within = hours * 3600 + minutes * 60 + seconds
    return days * DAY + within if within <= DAY and minutes < 60 and seconds < 60 else None


def to_ticks(text: str) -> int | None:
    """Seconds of PT8H0M0S, where a day has 24 hours; None where it is no duration."""
    found = _DURATION.fullmatch(text)
    if not found or not any(found.groups()[1:]):
        return None
    minus, days, *rest = found.groups()
    hours, minutes, seconds = (float(part or 0) for part in rest)
    total = int(days or 0) * DAY + round(hours * 3600 + minutes * 60 + seconds)
    return -total if minus else total


def from_instant(ticks: int) -> str:
    """An instant as 2025-03-03T08:00:00. Raises FormatError outside the years 1 to 9999."""
    days, within = divmod(ticks, DAY)
    if not 1 <= days + _EPOCH <= date.max.toordinal():
        raise FormatError("It has a date outside the years 1 to 9999")
    return f"{date.fromordinal(days + _EPOCH).isoformat()}T{from_seconds(within)}"


def from_ticks(ticks: int) -> str:
    """A duration as PT8H0M0S."""
    minutes, seconds = divmod(abs(ticks), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{'-' if ticks < 0 else ''}PT{hours}H{minutes}M{seconds}S"


def from_seconds(seconds: int) -> str:
    """A time of day as 08:00:00; the end of the day is 00:00:00."""
    minutes, seconds = divmod(seconds % DAY, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


def from_number(number: float) -> str:
    """A number as short as it reads back equal."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
