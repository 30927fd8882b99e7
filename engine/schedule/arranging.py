"""The order in which nodes are dated, each after all it waits for. It never names a cycle; see cycles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.schedule.columns import Column


class Arranged(NamedTuple):
    """Places of the links out of each node, and an order of the nodes without those of cycles and after them."""

    out_first: Column
    out: Column
    order: Column


Arrange = Callable[[int, Column, Column], Arranged]


def arrange(count: int, predecessor: Column, successor: Column) -> Arranged:
    """Arrange `count` nodes by links: as they stand where that will do, else the first that may come comes first."""
    out_first = np.concatenate(([0], np.cumsum(np.bincount(predecessor, minlength=count)))).astype(np.int64)
    out = np.argsort(predecessor, kind="stable").astype(np.int64)
    if (predecessor < successor).all():
        return Arranged(out_first, out, np.arange(count, dtype=np.int64))
    waiting = np.bincount(successor, minlength=count).tolist()
    first, afters = out_first.tolist(), successor[out].tolist()
    order = [node for node in range(count) if waiting[node] == 0]
    for node in order:  # grows while it is walked
        for after in afters[first[node] : first[node + 1]]:
            waiting[after] -= 1
            if waiting[after] == 0:
                order.append(after)
    return Arranged(out_first, out, np.array(order, dtype=np.int64))
