"""Sought: the names of many tasks, all looked through at once for a text. It never knows what the answer is for."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_BETWEEN, _NO_LETTER = "\0", 0xFF


class Sought:
    """Names as one run of bytes, a byte that is no letter's after each."""

    def __init__(self, names: Iterable[str]) -> None:
        names = [*names]
        joined = _BETWEEN.join(names)
        if joined.count(_BETWEEN) >= max(len(names), 1):
            joined = _BETWEEN.join(name.replace(_BETWEEN, " ") for name in names)
        self._count = len(names)
        self._bytes = np.frombuffer((joined.casefold() + _BETWEEN).encode("utf-8", "surrogatepass"), np.uint8).copy()
        ends = np.flatnonzero(self._bytes == 0)
        self._bytes[ends] = _NO_LETTER
        self._row_of = np.repeat(np.arange(len(ends), dtype=np.int32), np.diff(ends, prepend=-1))

    def holding(self, text: str) -> NDArray[np.bool_]:
        """Which names have a text in them, whatever its capitals. Every one holds an empty text."""
        found = np.zeros(self._count, dtype=np.bool_)
        first, *others = text.casefold().encode("utf-8", "surrogatepass") or (_NO_LETTER,)
        places = np.flatnonzero(self._bytes == first)
        for offset, letter in enumerate(others, 1):
            places = places[self._bytes[places + offset] == letter]
        if self._count:
            found[self._row_of[places]] = True
        return found
