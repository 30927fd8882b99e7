"""The forward and backward pass, compiled. Imported late, since this module loads numba.

It never states a rule of its own: each function is the twin of the one of the same name in plain.py, its oracle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import njit_now
from engine.model import Ticks
from engine.schedule.network import NO_PIN, Network
from engine.schedule.plain import FF, FS, SS, Dates
from engine.schedule.working_time import WorkingTime

Column = NDArray[np.int64]


class Time(NamedTuple):
    """A calendar's arrays, as compiled functions take them."""

    starts: Column
    ends: Column
    before: Column


class Links(NamedTuple):
    """A network's link columns, as compiled functions take them."""

    first: Column
    predecessor: Column
    kind: Column
    lag: Column
    is_elapsed: Column


def compute_dates(network: Network, time: WorkingTime, start: Ticks) -> Dates:
    """Both passes; equal to plain.compute_dates entry by entry."""
    clock = Time(time.starts, time.ends, time.before)
    links = Links(network.first, network.predecessor, network.kind, network.lag, network.is_elapsed)
    early = _forward(links, clock, network.duration, network.pin, start)
    late = _backward(links, clock, network.duration, int(early[1].max(initial=start)))
    free, driving = _slack(links, clock, early, late)
    return Dates(*early, *late, _total(clock, early, late), free, is_driving=driving)


@njit_now
def _work_before(time: Time, instant: int) -> int:
    index = np.searchsorted(time.starts, instant, side="right") - 1
    if index < 0:
        return 0
    return int(time.before[index] + min(instant, time.ends[index]) - time.starts[index])


@njit_now
def _start_at(time: Time, done: int) -> int:
    index = max(int(np.searchsorted(time.before, done, side="right")) - 1, 0)
    return int(min(time.starts[index] + max(done, 0) - time.before[index], time.ends[index]))


@njit_now
def _finish_at(time: Time, done: int) -> int:
    index = max(int(np.searchsorted(time.before, done, side="left")) - 1, 0)
    return int(min(time.starts[index] + max(done, 0) - time.before[index], time.ends[index]))


@njit_now
def _add(time: Time, instant: int, work: int) -> int:
    done = _work_before(time, instant) + work
    return _finish_at(time, done) if work > 0 else _start_at(time, done)


@njit_now
def _shift(time: Time, instant: int, lag: int, is_elapsed: int) -> int:
    if lag == 0 or is_elapsed:
        return instant + lag
    return _add(time, instant, lag)


@njit_now
def _forward(links: Links, time: Time, duration: Column, pin: Column, start: int) -> tuple[Column, Column]:
    early_start, early_finish = np.empty_like(duration), np.empty_like(duration)
    for leaf in range(len(duration)):
        starts_after, ends_after = max(start, pin[leaf]), NO_PIN
        for link in range(links.first[leaf], links.first[leaf + 1]):
            before, kind = links.predecessor[link], links.kind[link]
            anchor = early_finish[before] if kind in (FS, FF) else early_start[before]
            bound = _shift(time, anchor, links.lag[link], links.is_elapsed[link])
            if kind in (FS, SS):
                starts_after = max(starts_after, bound)
            else:
                ends_after = max(ends_after, bound)
        early_start[leaf], early_finish[leaf] = _place(time, duration[leaf], starts_after, ends_after)
    return early_start, early_finish


@njit_now
def _place(time: Time, duration: int, starts_after: int, ends_after: int) -> tuple[int, int]:
    if duration == 0:
        at = max(starts_after, ends_after)
        done = _work_before(time, at)
        if at not in (_finish_at(time, done), _start_at(time, done)):
            at = _start_at(time, done)
        return at, at
    es = _start_at(time, _work_before(time, starts_after))
    if ends_after != NO_PIN:
        es = max(es, _add(time, ends_after, -duration))
    return es, _add(time, es, duration)


@njit_now
def _backward(links: Links, time: Time, duration: Column, finish: int) -> tuple[Column, Column]:
    late_start, late_finish = np.full_like(duration, -NO_PIN), np.full_like(duration, finish)
    for leaf in range(len(duration) - 1, -1, -1):
        ls, lf = _place_late(time, duration[leaf], late_start[leaf], late_finish[leaf])
        late_start[leaf], late_finish[leaf] = ls, lf
        for link in range(links.first[leaf], links.first[leaf + 1]):
            before, kind = links.predecessor[link], links.kind[link]
            bound = _shift(time, ls if kind in (FS, SS) else lf, -links.lag[link], links.is_elapsed[link])
            if kind in (FS, FF):
                late_finish[before] = min(late_finish[before], bound)
            else:
                late_start[before] = min(late_start[before], bound)
    return late_start, late_finish


@njit_now
def _place_late(time: Time, duration: int, starts_by: int, ends_by: int) -> tuple[int, int]:
    if duration == 0:
        at = min(starts_by, ends_by)
        done = _work_before(time, at)
        if at not in (_finish_at(time, done), _start_at(time, done)):
            at = _finish_at(time, done)
        return at, at
    ls = _add(time, _finish_at(time, _work_before(time, ends_by)), -duration)
    if starts_by != -NO_PIN:
        ls = min(ls, _start_at(time, _work_before(time, starts_by)))
    return ls, _add(time, ls, duration)


@njit_now
def _slack(
    links: Links, time: Time, early: tuple[Column, Column], late: tuple[Column, Column]
) -> tuple[Column, NDArray[np.bool_]]:
    early_start, early_finish = early
    free = np.full_like(early_start, -NO_PIN)
    driving = np.zeros(len(links.predecessor), dtype=np.bool_)
    for leaf in range(len(early_start)):
        for link in range(links.first[leaf], links.first[leaf + 1]):
            before, kind = links.predecessor[link], links.kind[link]
            anchor = early_finish[before] if kind in (FS, FF) else early_start[before]
            bound = _shift(time, anchor, links.lag[link], links.is_elapsed[link])
            bounded = early_start[leaf] if kind in (FS, SS) else early_finish[leaf]
            gap = _work_before(time, bounded) - _work_before(time, bound)
            free[before] = min(free[before], max(gap, 0))
            driving[link] = gap == 0
    for leaf in range(len(free)):
        if free[leaf] == -NO_PIN:
            gap = _work_before(time, late[1][leaf]) - _work_before(time, early_finish[leaf])
            free[leaf] = max(gap, 0)
    return free, driving


@njit_now
def _total(time: Time, early: tuple[Column, Column], late: tuple[Column, Column]) -> Column:
    total = np.empty_like(early[0])
    for leaf in range(len(total)):
        at_start = _work_before(time, late[0][leaf]) - _work_before(time, early[0][leaf])
        at_finish = _work_before(time, late[1][leaf]) - _work_before(time, early[1][leaf])
        total[leaf] = min(at_start, at_finish)
    return total
