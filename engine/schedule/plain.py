"""The forward and backward pass, readable: the oracle of the compiled one, and its stand-in until that is loaded.

Dates are instants in ticks; a start bears the later of two names for one instant, a finish the earlier one, and a
milestone keeps the name its predecessor gave it. It never imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import Ticks
from engine.schedule.network import NO_PIN, Network
from engine.schedule.working_time import WorkingTime

FS, SS, FF, SF = range(4)

Column = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Dates:
    """One entry a leaf, in the network's order; `is_driving` has one entry a link."""

    early_start: Column
    early_finish: Column
    late_start: Column
    late_finish: Column
    total_float: Column
    free_float: Column
    is_driving: NDArray[np.bool_]


def compute_dates(network: Network, time: WorkingTime, start: Ticks) -> Dates:
    """Both passes. `start` is the project's start in ticks."""
    early = forward(network, time, start)
    late = backward(network, time, max(early[1], default=start))
    free, driving = slack(network, time, early, late)
    total = [min(time.between(es, ls), time.between(ef, lf)) for es, ef, ls, lf in zip(*early, *late, strict=True)]
    es, ef, ls, lf, total_float, free_float = (np.array(v, dtype=np.int64) for v in (*early, *late, total, free))
    return Dates(es, ef, ls, lf, total_float, free_float, np.array(driving, dtype=np.bool_))


def forward(network: Network, time: WorkingTime, start: Ticks) -> tuple[list[Ticks], list[Ticks]]:
    """Early starts and finishes: the least that satisfy every link, every pin and the project's start."""
    early_start: list[Ticks] = []
    early_finish: list[Ticks] = []
    for leaf, duration in enumerate(network.duration.tolist()):
        starts_after = max(start, int(network.pin[leaf]))
        ends_after = NO_PIN
        for link in range(int(network.first[leaf]), int(network.first[leaf + 1])):
            before, kind = int(network.predecessor[link]), int(network.kind[link])
            anchor = early_finish[before] if kind in (FS, FF) else early_start[before]
            bound = shift(time, anchor, int(network.lag[link]), bool(network.is_elapsed[link]))
            if kind in (FS, SS):
                starts_after = max(starts_after, bound)
            else:
                ends_after = max(ends_after, bound)
        es, ef = place(time, duration, starts_after, ends_after)
        early_start.append(es)
        early_finish.append(ef)
    return early_start, early_finish


def place(time: WorkingTime, duration: Ticks, starts_after: Ticks, ends_after: Ticks) -> tuple[Ticks, Ticks]:
    """The earliest start and finish with start >= starts_after and finish >= ends_after."""
    if duration == 0:
        at = max(starts_after, ends_after)
        at = at if at in (time.previous_finish(at), time.next_start(at)) else time.next_start(at)
        return at, at
    es = time.next_start(starts_after)
    if ends_after != NO_PIN:
        es = max(es, time.add(ends_after, -duration))
    return es, time.add(es, duration)


def backward(network: Network, time: WorkingTime, finish: Ticks) -> tuple[list[Ticks], list[Ticks]]:
    """Late starts and finishes: the greatest that delay neither a successor beyond its own nor the project."""
    count = len(network.ids)
    late_start, late_finish = [-NO_PIN] * count, [finish] * count
    for leaf in reversed(range(count)):
        duration = int(network.duration[leaf])
        ls, lf = place_late(time, duration, late_start[leaf], late_finish[leaf])
        late_start[leaf], late_finish[leaf] = ls, lf
        for link in range(int(network.first[leaf]), int(network.first[leaf + 1])):
            before, kind = int(network.predecessor[link]), int(network.kind[link])
            anchor = ls if kind in (FS, SS) else lf
            bound = shift(time, anchor, -int(network.lag[link]), bool(network.is_elapsed[link]))
            bounded = late_finish if kind in (FS, FF) else late_start
            bounded[before] = min(bounded[before], bound)
    return late_start, late_finish


def place_late(time: WorkingTime, duration: Ticks, starts_by: Ticks, ends_by: Ticks) -> tuple[Ticks, Ticks]:
    """The latest start and finish with start <= starts_by and finish <= ends_by."""
    if duration == 0:
        at = min(starts_by, ends_by)
        at = at if at in (time.previous_finish(at), time.next_start(at)) else time.previous_finish(at)
        return at, at
    ls = time.add(time.previous_finish(ends_by), -duration)
    if starts_by != -NO_PIN:
        ls = min(ls, time.next_start(starts_by))
    return ls, time.add(ls, duration)


def slack(
    network: Network, time: WorkingTime, early: tuple[list[Ticks], list[Ticks]], late: tuple[list[Ticks], list[Ticks]]
) -> tuple[list[Ticks], list[bool]]:
    """Free float of each leaf, and which links drive.

    Free float is the least slack over the links to successors, never below 0; without successors, to the late finish.
    """
    early_start, early_finish = early
    free = [-NO_PIN] * len(network.ids)
    driving: list[bool] = []
    for leaf in range(len(network.ids)):
        for link in range(int(network.first[leaf]), int(network.first[leaf + 1])):
            before, kind = int(network.predecessor[link]), int(network.kind[link])
            anchor = early_finish[before] if kind in (FS, FF) else early_start[before]
            bound = shift(time, anchor, int(network.lag[link]), bool(network.is_elapsed[link]))
            gap = time.between(bound, early_start[leaf] if kind in (FS, SS) else early_finish[leaf])
            free[before] = min(free[before], max(gap, 0))
            driving.append(gap == 0)
    for leaf, value in enumerate(free):
        if value == -NO_PIN:
            free[leaf] = max(time.between(early_finish[leaf], late[1][leaf]), 0)
    return free, driving


def shift(time: WorkingTime, instant: Ticks, lag: Ticks, is_elapsed: bool) -> Ticks:
    """The instant a lag later, in elapsed or in working ticks."""
    if lag == 0 or is_elapsed:
        return instant + lag
    return time.add(instant, lag)
