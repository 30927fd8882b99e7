"""P6's calendars: the small language of column clndr_data, read into Calendars. It never computes with them.

A node is `(0||NAME(key|value|...)(nodes))`. CalendarData holds DaysOfWeek (1 is Sunday; a shift has the keys s and f in
any order) and Exceptions (d is a day in Excel's count, from 1899-12-30; without shifts a day off).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import FormatError
from engine.formats.xer.tables import Row
from engine.model import DAY, Calendar, CalendarException, Shift, split_nights

_EXCEL_EPOCH = -25_569  # 1899-12-30 in days since 1970-01-01
_DEEPEST = 16
_MOST_EXCEPTIONS = 100_000
_OPEN = re.compile(r"\(\d+\|\|([^()]*)\(([^()]*)\)\(")
_CUT_OFF = re.compile(r"(\(\d*\|{0,2}[^()]{0,99}(\([^()]{0,99}\)?)?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")

Week = tuple[tuple[Shift, ...], ...]


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    attributes: dict[str, str]
    children: list[_Node]


class _BrokenError(Exception):
    """Why calendar data cannot be read, as the end of a sentence."""


class Calendars:
    """The calendars of a file, read when first asked for: a broken one that nothing uses does no harm."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = {row.text("clndr_id"): row for row in rows if row.text("clndr_id")}
        self._default = next((row.text("clndr_id") for row in rows if row.text("default_flag") == "Y"), "")
        self._found: dict[str, Calendar] = {}
        self.broken: list[str] = []

    @property
    def default(self) -> str:
        """The id of the calendar marked as default, or an empty text."""
        return self._default

    def row(self, calendar_id: str) -> Row | None:
        """The row of a calendar, with its hours a day, week and month."""
        return self._rows.get(calendar_id)

    def find(self, calendar_id: str, user: Row) -> int | None:
        """The id in the plan of the calendar that a row names; None where it names none. Raises FormatError."""
        if not calendar_id:
            return None
        if calendar_id not in self._rows:
            raise FormatError(f"Calendar {calendar_id} is not in the file.", line=user.line)
        return self._read(calendar_id, ()).id

    def all(self) -> tuple[Calendar, ...]:
        """Every calendar that can be read, used or not; the others are listed in `broken`."""
        for calendar_id in self._rows:
            try:
                self._read(calendar_id, ())
            except FormatError as error:
                self.broken.append(f"{error.sentence} Nothing uses it; it was left out.")
        return tuple(self._found[key] for key in self._rows if key in self._found)

    def _read(self, calendar_id: str, users: tuple[str, ...]) -> Calendar:
        found = self._found.get(calendar_id)
        if found is None:
            row = self._rows[calendar_id]
            base_id = row.text("base_clndr_id")
            if calendar_id in users:
                raise FormatError(f"Calendar “{row.text('clndr_name')}” rests on itself.", line=row.line)
            base = self._read(base_id, (*users, calendar_id)) if base_id in self._rows else None
            found = self._found[calendar_id] = _calendar(row, len(self._found) + 1, base)
        return found


def _calendar(row: Row, number: int, base: Calendar | None) -> Calendar:
    """A calendar of its own: days off of the base hold unless it has that day itself."""
    name = row.text("clndr_name") or f"Calendar {row.text('clndr_id')}"
    text = re.sub(r"[\s\x7f]+", "", row.text("clndr_data"))
    inherited = base.exceptions if base else ()
    try:
        if not text and base:
            return Calendar(number, name, base.week, inherited)
        week, exceptions = _read_data(text)
    except _BrokenError as error:
        raise FormatError(f"Calendar “{name}” cannot be read: its data {error}.", line=row.line) from error
    if not any(week):
        raise FormatError(f"Calendar “{name}” has no working time in its week.", line=row.line)
    return Calendar(number, name, week, (*inherited, *exceptions))


def _read_data(text: str) -> tuple[Week, tuple[CalendarException, ...]]:
    if not text:
        raise _BrokenError("is empty")
    root, end = _node(text, 0, 0)
    if end != len(text):
        raise _BrokenError(f"goes on after its end, at character {end + 1}")
    parts = {node.name: node for node in root.children}
    if "DaysOfWeek" not in parts:
        raise _BrokenError("has no DaysOfWeek")
    days = {node.name: split_nights(_shifts(node)) for node in parts["DaysOfWeek"].children}
    names = ("2", "3", "4", "5", "6", "7", "1")
    nights = [days.get(name, ((), ()))[1] for name in names]
    week = tuple((*nights[at - 1], *days.get(name, ((), ()))[0]) for at, name in enumerate(names))
    found = parts["Exceptions"].children if "Exceptions" in parts else []
    if len(found) > _MOST_EXCEPTIONS:
        raise _BrokenError(f"has more than {_MOST_EXCEPTIONS:,} exceptions")
    return week, tuple(_exception(node) for node in found)


def _node(text: str, at: int, depth: int) -> tuple[_Node, int]:
    """The node that begins at a place, and where it ends."""
    opened = _OPEN.match(text, at)
    if opened is None or depth > _DEEPEST:
        what = "ends too early" if _CUT_OFF.fullmatch(text, at) else "cannot be understood"
        raise _BrokenError(f"{what}, at character {at + 1}")
    keys = opened[2].split("|")
    at, children = opened.end(), []
    while text.startswith("(", at):
        child, at = _node(text, at, depth + 1)
        children.append(child)
    if not text.startswith("))", at):
        what = "ends too early" if at + 1 >= len(text) else "cannot be understood"
        raise _BrokenError(f"{what}, at character {at + 1}")
    return _Node(opened[1], dict(zip(keys[::2], keys[1::2], strict=False)), children), at + 2


def _exception(node: _Node) -> CalendarException:
    serial = node.attributes.get("d", "")
    if not serial.isdecimal() or len(serial) > 6:
        raise _BrokenError(f"has an exception on day “{serial}”")
    day = int(serial) + _EXCEL_EPOCH
    return CalendarException(day, day, _shifts(node))


def _shifts(node: _Node) -> tuple[Shift, ...]:
    found = sorted((_clock(child, "s"), _clock(child, "f")) for child in node.children)
    return tuple(_shift(start, finish) for start, finish in found)


def _shift(start: int, finish: int) -> Shift:
    """00:00 as an end is midnight, and from 00:00 to 00:00 the whole day; one before the start is in the next day."""
    finish = finish or DAY
    if not 0 <= start < DAY or start == finish or finish > DAY:
        raise _BrokenError(f"has a shift from {start // 3600:02}:{start // 60 % 60:02} that is no part of a day")
    return Shift(start, finish if start < finish else DAY + finish)


def _clock(node: _Node, key: str) -> int:
    matched = _CLOCK.fullmatch(node.attributes.get(key, ""))
    if matched is None:
        raise _BrokenError(f"has a shift without a time of day under “{key}”")
    return int(matched[1]) * 3600 + int(matched[2]) * 60
