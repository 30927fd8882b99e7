"""Tables as workbooks of Excel 2007 and later, read and written without Excel. It never runs a formula or a macro.

Of a cell with a formula the value that was stored last is read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.replacing import write_file
from engine.formats.shop_losses import shop_losses
from engine.formats.table import MOST_ROWS, Row, TableGuess, guess_table, rate_table, read_table, write_table
from engine.formats.text import placed, read_head
from engine.formats.xlsx.package import Package
from engine.formats.xlsx.sheet import SharedTexts, Sheet
from engine.formats.xlsx.styles import read_styles
from engine.formats.xlsx.writing import LONGEST, to_bytes
from engine.formats.xml_text import Element
from engine.model import Plan

TITLE = "Table (Excel workbook)"
SUFFIXES: tuple[str, ...] = (".xlsx", ".xlsm")
_WORKBOOK = "xl/workbook.xml"
_MOST_SHEETS = 20
_SAMPLE_ROWS = 100


def sniff(path: str | Path) -> bool:
    """Whether the file is a zip with a workbook in it."""
    if read_head(path, 4) != b"PK\x03\x04":
        return False
    try:
        return Package(path).has(_WORKBOOK)
    except FormatError:
        return False


def load(path: str | Path) -> Plan:
    """The plan of the sheet that looks most like a list of tasks. Raises FormatError with row and column."""
    try:
        guess, rows = _sniff(path)
        return read_table(rows, guess, Path(path).stem)
    except FormatError as error:
        raise placed(error, path) from error


def sniff_table(path: str | Path, sheet: str = "") -> TableGuess:
    """How a sheet would be read, for a person to look at and change: the one that looks most like a list of tasks,
    unless a person chose one. Raises FormatError.
    """
    try:
        return _sniff(path, sheet)[0]
    except FormatError as error:
        raise placed(error, path) from error


def load_table(path: str | Path, guess: TableGuess) -> Plan:
    """The plan of a sheet read as a guess says. Raises FormatError with row and column."""
    try:
        return read_table(_Book(path).rows(guess.sheet), guess, Path(path).stem)
    except FormatError as error:
        raise placed(error, path) from error


def save(path: str | Path, plan: Plan) -> tuple[str, ...]:
    """Write the tasks of a calendar plan; returns what a table cannot hold. Raises FormatError for a device plan."""
    try:
        table = write_table(plan.check())
    except PlanError as error:
        raise FormatError(f"{path} was not written. {error.sentence}", path=str(path)) from error
    write_file(path, to_bytes(table))
    cut = sum(isinstance(cell, str) and len(cell) > LONGEST for row in table.rows for cell in row)
    end = f"cut after {LONGEST:,} characters."
    said = counted(cut, f"Texts: 1 is {end}", f"Texts: {{count}} are {end}")
    return (*table.losses, *((said,) if cut else ()), *shop_losses(plan, is_table=True))


def _sniff(path: str | Path, sheet: str = "") -> tuple[TableGuess, list[Row]]:
    book = _Book(path)
    name = sheet or book.find_tasks()
    rows = book.rows(name)
    try:
        guess = replace(guess_table(rows), sheet=name, sheets=book.names)
    except FormatError as error:
        count = len(book.names)
        others = "" if sheet or count == 1 else f"None of the {count} sheets lists tasks. "
        raise FormatError(f"{others}Sheet “{name}”: {error.sentence}", line=error.line) from error
    if not sheet and len(book.names) > 1:
        note = f"Of the {len(book.names)} sheets of the workbook, “{name}” was read."
        guess = replace(guess, notes=(note, *guess.notes))
    return guess, rows


class _Book:
    """The sheets of a workbook by name, those that are hidden last, with what all of them share."""

    def __init__(self, path: str | Path) -> None:
        self._package = Package(path)
        root = self._package.tree(_WORKBOOK)
        targets = self._targets()
        found = dict(self._sheets(root.below("sheets", "sheet"), targets))
        self._parts = {name: part for name, part in found.items() if self._package.has(part)}
        self.names = tuple(self._parts)
        settings = root.find("workbookPr")
        self._is_1904 = settings is not None and settings.attributes.get("date1904") in ("1", "true")
        self._texts: list[str] | None = None

    def find_tasks(self) -> str:
        """The sheet whose beginning looks most like a list of tasks, the first of equals. Raises FormatError."""
        if not self.names:
            raise FormatError("The workbook has no sheet.")
        if len(self.names) == 1:
            return self.names[0]
        return max(self.names[:_MOST_SHEETS], key=lambda name: rate_table(self.rows(name, _SAMPLE_ROWS)))

    def rows(self, name: str, enough: int = MOST_ROWS) -> list[Row]:
        """The rows of a sheet, at least the first `enough`. Raises FormatError where there is none of that name."""
        part = self._parts.get(name)
        if part is None:
            raise FormatError(f"The workbook has no sheet “{name}”.")
        styles = read_styles(self._package.tree("xl/styles.xml")) if self._package.has("xl/styles.xml") else []
        sheet = Sheet(self._shared(), styles, is_1904=self._is_1904, enough=enough)
        sheet.read(self._package.stream(part), part)
        return [(number, cells) for number, cells in sheet.rows]

    def _shared(self) -> list[str]:
        if self._texts is None:
            shared = SharedTexts()
            if self._package.has("xl/sharedStrings.xml"):
                shared.read(self._package.stream("xl/sharedStrings.xml"), "xl/sharedStrings.xml")
            self._texts = shared.texts
        return self._texts

    def _targets(self) -> dict[str, str]:
        name = "xl/_rels/workbook.xml.rels"
        if not self._package.has(name):
            return {}
        relations = self._package.tree(name).all("Relationship")
        return {each.attributes.get("Id", ""): each.attributes.get("Target", "") for each in relations}

    def _sheets(self, elements: list[Element], targets: dict[str, str]) -> Iterator[tuple[str, str]]:
        is_shown = [element.attributes.get("state", "visible") == "visible" for element in elements]
        for number, element in sorted(enumerate(elements, 1), key=lambda each: not is_shown[each[0] - 1]):
            target = targets.get(element.attributes.get("id", ""), f"worksheets/sheet{number}.xml")
            part = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
            yield element.attributes.get("name", f"Sheet {number}"), part
