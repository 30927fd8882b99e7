"""Tasks that wait for each other: found, named, and told from the rest. It never changes a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.errors import CycleError
from engine.model import Plan, TaskId
from engine.schedule.columns import Column, Flags


def named(plan: Plan, cycle: Sequence[TaskId]) -> CycleError:
    """The error that names the tasks of a cycle, from the one in the highest row."""
    turn = min(range(len(cycle)), key=lambda index: plan.rows[cycle[index]])
    turned = (*cycle[turn:], *cycle[:turn])
    names = " → ".join(f"“{plan.title_of(leaf)}”" for leaf in (*turned, turned[0]))
    return CycleError(f"These tasks wait for each other: {names}. Remove one of the links.", ids=turned)


def walk(before: Mapping[int, int], start: int) -> list[int]:
    """A cycle, in its order, reached by walking backward from `start`; each node in it is a key of `before`."""
    path, at = {start: 0}, start
    while (at := before[at]) not in path:
        path[at] = len(path)
    return list(path)[path[at] :][::-1]


def components(count: int, predecessor: Column, successor: Column) -> Column:
    """The number of the strongly connected component of each node (Tarjan's algorithm, without recursion)."""
    out = np.argsort(predecessor, kind="stable")
    first = np.searchsorted(predecessor[out], np.arange(count + 1)).tolist()
    afters = successor[out].tolist()
    index, low, component = [-1] * count, [0] * count, [-1] * count
    held: list[int] = []
    seen = 0
    for root in range(count):
        todo = [(root, first[root])] if index[root] < 0 else []
        while todo:
            node, place = todo.pop()
            if index[node] < 0:
                index[node] = low[node] = seen
                seen += 1
                held.append(node)
            elif place > first[node] and component[afters[place - 1]] < 0:
                low[node] = min(low[node], low[afters[place - 1]])
            while place < first[node + 1] and component[afters[place]] >= 0:
                place += 1
            if place < first[node + 1]:
                after = afters[place]
                todo.append((node, place + 1))
                if index[after] < 0:
                    todo.append((after, first[after]))
                continue
            if low[node] == index[node]:
                while component[node] < 0:
                    component[held.pop()] = node
    return np.array(component, dtype=np.int64)


def inside(component: Column, predecessor: Column, successor: Column) -> Flags:
    """Which links lie on a cycle: both their ends in one component."""
    held: Flags = component[predecessor] == component[successor]
    return held
