"""Tabu search where more than the makespan counts: tardiness, pins, changeovers, cost, stability. Loads numba.

It never trusts an estimate: moves on the critical paths to what is late are made, measured and unmade, a few dozen an
iteration, and the best is kept.
"""

from __future__ import annotations

from engine.compiled import inlined, njit_bare
from engine.optimize.chance import below
from engine.optimize.jobshop.columns import (
    AHEAD,
    AT,
    BEST,
    COSTS,
    DUE,
    EARLY,
    END,
    ESTIMATE,
    FROM,
    HIGH,
    HOW,
    ITERATION,
    KIND,
    LAG,
    LOW,
    MACHINE,
    MODE,
    MOST,
    MOVES,
    NEAR,
    NODE,
    NOW,
    NOW_MODE,
    PIN,
    TAKES,
    TO,
    VALUE,
    WEIGHT,
    Shop,
    Walk,
)
from engine.optimize.jobshop.graph import changeover, lay_out, makespan, pass_by, sweep, take_over
from engine.optimize.jobshop.moves import FAR, collect, trace
from engine.optimize.jobshop.tabu import chosen, forbid, forget, goes_on, keep_best, last_of, make, notice, tenure_of

_TRIED = 32  # moves measured an iteration
_VIOLATIONS, _TARDINESS, _MAKESPAN, _CHANGEOVER, _COST, _STABILITY = range(6)


@inlined
def burden(shop: Shop, walk: Walk, node: int) -> int:
    """What one operation adds by being late or away from its pin."""
    late, pin = walk.nodes[node, END] - shop.targets[node, DUE], shop.targets[node, PIN]
    found = max(0, late) * shop.targets[node, WEIGHT] * shop.weights[_TARDINESS]
    if pin >= 0:
        found += (walk.nodes[node, AT] - pin) * shop.weights[_VIOLATIONS]
    return int(found)


@inlined
def price(shop: Shop, walk: Walk, node: int) -> int:
    """What one operation adds by its mode, its changeover, and by being elsewhere than it was."""
    mode = walk.places[node, MODE]
    found = shop.modes[mode, COSTS] * shop.weights[_COST]
    if shop.setup.shape[0] > 0:
        machine, near = walk.places[node, MACHINE], walk.nodes[node, NEAR]
        found += changeover(shop, EARLY, machine, near, node) * shop.weights[_CHANGEOVER]
    if shop.weights[_STABILITY] > 0 and shop.targets[node, NOW] >= 0:
        moved = abs(walk.nodes[node, AT] - shop.targets[node, NOW])
        if shop.targets[node, NOW_MODE] >= 0 and shop.targets[node, NOW_MODE] != mode:
            moved += shop.modes[mode, TAKES]
        found += moved * shop.weights[_STABILITY]
    return int(found)


@njit_bare
def weigh(shop: Shop, walk: Walk) -> int:
    """The weighted sum of all objectives, broken rules first, from heads alone."""
    total = makespan(shop, walk) * shop.weights[_MAKESPAN]
    for node in range(walk.order.shape[0]):
        total += burden(shop, walk, node) + price(shop, walk, node)
    for link in range(shop.links.shape[0]):
        if shop.links[link, MOST]:
            kind, before, after = shop.links[link, KIND], shop.links[link, FROM], shop.links[link, TO]
            since = walk.nodes[before, AT] if kind & 1 else walk.nodes[before, END]
            until = walk.nodes[after, END] if kind & 2 else walk.nodes[after, AT]
            total += max(0, until - since - shop.links[link, LAG]) * shop.weights[_VIOLATIONS]
    return int(total)


@njit_bare
def target_of(shop: Shop, walk: Walk) -> int:
    """An operation whose path should change: of three by chance the one that costs most, or the last one."""
    found, most = -1, 0
    for _ in range(3):
        node, seen = below(walk.chance, walk.order.shape[0]), 0
        while seen < walk.order.shape[0] and burden(shop, walk, node) == 0:
            node = node + 1 if node + 1 < walk.order.shape[0] else 0
            seen += 1
        cost = burden(shop, walk, node)
        if cost > most:
            found, most = node, cost
    if found < 0 or (shop.weights[_MAKESPAN] > 0 and below(walk.chance, 2) == 0):
        found = last_of(shop, walk, makespan(shop, walk))
    if found < 0 or below(walk.chance, 8) == 0:
        found = below(walk.chance, walk.order.shape[0])
    return int(found)


@njit_bare
def attempt(shop: Shop, walk: Walk, row: int) -> int:
    """What a move would give, by making and unmaking it; FAR where it closes a circle.

    Heads are left as the move made them: LOW is the place from which they are to be mended.
    """
    node, how, late = walk.moves[row, NODE], walk.moves[row, HOW], walk.places.shape[0]
    before, after, mode = walk.nodes[node, NEAR], walk.nodes[late + node, NEAR], walk.places[node, MODE]
    low = walk.tally[LOW]
    if not make(shop, walk, row):
        return FAR
    low = min(low, walk.tally[LOW])
    sweep(shop, walk, EARLY, low)
    value = weigh(shop, walk)
    if how >= 0:
        take_over(shop, walk, node, before, mode)
    elif how == AHEAD:
        pass_by(walk, node, after, late)
    else:
        pass_by(walk, node, before, EARLY)
    walk.tally[LOW] = min(low, walk.tally[LOW])
    return value


@njit_bare
def measure_moves(shop: Shop, walk: Walk) -> None:
    """Puts what moves really give where their estimates were, of a few dozen by chance; the others are dropped."""
    moves, tally = walk.moves, walk.tally
    tried = min(tally[MOVES], _TRIED)
    for row in range(tried):
        other = row + below(walk.chance, tally[MOVES] - row)
        for column in range(moves.shape[1]):
            moves[row, column], moves[other, column] = moves[other, column], moves[row, column]
    tally[MOVES] = tried
    for row in range(tried):
        moves[row, ESTIMATE] = attempt(shop, walk, row)


@njit_bare
def begin_weighed(shop: Shop, walk: Walk) -> None:
    """As tabu.begin."""
    lay_out(shop, walk)
    walk.tally[VALUE] = weigh(shop, walk)
    forget(walk)
    keep_best(walk)


@njit_bare
def search_weighed(shop: Shop, walk: Walk, count: int, patience: int, base: int) -> int:
    """As tabu.search, for the weighted sum of all objectives."""
    tally, made = walk.tally, 0
    while goes_on(tally, patience) and made < count:
        made += 1
        tally[ITERATION] += 1
        tally[MOVES], tally[LOW] = 0, walk.order.shape[0]
        trace(shop, walk, target_of(shop, walk))
        collect(shop, walk, True)
        measure_moves(shop, walk)
        row, low = chosen(walk), tally[LOW]
        is_made = row >= 0 and walk.moves[row, ESTIMATE] < FAR
        if is_made:
            forbid(walk, row, tenure_of(walk, base))
            is_made = make(shop, walk, row)
        sweep(shop, walk, EARLY, min(low, tally[LOW]))
        if is_made:
            sweep(shop, walk, walk.places.shape[0], tally[HIGH])
            tally[VALUE] = weigh(shop, walk)
            notice(walk)
            if tally[VALUE] < tally[BEST]:
                keep_best(walk)
    return made
