"""Links as a graph: grouped by an end, and an order in which they all point forward. Never anything of time."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.errors import SolverError

Ints = NDArray[np.int32]


def group(keys: Ints, count: int) -> tuple[Ints, Ints]:
    """Where each key's entries begin, int32[count+1], and the indices of entries, by key and then by index."""
    first = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(keys, minlength=count), out=first[1:])
    return first, np.argsort(keys, kind="stable").astype(np.int32)


def order_of(before: Ints, after: Ints, rank: Sequence[int]) -> Ints:
    """Every node once, each after those before it, the lowest rank first; raises SolverError that names a circle.

    `rank` is a permutation.
    """
    count = len(rank)
    node_of = np.argsort(rank).tolist()
    first, links = group(before, count)
    waiting = np.bincount(after, minlength=count)
    ready = [rank[int(node)] for node in np.flatnonzero(waiting == 0)]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        node = node_of[heapq.heappop(ready)]
        order.append(node)
        for follower in after[links[first[node] : first[node + 1]]].tolist():
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, rank[follower])
    if len(order) < count:
        circle = _circle(before, after, waiting > 0)
        named = " → ".join(map(str, [*circle, circle[0]]))
        raise SolverError(f"Operations wait for each other: {named}. Remove one of these links.", ids=tuple(circle))
    return np.array(order, np.int32)


def _circle(before: Ints, after: Ints, is_left: NDArray[np.bool_]) -> list[int]:
    predecessor = {int(b): int(a) for a, b in zip(before, after, strict=True) if is_left[a] and is_left[b]}
    node, seen = next(iter(predecessor)), dict[int, None]()
    while node not in seen:
        seen[node] = None
        node = predecessor[node]
    path = list(seen)
    return path[path.index(node) :][::-1]


def ties_of(one: Ints, other: Ints, count: int) -> NDArray[np.int64]:
    """The least node of all that links tie to each node, directly or not: int64[count]."""
    ties = np.arange(count)
    while True:
        least = np.minimum(ties[one], ties[other])
        nearer = ties.copy()
        np.minimum.at(nearer, one, least)
        np.minimum.at(nearer, other, least)
        nearer = nearer[nearer]
        if (nearer == ties).all():
            return ties
        ties = nearer
