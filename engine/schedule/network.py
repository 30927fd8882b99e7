"""Network: the leaves of a plan and their links as arrays, in an order that respects them. It never computes a date.

A cycle is found here, and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.errors import CycleError
from engine.model import Clock, Dependency, DependencyKind, LagKind, Plan, TaskId, Ticks
from engine.schedule.stream_order import lag_ticks, stream_links

KINDS = (DependencyKind.FS, DependencyKind.SS, DependencyKind.FF, DependencyKind.SF)
NO_PIN = -(1 << 62)

Column = NDArray[np.int64]
LeafLink = tuple[TaskId, TaskId, Dependency]


@dataclass(frozen=True, eq=False)
class Network:
    """Leaves numbered in topological order; links stand sorted by successor.

    `ids`, `duration`, `pin` have one entry a leaf (NO_PIN: none). Links of leaf i stand at `first[i]:first[i + 1]` in
    `predecessor` (a leaf number), `kind` (index into KINDS), `lag` (ticks, percent already applied), `is_elapsed`.
    """

    ids: Column
    duration: Column
    pin: Column
    first: Column
    predecessor: Column
    kind: Column
    lag: Column
    is_elapsed: Column
    derived: tuple[tuple[TaskId, TaskId], ...] = ()

    @staticmethod
    def of(plan: Plan, durations: Mapping[TaskId, Ticks]) -> Network:
        """The network of a plan; `durations` are those in ticks that no person typed. Raises CycleError."""
        links = leaf_links(plan)
        lengths = _durations(plan, durations)
        order = topological_order(plan, links)
        if plan.clock is Clock.CALENDAR:
            return _arrays(plan, lengths, links, order)
        derived = stream_links(plan, lengths, links)
        links += [(before, after, Dependency(before, after)) for before, after in derived]
        return replace(_arrays(plan, lengths, links, topological_order(plan, links)), derived=derived)

    @cached_property
    def number(self) -> dict[TaskId, int]:
        """Leaf number of each leaf's id."""
        return {task_id: index for index, task_id in enumerate(self.ids.tolist())}


def leaf_links(plan: Plan) -> list[LeafLink]:
    """Every link between leaves as (predecessor, successor, link); a link on a summary stands for all its leaves."""
    children = plan.children
    found: list[LeafLink] = []
    for link in plan.dependencies:
        if link.predecessor not in children and link.successor not in children:
            found.append((link.predecessor, link.successor, link))
        else:
            found += [(a, b, link) for a in plan.leaves(link.predecessor) for b in plan.leaves(link.successor)]
    return found


def topological_order(plan: Plan, links: Sequence[LeafLink]) -> list[TaskId]:
    """Leaves in an order in which every predecessor comes first; raises CycleError naming the tasks of a cycle."""
    leaves = [task.id for task in plan.tasks if task.id not in plan.children]
    successors: dict[TaskId, list[TaskId]] = {leaf: [] for leaf in leaves}
    waiting = dict.fromkeys(leaves, 0)
    for before, after, _ in links:
        successors[before].append(after)
        waiting[after] += 1
    order = [leaf for leaf in leaves if waiting[leaf] == 0]
    for leaf in order:  # grows while it is walked
        for after in successors[leaf]:
            waiting[after] -= 1
            if waiting[after] == 0:
                order.append(after)
    if len(order) < len(leaves):
        raise _named_cycle(plan, successors, {leaf for leaf in leaves if waiting[leaf] > 0})
    return order


def _named_cycle(plan: Plan, successors: Mapping[TaskId, list[TaskId]], stuck: set[TaskId]) -> CycleError:
    """Walk backward inside the stuck tasks, each of which has a stuck predecessor, until one comes twice."""
    before = {after: leaf for leaf in stuck for after in successors[leaf] if after in stuck}
    path: list[TaskId] = []
    at = min(stuck, key=lambda leaf: plan.rows[leaf])
    while at not in path:
        path.append(at)
        at = before[at]
    cycle = path[path.index(at) :][::-1]
    turn = min(range(len(cycle)), key=lambda index: plan.rows[cycle[index]])
    cycle = cycle[turn:] + cycle[:turn]
    names = " → ".join(f"“{plan.task(leaf).name}”" for leaf in (*cycle, cycle[0]))
    return CycleError(f"These tasks wait for each other: {names}. Remove one of the links.", ids=tuple(cycle))


def _durations(plan: Plan, durations: Mapping[TaskId, Ticks]) -> dict[TaskId, Ticks]:
    return {
        task.id: task.duration if task.is_duration_typed else durations.get(task.id, task.duration)
        for task in plan.tasks
    }


def _arrays(plan: Plan, lengths: Mapping[TaskId, Ticks], links: Sequence[LeafLink], order: list[TaskId]) -> Network:
    number = {leaf: index for index, leaf in enumerate(order)}
    rows = sorted(((number[after], number[before], link) for before, after, link in links), key=lambda row: row[:2])
    pins = [plan.task(leaf).pin for leaf in order]
    return Network(
        ids=_column(order),
        duration=_column([lengths[leaf] for leaf in order]),
        pin=_column([NO_PIN if pin is None else pin for pin in pins]),
        first=np.searchsorted(_column([after for after, _, _ in rows]), np.arange(len(order) + 1)).astype(np.int64),
        predecessor=_column([before for _, before, _ in rows]),
        kind=_column([KINDS.index(link.kind) for _, _, link in rows]),
        lag=_column([lag_ticks(link, lengths[order[before]]) for _, before, link in rows]),
        is_elapsed=_column([link.lag.kind is LagKind.ELAPSED for _, _, link in rows]),
    )


def _column(values: Sequence[int]) -> Column:
    return np.array(values, dtype=np.int64)
