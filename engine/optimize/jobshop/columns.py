"""The arrays of a walk through a shop's schedules, as compiled functions take them. It never changes one.

A shop seen from its start and the same shop seen from its end are mirror images: heads here are tails there. So there
are two sides, EARLY rows and late rows of one table, and most functions are told a side and serve both directions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]
Chance = NDArray[np.uint64]

# Columns of Walk.nodes: what holds the node at the least; its arcs; the neighbor on its machine; how long it takes;
# the head or tail; that and the length; the head or tail that the arcs alone would give.
BOUND, FIRST, LAST, NEAR, LENGTH, AT, END, FIXED = range(8)
# Columns of Walk.arcs: the node it comes from, the gap at the least, and the link it was made of (-1: none).
OTHER, GAP, LINK = range(3)
# Columns of Walk.places.
MACHINE, WHERE, MODE, MARK = range(4)
# Places in Walk.tally.
ITERATION, VALUE, BEST, BEST_AT, GOAL, STAMP, PATH, MOVES, LOW, HIGH, FINGERPRINT, HEAT, REPEATS, STOPPED = range(14)
TALLIES = 14
# Columns of Shop.links.
FROM, TO, KIND, LAG, TRANSPORTED, MOST = range(6)
# Columns of Shop.modes.
ON, TAKES, COSTS = range(3)
# Columns of Shop.targets.
DUE, WEIGHT, PIN, NOW, NOW_MODE = range(5)
# Columns of Walk.moves: how is AHEAD or BACK (past the other), or a mode (behind the other on its machine).
NODE, PAST, HOW, ESTIMATE, IS_TABU = range(5)
AHEAD, BACK = -1, -2
EARLY = 0  # the first row of heads; those of tails follow after all nodes


class Shop(NamedTuple):
    """What does not change. Node i < n is an operation, n + j the boundary of machine j, the last one of no machine.

    first_mode int64[n+1]; modes int64[k, 3]; links int64[l, 6]; transport int64[machines, machines] or empty;
    ends: operations that may finish last; matrix int64[machines + 1], -1 none; setup int64[2x, f+1, f+1]: matrices,
    then the same transposed; family int64[2N], the last one standing for none; targets int64[n, 5]; weights int64[6].
    """

    first_mode: Column
    modes: Column
    links: Column
    transport: Column
    ends: Column
    matrix: Column
    setup: Column
    family: Column
    targets: Column
    weights: Column


class Walk(NamedTuple):
    """Where a walk stands. nodes int64[2N, 8], arcs int64[2a, 3], places int64[N, 4], order int64[n] topological.

    path: a critical path, latest first; moves: those found; tabu, seen: hashed memories; best int64[3, n]: the order,
    modes and heads of the best so far; tally: numbers by name; chance: as chance.py has it.
    """

    nodes: Column
    arcs: Column
    places: Column
    order: Column
    scratch: Column
    path: Column
    moves: Column
    tabu: Column
    seen: Column
    best: Column
    tally: Column
    chance: Chance
