"""A block of samples through a whole network, compiled: 64 at once, node by node. Imported late, since it loads numba.

It never states a rule of dates of its own: codes are those of program.py, what has none is dated by the passes of the
schedule, and plain.py gives the same dates, sample by sample.
"""

from __future__ import annotations

from engine.compiled import inlined, njit_bare
from engine.risk.codes import BEGIN, BOUND, LONG, NOBODY, SPARE, Scratch, code_of, instant_of, sampled_lag
from engine.risk.general import General, date_general
from engine.risk.outcomes import mark_paths, put_items
from engine.risk.program import (
    BEFORE,
    CLOCK,
    FAST,
    GENERAL,
    GIVES_LENGTH,
    GIVES_START,
    IS_PLAIN,
    IS_SIMPLE,
    LEAST_CODE,
    LEAST_END,
    LENGTH_CODE,
    LINK_CLOCK,
    LINK_KIND,
    LINK_LAG,
    NEEDS_INSTANTS,
    NO_CODE,
    NODE_ROLE,
    THROUGH,
    WAY,
    Steps,
)
from engine.risk.sampling import LANES, draw_chances, draw_factors, draw_lanes
from engine.risk.sources import Column, Draws
from engine.risk.uncertain import Uncertain
from engine.schedule.columns import (
    FROM_FINISH,
    LEAF,
    SS,
    START,
    TO_START,
)
from engine.schedule.passes import BEGINS, ENDS
from engine.schedule.passes_tasks import shift


@inlined
def draw_durations(draws: Draws, uncertain: Uncertain, scratch: Scratch, node: int, first: int) -> None:
    """How long a node that varies takes in each sample, and where it does not happen."""
    found, spare = scratch.duration[uncertain.slot[node]], scratch.lane[SPARE]
    if uncertain.draw[node] >= 0:
        draw_lanes(draws, uncertain.draw[node], first, scratch.dice, found)
    else:
        found[:] = uncertain.base[node]
    for place in range(uncertain.impact_first[node], uncertain.impact_first[node + 1]):
        draw_lanes(draws, uncertain.impacts[place, 1], first, scratch.dice, spare)
        happens = scratch.happens[uncertain.impacts[place, 0]]
        for lane in range(LANES):
            found[lane] += spare[lane] * happens[lane]
    if uncertain.may_vanish[node]:
        for lane in range(LANES):
            found[lane] = max(found[lane], 0)
            scratch.vanished[lane] = 0
        for place in range(uncertain.chance_first[node], uncertain.chance_first[node + 1]):
            happens = scratch.happens[uncertain.chance[place]]
            for lane in range(LANES):
                scratch.vanished[lane] |= 1 - happens[lane]
        for lane in range(LANES):
            found[lane] = 0 if scratch.vanished[lane] else found[lane]


@inlined
def set_lengths(steps: Steps, uncertain: Uncertain, scratch: Scratch, node: int) -> None:
    """The length of a FAST node in each sample: its duration and pauses, nothing where it does not happen."""
    length, more, slot = scratch.lane[LONG], steps.nodes[node, LENGTH_CODE], uncertain.slot[node]
    if slot < 0:
        length[:] = uncertain.base[node] + more
    elif not uncertain.may_vanish[node]:
        for lane in range(LANES):
            length[lane] = scratch.duration[slot, lane] + more
    else:
        for lane in range(LANES):
            length[lane] = 0 if scratch.vanished[lane] else scratch.duration[slot, lane] + more


@njit_bare
def set_bounds(
    table: Column, steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, int, int]
) -> None:
    """The code that a link allows a FAST node in each sample; `at` is link, node, first sample."""
    link, clock, bound = steps.links[at[0]], steps.nodes[at[1], CLOCK], scratch.lane[BOUND]
    before, is_finish = link[BEFORE], (FROM_FINISH >> link[LINK_KIND]) & 1
    varies = sampled_lag(draws, uncertain, scratch, before, link, at[2])
    lags, fixed = scratch.lane[SPARE], link[LINK_LAG]
    is_fast = steps.nodes[before, WAY] == FAST
    anchor = scratch.finish[before] if is_finish else scratch.start[before]
    if link[THROUGH]:
        for lane in range(LANES):
            if is_fast:
                instant = instant_of(table, steps, steps.nodes[before, CLOCK], anchor[lane])
            else:
                instant = scratch.dates[lane, before, ENDS if is_finish else BEGINS]
            lag = lags[lane] if varies else fixed
            bound[lane] = code_of(table, steps, clock, shift(table, link[LINK_CLOCK], instant, lag))
    elif varies:
        for lane in range(LANES):
            code = ((anchor[lane] >> 1) + lags[lane]) << 1
            bound[lane] = anchor[lane] if lags[lane] == 0 else code + (lags[lane] < 0)
    elif fixed:
        step, side = 2 * fixed, 1 if fixed < 0 else 0
        for lane in range(LANES):
            bound[lane] = (anchor[lane] & ~1) + step + side
    else:
        for lane in range(LANES):
            bound[lane] = anchor[lane]


