"""Ways between two schedules: how far they are apart, and what lies between them. Loads numba.

It never leaves feasible ground: both ends are topological orders, and exchanging neighbors of one that stand the other
way round in the other never turns a link round (a linear form of path relinking, Peng, Lü and Cheng 2015).
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.optimize.chance import below
from engine.optimize.jobshop.columns import MODE, ON, Column, Shop, Walk


@njit_bare
def distance(shop: Shop, order: Column, mode: Column, place: Column, other_mode: Column) -> int:
    """Pairs on one machine that stand the other way round in another schedule, and operations on another machine there.

    `place` is where each operation stands in the other schedule's order.
    """
    apart, count, none = 0, order.shape[0], shop.matrix.shape[0] - 1
    for at in range(count):
        node = order[at]
        machine = shop.modes[mode[node], ON]
        if shop.modes[other_mode[node], ON] != machine:
            apart += 1
        elif machine != none:
            for later in range(at + 1, count):
                other = order[later]
                if place[other] < place[node] and shop.modes[mode[other], ON] == machine:
                    apart += shop.modes[other_mode[other], ON] == machine
    return apart


@njit_bare
def approach(shop: Shop, walk: Walk, place: Column, mode: Column, steps: int) -> None:
    """Takes walk.order and the modes in walk.places so many steps toward another schedule, by chance.

    `place` is where each operation stands in the other schedule's order, `mode` its mode there.
    """
    order, places, count = walk.order, walk.places, walk.order.shape[0]
    left, tries = steps, 8 * count * count
    while left > 0 and tries > 0 and count > 1:
        tries -= 1
        at = below(walk.chance, count - 1)
        first, second = order[at], order[at + 1]
        if place[first] > place[second]:
            order[at], order[at + 1] = second, first
            left -= shop.modes[places[first, MODE], ON] == shop.modes[places[second, MODE], ON]
        elif places[first, MODE] != mode[first]:
            places[first, MODE] = mode[first]
            left -= 1
