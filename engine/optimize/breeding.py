"""Activity lists from activity lists: random ones, crossovers, moved operations. Imported late: it loads numba.

It never decodes. Every list it makes is one in which links point forward: a prefix of a list holds the predecessors of
all it holds.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.compiled import njit_bare
from engine.optimize.chance import Chance, below
from engine.optimize.plain import Graph
from engine.optimize.tables import FIRST_MODE, Column, Tables

_CHOICES = 3  # of so many ready operations the most urgent goes into a random list


class Nest(NamedTuple):
    """What lists are made with: links by successor and predecessor, a rank of urgency (low first), work of each
    operation in shares of what there is, usable modes (0: none), a state of chance, and scratch [n] each.
    """

    into: Graph
    out_of: Graph
    rank: Column
    energy: Column
    usable: Column
    chance: Chance
    mark: Column
    ready: Column
    spare: Column


@njit_bare
def random_list(nest: Nest, child: Column) -> None:
    """Fill a list: each time the most urgent of three operations that are ready."""
    count, waiting = 0, nest.mark
    for operation in range(len(child)):
        waiting[operation] = nest.into.first[operation + 1] - nest.into.first[operation]
        if waiting[operation] == 0:
            nest.ready[count] = operation
            count += 1
    for place in range(len(child)):
        chosen = below(nest.chance, count)
        for _ in range(below(nest.chance, _CHOICES)):
            other = below(nest.chance, count)
            if nest.rank[nest.ready[other]] < nest.rank[nest.ready[chosen]]:
                chosen = other
        operation = nest.ready[chosen]
        count -= 1
        nest.ready[chosen] = nest.ready[count]
        child[place] = operation
        for entry in range(nest.out_of.first[operation], nest.out_of.first[operation + 1]):
            after = nest.out_of.node[entry]
            waiting[after] -= 1
            if waiting[after] == 0:
                nest.ready[count] = after
                count += 1


@njit_bare
def cross(nest: Nest, mother: Column, father: Column, window: tuple[int, int], child: Column) -> None:
    """A window of the mother's list stays together; what is before it, and after it, comes in the father's order."""
    low, high = window
    for place in range(len(mother)):
        nest.mark[mother[place]] = 0 if place < low else (1 if place < high else 2)
    before, after = 0, high
    for place in range(len(father)):
        operation = father[place]
        if nest.mark[operation] == 0:
            child[before] = operation
            before += 1
        elif nest.mark[operation] == 2:
            child[after] = operation
            after += 1
    for place in range(low, high):
        child[place] = mother[place]


@njit_bare
def cross_inside(nest: Nest, mother: Column, father: Column, window: tuple[int, int], child: Column) -> None:
    """What stands in a window of the mother's list comes in the father's order; the rest stays as it is."""
    low, high = window
    for place in range(len(mother)):
        nest.mark[mother[place]] = 1 if low <= place < high else 0
        child[place] = mother[place]
    for place in range(len(father)):
        if nest.mark[father[place]] == 1:
            child[low] = father[place]
            low += 1


@njit_bare
def dense_window(nest: Nest, order: Column, starts: Column, tries: int) -> tuple[int, int]:
    """Of some random windows of a list the one in which most work is done per tick (peak crossover, Valls 2008)."""
    count = len(order)
    best_low, best_high, best_work, best_time = 0, count, 0, 1
    for _ in range(tries):
        length = count // 4 + below(nest.chance, count // 2 + 1)
        low = below(nest.chance, count - length + 1)
        high = low + length
        if length == 0 or high == low:
            continue
        work = 0
        for place in range(low, high):
            work += nest.energy[order[place]]
        time = max(1, starts[order[high - 1]] - starts[order[low]])
        if work / time > best_work / best_time:
            best_low, best_high, best_work, best_time = low, high, work, time
    return best_low, best_high


@njit_bare
def move_one(nest: Nest, child: Column) -> None:
    """Carry one operation to a random place between its predecessors and its successors."""
    count = len(child)
    here = below(nest.chance, count)
    operation = child[here]
    for each in range(count):
        nest.mark[each] = 0
    for entry in range(nest.into.first[operation], nest.into.first[operation + 1]):
        nest.mark[nest.into.node[entry]] = 1
    for entry in range(nest.out_of.first[operation], nest.out_of.first[operation + 1]):
        nest.mark[nest.out_of.node[entry]] = 1
    low, high = here, here
    while low > 0 and nest.mark[child[low - 1]] == 0:
        low -= 1
    while high < count - 1 and nest.mark[child[high + 1]] == 0:
        high += 1
    there = low + below(nest.chance, high - low + 1)
    while here < there:
        child[here] = child[here + 1]
        here += 1
    while here > there:
        child[here] = child[here - 1]
        here -= 1
    child[there] = operation


@njit_bare
def another_mode(nest: Nest, tables: Tables, mode: Column) -> None:
    """Do one operation in another of its usable modes, where it has several."""
    operation = below(nest.chance, len(mode))
    first, end = tables.operations[operation, FIRST_MODE], tables.operations[operation + 1, FIRST_MODE]
    chosen = first + below(nest.chance, end - first)
    if nest.usable[chosen] != 0:
        mode[operation] = chosen


@njit_bare
def forward(nest: Nest, order: Column) -> None:
    """Bring predecessors before their successors; a list in which they already are stays as it is."""
    emitted, stack, count = nest.mark, nest.ready, 0
    for operation in range(len(order)):
        emitted[operation] = 0
    for place in range(len(order)):
        depth = 0
        if emitted[order[place]] == 0:
            stack[0], depth = order[place], 1
        while depth > 0:
            operation, is_ready = stack[depth - 1], True
            for entry in range(nest.into.first[operation], nest.into.first[operation + 1]):
                before = nest.into.node[entry]
                if emitted[before] == 0:
                    stack[depth] = before
                    depth += 1
                    is_ready = False
                    break
            if is_ready:
                depth -= 1
                emitted[operation] = 1
                nest.spare[count] = operation
                count += 1
    for place in range(count):
        order[place] = nest.spare[place]


@njit_bare
def merge_sort(keys: Column, order: Column, spare: Column) -> None:
    """Sort a list by keys of its operations, stable, in place."""
    count, width = len(order), 1
    while width < count:
        for low in range(0, count, 2 * width):
            middle, high = min(low + width, count), min(low + 2 * width, count)
            left, right = low, middle
            for place in range(low, high):
                if left < middle and (right >= high or keys[order[left]] <= keys[order[right]]):
                    spare[place] = order[left]
                    left += 1
                else:
                    spare[place] = order[right]
                    right += 1
        for place in range(count):
            order[place] = spare[place]
        width *= 2