@inlined
def by_end(scratch: Scratch, bound: Column) -> None:
    """Puts the bounds of a start that bounds of the finish make into their row, which they may come from."""
    found, length = scratch.lane[BOUND], scratch.lane[LONG]
    for lane in range(LANES):
        latest = (((bound[lane] >> 1) - length[lane]) << 1) + 1
        found[lane] = latest if length[lane] else bound[lane]


@inlined
def begin_leaf(steps: Steps, scratch: Scratch, node: int, wants_paths: bool) -> None:
    """The start of a FAST leaf as its own dates allow it, before any link."""
    begin, length, ends = scratch.lane[BEGIN], scratch.lane[LONG], steps.nodes[node, LEAST_END]
    for lane in range(LANES):
        begin[lane] = steps.nodes[node, LEAST_CODE]
    if ends != NO_CODE:
        for lane in range(LANES):
            latest = (((ends >> 1) - length[lane]) << 1) + 1 if length[lane] else ends
            scratch.lane[SPARE, lane] = latest
        for lane in range(LANES):
            begin[lane] = max(begin[lane], scratch.lane[SPARE, lane])
    if wants_paths:
        for lane in range(LANES):
            scratch.drivers[node, lane] = NOBODY


@inlined
def take_bound(scratch: Scratch, bound: Column, node: int, before: int, wants_paths: bool) -> None:
    """start >= bound, by a link from a node that drives it from now on, where no earlier one bounds it as late."""
    begin, drivers = scratch.lane[BEGIN], scratch.drivers[node]
    if wants_paths:
        for lane in range(LANES):
            is_later = bound[lane] >> 1 > begin[lane] >> 1
            is_first = bound[lane] >> 1 == begin[lane] >> 1 and drivers[lane] < 0
            drivers[lane] = before if is_later or is_first else drivers[lane]
    for lane in range(LANES):
        begin[lane] = max(begin[lane], bound[lane])


@inlined
def end_leaf(scratch: Scratch, node: int, may_vanish: int) -> None:
    """Start and finish of a FAST leaf: the later name and the earlier one, of what takes no time its own."""
    begin, length = scratch.lane[BEGIN], scratch.lane[LONG]
    start, finish = scratch.start[node], scratch.finish[node]
    if may_vanish:
        for lane in range(LANES):
            start[lane] = begin[lane] | 1 if length[lane] else begin[lane]
            finish[lane] = (begin[lane] & ~1) + 2 * length[lane] if length[lane] else begin[lane]
    else:
        for lane in range(LANES):
            start[lane] = begin[lane] | 1
            finish[lane] = (begin[lane] & ~1) + 2 * length[lane]


@inlined
def date_leaf(
    table: Column, steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, int, bool]
) -> None:
    """Dates a FAST leaf in each sample: start >= all bounds, the finish its length later; `at`: node, sample, paths."""
    node, first, wants_paths = at
    set_lengths(steps, uncertain, scratch, node)
    begin_leaf(steps, scratch, node, wants_paths)
    for link in range(steps.first[node], steps.first[node + 1]):
        if steps.links[link, IS_PLAIN]:
            before = steps.links[link, BEFORE]
            is_finish = (FROM_FINISH >> steps.links[link, LINK_KIND]) & 1
            bound = scratch.finish[before] if is_finish else scratch.start[before]
        else:
            set_bounds(table, steps, draws, uncertain, scratch, (link, node, first))
            bound = scratch.lane[BOUND]
        if not (TO_START >> steps.links[link, LINK_KIND]) & 1:
            by_end(scratch, bound)
            bound = scratch.lane[BOUND]
        take_bound(scratch, bound, node, steps.links[link, BEFORE], wants_paths)
    end_leaf(scratch, node, uncertain.may_vanish[node])


@inlined
def date_simple(steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, int, bool]) -> None:
    """As date_leaf, for a node that IS_SIMPLE: a draw, maxima and a sum, in as few passes as they take."""
    node, first, wants_paths = at
    is_kept = wants_paths or steps.nodes[node, GIVES_LENGTH]
    length = scratch.duration[uncertain.slot[node]] if is_kept else scratch.lane[LONG]
    finish = scratch.finish[node]
    drivers, start = scratch.drivers[node], scratch.start[node]
    least, more = finish.dtype.type(steps.nodes[node, LEAST_CODE]), finish.dtype.type(steps.nodes[node, LENGTH_CODE])
    draw_lanes(draws, uncertain.draw[node], first, scratch.dice, length)
    finish[:] = least
    into, last = steps.first[node], steps.first[node + 1]
    if wants_paths:
        drivers[:] = NOBODY
        for link in range(into, last):
            bound, before = scratch.finish[steps.links[link, BEFORE]], finish.dtype.type(steps.links[link, BEFORE])
            for lane in range(LANES):
                own, other = finish[lane] >> 1, bound[lane] >> 1
                is_driven = (other > own) | ((other == own) & (drivers[lane] < 0))
                drivers[lane] = before if is_driven else drivers[lane]
                finish[lane] = max(finish[lane], bound[lane])
    else:
        for link in range(into, last, 2):
            bound = scratch.finish[steps.links[link, BEFORE]]
            second = scratch.finish[steps.links[min(link + 1, last - 1), BEFORE]]
            for lane in range(LANES):
                finish[lane] = max(finish[lane], bound[lane], second[lane])
    if steps.nodes[node, GIVES_START]:
        for lane in range(LANES):
            start[lane] = finish[lane] | 1
    for lane in range(LANES):
        finish[lane] = (finish[lane] & ~1) + 2 * (length[lane] + more)


