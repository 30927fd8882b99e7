"""Rows: which tasks stand in which row of table and chart, and the links between them. It never knows a pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Task, TaskId
from engine.session.state import State
from gui.gantt.row_links import LinkIndex, NearLinks, RowLink


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
    _index: LinkIndex
    _places: NDArray[np.int64]

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
        places = np.full(len(plan.tasks), -1, dtype=np.int64)
        places[shown] = np.arange(len(shown))
        return Rows(
            tasks=tasks,
            plan_rows=shown,
            depths=tuple(depths),
            summaries=frozenset(plan.children),
            collapsed=collapsed,
            row_of=plan.rows if is_whole else {task.id: place for place, task in enumerate(tasks)},
            headings={} if order is None else order.headings,
            _index=LinkIndex.of(state),
            _places=places,
        )

    def __len__(self) -> int:
        return len(self.tasks)

    def near_links(self, first_row: int, last_row: int) -> NearLinks:
        """Links with at least one end in these rows, both included, and the other in any row that is shown."""
        number = self._index.at(self.plan_rows[max(first_row, 0) : last_row + 1])
        first, second = self._places[self._index.first[number]], self._places[self._index.second[number]]
        return NearLinks(self._index, number, first, second).only((first >= 0) & (second >= 0))

    def links_at(self, first_row: int, last_row: int) -> list[RowLink]:
        """The same, one by one."""
        near = self.near_links(first_row, last_row)
        return [near.link(place) for place in range(len(near))]


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
