"""Children of a population of activity lists: bred, decoded forward and backward, kept or not. It loads numba.

It never looks at a clock: a call breeds as many children as it is told, and the same seed breeds the same ones.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.compiled import njit_bare
from engine.optimize.board import Board
from engine.optimize.breeding import (
    Nest,
    another_mode,
    cross,
    cross_inside,
    dense_window,
    forward,
    merge_sort,
    move_one,
    random_list,
)
from engine.optimize.chance import below
from engine.optimize.decode import decode
from engine.optimize.measure import MAKESPAN, STABILITY, TARDINESS, measure
from engine.optimize.mirrored import MIRROR
from engine.optimize.plain import Plain, place_list, sort_by
from engine.optimize.tables import BEGIN, DUE, NOW, WEIGHT, Column, Tables

# Places in `counts`.
CHILDREN, SCHEDULES, IMPROVED, RESTARTS, STOPPED = range(5)


class Herd(NamedTuple):
    """Islands of individuals, one row each in lists, modes, starts (slots or ticks) and keys.

    levels: of the aim. stale, filled [islands]: children since an island's best improved, and how many it holds;
    limits: how many it may hold, and stale children until it starts anew. The rest is the child being bred, the best
    ever, and scratch.
    """

    lists: Column
    modes: Column
    starts: Column
    keys: Column
    levels: Column
    stale: Column
    filled: Column
    limits: Column
    counts: Column
    child: Column
    child_mode: Column
    child_starts: Column
    child_key: Column
    best: Column
    best_mode: Column
    best_key: Column
    back: Column
    back_starts: Column
    sort_keys: Column
    buckets: Column
    spare: Column
    spare_starts: Column
    spare_key: Column
    objectives: Column


class Shop(NamedTuple):
    """What children are decoded with: the plain problem where is_plain [1], else the tables and their mirror."""

    is_plain: Column
    plain: Plain
    tables: Tables
    board: Board
    back_tables: Tables
    back_board: Board


@njit_bare
def compare(one: Column, other: Column) -> int:
    """-1 where the first key is better, 1 where the second is, else 0."""
    for level in range(len(one)):
        if one[level] != other[level]:
            return -1 if one[level] < other[level] else 1
    return 0


@njit_bare
def evolve(herd: Herd, nest: Nest, shop: Shop, children: int) -> None:
    """Breed so many children, the islands in turn, unless another thread says stop."""
    for _ in range(children):
        if herd.counts[STOPPED]:
            return
        island = herd.counts[CHILDREN] % len(herd.stale)
        herd.counts[CHILDREN] += 1
        herd.stale[island] += 1
        if herd.stale[island] > herd.limits[1]:
            herd.filled[island], herd.stale[island] = 0, 0
            herd.counts[RESTARTS] += 1
        if herd.filled[island] < herd.limits[0]:
            random_list(nest, herd.child)
            _first_modes(herd, nest, shop.tables)
            adopt(herd, nest, shop, island)
        else:
            mother, father = _parents(herd, nest, island)
            _breed(herd, nest, shop, mother, father)
            _improve(herd, nest, shop)
            _keep(herd, island, mother, father)


@njit_bare
def adopt(herd: Herd, nest: Nest, shop: Shop, island: int) -> None:
    """The child, wherever it came from, settles on an island: in a free place, or in that of the worst."""
    _improve(herd, nest, shop)
    _remember(herd, island)
    first = island * herd.limits[0]
    place = first + herd.filled[island]
    if herd.filled[island] < herd.limits[0]:
        herd.filled[island] += 1
    else:
        place = first
        for other in range(first, first + herd.limits[0]):
            if compare(herd.keys[other], herd.keys[place]) > 0:
                place = other
    _settle(herd, place)


@njit_bare
def _first_modes(herd: Herd, nest: Nest, tables: Tables) -> None:
    """The modes of the best so far, a few of them changed."""
    for operation in range(len(herd.child)):
        herd.child_mode[operation] = herd.best_mode[operation]
    if len(nest.usable) > len(herd.child):
        for _ in range(below(nest.chance, len(herd.child) // 2 + 1)):
            another_mode(nest, tables, herd.child_mode)


@njit_bare
def _parents(herd: Herd, nest: Nest, island: int) -> tuple[int, int]:
    """Two of an island, the mother by a tournament; now and then the father from the next island."""
    size, islands = herd.limits[0], len(herd.stale)
    mother, rival = below(nest.chance, size), below(nest.chance, size)
    first = island * size
    if compare(herd.keys[first + rival], herd.keys[first + mother]) < 0:
        mother = rival
    father = below(nest.chance, size - 1)
    father += father >= mother
    if below(nest.chance, 200) == 0:
        other = below(nest.chance, islands)
        if herd.filled[other] == size:
            return first + mother, other * size + father
    return first + mother, first + father


@njit_bare
def _breed(herd: Herd, nest: Nest, shop: Shop, mother: int, father: int) -> None:
    count = len(herd.child)
    mothers, fathers = herd.lists[mother], herd.lists[father]
    if below(nest.chance, 2) == 0:
        cross(nest, mothers, fathers, dense_window(nest, mothers, herd.starts[mother], 4), herd.child)
    else:
        low = below(nest.chance, count)
        window = (low, low + below(nest.chance, count - low + 1))
        cross_inside(nest, mothers, fathers, window, herd.child)
    from_father = below(nest.chance, 2)
    for operation in range(count):
        herd.child_mode[operation] = herd.modes[mother, operation]
        if from_father and below(nest.chance, 2) == 0:
            herd.child_mode[operation] = herd.modes[father, operation]
    for _ in range(below(nest.chance, 4)):
        move_one(nest, herd.child)
    if len(nest.usable) > count and below(nest.chance, 2) == 0:
        another_mode(nest, shop.tables, herd.child_mode)


@njit_bare
def _improve(herd: Herd, nest: Nest, shop: Shop) -> None:
    """Decode the child, justify it to the end and back to the start, and leave the better of the two."""
    if shop.is_plain[0]:
        _improve_plain(herd, shop)
    else:
        _improve_mixed(herd, nest, shop)


@njit_bare
def _improve_plain(herd: Herd, shop: Shop) -> None:
    plain, child, starts, keys = shop.plain, herd.child, herd.child_starts, herd.sort_keys
    count = len(child)
    end = place_list(plain, plain.into, plain.floor, child, starts)
    _worth_plain(herd, shop, starts, end, herd.child_key)
    for operation in range(count):
        keys[operation] = end - starts[operation] - plain.duration[operation]
    for place in range(count):
        herd.spare[place] = child[count - 1 - place]
    sort_by(keys, herd.spare, herd.buckets, herd.back)
    end = place_list(plain, plain.out_of, plain.none, herd.back, herd.back_starts)
    for operation in range(count):
        keys[operation] = end - herd.back_starts[operation] - plain.duration[operation]
    sort_by(keys, child, herd.buckets, herd.spare)
    end = place_list(plain, plain.into, plain.floor, herd.spare, herd.spare_starts)
    _worth_plain(herd, shop, herd.spare_starts, end, herd.spare_key)
    herd.counts[SCHEDULES] += 3
    _take_better(herd)
    sort_by(starts, child, herd.buckets, herd.spare)
    for place in range(count):
        child[place] = herd.spare[place]


@njit_bare
def _take_better(herd: Herd) -> None:
    """The child becomes what was justified, unless that is worse."""
    if compare(herd.spare_key, herd.child_key) > 0:
        return
    for place in range(len(herd.child)):
        herd.child[place] = herd.spare[place]
        herd.child_starts[place] = herd.spare_starts[place]
    for level in range(len(herd.child_key)):
        herd.child_key[level] = herd.spare_key[level]


@njit_bare
def _worth_plain(herd: Herd, shop: Shop, starts: Column, end: int, key: Column) -> None:
    """The key of a plain schedule: where rules cannot break and modes cannot change, little is left to measure."""
    objectives, operations, unit = herd.objectives, shop.tables.operations, shop.plain.unit[0]
    for objective in range(len(objectives)):
        objectives[objective] = 0
    objectives[MAKESPAN] = end * unit
    for operation in range(len(starts)):
        start = shop.tables.rules[BEGIN] + starts[operation] * unit
        finish = start + shop.plain.duration[operation] * unit
        objectives[TARDINESS] += operations[operation, WEIGHT] * max(0, finish - operations[operation, DUE])
        if operations[operation, NOW] >= 0:
            objectives[STABILITY] += abs(start - operations[operation, NOW])
    _weigh(herd, key)


@njit_bare
def _weigh(herd: Herd, key: Column) -> None:
    for level in range(len(key)):
        key[level] = 0
        for objective in range(len(herd.objectives)):
            key[level] += herd.levels[level, objective] * herd.objectives[objective]


@njit_bare
def _improve_mixed(herd: Herd, nest: Nest, shop: Shop) -> None:
    child, mode, keys, count = herd.child, herd.child_mode, herd.sort_keys, len(herd.child)
    _decode_mixed(herd, shop, child, herd.child_starts, herd.child_key)
    end = shop.tables.rules[BEGIN] + herd.objectives[MAKESPAN]
    for place in range(count):
        herd.back[place] = child[count - 1 - place]
        keys[place] = -shop.board.finishes[place]
    merge_sort(keys, herd.back, nest.spare)
    shop.back_tables.rules[BEGIN] = MIRROR - end
    decode(shop.back_tables, shop.back_board, mode, herd.back)
    for place in range(count):
        herd.spare[place] = child[place]
        keys[place] = -shop.back_board.finishes[place]
    merge_sort(keys, herd.spare, nest.spare)
    forward(nest, herd.spare)
    _decode_mixed(herd, shop, herd.spare, herd.spare_starts, herd.spare_key)
    herd.counts[SCHEDULES] += 3
    _take_better(herd)
    merge_sort(herd.child_starts, child, nest.spare)
    forward(nest, child)


@njit_bare
def _decode_mixed(herd: Herd, shop: Shop, order: Column, starts: Column, key: Column) -> None:
    decode(shop.tables, shop.board, herd.child_mode, order)
    for operation in range(len(starts)):
        starts[operation] = shop.board.starts[operation]
    measure(shop.tables, shop.board, herd.child_mode, starts, herd.objectives)
    _weigh(herd, key)


@njit_bare
def _keep(herd: Herd, island: int, mother: int, father: int) -> None:
    """The child takes the place of the worse parent where it is no worse than it, and no twin of anybody."""
    _remember(herd, island)
    loser = father if compare(herd.keys[father], herd.keys[mother]) > 0 else mother
    if compare(herd.child_key, herd.keys[loser]) > 0 or _has_twin(herd, island):
        return
    _settle(herd, loser)


@njit_bare
def _settle(herd: Herd, place: int) -> None:
    for each in range(len(herd.child)):
        herd.lists[place, each] = herd.child[each]
        herd.modes[place, each] = herd.child_mode[each]
        herd.starts[place, each] = herd.child_starts[each]
    for level in range(len(herd.child_key)):
        herd.keys[place, level] = herd.child_key[level]


@njit_bare
def _remember(herd: Herd, island: int) -> None:
    """Whether the child is the best of its island, and the best ever."""
    first, is_best = island * herd.limits[0], True
    for place in range(first, first + herd.filled[island]):
        if compare(herd.child_key, herd.keys[place]) >= 0:
            is_best = False
            break
    if is_best:
        herd.stale[island] = 0
    if compare(herd.child_key, herd.best_key) < 0:
        herd.counts[IMPROVED] += 1
        for each in range(len(herd.child)):
            herd.best[each] = herd.child[each]
            herd.best_mode[each] = herd.child_mode[each]
        for level in range(len(herd.child_key)):
            herd.best_key[level] = herd.child_key[level]


@njit_bare
def _has_twin(herd: Herd, island: int) -> bool:
    first = island * herd.limits[0]
    for place in range(first, first + herd.limits[0]):
        if compare(herd.child_key, herd.keys[place]) == 0:
            is_same = True
            for each in range(len(herd.child)):
                if herd.starts[place, each] != herd.child_starts[each]:
                    is_same = False
                    break
            if is_same:
                return True
    return False
