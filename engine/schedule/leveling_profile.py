"""Profile: how much of one resource is free, over time, as steps. It never knows of tasks.

Units are counted in billionths, so that sums are exact.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from math import ceil, floor, log2

import numpy as np
from numpy.typing import NDArray

from engine.model import Resource, Ticks
from engine.schedule.working_time import WorkingTime

UNIT = 10**9
# A thousandth of a unit: three tasks of 33.34 % fit on one person.
TOLERANCE = UNIT // 1000
FAR = 1 << 61
# Half a billion units: sums of a few of them stay inside int64.
_MOST = 1 << 59
_NOTHING = (FAR, -FAR)
# Of work that is twice as much: so finely rooms that were looked for are told apart.
_STEPS = 4
# So many steps are read one by one before they are read as arrays.
_FEW = 16


def in_billionths(units: float) -> int:
    """Units as an integer."""
    return min(round(units * UNIT), _MOST)


class Profile:
    """Free units from `at[k]` to before `at[k + 1]` are `free[k]`; below zero where more is used than there is.

    `most` is the most there ever is. `is_shared`: those who use it work by different calendars, so that a break of one
    is another's time.
    """

    __slots__ = ("_full", "_is_stepped", "at", "free", "is_shared", "most")

    def __init__(self, resource: Resource) -> None:
        self.at = array("q", [-FAR])
        self.free = array("q", [in_billionths(resource.capacity)])
        for step in resource.steps:
            if step.first < step.last:
                low, high = self._cut(step.first), self._cut(step.last)
                del self.at[low + 1 : high], self.free[low + 1 : high]
                self.free[low] = in_billionths(step.units)
        self.most = max(self.free)
        self.is_shared = False
        self._is_stepped = bool(resource.steps)
        # By working time, units, and work or a measure of it: from where to where there is no room for any more of it.
        self._full: dict[tuple[int, int, int, int], tuple[Ticks, Ticks]] = {}

    def blocked(self, first: Ticks, last: Ticks, units: int) -> Iterator[tuple[Ticks, Ticks]]:
        """Stretches that touch [first, last), not clipped to it, in which free(t) + TOLERANCE < units."""
        at, free, count = self.at, self.free, len(self.at)
        index = bisect_right(at, first) - 1
        while index < count and at[index] < last:
            if free[index] + TOLERANCE < units:
                begin, index = index, self._end_of_block(index, units)
                yield at[begin], at[index] if index < count else FAR
            index += 1

    def room(self, first: Ticks, units: int, work: Ticks, time: WorkingTime) -> Ticks:
        """The first instant from `first` on after which `work` ticks of `time` are worked before units are missing.

        FAR where there is none. What lies outside `time` is in nobody's way. What is free only grows less, so where
        little work found no room, more of it need not look again.
        """
        finer, shared = _STEPS * log2(max(work, 1)), (id(time), units)
        start = first
        for key in ((*shared, floor(finer), 0), (*shared, 0, work)):
            known = self._full.get(key, _NOTHING)
            start = max(start, known[1]) if known[0] <= first <= known[1] else start
        found = self._first_room(start, units, work, time)
        for key in ((*shared, ceil(finer), 0), (*shared, 0, work)):
            before = self._full.get(key, _NOTHING)
            if found > before[1]:
                self._full[key] = (min(first, before[0]) if first <= before[1] else first, found)
        return found

    def _first_room(self, first: Ticks, units: int, work: Ticks, time: WorkingTime) -> Ticks:
        low = bisect_right(self.at, first) - 1
        at, is_over = _view(self.at)[low:], _view(self.free)[low:] + TOLERANCE < units
        edges = at[1:][is_over[1:] != is_over[:-1]]
        begins, ends = (edges[0::2], edges[1::2]) if is_over[0] else (np.append(first, edges[1::2]), edges[0::2])
        if len(begins) > len(ends):
            ends = np.append(ends, FAR)
        if (self.is_shared or self._is_stepped) and len(begins) > 1:
            is_worked = time.between_all(ends[:-1], begins[1:]) > 0
            begins, ends = begins[np.append(True, is_worked)], ends[np.append(is_worked, True)]
        long = np.flatnonzero(ends - begins >= work)
        for place in long[:_FEW].tolist():
            if time.between(begin := int(begins[place]), int(ends[place])) >= work:
                return begin
        begins, ends = begins[long[_FEW:]], ends[long[_FEW:]]
        begins = begins[time.between_all(begins, ends) >= work] if len(begins) else begins
        return int(begins[0]) if len(begins) else FAR

    def book(self, first: Ticks, last: Ticks, units: int) -> None:
        """Use `units` from `first` to before `last`."""
        if first >= last:
            return
        low, high = self._cut(first), self._cut(last)
        if high - low > _FEW:
            _view(self.free)[low:high] -= units
        else:
            for index in range(low, high):
                self.free[index] -= units
        for index in (high, low):
            if self.free[index] == self.free[index - 1]:
                del self.at[index], self.free[index]

    def begin_of_block(self, instant: Ticks, units: int) -> Ticks:
        """Since when units have been missing that are missing at an instant."""
        index = bisect_right(self.at, instant) - 1
        free = np.flatnonzero(_view(self.free)[: index + 1] + TOLERANCE >= units)
        return self.at[int(free[-1]) + 1] if len(free) else -FAR

    def _end_of_block(self, index: int, units: int) -> int:
        """The first step after a blocked one that is not; the number of steps where there is none."""
        for after in range(index + 1, min(index + _FEW, len(self.free))):
            if self.free[after] + TOLERANCE >= units:
                return after
        index = min(index + _FEW, len(self.free))
        rest = np.flatnonzero(_view(self.free)[index:] + TOLERANCE >= units)
        return index + int(rest[0]) if len(rest) else len(self.free)

    def _cut(self, instant: Ticks) -> int:
        """The index of the step that begins here, made where there is none."""
        index = bisect_left(self.at, instant)
        if index == len(self.at) or self.at[index] != instant:
            self.at.insert(index, instant)
            self.free.insert(index, self.free[index - 1])
        return index


def _view(column: array[int]) -> NDArray[np.int64]:
    """The column as NumPy sees it; while that is held nothing can be put in."""
    return np.frombuffer(column, dtype=np.int64)
