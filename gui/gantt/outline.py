"""Outline: which rows of a plan lie in which, as arrays. It never knows which of them are shown."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

# Three counts of rows are one integer.
_BITS = 20
# So many summaries are marked one by one in less time than all rows are looked at.
_FEW = 64


class Outline:
    """Who lies in whom, as arrays in row order: the row of each parent (-1 of none), and how deep each row lies."""

    def __init__(self, plan: Plan) -> None:
        rows = plan.rows
        self.parents = np.fromiter(
            (-1 if task.parent is None else rows[task.parent] for task in plan.tasks), np.int64, len(plan.tasks)
        )
        self.depths = np.zeros(len(plan.tasks), dtype=np.int64)
        around = self.parents.copy()
        while (inner := around >= 0).any():
            self.depths += inner
            around = np.where(inner, self.parents[around], -1)

    @cached_property
    def levels(self) -> list[Places]:
        """The rows of each depth, the outermost first."""
        return [np.flatnonzero(self.depths == depth) for depth in range(int(self.depths.max(initial=-1)) + 1)]

    @cached_property
    def sizes(self) -> Places:
        """How many rows each row is with all that lie in it, which follow it."""
        found = np.ones(len(self.parents), dtype=np.int64)
        for rows in reversed(self.levels[1:]):
            np.add.at(found, self.parents[rows], found[rows])
        return found

    def inside(self, flags: Flags) -> Flags:
        """Rows that lie in one of these, at whatever depth."""
        found = np.zeros(len(flags), dtype=np.bool_)
        summaries = np.flatnonzero(flags)
        if len(summaries) <= _FEW:
            for row, size in zip(summaries.tolist(), self.sizes[summaries].tolist(), strict=True):
                found[row + 1 : row + size] = True
            return found
        for rows in self.levels[1:]:
            parents = self.parents[rows]
            found[rows] = flags[parents] | found[parents]
        return found

    def gather(self, flags: Flags) -> Flags:
        """These rows, and the summaries around them."""
        found = flags.copy()
        for rows in reversed(self.levels[1:]):
            found[self.parents[rows[found[rows]]]] = True
        return found

    def order(self, keys: Places) -> Places:
        """All rows, those of one parent by their keys and then as in the plan; what lies in a row follows it."""
        count = len(self.parents)
        if not count:
            return np.arange(0)
        sizes = self.sizes
        places = np.zeros(count, dtype=np.int64)
        for rows in self.levels:
            parents = self.parents[rows]
            ranked = rows[_sorted(parents, keys[rows])]
            before = np.cumsum(sizes[ranked]) - sizes[ranked]
            own = self.parents[ranked]
            is_first = np.append(True, own[1:] != own[:-1])
            first = before[is_first][np.cumsum(is_first) - 1]
            places[ranked] = before - first + np.where(own >= 0, places[own] + 1, 0)
        order = np.empty(count, dtype=np.int64)
        order[places] = np.arange(count)
        return order

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of rows; of one that holds others, of all that lie in it."""
        found = values.copy()
        for rows in reversed(self.levels[1:]):
            np.add.at(found, self.parents[rows], found[rows])
        return found


def outline_of(plan: Plan) -> Outline:
    """The outline of a plan: one for all edits that leave ids and parents alone, for those hand their rows on."""
    found = _known.get(id(plan.rows))
    if found is None or found[0] is not plan.rows:
        _known.clear()
        found = _known[id(plan.rows)] = plan.rows, Outline(plan)
    return found[1]


_known: dict[int, tuple[object, Outline]] = {}


def _sorted(parents: Places, keys: Places) -> Places:
    """The order of rows by their parents, then by keys, then as they stand: what np.lexsort would find, but of single
    integers, which are sorted far faster."""
    count = len(keys)
    if count >= 1 << _BITS or parents.max(initial=0) >= 1 << _BITS:
        return np.lexsort((keys, parents))
    order = np.argsort(keys)
    ranked = keys[order]
    places = np.empty(count, dtype=np.int64)
    places[order] = np.cumsum(np.append(False, ranked[1:] != ranked[:-1]))
    return np.argsort(((parents + 1) << 2 * _BITS) | (places << _BITS) | np.arange(count))
