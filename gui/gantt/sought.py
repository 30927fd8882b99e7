"""Sought: the names of many tasks, all looked through at once for a text, or put in order.

It never knows what the answer is for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

_BETWEEN, _NO_LETTER = "\0", 0xFF
# So many letters are compared at once: at first, and beside a place among all, which takes the rest of an integer.
_FIRST, _MORE = 7, 5


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
        self._ends = ends
        self._row_of = np.repeat(np.arange(len(ends), dtype=np.int32), np.diff(ends, prepend=-1))

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each name among all in their order, whatever its capitals; equal ones have one place.

        Letters are compared some at once, and further ones only of names that are alike so far.
        """
        starts = np.append(0, self._ends[:-1] + 1)
        found, tied, offset, size = np.zeros(self._count, dtype=np.int64), np.arange(self._count), 0, _FIRST
        while len(tied) and (self._ends[tied] - starts[tied] > offset).any():
            words = _words(self._bytes, starts[tied] + offset, self._ends[tied], size)
            order = np.argsort((found[tied] << 8 * size) | words)
            tied, words = tied[order], words[order]
            before = found[tied]
            is_first = np.append(True, (words[1:] != words[:-1]) | (before[1:] != before[:-1]))
            is_other = np.append(True, before[1:] != before[:-1])
            firsts, places = np.flatnonzero(is_first), np.flatnonzero(is_other)
            group = np.cumsum(is_first) - 1
            found[tied] = before + firsts[group] - places[np.cumsum(is_other) - 1]
            tied = tied[np.diff(np.append(firsts, len(tied)))[group] > 1]
            offset, size = offset + size, _MORE
        return found

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


def _words(
    letters: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """So many letters from some places on as integers of the same order; nothing comes before a letter."""
    found = np.zeros(len(starts), dtype=np.int64)
    for place in range(size):
        at = starts + place
        letter = letters[np.minimum(at, len(letters) - 1)].astype(np.int64)
        found = (found << 8) | np.where(at < ends, letter, 0)
    return found
