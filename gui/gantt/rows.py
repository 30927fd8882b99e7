"""Rows: which tasks stand in which row of table and chart, and the links between them. It never knows a pixel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Task, TaskId
from engine.session.state import State
from gui.gantt.row_links import Flags, LinkIndex, NearLinks, Places, RowLink, Same


@dataclass(frozen=True, slots=True)
class Order:
    """Rows of the plan as they are to be shown, with their depths; `headings` stand at the first row of a group."""

    plan_rows: Places
    depths: Places
    headings: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Of some rows, an entry each: which hold summaries, and which milestones."""

    is_summary: Flags
    is_milestone: Flags


_UNKNOWN, _LEAF, _SUMMARY, _MILESTONE = range(4)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that are not folded away, in order. `plan_rows[i]` is the row in the plan of the i-th of them."""

    tasks: Sequence[Task]
    plan_rows: Places
    depths: Places
    summaries: frozenset[TaskId]
    collapsed: frozenset[TaskId]
    row_of: Mapping[TaskId, int]
    headings: Mapping[int, str]
    _index: LinkIndex
    _places: Places
    _known: NDArray[np.int8]

    @staticmethod
    def of(state: State, collapsed: frozenset[TaskId] = frozenset(), order: Order | None = None) -> Rows:
        """The rows of a state, without those under a collapsed summary. Links of hidden tasks are left out.

        An `order` says otherwise which rows there are. No task is looked at: that is done when a row is asked for.
        """
        plan = state.plan
        order = _visible(plan, collapsed) if order is None else order
        shown = order.plan_rows
        places = np.full(len(plan.tasks), -1, dtype=np.int64)
        places[shown] = np.arange(len(shown))
        return Rows(
            tasks=_ShownTasks(plan.tasks, shown),
            plan_rows=shown,
            depths=order.depths,
            summaries=frozenset(plan.children),
            collapsed=collapsed,
            row_of=_RowOf(plan.rows, places),
            headings=order.headings,
            _index=LinkIndex.of(state),
            _places=places,
            _known=_known(Same(plan.tasks)),
        )

    def are_of(self, other: Rows) -> bool:
        """Whether others show the same tasks, in whatever order."""
        if self._index.rows is other._index.rows:
            return np.array_equal(self._places >= 0, other._places >= 0)
        return self.row_of.keys() == other.row_of.keys()

    def __len__(self) -> int:
        return len(self.tasks)

    def traits(self, rows: Places) -> Traits:
        """What kinds of bars stand in some rows. A task is looked at once."""
        plan_rows = self.plan_rows[rows]
        found = self._known[plan_rows]
        for row in {*rows[found == _UNKNOWN].tolist()}:
            task = self.tasks[row]
            kind = _SUMMARY if task.id in self.summaries else _MILESTONE if task.is_milestone else _LEAF
            self._known[self.plan_rows[row]] = kind
        found = self._known[plan_rows]
        return Traits(found == _SUMMARY, found == _MILESTONE)

    def near_links(self, first_row: int, last_row: int) -> NearLinks:
        """Links with at least one end in these rows, both included, and the other in any row that is shown."""
        number = self._index.at(self.plan_rows[max(first_row, 0) : last_row + 1])
        first, second = self._places[self._index.first[number]], self._places[self._index.second[number]]
        return NearLinks(self._index, number, first, second).only((first >= 0) & (second >= 0))

    def links_at(self, first_row: int, last_row: int) -> list[RowLink]:
        """The same, one by one."""
        near = self.near_links(first_row, last_row)
        return [near.link(place) for place in range(len(near))]


@lru_cache(maxsize=2)
def _known(tasks: Same[tuple[Task, ...]]) -> NDArray[np.int8]:
    """What is known of the tasks of a plan, whichever of them are shown."""
    return np.zeros(len(tasks.value), dtype=np.int8)


class _ShownTasks(Sequence[Task]):
    """The tasks in some rows of a plan."""

    def __init__(self, tasks: tuple[Task, ...], plan_rows: Places) -> None:
        self._tasks, self._plan_rows = tasks, plan_rows

    @overload
    def __getitem__(self, row: int) -> Task: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Task]: ...

    def __getitem__(self, row: int | slice) -> Task | Sequence[Task]:
        if isinstance(row, slice):
            return _ShownTasks(self._tasks, self._plan_rows[row])
        return self._tasks[int(self._plan_rows[row])]

    def __iter__(self) -> Iterator[Task]:
        return map(self._tasks.__getitem__, self._plan_rows.tolist())

    def __len__(self) -> int:
        return len(self._plan_rows)


class _RowOf(Mapping[TaskId, int]):
    """The row of each task that is shown."""

    def __init__(self, rows: Mapping[TaskId, int], places: Places) -> None:
        self._rows, self._places = rows, places

    def __getitem__(self, task: TaskId) -> int:
        place = int(self._places[self._rows[task]])
        if place < 0:
            raise KeyError(task)
        return place

    def __iter__(self) -> Iterator[TaskId]:
        return (task for task, row in self._rows.items() if self._places[row] >= 0)

    def __len__(self) -> int:
        return int((self._places >= 0).sum())


def _visible(plan: Plan, collapsed: frozenset[TaskId]) -> Order:
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
    return Order(np.array(rows, dtype=np.int64), np.array(depths, dtype=np.int64))
