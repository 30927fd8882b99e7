"""Columns: named int64 columns of equal length that only grow. They never know what a row means.

Short ones lie in memory and grow by doubling. Long ones lie in a file, of which the end alone stays in memory.
"""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from engine.trace.spill import Spill

Int64 = NDArray[np.int64]
_FIRST_ROWS = 64
# So many rows are held in memory, and so many at a time are reserved on the disk.
KEPT_ROWS = 1 << 15


class Columns:
    """A table of int64 columns. Appending n rows costs O(n) amortized; a view keeps what it saw when a table grows."""

    def __init__(self, *names: str) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._data: Int64 = np.empty((len(names), _FIRST_ROWS), np.int64)
        self._room = _FIRST_ROWS
        self._rested = 0
        self._spill: Spill | None = None
        self.count = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names in their order."""
        return tuple(self._places)

    @property
    def is_in_memory(self) -> bool:
        """Whether all of it takes memory."""
        return self._spill is None

    def __getitem__(self, name: str) -> Int64:
        """A writable view of one column, shape (count,)."""
        return self._data[self._places[name], : self.count]

    def read(self, name: str) -> Int64:
        """A read-only view of one column, shape (count,)."""
        view = self[name]
        view.flags.writeable = False
        return view

    def append(self, block: Int64) -> None:
        """Append rows given column by column, shape (columns, n)."""
        end = self.count + block.shape[1]
        if end > self._room:
            self._grow(end)
        self._data[:, self.count : end] = block
        self.count = end
        if self._spill is not None and end - self._rested >= 2 * KEPT_ROWS:
            self._rested = end - KEPT_ROWS
            self._spill.rest(self._rested)

    def block(self, first: int = 0, last: int | None = None) -> Int64:
        """A copy of rows first to last (exclusive), shape (columns, n)."""
        return self._data[:, first : self.count if last is None else last].copy()

    def rows(self, width: int) -> Int64:
        """A read-only view of the first `width` columns row by row, shape (count, width)."""
        view = self._data[:width, : self.count].T
        view.flags.writeable = False
        return view

    def cut(self, count: int) -> None:
        """Forget every row from `count` on."""
        self.count = count

    def rest(self) -> None:
        """Nobody asks for any of it for now: it takes no memory until somebody does."""
        if self._spill is not None:
            self._spill.rest(self.count)

    def frozen(self, first: int = 0) -> Columns:
        """Rows from `first` on as they are now, in the same memory: they are not to be written."""
        still = copy.copy(self)
        still._data, still.count = self._data[:, first:], self.count - first  # noqa: SLF001
        return still

    def _grow(self, least: int) -> None:
        room = max(least, 2 * self._room)
        if least <= KEPT_ROWS:
            self._move(min(room, KEPT_ROWS))
            return
        try:
            self._spill_over(least)
        except OSError:  # no disk, or a full one: memory it is
            self._spill = None
            self._move(room)

    def _move(self, room: int) -> None:
        grown = np.empty((len(self._places), room), np.int64)
        grown[:, : self.count] = self._data[:, : self.count]
        self._data, self._room = grown, room

    def _spill_over(self, least: int) -> None:
        room = -(-least // KEPT_ROWS) * KEPT_ROWS
        if self._spill is not None:
            self._spill.reserve(self._room, room)
        else:
            spill = Spill(len(self._places))
            spill.reserve(0, room)
            spill.data[:, : self.count] = self._data[:, : self.count]
            self._spill, self._data = spill, spill.data
        self._room = room
