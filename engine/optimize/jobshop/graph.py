"""The disjunctive graph: heads, tails, a topological order, and what one move changes of them. Loads numba.

It never chooses a move. A move takes a node past others of its machine, or to another machine, and is carried out only
where the graph stays free of circles; the topological order is mended in the stretch that the move spans.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import inlined, njit_bare
from engine.optimize.jobshop.columns import (
    AT,
    BOUND,
    EARLY,
    END,
    FINGERPRINT,
    FIRST,
    FIXED,
    FROM,
    GAP,
    HIGH,
    KIND,
    LAG,
    LAST,
    LENGTH,
    LINK,
    LOW,
    MACHINE,
    MARK,
    MODE,
    NEAR,
    ON,
    OTHER,
    STAMP,
    TAKES,
    TO,
    TRANSPORTED,
    WHERE,
    Shop,
    Walk,
)

_ONE, _TWO = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@njit_bare
def joint(before: int, after: int) -> int:
    """What a pair of neighbors adds to the fingerprint of all machines' sequences: 31 bits, mixed well."""
    mixed = np.uint64(before) * _ONE + np.uint64(after) * _TWO
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _ONE
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _TWO
    return np.int64(mixed >> np.uint64(33))  # type: ignore[return-value]  # int() stays unsigned there


@inlined
def changeover(shop: Shop, side: int, machine: int, near: int, node: int) -> int:
    """What a machine needs between two nodes, of which this side meets `near` first."""
    matrix = shop.matrix[machine]
    if matrix < 0:
        return 0
    if side != EARLY:
        matrix += shop.setup.shape[0] >> 1
    return int(shop.setup[matrix, shop.family[side + near], shop.family[side + node]])


@njit_bare
def sweep(shop: Shop, walk: Walk, side: int, since: int) -> None:
    """Computes heads, or tails on the late side, from a place in the topological order to its end."""
    nodes, arcs, order, places = walk.nodes, walk.arcs, walk.order, walk.places
    has_setup = shop.setup.shape[0] > 0
    step = 1 if side == EARLY else -1
    at = since
    while 0 <= at < order.shape[0]:
        node = order[at]
        row = side + node
        arc, last = nodes[row, FIRST], nodes[row, LAST]
        fixed = max(nodes[row, BOUND], nodes[side + arcs[arc, OTHER], END] + arcs[arc, GAP])
        arc += 1
        while arc < last:
            fixed = max(fixed, nodes[side + arcs[arc, OTHER], END] + arcs[arc, GAP])
            arc += 1
        nodes[row, FIXED] = fixed
        near = nodes[row, NEAR]
        level = nodes[side + near, END]
        if has_setup:
            level += changeover(shop, side, places[node, MACHINE], near, node)
        level = max(level, fixed)
        nodes[row, AT] = level
        nodes[row, END] = level + nodes[row, LENGTH]
        at += step


@njit_bare
def makespan(shop: Shop, walk: Walk) -> int:
    """The latest finish, with what must come after it at the least."""
    last, late = 0, walk.places.shape[0]
    for at in range(shop.ends.shape[0]):
        node = shop.ends[at]
        last = max(last, walk.nodes[node, END] + walk.nodes[late + node, BOUND])
    return last


@inlined
def gap_of(shop: Shop, walk: Walk, link: int) -> int:
    """The gap that a link asks for between a finish and a start, in the modes that are chosen."""
    kind, before, after = shop.links[link, KIND], shop.links[link, FROM], shop.links[link, TO]
    gap = shop.links[link, LAG]
    if kind & 1:  # from a start: SS, SF
        gap -= walk.nodes[before, LENGTH]
    if kind & 2:  # to a finish: FF, SF
        gap -= walk.nodes[after, LENGTH]
    if shop.links[link, TRANSPORTED]:
        here, there = walk.places[before, MACHINE], walk.places[after, MACHINE]
        if here < shop.transport.shape[0] and there < shop.transport.shape[0]:
            gap += shop.transport[here, there]
    return int(gap)


@njit_bare
def set_mode(shop: Shop, walk: Walk, node: int, mode: int) -> None:
    """Gives a node a mode: its length and machine, and the gaps of its links, at both of their ends."""
    late = walk.places.shape[0]
    walk.places[node, MODE] = mode
    walk.places[node, MACHINE] = shop.modes[mode, ON]
    walk.nodes[node, LENGTH] = walk.nodes[late + node, LENGTH] = shop.modes[mode, TAKES]
    for side in (0, late):
        for arc in range(walk.nodes[side + node, FIRST], walk.nodes[side + node, LAST]):
            link = walk.arcs[arc, LINK]
            if link >= 0:
                gap = gap_of(shop, walk, link)
                walk.arcs[arc, GAP] = gap
                row = late - side + walk.arcs[arc, OTHER]
                for twin in range(walk.nodes[row, FIRST], walk.nodes[row, LAST]):
                    if walk.arcs[twin, LINK] == link:
                        walk.arcs[twin, GAP] = gap


