"""Which moves there are on a critical path, and what each would make of the makespan. Loads numba.

It never changes the graph. Moves along a machine are those of N7 (Zhang, Li, Guan and Rao 2007), which hold N6 (Balas
and Vazacopoulos 1998) and N5 (Nowicki and Smutnicki 1996); moves to another machine go where Mastrolilli and
Gambardella (2000) insert. Estimates are those of Balas and Vazacopoulos: exact heads and tails within the stretch that
moves, as if all else stood still.
"""

from __future__ import annotations

from engine.compiled import inlined, njit_bare
from engine.optimize.chance import below
from engine.optimize.jobshop.columns import (
    AHEAD,
    AT,
    BACK,
    BEST,
    BOUND,
    EARLY,
    END,
    ESTIMATE,
    FIRST,
    FIXED,
    GAP,
    HOW,
    IS_TABU,
    ITERATION,
    LAST,
    LENGTH,
    LINK,
    MACHINE,
    MODE,
    MOVES,
    NEAR,
    NODE,
    ON,
    OTHER,
    PAST,
    PATH,
    TAKES,
    WHERE,
    Column,
    Shop,
    Walk,
)
from engine.optimize.jobshop.graph import changeover

FAR = 1 << 62
_SPREAD = 2654435761


@inlined
def slot_of(tabu: Column, before: int, after: int) -> int:
    """Where the memory keeps that one node should not come before another; rarely two pairs share a slot."""
    return int(((before * _SPREAD + after) * _SPREAD >> 15) & (tabu.shape[0] - 1))


@njit_bare
def trace(shop: Shop, walk: Walk, node: int) -> None:
    """Writes a critical path to a node, latest first, into walk.path; ties go by chance."""
    nodes, arcs, count, length = walk.nodes, walk.arcs, walk.order.shape[0], 0
    while node >= 0:
        walk.path[length] = node
        length += 1
        at, found, choices = nodes[node, AT], -1, 0
        near = nodes[node, NEAR]
        level = nodes[near, END]
        if shop.setup.shape[0] > 0:
            level += changeover(shop, EARLY, walk.places[node, MACHINE], near, node)
        if near < count and level == at:
            found, choices = near, 1
        if nodes[node, FIXED] == at:
            for arc in range(nodes[node, FIRST], nodes[node, LAST]):
                if arcs[arc, LINK] >= 0 and nodes[arcs[arc, OTHER], END] + arcs[arc, GAP] == at:
                    choices += 1
                    if choices == 1 or below(walk.chance, choices) == 0:
                        found = arcs[arc, OTHER]
        node = found
    walk.tally[PATH] = length


@inlined
def estimate(shop: Shop, walk: Walk, side: int, node: int, past: int, limit: int) -> int:
    """The longest path through the stretch once a node has passed another, or anything above the limit."""
    nodes, scratch, back = walk.nodes, walk.scratch, walk.places.shape[0] - side
    machine, has_setup = walk.places[node, MACHINE], shop.setup.shape[0] > 0
    near = nodes[side + node, NEAR]
    level, other, at = nodes[side + near, END], nodes[back + node, NEAR], 0
    while True:
        if has_setup:
            level += changeover(shop, side, machine, near, other)
        level = max(level, nodes[side + other, FIXED]) + nodes[side + other, LENGTH]
        scratch[at] = level
        at += 1
        near = other
        if other == past:
            break
        other = nodes[back + other, NEAR]
    if has_setup:
        level += changeover(shop, side, machine, near, node)
    level = max(level, nodes[side + node, FIXED]) + nodes[side + node, LENGTH]
    near = nodes[back + past, NEAR]
    rest = nodes[back + near, END]
    if has_setup:
        rest += changeover(shop, back, machine, near, node)
    rest = max(rest, nodes[back + node, FIXED])
    total = level + rest
    rest += nodes[side + node, LENGTH]
    near, other = node, past
    while at > 0 and total <= limit:
        at -= 1
        if has_setup:
            rest += changeover(shop, back, machine, near, other)
        rest = max(rest, nodes[back + other, FIXED])
        total = max(total, scratch[at] + rest)
        rest += nodes[side + other, LENGTH]
        near, other = other, nodes[side + other, NEAR]
    return int(total)


@inlined
def may_pass(walk: Walk, side: int, node: int, past: int) -> bool:
    """Whether no path can lead from what follows a node by a link to the one it would pass (sufficient)."""
    nodes, places, back, may = walk.nodes, walk.places, walk.places.shape[0] - side, True
    limit, place = nodes[back + past, END], places[past, WHERE]
    for arc in range(nodes[back + node, FIRST], nodes[back + node, LAST]):
        other = walk.arcs[arc, OTHER]
        is_beyond = places[other, WHERE] > place if side == EARLY else places[other, WHERE] < place
        may &= other != past and (is_beyond or nodes[back + other, END] <= limit)
    return may


