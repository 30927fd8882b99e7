"""Schedules between elites in batches, on the processor: the twin of relink.cu. It loads numba.

It never leaves feasible ground: what lies between two topological orders is one (Peng, Lü and Cheng 2015).
"""

from __future__ import annotations

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.batch.relinks import Pairs
from engine.optimize.batch.sequences import Jobs, hashed
from engine.optimize.batch.walking import PER_WALK, mix
from engine.optimize.batch.walks import Places
from engine.optimize.chance import Chance
from engine.optimize.problem import Longs


def approach(jobs: Jobs, elites: Places, pairs: Pairs, seed: int, first: int) -> Places:
    """Children of elites as relink.cu makes them: uint16[c, n], what walks begin with."""
    children = np.zeros((len(pairs), elites.shape[1]), np.uint16)
    numbers = range(first, first + len(pairs))
    seeds = np.array([(hashed(seed) + number * PER_WALK) % (1 << 64) for number in numbers], np.uint64)
    goal = np.zeros(len(jobs.operation), np.int64)
    for row, (start, other, wanted) in enumerate(pairs.tolist()):
        order = elites[start].astype(np.int64)
        goal[elites[other]] = np.arange(len(order))
        _go(jobs, order, goal, seeds[row : row + 1], wanted)
        children[row] = order[np.argsort(jobs.machine[order], kind="stable")]
    return children


def distance(jobs: Jobs, one: Places, other: Places) -> int:
    """Pairs of a machine that stand the other way round in another order or sequence of steps."""
    place = np.zeros(len(jobs.operation), np.int64)
    place[other] = np.arange(len(other))
    return _turned(jobs, one.astype(np.int64), place)


@njit_bare
def _turned(jobs: Jobs, order: Longs, place: Longs) -> int:
    turned = 0
    for at in range(len(order)):
        for later in range(at + 1, len(order)):
            if jobs.machine[order[at]] == jobs.machine[order[later]]:
                turned += place[order[at]] > place[order[later]]
    return turned


@njit_bare
def _go(jobs: Jobs, order: Longs, goal: Longs, seeds: Chance, left: int) -> None:
    """Rounds of exchanges; of 32 pairs that the lanes of a warp look at together, none after the last one counted."""
    number = quiet = 0
    while left > 0 and quiet < 2:
        is_any = False
        base = number & 1
        while base + 1 < len(order) and left > 0:
            counted = 0
            for at in range(base, min(base + 64, len(order) - 1), 2):
                one, other = order[at], order[at + 1]
                if goal[one] > goal[other]:
                    is_any = True
                    if mix(seeds[0], number << 16 | at) >> 30 and counted < left:
                        order[at], order[at + 1] = other, one
                        counted += jobs.machine[one] == jobs.machine[other]
            left -= counted
            base += 64
        quiet = 0 if is_any else quiet + 1
        number += 1
