"""Events of an iCalendar file: when each is, and what it says. It knows nothing of plans.

Times are taken as they stand on the clock, whatever their zone: a plan has none. The end of a whole day is exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from engine.errors import FormatError
from engine.formats.counted import counted
from engine.formats.ics.lines import MOST_BYTES, Line, read_lines, unescape
from engine.formats.text import read_head
from engine.model import DAY, Ticks

_MOST_LINES = 500_000
_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)", re.ASCII)
_PERIOD = re.compile(
    r"([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?", re.ASCII
)
_WHEN = ("DTSTART", "DTEND", "DURATION")


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its start and end in ticks (whole days: midnights), and its other properties."""

    line: int
    start: Ticks
    end: Ticks
    is_whole_day: bool
    lines: tuple[Line, ...] = ()

    def text(self, name: str) -> str:
        """A property as a person wrote it; empty where it is not there."""
        return next((unescape(line.value) for line in self.lines if line.name == name), "")


@dataclass(slots=True)
class Agenda:
    """What a file holds: its name, its events, and what of it was not read."""

    name: str = ""
    events: list[Event] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has_zones: bool = False


def read_agenda(path: str | Path) -> Agenda:
    """All events of a file. Raises FormatError: one sentence with the path, and the line where there is one."""
    data = read_head(path, MOST_BYTES + 1)
    if not data.strip(b"\0 \r\n"):
        raise FormatError(f"{path} is empty: it holds no calendar.", path=str(path))
    if len(data) > MOST_BYTES:
        raise FormatError(f"{path} is larger than {MOST_BYTES >> 20} MB.", path=str(path))
    return _Reader(str(path)).read(data)


class _Reader:
    """Follows the components of one file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._agenda = Agenda()
        self._open: list[str] = []
        self._event: list[Line] = []
        self._others = 0

    def read(self, data: bytes) -> Agenda:
        """The whole file."""
        is_whole = False
        for line in self._lines(data):
            if line.name == "BEGIN":
                self._begin(line)
            elif line.name == "END":
                is_whole = self._end(line) or is_whole
            elif not self._open:
                raise self._error(line.number, "is no calendar")
            else:
                self._property(line)
        if not is_whole or self._open:
            raise FormatError(f"{self._path} is cut off: its calendar does not end.", path=self._path)
        if self._others:
            one = "1 entry that is no event was left out, such as a to-do."
            many = "{count} entries that are no events were left out, such as to-dos."
            self._agenda.notes.append(counted(self._others, one, many))
        if self._agenda.has_zones:
            self._agenda.notes.append("Time zones were left out: times are as they stand on the clock.")
        return self._agenda

    def _lines(self, data: bytes) -> Iterator[Line]:
        try:
            for count, line in enumerate(read_lines(data)):
                if count > _MOST_LINES:
                    raise self._error(line.number, f"has more than {_MOST_LINES:,} properties")
                yield line
        except ValueError as error:
            raise self._error(int(error.args[0]), "has a line that is no property") from error

    def _begin(self, line: Line) -> None:
        name = line.value.strip().upper()
        if not self._open and name != "VCALENDAR":
            raise self._error(line.number, "is no calendar")
        if len(self._open) > 16:
            raise self._error(line.number, "is nested too deep")
        self._open.append(name)
        if len(self._open) == 2:
            self._event = []
            self._others += name in ("VTODO", "VJOURNAL")

    def _end(self, line: Line) -> bool:
        """Whether a calendar has ended."""
        name = line.value.strip().upper()
        if not self._open or self._open.pop() != name:
            raise self._error(line.number, f"ends “{name:.40}” where it did not begin")
        if name == "VEVENT" and len(self._open) == 1:
            self._agenda.events.append(self._made(line.number))
        return not self._open

    def _property(self, line: Line) -> None:
        if self._open == ["VCALENDAR"] and line.name == "X-WR-CALNAME":
            self._agenda.name = unescape(line.value).strip()
        elif self._open == ["VCALENDAR", "VEVENT"]:
            self._event.append(line)

    def _made(self, number: int) -> Event:
        found = {line.name: line for line in reversed(self._event) if line.name in _WHEN}
        if "DTSTART" not in found:
            raise self._error(number, "has an event without a start")
        start, is_whole_day = self._instant(found["DTSTART"])
        end = start + (DAY if is_whole_day else 0)
        if "DTEND" in found:
            end, _ = self._instant(found["DTEND"])
        elif "DURATION" in found:
            end = start + self._period(found["DURATION"])
        if end < start or (is_whole_day and end == start):  # a day that ends when it begins is still that day
            end = start + (DAY if is_whole_day else 0)
        rest = tuple(line for line in self._event if line.name not in _WHEN)
        return Event(found["DTSTART"].number, start, end, is_whole_day, rest)

    def _instant(self, line: Line) -> tuple[Ticks, bool]:
        text = line.value.strip()
        try:
            if day := _DATE.fullmatch(text):
                return _day(*day.groups()) * DAY, True
            if time := _TIME.fullmatch(text):
                self._agenda.has_zones |= bool(time[7]) or "TZID" in line.parameters
                hour, minute, second = (int(part) for part in time.groups()[3:6])
                if hour < 24 and minute < 60 and second <= 60:
                    return _day(*time.groups()[:3]) * DAY + hour * 3600 + minute * 60 + second, False
        except ValueError:
            pass
        raise self._error(line.number, f"has “{line.name}” at no time: “{text:.40}”")

    def _period(self, line: Line) -> Ticks:
        found = _PERIOD.fullmatch(line.value.strip())
        if not found:
            raise self._error(line.number, f"has a duration that is none: “{line.value:.40}”")
        sign, *parts = found.groups()
        weeks, days, hours, minutes, seconds = (int(part or 0) for part in parts)
        return (-1 if sign == "-" else 1) * (weeks * 7 * DAY + days * DAY + hours * 3600 + minutes * 60 + seconds)

    def _error(self, number: int, what: str) -> FormatError:
        return FormatError(f"{self._path} {what} (line {number}).", path=self._path, line=number)


def _day(year: str, month: str, day: str) -> int:
    return (date(int(year), int(month), int(day)) - date(1970, 1, 1)).days
