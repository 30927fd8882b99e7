"""What a block of samples writes, and the instants of its codes, compiled. It never dates a node.

Imported late, since it loads numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import njit_bare
from engine.risk.program import NO_LINK, SOURCE, Steps
from engine.risk.sampling import LANES, Dice, Flags, draw_lanes
from engine.risk.sources import Column, Draws
from engine.risk.uncertain import Uncertain
from engine.schedule.passes_tasks import finish_at, start_at, work_before

NOBODY = -1  # drives a node: its own dates do


class Scratch(NamedTuple):
    """What one block writes: a row a node or a draw, a column a sample. `drivers` are nodes.

    `start` and `finish` hold codes of FAST nodes; `dates` the instants of others, and of those that they wait for, as
    the passes want them: a table a sample. `lane` are rows for the moment.
    """

    dice: Dice
    happens: Flags
    start: Column
    finish: Column
    duration: Column
    drivers: Column
    dates: NDArray[np.int64]
    lane: Column
    vanished: Flags


# Rows of Scratch.lane.
SPARE, LONG, BOUND, BEST, BEGIN = range(5)


@njit_bare
def instant_of(table: Column, steps: Steps, clock: int, code: int) -> int:
    """The instant of a code."""
    work = (code >> 1) + steps.origins[clock]
    return start_at(table, clock, work) if code & 1 else finish_at(table, clock, work)


@njit_bare
def code_of(table: Column, steps: Steps, clock: int, instant: int) -> int:
    """The code of an instant."""
    work = work_before(table, clock, instant)
    is_later = instant != finish_at(table, clock, work)
    return int(2 * (work - steps.origins[clock]) + is_later)


@njit_bare
def sampled_lag(draws: Draws, uncertain: Uncertain, scratch: Scratch, before: int, link: Column, first: int) -> bool:
    """Fills the spare row with the lag of a link in each sample; false where it is the same in all."""
    source, lag = link[SOURCE], scratch.lane[SPARE]
    if source == NO_LINK:
        return False
    if uncertain.lag_draw[source] >= 0:
        draw_lanes(draws, uncertain.lag_draw[source], first, scratch.dice, lag)
        return True
    percent, slot = uncertain.lag_percent[source], uncertain.slot[before]
    if percent == 0:
        return False
    for lane in range(LANES):
        lag[lane] = scratch.duration[slot, lane] * percent // 100
    return True
