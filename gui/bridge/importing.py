"""Importing: the half of the bridge that reads tables, once a person has seen how. It never shows a plan itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.errors import FormatError
from engine.session.document import Document
from engine.session.importing import (
    Reading,
    TableGuess,
    open_table,
    read_holidays,
    sniff_table,
    sniff_table_again,
)

Begin = Callable[[], Awaitable[object]]
Read = Callable[[str, Callable[[], object]], Awaitable[object]]


class Importing(QObject):
    """`table_found` carries the path of a table that is to be opened and a TableGuess to be looked at first;
    `table_sniffed` the path, the Reading that a person chose, and the TableGuess then, or None and a sentence that says
    why there is none; `holidays_read` the edit that adds the days off in a file.

    `begin` opens something in the place of what is open, `read` has a worker read of a file of that name, `show`
    shows a document that was made of a file.
    """

    table_found = Signal(str, object)
    holidays_read = Signal(object)
    table_sniffed = Signal(str, object, object, str)

    def __init__(
        self,
        begin: Callable[[Begin, str], object],
        spawn: Callable[[Begin, str], object],
        read: Read,
        show: Callable[[Document, str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._begin = begin
        self._spawn = spawn
        self._read = read
        self._show = show

    async def look(self, path: str) -> bool:
        """Whether a file is a table: then it is told how it would be read, and not opened. Raises FormatError."""
        guess = await self._read(Path(path).name, partial(sniff_table, path))
        if guess is not None:
            self.table_found.emit(path, guess)
        return guess is not None

    def open(self, path: str, guess: TableGuess) -> None:
        """Open a table as it was understood, in the place of what is open."""
        self._begin(partial(self._open, path, guess), path)

    def sniff_again(self, path: str, reading: Reading) -> None:
        """Understand a table anew."""
        self._spawn(partial(self._sniff, path, reading), "sniff")

    def read_holidays(self, path: str) -> None:
        """Read the days off in a file."""
        self._spawn(partial(self._read_holidays, path), "read holidays")

    async def _read_holidays(self, path: str) -> None:
        self.holidays_read.emit(await self._read(Path(path).name, partial(read_holidays, path)))

    async def _open(self, path: str, guess: TableGuess) -> None:
        document = await self._read(Path(path).name, partial(open_table, path, guess))
        if isinstance(document, Document):
            self._show(document, path)

    async def _sniff(self, path: str, reading: Reading) -> None:
        try:
            guess = await self._read(Path(path).name, partial(sniff_table_again, path, reading))
        except FormatError as error:
            self.table_sniffed.emit(path, reading, None, error.sentence)
        else:
            self.table_sniffed.emit(path, reading, guess, "")
