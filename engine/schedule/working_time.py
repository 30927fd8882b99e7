"""WorkingTime: a calendar compiled to cumulative-work arrays. It never walks days.

Two names for one instant (Friday 17:00 and Monday 08:00 are no working second apart): a start takes the later
name, a finish the earlier one.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from engine.errors import PlanError
from engine.model import DAY, Calendar, CalendarException, Shift, Ticks, Week, WorkWeek
from engine.schedule.recurrence import days_of

FIRST_DAY = 5_113  # 1984-01-01, the first day a plan may use
LAST_DAY = 65_744  # 2149-12-31, the last one
_FAR = 1 << 61  # a device plan works always; sums of two stay inside int64
_NO_BASES: dict[int, Calendar] = {}

Instants = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WorkingTime:
    """Half-open working intervals `starts[i] <= t < ends[i]`; `before[i]` is the work in ticks done before the i-th."""

    starts: Instants
    ends: Instants
    before: Instants

    @staticmethod
    def of(calendar: Calendar | None, bases: Mapping[int, Calendar] = _NO_BASES) -> WorkingTime:
        """Compile a calendar (None: always working, the device clock); raises PlanError where nothing is worked.

        `bases` holds the calendars that derived ones rest on, by id.
        """
        if calendar is None:
            return ALWAYS
        chain = [calendar]
        while (base := chain[-1].base) in bases and base is not None and bases[base] not in chain:
            chain.append(bases[base])
        time = _compiled(tuple((each.week, each.periods, each.exceptions) for each in chain if _says_something(each)))
        if time.is_empty:
            raise PlanError(f"Calendar “{calendar.name}” has no working time: give it at least one shift.")
        return time

    def intersected(self, other: WorkingTime) -> WorkingTime:
        """What is worked in both; nothing at all may be left, which `is_empty` tells."""
        if self is other:
            return self
        edges = np.unique(np.concatenate((self.starts, self.ends, other.starts, other.ends)))
        starts, ends = edges[:-1], edges[1:]
        held = self._is_working(starts) & other._is_working(starts)
        return _made(*_merge(starts[held], ends[held]))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is ever worked."""
        return not len(self.starts)

    @property
    def is_always(self) -> bool:
        """Whether there is no break in it, as long as calendars go."""
        return len(self.starts) == 1 and self.starts[0] <= FIRST_DAY * DAY and self.ends[0] >= LAST_DAY * DAY

    def add(self, instant: Ticks, work: Ticks) -> Ticks:
        """The instant `work` ticks of work later (earlier when negative); a finish when positive, a start when not."""
        done = self.work_before(instant) + work
        return self.finish_at(done) if work > 0 else self.start_at(done)

    def between(self, first: Ticks, second: Ticks) -> Ticks:
        """Signed work in ticks from the first instant to the second."""
        return self.work_before(second) - self.work_before(first)

    def next_start(self, instant: Ticks) -> Ticks:
        """The first working instant at or after this one."""
        return self.start_at(self.work_before(instant))

    def previous_finish(self, instant: Ticks) -> Ticks:
        """The last instant at or before this one at which work could end."""
        return self.finish_at(self.work_before(instant))

    def intervals(self, first: Ticks, last: Ticks) -> tuple[Instants, Instants]:
        """Starts and ends of the working intervals that touch [first, last), clipped to it."""
        low = int(np.searchsorted(self.ends, first, side="right"))
        high = int(np.searchsorted(self.starts, last, side="left"))
        return np.maximum(self.starts[low:high], first), np.minimum(self.ends[low:high], last)

    def intervals_of_all(self, firsts: Instants, lasts: Instants) -> tuple[Instants, Instants, Instants]:
        """`intervals` for arrays, one after the other: to which entry each belongs, their starts and their ends."""
        low = np.searchsorted(self.ends, firsts, side="right")
        counts = np.maximum(np.searchsorted(self.starts, lasts, side="left") - low, 0)
        which = np.repeat(np.arange(len(counts)), counts)
        at = np.arange(len(which)) + np.repeat(low - np.cumsum(counts) + counts, counts)
        return which, np.maximum(self.starts[at], firsts[which]), np.minimum(self.ends[at], lasts[which])

    def work_before(self, instant: Ticks) -> Ticks:
        """Work in ticks from the beginning of the calendar to an instant."""
        starts, ends, before = self._lists
        index = bisect_right(starts, instant) - 1
        return 0 if index < 0 else before[index] + min(instant, ends[index]) - starts[index]

    def start_at(self, done: Ticks) -> Ticks:
        """The later name of the instant before which `done` ticks were worked."""
        starts, ends, before = self._lists
        index = max(bisect_right(before, done) - 1, 0)
        return min(starts[index] + max(done, 0) - before[index], ends[index])

    def finish_at(self, done: Ticks) -> Ticks:
        """The earlier name of the instant before which `done` ticks were worked."""
        starts, ends, before = self._lists
        index = max(bisect_left(before, done) - 1, 0)
        return min(starts[index] + max(done, 0) - before[index], ends[index])

    def add_all(self, instants: Instants, work: Instants) -> Instants:
        """`add` for arrays of equal length."""
        done = self.work_before_all(instants) + work
        return np.where(work > 0, self.finishes_at(done), self.starts_at(done))

    def between_all(self, first: Instants, second: Instants) -> Instants:
        """`between` for arrays of equal length."""
        return self.work_before_all(second) - self.work_before_all(first)

    def next_starts(self, instants: Instants) -> Instants:
        """`next_start` for an array."""
        return self.starts_at(self.work_before_all(instants))

    def previous_finishes(self, instants: Instants) -> Instants:
        """`previous_finish` for an array."""
        return self.finishes_at(self.work_before_all(instants))

    def work_before_all(self, instants: Instants) -> Instants:
        """`work_before` for an array."""
        index = np.searchsorted(self.starts, instants, side="right") - 1
        held = np.maximum(index, 0)
        done: Instants = self.before[held] + np.minimum(instants, self.ends[held]) - self.starts[held]
        return np.where(index < 0, 0, done)

    def starts_at(self, done: Instants) -> Instants:
        """`start_at` for an array."""
        return self._instants(done, np.searchsorted(self.before, done, side="right"))

    def finishes_at(self, done: Instants) -> Instants:
        """`finish_at` for an array."""
        return self._instants(done, np.searchsorted(self.before, done, side="left"))

    def _instants(self, done: Instants, place: NDArray[np.intp]) -> Instants:
        index = np.maximum(place - 1, 0)
        found: Instants = np.minimum(self.starts[index] + np.maximum(done, 0) - self.before[index], self.ends[index])
        return found

    def _is_working(self, instants: Instants) -> NDArray[np.bool_]:
        if self.is_empty:
            return np.zeros(len(instants), bool)
        index = np.searchsorted(self.starts, instants, side="right") - 1
        return (index >= 0) & (instants < self.ends[np.maximum(index, 0)])

    @cached_property
    def _lists(self) -> tuple[memoryview[int], memoryview[int], memoryview[int]]:
        """The columns as views that give ints, which bisect reads faster than NumPy's arrays."""
        return self.starts.data, self.ends.data, self.before.data