@inlined
def is_forbidden(walk: Walk, side: int, node: int, past: int) -> bool:
    """Whether the memory forbids every pair that the move would turn round; one alone would hem in too much."""
    now, back, other = walk.tally[ITERATION], walk.places.shape[0] - side, node
    forbidden = True
    while forbidden and other != past:
        other = walk.nodes[back + other, NEAR]
        slot = slot_of(walk.tabu, other, node) if side == EARLY else slot_of(walk.tabu, node, other)
        forbidden = walk.tabu[slot] > now
    return bool(forbidden)


@inlined
def note(walk: Walk, node: int, past: int, how: int, value: int, is_tabu: bool) -> None:
    """Adds a row to walk.moves, as long as there is room."""
    count = walk.tally[MOVES]
    if count < walk.moves.shape[0]:
        walk.moves[count, NODE] = node
        walk.moves[count, PAST] = past
        walk.moves[count, HOW] = how
        walk.moves[count, ESTIMATE] = value
        walk.moves[count, IS_TABU] = is_tabu
        walk.tally[MOVES] = count + 1


@njit_bare
def offer_block(shop: Shop, walk: Walk, since: int, until: int, ends: int, limit: int) -> int:
    """N7 within a block, path[since] (its last node) to path[until] (its first).

    ends: at which there may be a gain, 1 the first, 2 the last. Gives the least estimate of an allowed move so far.
    Four kinds of moves stand one after another: nodes to the end, the last one inside, nodes to the start, the first
    one inside; what two kinds share is listed once.
    """
    path, late, size = walk.path, walk.places.shape[0], until - since
    for at in range(4 * size):
        kind, place = at // size, since + at % size
        if kind == 0:
            node, past, side = path[place + 1], path[since], EARLY
        elif kind == 1:
            node, past, side = path[since], path[place], late
        elif kind == 2:
            node, past, side = path[place], path[until], late
        else:
            node, past, side = path[until], path[place], EARLY
        is_wanted = ends & (2 if kind < 2 else 1)
        is_double = (
            (kind == 1 and place < since + 2)
            or (kind == 2 and ends & 2 and size == 1)
            or (kind == 3 and (place == since or place == until - 1))
        )
        if is_wanted and not is_double and may_pass(walk, side, node, past):
            is_tabu = is_forbidden(walk, side, node, past)
            value = estimate(shop, walk, side, node, past, walk.tally[BEST] if is_tabu else limit)
            note(walk, node, past, AHEAD if side == EARLY else BACK, value, is_tabu)
            if not is_tabu:
                limit = min(limit, value)
    return int(limit)


@njit_bare
def offer_elsewhere(shop: Shop, walk: Walk, node: int, mode: int) -> None:
    """The best place for a node in another mode, among those that surely close no circle."""
    nodes, places, count, late = walk.nodes, walk.places, walk.order.shape[0], walk.places.shape[0]
    machine, has_setup = shop.modes[mode, ON], shop.setup.shape[0] > 0
    since, until = -1, count
    for arc in range(nodes[node, FIRST], nodes[node, LAST]):
        if walk.arcs[arc, LINK] >= 0:
            since = max(since, places[walk.arcs[arc, OTHER], WHERE])
    for arc in range(nodes[late + node, FIRST], nodes[late + node, LAST]):
        if walk.arcs[arc, LINK] >= 0:
            until = min(until, places[walk.arcs[arc, OTHER], WHERE])
    behind = boundary = count + machine
    best, chosen = FAR, -1
    while True:
        after = nodes[late + behind, NEAR]
        if after == node:
            after = nodes[late + node, NEAR]
        if after >= count or places[after, WHERE] > since:
            head, tail = nodes[behind, END], nodes[late + after, END]
            if has_setup:
                head += changeover(shop, EARLY, machine, behind, node)
                tail += changeover(shop, late, machine, after, node)
            value = max(head, nodes[node, FIXED]) + max(tail, nodes[late + node, FIXED])
            if value < best:
                best, chosen = value, behind
        behind = after
        if behind == boundary or places[behind, WHERE] >= until:
            break
    if chosen >= 0:
        is_tabu = walk.tabu[slot_of(walk.tabu, node, count + mode)] > walk.tally[ITERATION]
        note(walk, node, chosen, mode, best + shop.modes[mode, TAKES], is_tabu)


@njit_bare
def collect(shop: Shop, walk: Walk, keeps_all: bool) -> None:
    """Adds the moves of the path in walk.path to walk.moves; `keeps_all` also those that cannot shorten it at once."""
    path, nodes, length, late = walk.path, walk.nodes, walk.tally[PATH], walk.places.shape[0]
    since, limit = 0, FAR
    while since < length:
        until = since
        while until + 1 < length and nodes[path[until], NEAR] == path[until + 1]:
            until += 1
        if until > since:
            at_start = keeps_all or until < length - 1 or nodes[path[until], BOUND] > 0
            at_end = keeps_all or since > 0 or nodes[late + path[since], BOUND] > 0
            limit = offer_block(shop, walk, since, until, (1 if at_start else 0) + (2 if at_end else 0), limit)
        since = until + 1
    for at in range(length):
        node = path[at]
        for mode in range(shop.first_mode[node], shop.first_mode[node + 1]):
            if mode != walk.places[node, MODE]:
                offer_elsewhere(shop, walk, node, mode)
