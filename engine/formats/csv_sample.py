"""A column of a table as a spread: what finished tasks took, read from a text file. It never reads a plan.

A cell with a unit (3d, 4h) is a length of time, one with a percent sign a share of the planned length; for numbers
alone the header may say it, as in “Duration (h)” or “Taken (%)”. Where nobody does they are percent, or ratios where
none is above 10: no task takes a tenth of its plan each time. Empty cells are passed over.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from engine.errors import EngineError, FormatError
from engine.formats.csv import DELIMITERS, read_rows, read_text
from engine.formats.table.cells import plain
from engine.formats.table.columns import unit_of
from engine.formats.table.dates import is_nothing
from engine.formats.table.durations import Units, find_unit, number, parse_span
from engine.formats.table.guess import Row
from engine.formats.text import placed
from engine.model import Spread

_MOST_RATIO = 10
_NAMED = 8
_UNITS = Units()


class Measure(Enum):
    """What the numbers of a column are: a share of the planned length, in percent or as a ratio, or a length."""

    PERCENT = "percent"
    RATIO = "ratio"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class ColumnSample:
    """The `count` values of a column, and the spread they make."""

    column: str
    count: int
    measure: Measure
    spread: Spread


@dataclass(frozen=True, slots=True)
class _Value:
    amount: float
    measure: Measure | None  # None: a number alone


def load_sample(path: str | Path, column: str = "", units: Units = _UNITS) -> ColumnSample:
    """A column by its header or its number from 1; "" is the only one there is.

    Raises FormatError with the row and what stands there.
    """
    try:
        rows = _rows(path)
        place, header = _find(rows, column)
        found = _sample(header or column, _values(rows, place, header, units))
        found.spread.check(f"What column “{found.column}” holds")
        return found
    except EngineError as error:
        raise placed(error, path) from error


def column_names(path: str | Path) -> tuple[str, ...]:
    """The columns of a table by their headers, those without one by their numbers from 1. Raises FormatError."""
    try:
        rows = _rows(path)
        headers = [_find(rows, str(place))[1] for place in range(1, len(rows[0][1]) + 1 if rows else 2)]
    except EngineError as error:
        raise placed(error, path) from error
    return tuple(header or str(place) for place, header in enumerate(headers, 1))


def _rows(path: str | Path) -> list[Row]:
    """The rows that hold anything."""
    text = read_text(path)
    return [row for row in read_rows(io.StringIO(text, newline=""), _delimiter(text)) if any(map(str.strip, row[1]))]


def _delimiter(text: str) -> str:
    """The one that stands most often in the first line that holds anything; a tab where that is one number."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if _amount(first) is not None:  # a comma in it is a decimal one
        return "\t"
    best = max(DELIMITERS, key=first.count)
    return best if best in first else "\t"


def _find(rows: Sequence[Row], column: str) -> tuple[int, str]:
    """The place of a column, and its header, empty where it has none."""
    if not rows:
        raise FormatError("The file holds no values.", line=1)
    cells = [plain(cell) for cell in rows[0][1]]
    wanted = column.strip().casefold()
    folded = [cell.casefold() for cell in cells]
    if wanted in folded and wanted:
        place = folded.index(wanted)
    elif wanted.isdecimal() and 1 <= int(wanted) <= len(cells):
        place = int(wanted) - 1
    elif not wanted and len(cells) == 1:
        place = 0
    else:
        named = ", ".join(f"“{cell}”" for cell in cells[:_NAMED]) + (" and more" if len(cells) > _NAMED else "")
        which = f"There is no column “{column}”" if wanted else "Say which column is meant"
        raise FormatError(f"{which}: there are {named}; write its name, or its number from 1.", line=rows[0][0])
    return place, "" if _amount(cells[place]) is not None or parse_span(cells[place], _UNITS, "") else cells[place]


def _values(rows: Sequence[Row], place: int, header: str, units: Units) -> list[_Value]:
    """The values of a column, all of one measure."""
    unit, found = _header_unit(header), list[_Value]()
    for line, cells in rows[1:] if header else rows:
        text = plain(cells[place]) if place < len(cells) else ""
        if is_nothing(text):
            continue
        value = _value(text, unit, units)
        if isinstance(value, str):
            raise FormatError(f"Row {line}: “{text}” {value}", line=line)
        if found and value.measure is not found[0].measure:
            raise FormatError(f"Row {line}: “{text}” is of another kind than the rows above it.", line=line)
        found.append(value)
    if not found:
        raise FormatError(f"Column “{header}” holds no values." if header else "The column holds no values.")
    return found


def _header_unit(header: str) -> str:
    unit = unit_of(header)
    return "%" if unit.casefold() in ("%", "percent") or "%" in header else find_unit(unit)


def _value(text: str, unit: str, units: Units) -> _Value | str:
    """What a cell says, or what is wrong with it."""
    amount = _amount(text.removesuffix("%"))
    if amount is not None and amount < 0:
        return "is below zero; nothing takes less than no time."
    if amount is not None and (text.endswith("%") or unit == "%"):
        return _Value(amount, Measure.PERCENT)
    if amount is not None and not unit:
        return _Value(amount, None)
    span = parse_span(text, units, unit)
    if span is None:
        return "is neither a number nor a length of time."
    if span.is_elapsed:
        return "is an elapsed time; write it as working time."
    return _Value(float(span.ticks), Measure.LENGTH)


def _amount(text: str) -> float | None:
    try:
        found = number(text.strip())
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _sample(column: str, values: Sequence[_Value]) -> ColumnSample:
    amounts, measure = [value.amount for value in values], values[0].measure
    if measure is None:
        measure = Measure.RATIO if max(amounts) <= _MOST_RATIO else Measure.PERCENT
    factor = 100 if measure is Measure.RATIO else 1
    spread = Spread.of_values((factor * amount for amount in amounts), is_percent=measure is not Measure.LENGTH)
    return ColumnSample(column, len(values), measure, spread)
