"""Working times, and what several people do of one task, in one array that compiled passes read. It never loads numba.

Tables beside the intervals find the right one in a step or two.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.schedule.columns import Column, Parts
from engine.schedule.working_time import WorkingTime

# What the array holds of each clock, one row after the other: the places of its first and last interval; the origin,
# bits, first and last bucket of instants; the bits, first and last bucket of work. An interval is (start, end, work
# before); a bucket holds the place of the interval to look from onward.
FIRST, LAST, ORIGIN, TIME_BITS, TIME_FIRST, TIME_LAST, WORK_BITS, WORK_FIRST, WORK_LAST = range(9)
ROW = 9
_TIME_BITS = 16  # buckets of 18 hours
_ALWAYS_BITS = 62


@lru_cache(maxsize=4)
def clock_table(times: tuple[WorkingTime, ...]) -> Column:
    """The array of working times, by their number."""
    buckets = [(_by_time(time), _by_work(time)) for time in times]
    sizes = [3 * len(time.starts) + sum(len(of) for of, _ in two) for time, two in zip(times, buckets, strict=True)]
    table = np.empty(ROW * len(times) + sum(sizes), dtype=np.int64)
    size = ROW * len(times)
    for number, (time, ((by_time, bits), (by_work, work_bits))) in enumerate(zip(times, buckets, strict=True)):
        of_time = size + 3 * len(time.starts)
        of_work = of_time + len(by_time)
        end = of_work + len(by_work)
        row = (size, of_time - 3, time.starts[0], bits, of_time, of_work - 1, work_bits, of_work, end - 1)
        table[ROW * number : ROW * (number + 1)] = row
        for place, column in enumerate((time.starts, time.ends, time.before)):
            table[size + place : of_time : 3] = column
        table[of_time:of_work] = by_time
        table[of_work:end] = by_work
        table[of_time:end] = size + 3 * table[of_time:end]
        size = end
    return table


def part_table(table: Column, parts: Parts) -> tuple[Column, Column]:
    """The array with parts behind it, and the place of each node's: their number, then (clock, length, remaining).

    The place is 0 where one clock does.
    """
    sizes = np.diff(parts.first)
    is_shared = sizes > 0
    places = np.zeros(len(sizes), dtype=np.int64)
    if not is_shared.any():
        return table, places
    widths = np.where(is_shared, 1 + 3 * sizes, 0)
    places[is_shared] = (len(table) + np.cumsum(widths) - widths)[is_shared]
    ahead = np.empty(int(widths.sum()), dtype=np.int64)
    is_count = np.zeros(len(ahead), dtype=np.bool_)
    is_count[places[is_shared] - len(table)] = True
    ahead[is_count] = sizes[is_shared]
    ahead[~is_count] = np.stack(parts[1:], axis=1).ravel()
    return np.concatenate((table, ahead)), places


def _by_time(time: WorkingTime) -> tuple[NDArray[np.int32], int]:
    """For each bucket of instants the last interval that starts by its beginning."""
    if len(time.starts) == 1:
        return np.zeros(2, dtype=np.int32), _ALWAYS_BITS
    last = (int(time.ends[-1]) - int(time.starts[0]) >> _TIME_BITS) + 1
    beginnings = int(time.starts[0]) + (np.arange(last + 1, dtype=np.int64) << _TIME_BITS)
    return (np.searchsorted(time.starts, beginnings, side="right") - 1).astype(np.int32), _TIME_BITS


def _by_work(time: WorkingTime) -> tuple[NDArray[np.int32], int]:
    """For each bucket of work the last interval before which no more was done than at its beginning."""
    if len(time.starts) == 1:
        return np.zeros(2, dtype=np.int32), _ALWAYS_BITS
    total = int(time.before[-1] + time.ends[-1] - time.starts[-1])
    bits = max((total // len(time.starts)).bit_length() - 1, 0)
    beginnings = np.arange((total >> bits) + 2, dtype=np.int64) << bits
    return (np.searchsorted(time.before, beginnings, side="right") - 1).astype(np.int32), bits