ALWAYS = WorkingTime(np.array([-_FAR]), np.array([_FAR]), np.array([0]))


def _says_something(calendar: Calendar) -> bool:
    """Whether a derived calendar differs at all from what it rests on."""
    return bool(
        calendar.base is None
        or calendar.periods
        or calendar.exceptions
        or any(day is not None for day in calendar.week)
    )


# What a calendar says, followed by what those say that it rests on: weeks, periods, exceptions.
_Chain = tuple[tuple[Week, tuple[WorkWeek, ...], tuple[CalendarException, ...]], ...]
# Two megabytes each: as many as are in use, each content once.
_by_chain: WeakValueDictionary[_Chain, WorkingTime] = WeakValueDictionary()
_by_content: WeakValueDictionary[bytes, WorkingTime] = WeakValueDictionary()


@lru_cache(maxsize=32)
def _compiled(chain: _Chain) -> WorkingTime:
    """The working time of a calendar, compiled once as long as anyone holds it, and the last few longer."""
    time = _by_chain.get(chain)
    if time is None:
        time = _compile(chain)
        content = hashlib.blake2b(time.starts.tobytes() + time.ends.tobytes()).digest()
        time = _by_chain[chain] = _by_content.setdefault(content, time)
    return time


def _compile(chain: _Chain) -> WorkingTime:
    days = np.arange(FIRST_DAY, LAST_DAY + 1, dtype=np.int64)
    rule = np.full(len(days), -1, dtype=np.int64)
    rules: list[tuple[Shift, ...]] = []
    for week, periods, exceptions in reversed(chain):
        _lay_week(rule, rules, week, days)
        for period in periods:
            _lay_week(rule, rules, period.week, days, (period.first_day, period.last_day))
        for exception in sorted(exceptions, key=lambda known: known.recurrence is None):
            taken = days_of(exception, LAST_DAY)
            rule[taken[taken >= FIRST_DAY] - FIRST_DAY] = len(rules)
            rules.append(exception.shifts)
    return _made(*_merge(*_shift_bounds(days, rule, rules)))


def _lay_week(
    rule: Instants,
    rules: list[tuple[Shift, ...]],
    week: Week,
    days: Instants,
    span: tuple[int, int] = (FIRST_DAY, LAST_DAY),
) -> None:
    """Lay the days of a week over what holds so far; those that are None leave it as it is."""
    low, high = np.searchsorted(days, span[0], side="left"), np.searchsorted(days, span[1], side="right")
    for weekday, shifts in enumerate(week):
        if shifts is not None:
            first = low + (weekday - (int(days[0]) + int(low) + 3)) % 7  # 1970-01-01 was a Thursday
            rule[first:high:7] = len(rules)
            rules.append(shifts)


def _shift_bounds(days: Instants, rule: Instants, rules: list[tuple[Shift, ...]]) -> tuple[Instants, Instants]:
    starts, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for index in np.unique(rule[rule >= 0]).tolist():
        midnights = days[rule == index] * DAY
        for shift in rules[index]:
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


def _made(starts: Instants, ends: Instants) -> WorkingTime:
    lengths = ends - starts
    return WorkingTime(starts, ends, np.cumsum(lengths, dtype=np.int64) - lengths)
