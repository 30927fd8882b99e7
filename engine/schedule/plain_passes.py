"""The readable passes as cpm takes them: the twin of compiled_passes.py. It never loads numba."""

from __future__ import annotations

import numpy as np

from engine.model import Ticks
from engine.schedule.assembly import Fold
from engine.schedule.columns import NONE, Column, Dates, Flags
from engine.schedule.network import Network
from engine.schedule.plain_floats import Floats


def compute_dates(network: Network, finish: Ticks = NONE) -> Dates:
    """All passes. `finish` is the instant late dates are counted back from; NONE: the last early finish."""
    passes = Floats(network)
    last = passes.run(finish)
    passes.delay_late_ones()
    passes.set_slots()
    count, links = len(passes.start), range(len(network.links.kind))
    dates = (passes.start, passes.finish, passes.logic_start, passes.late_start, passes.late_finish)
    floats = np.array([passes.floats(node) for node in range(count)], dtype=np.int64).reshape(-1, 4)
    return Dates._make(
        (
            *(np.array(values, dtype=np.int64) for values in dates),
            *np.ascontiguousarray(floats.T),
            np.array([passes.gap(link) for link in links], dtype=np.int64),
            np.array([passes.drives(link) for link in links], dtype=np.bool_),
            np.array(passes.slot, dtype=np.int64),
            last,
        )
    )


def fold_rows(values: Column, parent: Column, takes: Column, is_least: bool) -> None:
    """Fold the values of rows into those of their summaries, in place: the least or the greatest of those that count.

    `takes` says of each row whether it counts; a summary is to hold its least or greatest int64 at first.
    """
    for row in range(len(takes) - 1, -1, -1):
        above = int(parent[row])
        if above >= 0 and takes[row]:
            values[above] = min(values[above], values[row]) if is_least else max(values[above], values[row])


def driving_chain(network: Network, is_driving: Flags, ends: Column) -> Column:
    """Nodes from which driving links lead to one of `ends`, itself included; 1 or 0 each."""
    marked = ends.tolist()
    first, predecessor = network.links.first.tolist(), network.links.predecessor.tolist()
    for node in reversed(network.order.tolist()):
        if marked[node]:
            for link in range(first[node], first[node + 1]):
                if is_driving[link]:
                    marked[predecessor[link]] = 1
    return np.array(marked, dtype=np.int64)


def followers(network: Network, counts: Flags, starts: Column) -> Column:
    """Nodes that links which count lead to from one of `starts`, itself included; 1 or 0 each."""
    marked = starts.tolist()
    first, predecessor = network.links.first.tolist(), network.links.predecessor.tolist()
    for node in network.order.tolist():
        for link in range(first[node], first[node + 1]):
            if counts[link] and marked[predecessor[link]]:
                marked[node] = 1
    return np.array(marked, dtype=np.int64)


FOLD = Fold(fold_rows, driving_chain, followers)
