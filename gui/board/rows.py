"""Rows of the board: a resource each, with the bars of its tasks in lanes where none covers another.

They never know a pixel across, nor what a bar looks like.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Resource, ResourceKind, Task, TaskId
from engine.session.state import State
from gui.theme import METRICS

NOBODY = 0  # stands for a resource's id where a task has none
LANE_PX = 20
PAD_PX = 2
Instants = NDArray[np.int64]
Users = dict[int, list[int]]  # rows of the plan, by the resource that they use


@dataclass(frozen=True, slots=True)
class Slot:
    """A task in a row; `lane` is counted from the top."""

    task: Task
    plan_row: int
    lane: int


@dataclass(frozen=True, eq=False)
class BoardRow:
    """One resource, None for the tasks that nobody does; what it does by start, an entry a task in every column.

    `plan_rows` are the rows of the plan, `lane_of` the lanes, of which there are `lanes`.
    """

    resource: Resource | None
    y: int
    lanes: int
    tasks: tuple[Task, ...]
    plan_rows: Instants
    lane_of: Instants
    starts: Instants
    finishes: Instants

    @property
    def id(self) -> int:
        """The resource's id, NOBODY where there is none."""
        return NOBODY if self.resource is None else self.resource.id

    @property
    def height(self) -> int:
        """In pixels."""
        return row_height(self.lanes)

    def slot(self, place: int) -> Slot:
        """The task at a place, counted from the first that starts."""
        row = int(self.plan_rows[place])
        return Slot(self.tasks[row], row, int(self.lane_of[place]))

    @cached_property
    def dates(self) -> dict[TaskId, tuple[int, int]]:
        """Start and finish of each task."""
        pairs = zip(self.starts.tolist(), self.finishes.tolist(), strict=True)
        return {self.tasks[row].id: dates for row, dates in zip(self.plan_rows.tolist(), pairs, strict=True)}

    def between(self, first: int, last: int) -> list[int]:
        """Places of the tasks that any of the instants `first` to `last` lies in."""
        found: list[int] = self.places(first, last).tolist()
        return found

    def places(self, first: int, last: int) -> Instants:
        """The same as an array."""
        end = int(np.searchsorted(self.starts, last, side="right"))
        return np.flatnonzero(self.finishes[:end] >= first)


@dataclass(frozen=True, eq=False)
class BoardRows:
    """All rows from the top: resources in the plan's order, then those that nobody does yet, where anybody could."""

    rows: tuple[BoardRow, ...]
    users: Users = field(default_factory=dict)
    plan: Plan | None = None

    @staticmethod
    def of(state: State, before: BoardRows | None = None) -> BoardRows:
        """The rows of a state; materials, which are used up and never busy, have none.

        Those of the plan before an edit, where there was one, make them sooner.
        """
        is_same = before is not None and before.plan is not None and _are_users_same(before.plan, state.plan)
        found = before.users if before is not None and is_same else _by_resource(state)
        resources: list[Resource | None] = [r for r in state.plan.resources if r.kind is not ResourceKind.MATERIAL]
        if resources and found.get(NOBODY):
            resources.append(None)
        rows, y = [], 0
        for resource in resources:
            row = _row(state, resource, y, found.get(NOBODY if resource is None else resource.id, []))
            rows.append(row)
            y += row.height
        return BoardRows(tuple(rows), found, state.plan)

    @cached_property
    def height(self) -> int:
        """Of all rows, in pixels."""
        return self.rows[-1].y + self.rows[-1].height if self.rows else 0

    @cached_property
    def places(self) -> dict[TaskId, list[tuple[int, int]]]:
        """(row, place in it) of each task that is shown."""
        found: dict[TaskId, list[tuple[int, int]]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            for place, plan_row in enumerate(row.plan_rows.tolist()):
                found[row.tasks[plan_row].id].append((number, place))
        return dict(found)

    def at(self, y: float) -> int | None:
        """The number of the row at a height, None below the last and above the first."""
        if not 0 <= y < self.height:
            return None
        return bisect_right(self.rows, y, key=lambda row: row.y) - 1

    def between(self, top: float, bottom: float) -> range:
        """Numbers of the rows from one height to another."""
        first = self.at(max(top, 0))
        last = self.at(min(bottom, self.height - 1))
        return range(0) if first is None or last is None else range(first, last + 1)


def row_height(lanes: int) -> int:
    """Of a row with so many lanes, in pixels: that of a row of the table at least."""
    return max(lanes * LANE_PX + 2 * PAD_PX, METRICS.row_px)


def lanes_of(starts: list[int], finishes: list[int]) -> list[int]:
    """The lane of each of some spans by start: the first lane that is free, so as few as there are spans at once."""
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    lanes, count = [], 0
    for start, finish in zip(starts, finishes, strict=True):
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        if free:
            lane = heappop(free)
        else:
            lane, count = count, count + 1
        lanes.append(lane)
        heappush(busy, (max(finish, start + 1), lane))
    return lanes


def _are_users_same(before: Plan, plan: Plan) -> bool:
    """Whether the same rows of both plans are used by the same resources; sure only where that is soon told."""
    if plan.assignments is not before.assignments or plan.resources is not before.resources:
        return False
    return plan.rows is before.rows and all(
        one is two or (one.parent == two.parent and one.is_milestone is two.is_milestone)
        for one, two in zip(before.tasks, plan.tasks, strict=True)
    )


def _by_resource(state: State) -> Users:
    """Rows of the plan of the leaves that use each resource; those that use none, and take time, under NOBODY."""
    plan = state.plan
    found: dict[int, list[int]] = defaultdict(list)
    material = {resource.id for resource in plan.resources if resource.kind is ResourceKind.MATERIAL}
    used = set()
    for assignment in plan.assignments:
        if assignment.resource not in material and assignment.task not in plan.children:
            found[assignment.resource].append(plan.rows[assignment.task])
            used.add(assignment.task)
    found[NOBODY] = [
        row
        for row, task in enumerate(plan.tasks)
        if task.id not in used and task.id not in plan.children and not task.is_milestone
    ]
    return found


def _row(state: State, resource: Resource | None, y: int, plan_rows: list[int]) -> BoardRow:
    rows = np.array(plan_rows, dtype=np.int64)
    starts, finishes = state.schedule.start[rows], state.schedule.finish[rows]
    order = np.lexsort((rows, finishes, starts))
    rows, starts, finishes = rows[order], starts[order], finishes[order]
    is_in_a_row = bool((starts[1:] >= finishes[:-1]).all() and (starts[1:] > starts[:-1]).all())
    lanes = [0] * len(rows) if is_in_a_row else lanes_of(starts.tolist(), finishes.tolist())
    lane_of = np.array(lanes, dtype=np.int64)
    return BoardRow(resource, y, max(lanes, default=0) + 1, state.plan.tasks, rows, lane_of, starts, finishes)
