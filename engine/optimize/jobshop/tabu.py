"""Tabu search for the makespan, as many iterations as it is told. Loads numba.

It never starts anew: what it knows is in the arrays it is handed, and it goes on from there.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.chance import below
from engine.optimize.jobshop.columns import (
    AHEAD,
    AT,
    BEST,
    BEST_AT,
    BOUND,
    EARLY,
    END,
    ESTIMATE,
    FINGERPRINT,
    GOAL,
    HEAT,
    HIGH,
    HOW,
    IS_TABU,
    ITERATION,
    LOW,
    MODE,
    MOVES,
    NEAR,
    NODE,
    PAST,
    REPEATS,
    STOPPED,
    VALUE,
    Column,
    Shop,
    Walk,
)
from engine.optimize.jobshop.graph import lay_out, makespan, pass_by, sweep, take_over
from engine.optimize.jobshop.moves import FAR, collect, slot_of, trace


@njit_bare
def last_of(shop: Shop, walk: Walk, finish: int) -> int:
    """An operation whose finish decides the makespan, by chance where there are several."""
    found, choices, late = -1, 0, walk.places.shape[0]
    for at in range(shop.ends.shape[0]):
        node = shop.ends[at]
        if walk.nodes[node, END] + walk.nodes[late + node, BOUND] == finish:
            choices += 1
            if choices == 1 or below(walk.chance, choices) == 0:
                found = node
    return int(found)


@njit_bare
def chosen(walk: Walk) -> int:
    """The row of the allowed move with the least estimate; any one where all are forbidden; -1: there is none."""
    moves, best, row, ties = walk.moves, FAR, -1, 0
    for at in range(walk.tally[MOVES]):
        value = moves[at, ESTIMATE]
        if moves[at, IS_TABU] and value >= walk.tally[BEST]:
            continue
        if value < best:
            best, row, ties = value, at, 1
        elif value == best:
            ties += 1
            if below(walk.chance, ties) == 0:
                row = at
    if row < 0 and walk.tally[MOVES] > 0:
        row = below(walk.chance, walk.tally[MOVES])
    return row


@njit_bare
def forbid(walk: Walk, row: int, tenure: int) -> None:
    """Remembers that what a move is about to turn round should stay so for a while."""
    node, past, how = walk.moves[row, NODE], walk.moves[row, PAST], walk.moves[row, HOW]
    until, count, late = walk.tally[ITERATION] + tenure, walk.order.shape[0], walk.places.shape[0]
    if how >= 0:
        walk.tabu[slot_of(walk.tabu, node, count + walk.places[node, MODE])] = until
        return
    other = node
    while other != past:
        if how == AHEAD:
            other = walk.nodes[late + other, NEAR]
            walk.tabu[slot_of(walk.tabu, node, other)] = until
        else:
            other = walk.nodes[other, NEAR]
            walk.tabu[slot_of(walk.tabu, other, node)] = until


@njit_bare
def make(shop: Shop, walk: Walk, row: int) -> bool:
    """Makes a move but for heads and tails; False, and nothing done, where it would close a circle."""
    node, past, how = walk.moves[row, NODE], walk.moves[row, PAST], walk.moves[row, HOW]
    if how >= 0:
        return take_over(shop, walk, node, past, how)
    return pass_by(walk, node, past, EARLY if how == AHEAD else walk.places.shape[0])


@njit_bare
def tenure_of(walk: Walk, base: int) -> int:
    """How long to remember: longer, by chance, and longer yet while the walk comes back to where it was."""
    return int(base + below(walk.chance, base + 1) + walk.tally[HEAT])


@njit_bare
def notice(walk: Walk) -> None:
    """Counts how often the walk stands where it stood lately, and heats up if it does so again and again."""
    tally = walk.tally
    slot = tally[FINGERPRINT] & (walk.seen.shape[0] - 1)
    if walk.seen[slot] == tally[FINGERPRINT]:
        tally[REPEATS] += 1
        if tally[REPEATS] > 8:
            tally[HEAT] = min(tally[HEAT] + 4, 64)
            tally[REPEATS] = 0
    elif tally[HEAT] > 0 and tally[ITERATION] & 63 == 0:
        tally[HEAT] -= 1
    walk.seen[slot] = tally[FINGERPRINT]


@njit_bare
def keep_best(walk: Walk) -> None:
    """Copies where the walk stands as the best it has seen."""
    tally = walk.tally
    tally[BEST], tally[BEST_AT] = tally[VALUE], tally[ITERATION]
    for at in range(walk.order.shape[0]):
        walk.best[0, at] = walk.order[at]
        walk.best[1, at] = walk.places[at, MODE]
        walk.best[2, at] = walk.nodes[at, AT]


@njit_bare
def forget(walk: Walk) -> None:
    """Empties the memories."""
    walk.tabu[:] = 0
    walk.seen[:] = 0
    walk.tally[HEAT] = walk.tally[REPEATS] = 0


@njit_bare
def goes_on(tally: Column, patience: int) -> bool:
    """Whether there is a reason for one more iteration, and nobody on another thread said stop."""
    is_patient = tally[ITERATION] - tally[BEST_AT] < patience
    return bool(is_patient and tally[BEST] > tally[GOAL] and not tally[STOPPED])


@njit_bare
def begin(shop: Shop, walk: Walk) -> None:
    """Lays out walk.order and the modes in walk.places as the beginning of a search, with nothing remembered."""
    walk.tally[VALUE] = lay_out(shop, walk)
    forget(walk)
    keep_best(walk)


@njit_bare
def search(shop: Shop, walk: Walk, count: int, patience: int, base: int) -> int:
    """Up to `count` iterations, until the goal is reached, or `patience` of them brought nothing; gives how many.

    `base` is the least number of iterations that a move stays forbidden. Where no move is left, patience is at its end.
    """
    tally, made, late = walk.tally, 0, walk.places.shape[0]
    while goes_on(tally, patience) and made < count:
        made += 1
        tally[ITERATION] += 1
        tally[MOVES] = 0
        trace(shop, walk, last_of(shop, walk, tally[VALUE]))
        collect(shop, walk, shop.setup.shape[0] > 0)
        row = chosen(walk)
        if row < 0:
            tally[BEST_AT] = tally[ITERATION] - patience
            break
        forbid(walk, row, tenure_of(walk, base))
        if make(shop, walk, row):
            sweep(shop, walk, EARLY, tally[LOW])
            sweep(shop, walk, late, tally[HIGH])
            tally[VALUE] = makespan(shop, walk)
            notice(walk)
            if tally[VALUE] < tally[BEST]:
                keep_best(walk)
    return made
