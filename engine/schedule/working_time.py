"""WorkingTime: a calendar compiled to cumulative-work arrays. It never walks days.

Two names for one instant (Friday 17:00 and Monday 08:00 are no working second apart): a start takes the later
name, a finish the earlier one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.errors import PlanError
from engine.model import DAY, Calendar, Shift, Ticks

FIRST_DAY = 5_113  # 1984-01-01, the first day a plan may use
LAST_DAY = 65_744  # 2149-12-31, the last one
_FAR = 1 << 61  # a device plan works always; sums of two stay inside int64

Instants = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WorkingTime:
    """Half-open working intervals `starts[i] <= t < ends[i]`; `before[i]` is the work in ticks done before the i-th."""

    starts: Instants
    ends: Instants
    before: Instants

    @staticmethod
    def of(calendar: Calendar | None) -> WorkingTime:
        """Compile a calendar (None: always working, the device clock); raises PlanError where nothing is worked."""
        return _compile(calendar)

    def add(self, instant: Ticks, work: Ticks) -> Ticks:
        """The instant `work` ticks of work later (earlier when negative); a finish when positive, a start when not."""
        done = self.work_before(instant) + work
        return self._finish_at(done) if work > 0 else self._start_at(done)

    def between(self, first: Ticks, second: Ticks) -> Ticks:
        """Signed work in ticks from the first instant to the second."""
        return self.work_before(second) - self.work_before(first)

    def next_start(self, instant: Ticks) -> Ticks:
        """The first working instant at or after this one."""
        return self._start_at(self.work_before(instant))

    def previous_finish(self, instant: Ticks) -> Ticks:
        """The last instant at or before this one at which work could end."""
        return self._finish_at(self.work_before(instant))

    def intervals(self, first: Ticks, last: Ticks) -> tuple[Instants, Instants]:
        """Starts and ends of the working intervals that touch [first, last), clipped to it."""
        low = int(np.searchsorted(self.ends, first, side="right"))
        high = int(np.searchsorted(self.starts, last, side="left"))
        return np.maximum(self.starts[low:high], first), np.minimum(self.ends[low:high], last)

    def work_before(self, instant: Ticks) -> Ticks:
        """Work in ticks from the beginning of the calendar to an instant."""
        starts, ends, before = self._lists
        index = bisect_right(starts, instant) - 1
        return 0 if index < 0 else before[index] + min(instant, ends[index]) - starts[index]

    def _start_at(self, done: Ticks) -> Ticks:
        starts, ends, before = self._lists
        index = max(bisect_right(before, done) - 1, 0)
        return min(starts[index] + max(done, 0) - before[index], ends[index])

    def _finish_at(self, done: Ticks) -> Ticks:
        starts, ends, before = self._lists
        index = max(bisect_left(before, done) - 1, 0)
        return min(starts[index] + max(done, 0) - before[index], ends[index])

    @cached_property
    def _lists(self) -> tuple[list[int], list[int], list[int]]:
        return self.starts.tolist(), self.ends.tolist(), self.before.tolist()


@lru_cache(maxsize=32)
def _compile(calendar: Calendar | None) -> WorkingTime:
    if calendar is None:
        return WorkingTime(np.array([-_FAR]), np.array([_FAR]), np.array([0]))
    days = np.arange(FIRST_DAY, LAST_DAY + 1, dtype=np.int64)
    rule = (days + 3) % 7  # 1970-01-01 was a Thursday; rules 0 to 6 are the week, Monday first
    rules = [shifts or () for shifts in calendar.week]
    for exception in calendar.exceptions:
        rule[(days >= exception.first_day) & (days <= exception.last_day)] = len(rules)
        rules.append(exception.shifts)
    starts, ends = _merge(*_shift_bounds(days, rule, rules))
    if not len(starts):
        raise PlanError(f"Calendar “{calendar.name}” has no working time: give it at least one shift.")
    before = np.concatenate(([0], np.cumsum(ends - starts)[:-1]))
    return WorkingTime(starts, ends, before)


def _shift_bounds(days: Instants, rule: Instants, rules: list[tuple[Shift, ...]]) -> tuple[Instants, Instants]:
    starts, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for index, shifts in enumerate(rules):
        midnights = days[rule == index] * DAY
        for shift in shifts:
            starts.append(midnights + shift.start)
            ends.append(midnights + shift.end)
    return np.concatenate(starts), np.concatenate(ends)


def _merge(starts: Instants, ends: Instants) -> tuple[Instants, Instants]:
    """Sort, and join intervals that touch or overlap."""
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    is_first = np.ones(len(starts), bool)
    is_first[1:] = starts[1:] > ends[:-1]
    is_last = np.append(is_first[1:], True)[: len(starts)]
    return starts[is_first], ends[is_last]
