"""Profile: how much of one resource is free, over time, as steps. It never knows of tasks or calendars.

Units are counted in billionths, so that sums are exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from engine.model import Resource, Ticks

UNIT = 10**9
# A thousandth of a unit: three tasks of 33.34 % fit on one person.
TOLERANCE = UNIT // 1000
_FAR = 1 << 61


def in_billionths(units: float) -> int:
    """Units as an integer."""
    return round(units * UNIT)


class Profile:
    """Free units from `at[k]` to before `at[k + 1]` are `free[k]`; below zero where more is used than there is.

    `most` is the most there ever is. `is_shared`: those who use it work by different calendars, so that a break of one
    is another's time.
    """

    __slots__ = ("at", "free", "is_shared", "most")

    def __init__(self, resource: Resource) -> None:
        self.at: list[Ticks] = [-_FAR]
        self.free: list[int] = [in_billionths(resource.capacity)]
        for step in resource.steps:
            if step.first < step.last:
                low, high = self._cut(step.first), self._cut(step.last)
                self.at[low + 1 : high] = []
                self.free[low:high] = [in_billionths(step.units)]
        self.most = max(self.free)
        self.is_shared = False

    def blocked(self, first: Ticks, last: Ticks, units: int) -> Iterator[tuple[Ticks, Ticks]]:
        """Stretches that touch [first, last), not clipped to it, in which free(t) + TOLERANCE < units."""
        at, free, count = self.at, self.free, len(self.at)
        index = bisect_right(at, first) - 1
        while index < count and at[index] < last:
            begin = index
            while index < count and free[index] + TOLERANCE < units:
                index += 1
            if index > begin:
                yield at[begin], at[index] if index < count else _FAR
            index += 1

    def book(self, first: Ticks, last: Ticks, units: int) -> None:
        """Use `units` from `first` to before `last`."""
        if first >= last:
            return
        low, high = self._cut(first), self._cut(last)
        for index in range(low, high):
            self.free[index] -= units
        for index in (high, low):
            if self.free[index] == self.free[index - 1]:
                del self.at[index], self.free[index]

    def _cut(self, instant: Ticks) -> int:
        """The index of the step that begins here, made where there is none."""
        index = bisect_left(self.at, instant)
        if index == len(self.at) or self.at[index] != instant:
            self.at.insert(index, instant)
            self.free.insert(index, self.free[index - 1])
        return index
