"""Tables as text: comma, semicolon or tab between cells, in any common encoding. It never runs what a cell says.

Written as UTF-8 with a mark that spreadsheets know, commas and CRLF; a cell that a spreadsheet would take for a formula
stands behind an apostrophe, and the first header is not “ID”, which Excel takes for another kind of file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.encoding import is_binary, open_text, sniff_encoding
from engine.formats.progress import tell
from engine.formats.replacing import write_file
from engine.formats.shop_losses import shop_losses
from engine.formats.table import (
    MOST_ROWS,
    Cell,
    Instant,
    Row,
    TableGuess,
    count_fields,
    guess_table,
    is_formula,
    read_table,
    write_table,
)
from engine.formats.table.dates import to_text
from engine.formats.text import placed, read_head
from engine.model import Plan

TITLE = "Table (CSV)"
SUFFIXES: tuple[str, ...] = (".csv", ".tsv")
DELIMITERS = (",", ";", "\t", "|")
_HEAD = 1 << 16
_HEADER_LINES = 20
_MOST_BYTES = 1 << 25
_MOST_CELL = 1 << 16
_MOST_COLUMNS = 1_000
_MOST_CELLS = 2_000_000
_TOLD = 4096


def sniff(path: str | Path) -> bool:
    """Whether a line near the beginning names several columns of tasks."""
    head = read_head(path, _HEAD)
    if is_binary(head):
        return False
    text = open_text(head, sniff_encoding(head)).read()
    return _delimiter(text)[1] >= 2


def load(path: str | Path) -> Plan:
    """The plan of a table as it is best understood. Raises FormatError with row and column."""
    try:
        guess, rows = _sniff(path)
        return read_table(rows, guess, Path(path).stem)
    except FormatError as error:
        raise placed(error, path) from error


def sniff_table(path: str | Path, encoding: str = "", delimiter: str = "") -> TableGuess:
    """How a table would be read, for a person to look at and change. Raises FormatError where it holds no tasks.

    An encoding or a delimiter that a person chose is kept, and the rest sniffed by it.
    """
    try:
        return _sniff(path, encoding, delimiter)[0]
    except FormatError as error:
        raise placed(error, path) from error


def load_table(path: str | Path, guess: TableGuess) -> Plan:
    """The plan of a table read as a guess says. Raises FormatError with row and column."""
    try:
        text = open_text(_read(path), guess.encoding or "utf-8")
        return read_table(list(read_rows(text, guess.delimiter or ",")), guess, Path(path).stem)
    except FormatError as error:
        raise placed(error, path) from error


def read_text(path: str | Path) -> str:
    """The text of a table in whatever encoding it is. Raises FormatError for what is empty, no text, or too large."""
    data = _read(path)
    return open_text(data, sniff_encoding(data)).read()


def _sniff(path: str | Path, encoding: str = "", delimiter: str = "") -> tuple[TableGuess, list[Row]]:
    data = _read(path)
    encoding = encoding or sniff_encoding(data)
    delimiter = delimiter or _delimiter(open_text(data, encoding).read(_HEAD))[0]
    rows = list(read_rows(open_text(data, encoding), delimiter))
    return replace(guess_table(rows, delimiter), encoding=encoding), rows


def save(path: str | Path, plan: Plan) -> tuple[str, ...]:
    """Write the tasks of a calendar plan; returns what a table cannot hold. Raises FormatError for a device plan."""
    try:
        table = write_table(plan.check())
    except PlanError as error:
        raise FormatError(f"{path} was not written. {error.sentence}", path=str(path)) from error
    delimiter = "\t" if Path(path).suffix.lower() == ".tsv" else ","
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(table.headers)
    writer.writerows([_text(cell) for cell in row] for row in table.rows)
    write_file(path, text.getvalue().encode("utf-8-sig", "replace"))
    return (*table.losses, *shop_losses(plan, is_table=True))


def _text(cell: Cell) -> str:
    if isinstance(cell, Instant):
        return to_text(cell.ticks)
    text = "" if cell is None else str(cell)
    return f"'{text}" if is_formula(text) else text


def _read(path: str | Path) -> bytes:
    data = read_head(path, _MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise FormatError(f"The table is larger than {_MOST_BYTES >> 20} MB.")
    if not data.strip():
        raise FormatError("The file is empty.", line=1)
    if is_binary(data[:_HEAD]):
        raise FormatError("The file is no text.", line=1)
    return data


def _delimiter(text: str) -> tuple[str, int]:
    """The character between cells with which a line near the beginning names the most columns, and how many."""
    best, most = ",", 0
    hint = text[4:5] if text[:4].casefold() == "sep=" else ""  # Excel's own
    for delimiter in hint if hint in DELIMITERS else DELIMITERS:
        counts = [count_fields(cells) for _, cells in _first(text.splitlines(keepends=True), delimiter)]
        if counts and max(counts) > most:
            best, most = delimiter, max(counts)
    return best, most


def _first(text: Iterable[str], delimiter: str) -> Iterator[Row]:
    """The rows near the beginning, as far as they can be read."""
    try:
        for row in read_rows(text, delimiter):
            yield row
            if row[0] >= _HEADER_LINES:
                return
    except FormatError:
        return


def read_rows(text: Iterable[str], delimiter: str) -> Iterator[Row]:
    """Every row with the number of its first line. Raises FormatError for what is no table, or too large."""
    csv.field_size_limit(_MOST_CELL)
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    line, count = 1, 0
    try:
        for number, cells in enumerate(reader):
            if number % _TOLD == 0:
                tell(0.0)
            count += len(cells)
            if number > MOST_ROWS or count > _MOST_CELLS:
                what = f"{MOST_ROWS:,} rows" if number > MOST_ROWS else f"{_MOST_CELLS:,} cells"
                raise FormatError(f"The table has more than {what}.", line=line)
            if len(cells) > _MOST_COLUMNS:
                raise FormatError(f"Row {line} has more than {_MOST_COLUMNS:,} columns.", line=line)
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        what = "a quote is opened there and not closed" if "end of data" in str(error) else str(error)
        raise FormatError(f"Row {line} cannot be read: {what}.", line=line) from error