@njit_bare
def date_stand_in(
    table: Column, steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, int, bool]
) -> None:
    """Dates a FAST stand-in: the latest or the earliest of what its links allow; `at`: node, sample, paths."""
    node, first, wants_paths = at
    bound, begin, drivers = scratch.lane[BOUND], scratch.start[node], scratch.drivers[node]
    is_start, clock = steps.nodes[node, NODE_ROLE] == START, steps.nodes[node, CLOCK]
    least = steps.nodes[node, LEAST_END]
    for link in range(steps.first[node], steps.first[node + 1]):
        set_bounds(table, steps, draws, uncertain, scratch, (link, node, first))
        for lane in range(LANES):
            if steps.links[link, LINK_KIND] == SS:
                bound[lane] = max(bound[lane], least)
            if link == steps.first[node]:
                begin[lane] = bound[lane]
            else:
                begin[lane] = min(begin[lane], bound[lane]) if is_start else max(begin[lane], bound[lane])
    for lane in range(LANES):
        scratch.finish[node, lane] = begin[lane]
    if wants_paths:
        drivers[:] = NOBODY
        for link in range(steps.first[node], steps.first[node + 1]):
            set_bounds(table, steps, draws, uncertain, scratch, (link, node, first))
            for lane in range(LANES):
                if drivers[lane] < 0 and bound[lane] >> 1 == begin[lane] >> 1:
                    one = instant_of(table, steps, clock, bound[lane])
                    if one == instant_of(table, steps, clock, begin[lane]):
                        drivers[lane] = steps.links[link, BEFORE]


@njit_bare
def give_instants(table: Column, steps: Steps, scratch: Scratch, node: int) -> None:
    """Writes the instants of a FAST node that a GENERAL one waits for."""
    clock = steps.nodes[node, CLOCK]
    for lane in range(LANES):
        scratch.dates[lane, node, BEGINS] = instant_of(table, steps, clock, scratch.start[node, lane])
        scratch.dates[lane, node, ENDS] = instant_of(table, steps, clock, scratch.finish[node, lane])


@njit_bare
def run_block(
    general: General, steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, bool]
) -> None:
    """Dates every node in each sample of a block; `at` is its first sample, and whether paths are wanted."""
    first, wants_paths = at
    table = general.net.table
    draw_factors(draws, first, scratch.dice.factors)
    draw_chances(draws, first, scratch.happens)
    for node in steps.order:
        if steps.nodes[node, IS_SIMPLE]:
            date_simple(steps, draws, uncertain, scratch, (node, first, wants_paths))
            if steps.nodes[node, NEEDS_INSTANTS]:
                give_instants(table, steps, scratch, node)
            continue
        if uncertain.slot[node] >= 0:
            draw_durations(draws, uncertain, scratch, node, first)
        if steps.nodes[node, WAY] == GENERAL:
            date_general(general, steps, draws, uncertain, scratch, (node, first, wants_paths))
            continue
        if steps.nodes[node, NODE_ROLE] == LEAF:
            date_leaf(table, steps, draws, uncertain, scratch, (node, first, wants_paths))
        else:
            date_stand_in(table, steps, draws, uncertain, scratch, (node, first, wants_paths))
        if steps.nodes[node, NEEDS_INSTANTS]:
            give_instants(table, steps, scratch, node)


@njit_bare
def run_blocks(
    general: General,
    steps: Steps,
    draws: Draws,
    uncertain: Uncertain,
    scratch: Scratch,
    at: tuple[int, bool, Column, Column],
) -> None:
    """Block after block; `at`: as for run_block, the finishes to fill, a row an item, and the counts of the paths."""
    first, wants_paths, found, counts = at
    table = general.net.table
    for begin in range(0, found.shape[1], LANES):
        run_block(general, steps, draws, uncertain, scratch, (first + begin, wants_paths))
        block = found[:, begin : begin + LANES]
        put_items(table, steps, scratch, block)
        if wants_paths:
            mark_paths(table, steps, scratch, block[0], LANES, counts)
