"""Ways between two schedules: how far they are apart, and what lies between them. Loads numba.

It never leaves feasible ground: both ends are topological orders, and exchanging neighbors of one that stand the other
way round in the other never turns a link round (a linear form of path relinking, Peng, Lü and Cheng 2015).
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.chance import below
from engine.optimize.jobshop.columns import MODE, ON, Column, Shop, Walk

# Places in `left`; so many tries are a part of a way, some tenths of a millisecond.
STEPS, TRIES = range(2)
PART = 50_000


@njit_bare
def distance(shop: Shop, lanes: Column, mode: Column, place: Column, other_mode: Column) -> int:
    """Pairs on one machine that stand the other way round in another schedule, and operations on another machine there.

    `lanes` are the operations machine by machine, those of each in order; `place` is where each operation stands in the
    other schedule's order.
    """
    apart, count, none = 0, lanes.shape[0], shop.matrix.shape[0] - 1
    for at in range(count):
        node = lanes[at]
        machine = shop.modes[mode[node], ON]
        if shop.modes[other_mode[node], ON] != machine:
            apart += 1
        elif machine != none:
            for later in range(at + 1, count):
                other = lanes[later]
                if shop.modes[mode[other], ON] != machine:
                    break
                if place[other] < place[node]:
                    apart += shop.modes[other_mode[other], ON] == machine
    return apart


@njit_bare
def approach(shop: Shop, walk: Walk, place: Column, mode: Column, left: Column) -> None:
    """Takes walk.order and the modes in walk.places toward another schedule, by chance.

    `place` is where each operation stands in the other schedule's order, `mode` its mode there. `left` int64[2]: steps
    that are still to be taken, and tries that may be made in all; so many tries are made as a part of the way.
    """
    order, places, count = walk.order, walk.places, walk.order.shape[0]
    tries = min(left[TRIES], PART)
    left[TRIES] -= tries
    while left[STEPS] > 0 and tries > 0 and count > 1:
        tries -= 1
        at = below(walk.chance, count - 1)
        first, second = order[at], order[at + 1]
        if place[first] > place[second]:
            order[at], order[at + 1] = second, first
            left[STEPS] -= shop.modes[places[first, MODE], ON] == shop.modes[places[second, MODE], ON]
        elif places[first, MODE] != mode[first]:
            places[first, MODE] = mode[first]
            left[STEPS] -= 1
