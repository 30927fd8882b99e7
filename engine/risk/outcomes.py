"""What a block of samples came to: finishes of items and rows, and the paths to the end. It never dates a node.

Imported late, since it loads numba.
"""

from __future__ import annotations

from engine.compiled import njit_bare
from engine.risk.codes import BEST, Scratch, instant_of
from engine.risk.program import BEFORE, CLOCK, FAST, NO_LINK, SOURCE, WAY, Steps
from engine.risk.sampling import LANES, draw_lanes
from engine.risk.sources import Column, Draws
from engine.schedule.columns import NONE
from engine.schedule.passes import ENDS


@njit_bare
def finish_in(table: Column, steps: Steps, scratch: Scratch, node: int, lane: int) -> int:
    """The instant at which a node is done in one sample of the block."""
    if steps.nodes[node, WAY] == FAST:
        return instant_of(table, steps, steps.nodes[node, CLOCK], scratch.finish[node, lane])
    return int(scratch.dates[lane, node, ENDS])


@njit_bare
def put_items(table: Column, steps: Steps, scratch: Scratch, found: Column) -> None:
    """When each item is done: a row an item, a column a sample."""
    best = scratch.lane[BEST]
    for item in range(len(found)):
        found[item, :] = NONE
        last = steps.item_first[item + 1]
        for place in range(steps.item_first[item], last):
            node = steps.item_nodes[place]
            clock, is_fast = steps.nodes[node, CLOCK], steps.nodes[node, WAY] == FAST
            if not is_fast:
                for lane in range(LANES):
                    found[item, lane] = max(found[item, lane], scratch.dates[lane, node, ENDS])
                continue
            is_new = place == steps.item_first[item] or steps.nodes[steps.item_nodes[place - 1], CLOCK] != clock
            finish = scratch.finish[node]
            for lane in range(LANES):
                best[lane] = finish[lane] if is_new else max(best[lane], finish[lane])
            after = steps.item_nodes[place + 1] if place + 1 < last else -1
            if after < 0 or steps.nodes[after, CLOCK] != clock or steps.nodes[after, WAY] != FAST:
                for lane in range(LANES):
                    found[item, lane] = max(found[item, lane], instant_of(table, steps, clock, best[lane]))


@njit_bare
def put_rows(steps: Steps, scratch: Scratch, start: int, found: Column) -> None:
    """When each leaf is done: a row a row of the plan, a column a sample: codes, or ticks from a start."""
    for node in steps.order:
        if node >= len(found):
            continue
        if steps.nodes[node, WAY] == FAST:
            for lane in range(LANES):
                found[node, lane] = scratch.finish[node, lane]
        else:
            for lane in range(LANES):
                found[node, lane] = scratch.dates[lane, node, ENDS] - start


@njit_bare
def put_lags(draws: Draws, rows: Column, first: int, scratch: Scratch, found: Column) -> None:
    """The lags of these draws again, in ticks: a row a draw, a column a sample."""
    for place in range(len(rows)):
        draw_lanes(draws, rows[place], first, scratch.dice, found[place])


@njit_bare
def mark_paths(table: Column, steps: Steps, scratch: Scratch, last: Column, samples: int, counts: Column) -> None:
    """Counts for each node in how many samples it lies on the path to the end: the chain of links that drive it.

    `last` are the finishes of the project; the chain begins at the first node of item 0 that is done then.
    """
    for lane in range(samples):
        node = -1
        for place in range(steps.item_first[0], steps.item_first[1]):
            if finish_in(table, steps, scratch, steps.item_nodes[place], lane) == last[lane]:
                node = steps.item_nodes[place]
                break
        while node >= 0:
            counts[node] += 1
            node = scratch.drivers[node, lane]


@njit_bare
def longest_chain(steps: Steps, found: Column, links: Column) -> int:
    """The greatest sum of what nodes and links on one chain have; `found` has the nodes' own at first."""
    most = 0
    for node in steps.order:
        best = 0
        for link in range(steps.first[node], steps.first[node + 1]):
            source = steps.links[link, SOURCE]
            best = max(best, found[steps.links[link, BEFORE]] + (links[source] if source != NO_LINK else 0))
        found[node] += best
        most = max(most, found[node])
    return most
