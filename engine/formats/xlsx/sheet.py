"""A worksheet and the shared texts, read in one pass without keeping the tree. It never follows anything outside.

Cells come out as texts: dates as 2025-03-03 or 2025-03-03 08:00, percentages as 50%, truths as Yes and No.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from xml.parsers import expat

from engine.errors import FormatError
from engine.formats.progress import tell
from engine.formats.table import MOST_ROWS
from engine.formats.xlsx.styles import Shown

_MOST_ELEMENTS = 4_000_000
_MOST_COLUMNS = 1_000
_MOST_TEXT = 1 << 20
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"([A-Z]{1,3})\d*")

Row = tuple[int, list[str]]


class _Pass:
    """One pass over a part: texts of the elements named in `_texts` are gathered. Declarations are refused."""

    _texts: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._count = 0
        self._is_text = False
        self._skipped = 0
        self._parser = expat.ParserCreate(namespace_separator="\n")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._shut
        self._parser.CharacterDataHandler = self._add
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse

    def read(self, chunks: Iterable[bytes], part: str) -> None:
        """Parse a part to its end, or until there is enough. Raises FormatError with the part and the line."""
        try:
            for chunk in chunks:
                tell(0.0)
                self._parser.Parse(chunk, False)
                if self.is_enough:
                    return
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            raise FormatError(f"Part {part} of the workbook is no well-formed XML ({why}).") from error
        except (LookupError, ValueError) as error:
            raise FormatError(f"Part {part} of the workbook is in an encoding that cannot be read.") from error

    @property
    def is_enough(self) -> bool:
        """Whether the rest of the part need not be read."""
        return False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise FormatError(f"The workbook has a sheet of more than {_MOST_ELEMENTS:,} elements.")
        tag = name.rpartition("\n")[2]
        self._skipped += tag == "rPh"  # how a name is pronounced
        self._is_text = tag in self._texts and not self._skipped
        self.start(tag, attributes)

    def _shut(self, name: str) -> None:
        tag = name.rpartition("\n")[2]
        self._skipped -= tag == "rPh"
        self._is_text = False
        self.end(tag)

    def _add(self, text: str) -> None:
        if self._is_text and self._size < _MOST_TEXT:
            self._parts.append(text)
            self._size += len(text)

    def _take(self) -> str:
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        return _ESCAPED.sub(lambda matched: chr(int(matched[1], 16)), text) if "_x" in text else text

    def _refuse(self, *_declaration: object) -> None:
        raise FormatError("The workbook declares a document type or entities, which are never read.")


class SharedTexts(_Pass):
    """The texts that cells name by number."""

    _texts = ("t",)

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def end(self, tag: str) -> None:
        if tag == "si":
            self.texts.append(self._take())


class Sheet(_Pass):
    """The rows of a worksheet, at least the first `enough`; an empty row stands for any number of them."""

    _texts = ("t", "v")

    def __init__(
        self, texts: Sequence[str], styles: Sequence[Shown], *, is_1904: bool, enough: int = MOST_ROWS
    ) -> None:
        super().__init__()
        self._enough = enough
        self.rows: list[Row] = []
        self._shared = texts
        self._styles = styles
        self._epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        self._row = 0
        self._column = -1
        self._cells: list[str] = []
        self._kind = ""
        self._style = 0

    @property
    def is_enough(self) -> bool:
        return len(self.rows) >= self._enough < MOST_ROWS

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "row":
            number = attributes.get("r", "")
            before = self._row
            self._row = int(number) if number.isdecimal() and len(number) < 9 else before + 1
            if len(self.rows) >= MOST_ROWS:
                raise FormatError(f"The workbook has a sheet of more than {MOST_ROWS:,} rows.")
            if self._row > before + 1:
                self.rows.append((before + 1, []))
            self._column, self._cells = -1, []
        elif tag == "c":
            self._column = self._place(attributes.get("r", ""))
            self._kind = attributes.get("t", "n")
            style = attributes.get("s", "0")
            self._style = int(style) if style.isdecimal() and len(style) < 9 else 0
            self._take()

    def end(self, tag: str) -> None:
        if tag == "row":
            self.rows.append((self._row, self._cells))
        elif tag == "c":
            value = self._text(self._take())
            if value:
                self._cells += [""] * (self._column + 1 - len(self._cells))
                self._cells[self._column] = value

    def _place(self, reference: str) -> int:
        matched = _REFERENCE.match(reference)
        if matched is None:
            column = self._column + 1
        else:
            column = 0
            for letter in matched[1]:
                column = column * 26 + ord(letter) - 64
            column -= 1
        if column >= _MOST_COLUMNS:
            raise FormatError(f"The workbook has a sheet of more than {_MOST_COLUMNS:,} columns.", line=self._row)
        return column

    def _text(self, value: str) -> str:
        if self._kind == "s":
            at = int(value) if value.isdecimal() and len(value) < 9 else len(self._shared)
            return self._shared[at] if at < len(self._shared) else ""
        if self._kind == "b":
            return "Yes" if value == "1" else "No"
        if self._kind != "n" or not value:
            return value
        try:
            number = float(value)
        except ValueError:
            return value
        return self._number(number, value)

    def _number(self, number: float, value: str) -> str:
        shown = self._styles[self._style] if self._style < len(self._styles) else Shown.NUMBER
        if shown is Shown.PERCENT:
            return f"{number * 100:.12g}%"
        if shown is Shown.NUMBER or not 0 <= number < 2_957_000:  # well within the year 9999
            return f"{number:.15g}" if abs(number) < 1e15 else value
        found = self._epoch + timedelta(seconds=round(number * 86_400))
        if shown is Shown.DATE and number == int(number):
            return found.strftime("%Y-%m-%d")
        return found.strftime("%Y-%m-%d %H:%M:%S")