@njit_bare
def lay_out(shop: Shop, walk: Walk) -> int:
    """Builds the graph of walk.order and the modes in walk.places; gives its makespan. The order is topological."""
    count, late = walk.order.shape[0], walk.places.shape[0]
    for boundary in range(count, late):
        walk.nodes[boundary, NEAR] = walk.nodes[late + boundary, NEAR] = boundary
    walk.tally[FINGERPRINT] = 0
    for node in range(count):
        set_mode(shop, walk, node, walk.places[node, MODE])
    for at in range(count):
        node = walk.order[at]
        walk.places[node, WHERE] = at
        boundary = count + walk.places[node, MACHINE]
        attach(walk, node, walk.nodes[boundary, NEAR], boundary)
    sweep(shop, walk, EARLY, 0)
    sweep(shop, walk, late, count - 1)
    return makespan(shop, walk)


@njit_bare
def attach(walk: Walk, node: int, before: int, after: int) -> None:
    """Puts a node between two neighbors of a machine; nodes without one stand alone."""
    nodes, late = walk.nodes, walk.places.shape[0]
    if walk.order.shape[0] + walk.places[node, MACHINE] == late - 1:
        nodes[node, NEAR] = nodes[late + node, NEAR] = late - 1
        return
    nodes[node, NEAR], nodes[late + node, NEAR] = before, after
    nodes[late + before, NEAR] = nodes[after, NEAR] = node
    walk.tally[FINGERPRINT] ^= joint(before, after) ^ joint(before, node) ^ joint(node, after)


@njit_bare
def detach(walk: Walk, node: int) -> None:
    """Takes a node out of its machine's sequence."""
    nodes, late = walk.nodes, walk.places.shape[0]
    before, after = nodes[node, NEAR], nodes[late + node, NEAR]
    if before != late - 1:
        nodes[late + before, NEAR], nodes[after, NEAR] = after, before
        walk.tally[FINGERPRINT] ^= joint(before, after) ^ joint(before, node) ^ joint(node, after)


@njit_bare
def mend_order(walk: Walk, side: int, node: int, past: int) -> bool:
    """Makes the order topological for a node that is to pass another: all that follows from it comes after that one.

    The side is EARLY for a move to later, the late one for a move to earlier. False, and nothing done, where the move
    would close a circle. Sets LOW and HIGH of the tally to the stretch that was mended.
    """
    order, places, nodes, arcs, scratch = walk.order, walk.places, walk.nodes, walk.arcs, walk.scratch
    walk.tally[STAMP] += 1
    stamp, begin, end = walk.tally[STAMP], places[node, WHERE], places[past, WHERE]
    places[node, MARK] = stamp
    step = 1 if side == EARLY else -1
    scratch[0], moved, at = node, 1, begin
    while at != end:
        at += step
        other = order[at]
        near = nodes[side + other, NEAR]
        follows = near != node and places[near, MARK] == stamp
        for arc in range(nodes[side + other, FIRST], nodes[side + other, LAST]):
            follows |= places[arcs[arc, OTHER], MARK] == stamp
        if follows:
            places[other, MARK] = stamp
            scratch[moved] = other
            moved += 1
    if places[past, MARK] == stamp:
        return False
    kept = at = begin
    while at != end:
        at += step
        other = order[at]
        if places[other, MARK] != stamp:
            order[kept], places[other, WHERE] = other, kept
            kept += step
    for at in range(moved):
        order[kept], places[scratch[at], WHERE] = scratch[at], kept
        kept += step
    walk.tally[LOW], walk.tally[HIGH] = min(begin, end), max(begin, end)
    return True


@njit_bare
def pass_by(walk: Walk, node: int, past: int, side: int) -> bool:
    """Takes a node past another of its machine; False, and nothing done, where that would close a circle."""
    if not mend_order(walk, side, node, past):
        return False
    late = walk.places.shape[0]
    detach(walk, node)
    if side == EARLY:
        attach(walk, node, past, walk.nodes[late + past, NEAR])
    else:
        attach(walk, node, walk.nodes[past, NEAR], past)
    return True


@njit_bare
def take_over(shop: Shop, walk: Walk, node: int, behind: int, mode: int) -> bool:
    """Puts a node behind another, or a machine's boundary, in the sequence of a mode's machine.

    False, and nothing done, where the node would have to be moved past one that it waits for, or that waits for it.
    """
    count, late, places, order = walk.order.shape[0], walk.places.shape[0], walk.places, walk.order
    after = walk.nodes[late + behind, NEAR]
    if after == node:
        after = walk.nodes[late + node, NEAR]
    at = goal = places[node, WHERE]
    if behind < count and places[behind, WHERE] > at:
        goal = places[behind, WHERE]
    elif after < count and places[after, WHERE] < at:
        goal = places[after, WHERE]
    step = 1 if goal >= at else -1
    if not is_free(walk, EARLY if step > 0 else late, node, goal):
        return False
    walk.tally[LOW], walk.tally[HIGH] = min(at, goal), max(at, goal)
    detach(walk, node)
    while at != goal:
        order[at] = order[at + step]
        places[order[at], WHERE] = at
        at += step
    order[goal], places[node, WHERE] = node, goal
    set_mode(shop, walk, node, mode)
    attach(walk, node, behind, after)
    return True


@njit_bare
def is_free(walk: Walk, side: int, node: int, goal: int) -> bool:
    """Whether no operation up to a place in the order waits for a node by a link."""
    at, step = walk.places[node, WHERE], 1 if side == EARLY else -1
    while at != goal:
        at += step
        row = side + walk.order[at]
        for arc in range(walk.nodes[row, FIRST], walk.nodes[row, LAST]):
            if walk.arcs[arc, OTHER] == node:
                return False
    return True
