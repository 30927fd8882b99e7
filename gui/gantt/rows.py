"""Rows: which tasks stand in which row of table and chart, and the links between them. It never knows a pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
    links: tuple[RowLink, ...]
    _ends: NDArray[np.int64]
    headings: Mapping[int, str]

    @staticmethod
    def of(state: State, collapsed: frozenset[TaskId] = frozenset(), order: Order | None = None) -> Rows:
        """The rows of a state, without those under a collapsed summary. Links of hidden tasks are left out.

        An `order` says otherwise which rows there are.
        """
        plan = state.plan
        plan_rows, depths = _visible(plan, collapsed) if order is None else (order.plan_rows, order.depths)
        row_of = {plan.tasks[row].id: place for place, row in enumerate(plan_rows)}
        links = _links(state, row_of)
        return Rows(
            tasks=tuple(plan.tasks[row] for row in plan_rows),
            plan_rows=np.array(plan_rows, dtype=np.int64),
            depths=tuple(depths),
            summaries=frozenset(plan.children),
            collapsed=collapsed,
            row_of=row_of,
            links=links,
            _ends=np.array([(link.first, link.second) for link in links], dtype=np.int64).reshape(-1, 2),
            headings={} if order is None else order.headings,
        )

    def __len__(self) -> int:
        return len(self.tasks)

    def links_at(self, first_row: int, last_row: int) -> list[RowLink]:
        """Links with at least one end in these rows, both included."""
        is_near = ((self._ends >= first_row) & (self._ends <= last_row)).any(axis=1)
        return [self.links[index] for index in np.flatnonzero(is_near)]


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


def _links(state: State, row_of: dict[TaskId, int]) -> tuple[RowLink, ...]:
    found = [
        RowLink(row_of[link.predecessor], row_of[link.successor], link.kind, link)
        for link in state.plan.dependencies
        if link.predecessor in row_of and link.successor in row_of
    ]
    explicit = {(link.predecessor, link.successor) for link in state.plan.dependencies}
    found += [
        RowLink(row_of[first], row_of[second], DependencyKind.FS, None)
        for first, second in state.schedule.stream_links
        if first in row_of and second in row_of and (first, second) not in explicit
    ]
    return tuple(found)
