"""Rows: which tasks stand in which row of table and chart, and the links between them. It never knows a pixel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Task, TaskId
from engine.session.state import State
from gui.gantt.headings import Heading
from gui.gantt.row_links import Flags, LinkIndex, NearLinks, Places, RowLink, Same


@dataclass(frozen=True, slots=True)
class Order:
    """Rows of the plan as they are to be shown, with their depths; `headings` stand in rows of their own, which
    borrow the row in the plan of a task."""

    plan_rows: Places
    depths: Places
    headings: Mapping[int, Heading] = field(default_factory=dict)


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
    headings: Mapping[int, Heading]
    _index: LinkIndex
    _places: Places
    _known: NDArray[np.int8]
    _is_task: Flags
    _rows_of_plan: Mapping[TaskId, int]

    @staticmethod
    def of(state: State, collapsed: frozenset[TaskId] = frozenset(), order: Order | None = None) -> Rows:
        """The rows of a state, without those under a collapsed summary. Links of hidden tasks are left out.

        An `order` says otherwise which rows there are. No task is looked at: that is done when a row is asked for.
        """
        plan = state.plan
        order = _visible(plan, collapsed) if order is None else order
        shown = order.plan_rows
        places = np.full(len(plan.tasks), -1, dtype=np.int64)
        is_task = np.ones(len(shown), dtype=np.bool_)
        if order.headings:
            is_task[list(order.headings)] = False
            places[shown[is_task]] = np.flatnonzero(is_task)
        else:
            places[shown] = np.arange(len(shown))
        return Rows(
            tasks=_ShownTasks(plan.tasks, shown, {at: each.task for at, each in order.headings.items()}),
            plan_rows=shown,
            depths=order.depths,
            summaries=frozenset(plan.children).union(each.id for each in order.headings.values()),
            collapsed=collapsed,
            row_of=_RowOf(plan.rows, places),
            headings=order.headings,
            _index=LinkIndex.of(state),
            _places=places,
            _known=_known(Same(plan.tasks)),
            _is_task=is_task,
            _rows_of_plan=plan.rows,
        )

    def in_state(self, state: State) -> Rows:
        """The same rows, none a heading, in another state of a plan with the same tasks in the same summaries."""
        tasks = state.plan.tasks
        shown = _ShownTasks(tasks, self.plan_rows, {})
        return replace(self, tasks=shown, _index=LinkIndex.of(state), _known=_known(Same(tasks)))

    def are_of(self, other: Rows) -> bool:
        """Whether others show the same tasks, in whatever order, under the same headings."""
        if self._places is other._places:
            return True
        if self.headings or other.headings:
            return self.headings.keys() == other.headings.keys() and np.array_equal(self.plan_rows, other.plan_rows)
        if self._index.rows is other._index.rows:
            return np.array_equal(self._places >= 0, other._places >= 0)
        return self.row_of.keys() == other.row_of.keys()

    def stand_as(self, other: Rows) -> bool:
        """Whether each task stands where it stood in others, surely: the same plan without a row moved."""
        if self._places is other._places:
            return True
        is_same_plan = self._rows_of_plan is other._rows_of_plan and self.headings.keys() == other.headings.keys()
        return is_same_plan and np.array_equal(self.plan_rows, other.plan_rows)

    def __len__(self) -> int:
        return len(self.tasks)

    def traits(self, rows: Places) -> Traits:
        """What kinds of bars stand in some rows. A task is looked at once."""
        plan_rows = self.plan_rows[rows]
        found = self._known[plan_rows]
        is_task = self._is_task[rows]
        for row in {*rows[(found == _UNKNOWN) & is_task].tolist()}:
            task = self.tasks[row]
            kind = _SUMMARY if task.id in self.summaries else _MILESTONE if task.is_milestone else _LEAF
            self._known[self.plan_rows[row]] = kind
        found = self._known[plan_rows]
        return Traits((found == _SUMMARY) | ~is_task, (found == _MILESTONE) & is_task)

    def task_row(self, row: int, step: int) -> int | None:
        """The nearest row of a task from here on, forward or back; None where none follows."""
        while 0 <= row < len(self) and not self._is_task[row]:
            row += step
        return row if 0 <= row < len(self) else None

    def near_task(self, row: int, chosen: Sequence[TaskId]) -> int | None:
        """The task's row nearest to a row, past headings on the way there from the task that is chosen first."""
        if not len(self):
            return None
        row = min(max(row, 0), len(self) - 1)
        here = self.row_of.get(chosen[0], -1) if chosen else -1
        step = 1 if row >= here else -1
        found = self.task_row(row, step)
        return self.task_row(row, -step) if found is None else found

    def folded_in(self, plan: Plan) -> frozenset[TaskId]:
        """What of it all is still folded in another state of the plan."""
        return frozenset(each for each in self.collapsed if each < 0 or each in plan.children)

    def folding(self, task: TaskId) -> TaskId | None:
        """What a key folds for a task: itself where it holds others, else the group that it stands in."""
        if task in self.summaries:
            return task
        plan_row = self._rows_of_plan.get(task)
        return None if plan_row is None or not self.headings else self.heading_of(plan_row)

    def heading_of(self, plan_row: int) -> TaskId | None:
        """The heading over a row of the plan, shown or folded away; None where rows are not grouped."""
        return next((each.id for each in self.headings.values() if plan_row in each.plan_rows), None)

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

    def __init__(self, tasks: tuple[Task, ...], plan_rows: Places, headings: Mapping[int, Task]) -> None:
        self._tasks, self._plan_rows, self._headings = tasks, plan_rows, headings

    @overload
    def __getitem__(self, row: int) -> Task: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Task]: ...

    def __getitem__(self, row: int | slice) -> Task | Sequence[Task]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        if self._headings and (found := self._headings.get(row if row >= 0 else len(self) + row)) is not None:
            return found
        return self._tasks[int(self._plan_rows[row])]

    def __iter__(self) -> Iterator[Task]:
        if self._headings:
            return (self[row] for row in range(len(self)))
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
