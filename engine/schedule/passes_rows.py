"""Order, summaries and the longest path, compiled: twins of arranging.py and of plain_passes.py.

It never states a rule of its own. Imported late, since it loads numba.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import njit_bare, njit_now
from engine.schedule.columns import Column, Flags


@njit_now
def arranged(count: int, predecessor: Column, successor: Column) -> tuple[Column, Column, Column]:
    """Equal to arranging.arrange."""
    out_first, waiting = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    is_in_order = True
    for link in range(len(predecessor)):
        out_first[predecessor[link] + 1] += 1
        waiting[successor[link]] += 1
        is_in_order &= predecessor[link] < successor[link]
    out_first = np.cumsum(out_first)
    out, at = np.empty(len(predecessor), np.int64), out_first.copy()
    for link in range(len(predecessor)):
        out[at[predecessor[link]]] = link
        at[predecessor[link]] += 1
    if is_in_order:
        return out_first, out, np.arange(count)
    order = np.empty(count, np.int64)
    found = 0
    for node in range(count):
        if waiting[node] == 0:
            order[found] = node
            found += 1
    place = 0
    while place < found:
        for link in out[out_first[order[place]] : out_first[order[place] + 1]]:
            after = successor[link]
            waiting[after] -= 1
            if waiting[after] == 0:
                order[found] = after
                found += 1
        place += 1
    return out_first, out, order[:found]


@njit_bare
def fold_rows(values: Column, parent: Column, takes: Column, is_least: bool) -> None:
    """Equal to plain_passes.fold_rows."""
    for row in range(len(takes) - 1, -1, -1):
        above = parent[row]
        if above >= 0 and takes[row]:
            values[above] = min(values[above], values[row]) if is_least else max(values[above], values[row])


@njit_bare
def mark_chain(order: Column, first: Column, predecessor: Column, is_driving: Flags, marked: Column) -> None:
    """Equal to plain_passes.driving_chain, in place."""
    for place in range(len(order) - 1, -1, -1):
        node = order[place]
        if marked[node]:
            for link in range(first[node], first[node + 1]):
                if is_driving[link]:
                    marked[predecessor[link]] = 1


@njit_bare
def mark_followers(order: Column, first: Column, predecessor: Column, counts: Flags, marked: Column) -> None:
    """Equal to plain_passes.followers, in place."""
    for node in order:
        for link in range(first[node], first[node + 1]):
            if counts[link] and marked[predecessor[link]]:
                marked[node] = 1
