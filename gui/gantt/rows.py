"""Rows: which tasks stand in which row of table and chart, and the links between them. It never knows a pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import Dependency, DependencyKind, Plan, Task, TaskId
from engine.session.state import State


@dataclass(frozen=True, slots=True)
class RowLink:
    """A link between two rows. `dependency` is None where the order on a stream adds it."""

    first: int
    second: int
    kind: DependencyKind
    dependency: Dependency | None


@dataclass(frozen=True, slots=True)
class Order:
    """Rows of the plan as they are to be shown, with their depths; `headings` stand at the first row of a group."""

    plan_rows: Sequence[int]
    depths: Sequence[int]
    headings: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that are not folded away, in order. `plan_rows[i]` is the row in the plan of the i-th of them."""

    tasks: tuple[Task, ...]
    plan_rows: NDArray[np.int64]
    depths: tuple[int, ...]
    summaries: frozenset[TaskId]
    collapsed: frozenset[TaskId]
    row_of: dict[TaskId, int]
    headings: Mapping[int, str]
    _ends: NDArray[np.int64]
    _sources: Sequence[Dependency | None]

    @staticmethod
    def of(state: State, collapsed: frozenset[TaskId] = frozenset(), order: Order | None = None) -> Rows:
        """The rows of a state, without those under a collapsed summary. Links of hidden tasks are left out.

        An `order` says otherwise which rows there are.
        """
        plan = state.plan
        plan_rows, depths = _visible(plan, collapsed) if order is None else (order.plan_rows, order.depths)
        shown = np.array(plan_rows, dtype=np.int64)
        is_whole = len(shown) == len(plan.tasks) and np.array_equal(shown, np.arange(len(shown)))
        tasks = plan.tasks if is_whole else tuple(map(plan.tasks.__getitem__, plan_rows))
        ends, sources = _links(state, shown)
        return Rows(
            tasks=tasks,
            plan_rows=shown,
            depths=tuple(depths),
            summaries=frozenset(plan.children),
            collapsed=collapsed,
            row_of=plan.rows if is_whole else {task.id: place for place, task in enumerate(tasks)},
            headings={} if order is None else order.headings,
            _ends=ends,
            _sources=sources,
        )

    def __len__(self) -> int:
        return len(self.tasks)

    @cached_property
    def links(self) -> tuple[RowLink, ...]:
        """Every link between two rows."""
        return tuple(self._link(index) for index in range(len(self._ends)) if self._ends[index].min() >= 0)

    def links_at(self, first_row: int, last_row: int) -> list[RowLink]:
        """Links with at least one end in these rows, both included."""
        first, second = self._ends.T
        is_near = (first >= first_row) & (first <= last_row) | (second >= first_row) & (second <= last_row)
        near = np.flatnonzero(is_near)
        return [self._link(int(index)) for index in near[(self._ends[near] >= 0).all(axis=1)]]

    def _link(self, index: int) -> RowLink:
        source, (first, second) = self._sources[index], self._ends[index]
        return RowLink(int(first), int(second), DependencyKind.FS if source is None else source.kind, source)


def _visible(plan: Plan, collapsed: frozenset[TaskId]) -> tuple[Sequence[int], Sequence[int]]:
    """Rows of the plan that can be seen, and their depths. A parent stands before its children."""
    depth_of: dict[TaskId, int] = {}
    hidden: set[TaskId] = set()
    rows, depths = [], []
    for row, task in enumerate(plan.tasks):
        depth_of[task.id] = 0 if task.parent is None else depth_of[task.parent] + 1
        if task.parent is not None and (task.parent in hidden or task.parent in collapsed):
            hidden.add(task.id)
        else:
            rows.append(row)
            depths.append(depth_of[task.id])
    return rows, depths


def _links(state: State, shown: NDArray[np.int64]) -> tuple[NDArray[np.int64], Sequence[Dependency | None]]:
    """The rows of both ends of each link, -1 of one that is not shown, and the links themselves."""
    ends, sources = _ends_in_plan(state)
    places = np.full(len(state.plan.tasks), -1, dtype=np.int64)
    places[shown] = np.arange(len(shown))
    return places[ends], sources


@lru_cache(maxsize=2)
def _ends_in_plan(state: State) -> tuple[NDArray[np.int64], Sequence[Dependency | None]]:
    """The rows in the plan of both ends of each link, and the links; folding and filtering change neither."""
    plan = state.plan
    rows, links = plan.rows, plan.dependencies
    pairs = [(rows[link.predecessor], rows[link.successor]) for link in links]
    sources: Sequence[Dependency | None] = links
    if state.schedule.stream_links:
        explicit = {(link.predecessor, link.successor) for link in links}
        added = [(rows[a], rows[b]) for a, b in state.schedule.stream_links if (a, b) not in explicit]
        pairs, sources = pairs + added, (*links, *[None] * len(added))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), sources
