"""Columns: named int64 columns of equal length that grow by doubling. They never know what a row means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
_FIRST_ROWS = 64


class Columns:
    """A table of int64 columns. Appending n rows costs O(n) amortized; a view keeps what it saw when a table grows."""

    def __init__(self, *names: str) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._data: Int64 = np.empty((len(names), _FIRST_ROWS), np.int64)
        self.count = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names in their order."""
        return tuple(self._places)

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
        if end > self._data.shape[1]:
            grown = np.empty((len(self._places), max(end, 2 * self._data.shape[1])), np.int64)
            grown[:, : self.count] = self._data[:, : self.count]
            self._data = grown
        self._data[:, self.count : end] = block
        self.count = end

    def block(self, first: int = 0, last: int | None = None) -> Int64:
        """A copy of rows first to last (exclusive), shape (columns, n)."""
        return self._data[:, first : self.count if last is None else last].copy()

    def cut(self, count: int) -> None:
        """Forget every row from `count` on."""
        self.count = count
