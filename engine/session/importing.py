"""Importing: which files of other programs can be read and written, and how a table is understood before it is read.

What a person chooses from goes through here. It never shows or changes a plan.
"""

from __future__ import annotations

import calendar
import time
from dataclasses import dataclass
from pathlib import Path

from engine.errors import FormatError
from engine.formats import FORMATS, SavingFormat, csv, find_format, ics, xlsx
from engine.formats.instances import unit_of
from engine.formats.progress import tell, watched
from engine.formats.table import Column, DateOrder, Field, TableGuess, starting
from engine.model import DAY, Plan, Ticks
from engine.session.calendar_edits import AddHolidays
from engine.session.document import Document

__all__ = [
    "DELIMITERS",
    "ENCODINGS",
    "Column",
    "DateOrder",
    "Field",
    "FileKind",
    "Reading",
    "TableGuess",
    "file_kinds",
    "holiday_suffixes",
    "is_instance",
    "load_table",
    "open_table",
    "read_holidays",
    "sniff_table",
    "sniff_table_again",
    "watched",
]

DELIMITERS = csv.DELIMITERS
# What else a person may say that a table of text is written in: its name in Python, the most likely first.
ENCODINGS = ("utf-8", "cp1252", "utf-16-le", "iso8859-15", "cp1250", "cp1251", "mac-roman", "shift_jis", "gb18030")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person chose of how a table is read before its columns are understood; of a workbook only the sheet."""

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file: its title in English, its suffixes with their dots, and whether it can be written."""

    title: str
    suffixes: tuple[str, ...]
    is_written: bool


def file_kinds() -> tuple[FileKind, ...]:
    """Every kind of file that can be read, our own first."""
    return tuple(FileKind(known.TITLE, known.SUFFIXES, isinstance(known, SavingFormat)) for known in FORMATS)


def is_instance(plan: Plan) -> bool:
    """Whether a plan was read from a benchmark instance, which knows machines and no dates."""
    return unit_of(plan) is not None


def sniff_table(path: str | Path) -> TableGuess | None:
    """How a table would be read; None for a file that is no table. Blocks. Raises FormatError.

    A plan of a table without dates starts today, as a new plan does, or on Monday where that is a day off.
    """
    known = find_format(path)
    guess = csv.sniff_table(path) if known is csv else xlsx.sniff_table(path) if known is xlsx else None
    return None if guess is None else starting(guess, _next_morning())


def sniff_table_again(path: str | Path, reading: Reading) -> TableGuess:
    """How a table would be read as a person chose. Blocks. Raises FormatError where it then holds no tasks."""
    if reading.sheet:
        guess = xlsx.sniff_table(path, reading.sheet)
    else:
        guess = csv.sniff_table(path, reading.encoding, reading.delimiter)
    return starting(guess, _next_morning())


def holiday_suffixes() -> tuple[str, ...]:
    """The suffixes of files that holidays are read from."""
    return ics.SUFFIXES


def read_holidays(path: str | Path) -> AddHolidays:
    """The whole-day events of an iCalendar file as days off. Blocks. Raises FormatError, also where there are none."""
    days, left_out = ics.load_holidays(path)
    if not days:
        raise FormatError(f"{path} has no event of whole days, as holidays are.", path=str(path))
    return AddHolidays(days, left_out)


def load_table(path: str | Path, guess: TableGuess) -> Plan:
    """The plan of a table read as a guess says. Blocks. Raises FormatError."""
    return xlsx.load_table(path, guess) if guess.sheet else csv.load_table(path, guess)


def open_table(path: str | Path, guess: TableGuess) -> Document:
    """The plan of a table read as a guess says, without a file of its own. Blocks. Raises FormatError, PlanError."""
    plan = load_table(path, guess)
    tell(1.0)
    return Document(plan, folder=str(Path(path).absolute().parent))


def _next_morning() -> Ticks:
    """08:00 of today, or of the next Monday at a weekend."""
    today = calendar.timegm(time.localtime()) // DAY
    weekday = (today + 3) % 7  # 1970-01-01 was a Thursday
    return (today + (7 - weekday if weekday > 4 else 0)) * DAY + 8 * 3600
