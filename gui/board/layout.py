"""BoardLayout: where each bar of the board stands, in pixels, and what lies under a place. It never changes a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.model import Resource, ResourceKind, Task, TaskId
from engine.session.state import State
from gui.board.rows import LANE_PX, NOBODY, PAD_PX, BoardRow, BoardRows, Instants, Slot
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

BAR_PX = 16.0
_BAR_TOP_PX = (LANE_PX - BAR_PX) / 2
_LEAST_PX = 3.0
_MILESTONE_PX = 6.0
Pixels: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BoardBar:
    """A bar from `left` to `right`, its upper edge at `top`; `row` is the number of its row."""

    slot: Slot
    row: int
    left: float
    right: float
    top: float


@dataclass(frozen=True, eq=False)
class Sight:
    """The bars in sight as columns, row by row: of each the number of its row, its place in that, its row of the plan,
    and its edges in pixels.
    """

    tasks: list[Task]
    rows: Instants
    places: Instants
    plan_rows: Instants
    left: Pixels
    right: Pixels
    top: Pixels

    def of(self, which: NDArray[np.bool_]) -> Sight:
        """Some of them."""
        tasks = [self.tasks[at] for at in np.flatnonzero(which).tolist()]
        rows, places, plan_rows = (column[which] for column in (self.rows, self.places, self.plan_rows))
        left, right, top = (column[which] for column in (self.left, self.right, self.top))
        return Sight(tasks, rows, places, plan_rows, left, right, top)


@dataclass(frozen=True, eq=False)
class BoardLayout:
    """Everything that turns an assignment into a place."""

    state: State
    rows: BoardRows
    scale: TimeScale
    scroll_px: int = 0
    _sights: dict[float, Sight] = field(default_factory=dict, init=False)

    def is_as(self, other: BoardLayout) -> bool:
        """Whether everything stands where another has it."""
        is_same_plan = self.state is other.state and self.rows is other.rows
        return is_same_plan and (self.scale, self.scroll_px) == (other.scale, other.scroll_px)

    def y(self, row: BoardRow) -> float:
        """Upper edge of a row in sight or not."""
        return float(row.y - self.scroll_px)

    def bar(self, row: int, place: int) -> BoardBar:
        """The bar of a slot."""
        found = self.rows.rows[row]
        slot = found.slot(place)
        left, right = self.scale.x(int(found.starts[place])), self.scale.x(int(found.finishes[place]))
        right = max(right, left + _LEAST_PX)
        if slot.task.is_milestone:
            left, right = left - _MILESTONE_PX, left + _MILESTONE_PX
        return BoardBar(slot, row, left, right, self.top(found, slot.lane))

    def top(self, row: BoardRow, lane: int) -> float:
        """Upper edge of the bars in a lane."""
        return self.y(row) + PAD_PX + lane * LANE_PX + _BAR_TOP_PX

    def seen(self, height_px: float) -> range:
        """Numbers of the rows in sight."""
        return self.rows.between(self.scroll_px, self.scroll_px + height_px - 1)

    def bars(self, height_px: float) -> list[BoardBar]:
        """The bars in sight, row by row."""
        first, last = self.scale.tick(-2 * _MILESTONE_PX), self.scale.tick(self.scale.width_px + 2 * _MILESTONE_PX)
        return [
            self.bar(number, place)
            for number in self.seen(height_px)
            for place in self.rows.rows[number].between(first, last)
        ]

    def sight(self, height_px: float) -> Sight:
        """The same as columns, found once."""
        found = self._sights.get(height_px)
        if found is None:
            found = self._sights[height_px] = self._sight(height_px)
        return found

    def _sight(self, height_px: float) -> Sight:
        first, last = self.scale.tick(-2 * _MILESTONE_PX), self.scale.tick(self.scale.width_px + 2 * _MILESTONE_PX)
        numbers = self.seen(height_px)
        found = [(row, row.places(first, last)) for row in (self.rows.rows[number] for number in numbers)]
        if not found:
            none, nowhere = np.zeros(0, np.int64), np.zeros(0)
            return Sight([], none, none, none, nowhere, nowhere, nowhere)
        counts = [len(places) for _, places in found]
        plan_rows = np.concatenate([row.plan_rows[places] for row, places in found])
        left = self.across(np.concatenate([row.starts[places] for row, places in found]))
        right = self.across(np.concatenate([row.finishes[places] for row, places in found]))
        top = np.concatenate([self.top(row, 0) + row.lane_of[places] * LANE_PX for row, places in found])
        tasks = [found[0][0].tasks[row] for row in plan_rows.tolist()]
        is_milestone = np.array([task.is_milestone for task in tasks], dtype=np.bool_)
        right = np.where(is_milestone, left + _MILESTONE_PX, np.maximum(right, left + _LEAST_PX))
        left = np.where(is_milestone, left - _MILESTONE_PX, left)
        places = np.concatenate([places for _, places in found])
        return Sight(tasks, np.repeat(numbers, counts), places, plan_rows, left, right, top)

    def across(self, ticks: Instants) -> Pixels:
        """Pixels of many instants, as the scale has them of one."""
        return (ticks - self.scale.origin_ticks) / self.scale.ticks_per_px

    def has(self, number: int, task: TaskId, dates: tuple[int, int]) -> bool:
        """Whether a row has a task at these dates."""
        return self.rows.rows[number].dates.get(task) == dates

    def bar_at(self, at: Point) -> BoardBar | None:
        """The bar at a place; of two that share it the later one."""
        number = self.rows.at(at[1] + self.scroll_px)
        if number is None:
            return None
        reach = 2 * _MILESTONE_PX
        places = self.rows.rows[number].between(self.scale.tick(at[0] - reach), self.scale.tick(at[0] + reach))
        bars = (self.bar(number, place) for place in reversed(places))
        return next((b for b in bars if b.left <= at[0] <= b.right and b.top <= at[1] <= b.top + BAR_PX), None)

    def end_at(self, bar: BoardBar, x: float) -> int:
        """1 on the finish of a bar, -1 on its start, 0 between, of which a third of a short bar stays."""
        reach = min(float(METRICS.edge_px), (bar.right - bar.left) / 3)
        if bar.slot.task.is_milestone or bar.left + reach < x < bar.right - reach:
            return 0
        return 1 if x >= bar.right - reach else -1

    def task(self, place: tuple[int, int]) -> TaskId:
        """The task in a row at a place in it."""
        return self.rows.rows[place[0]].slot(place[1]).task.id

    def place(self, bar: BoardBar) -> tuple[int, int]:
        """The row of a bar, and its place in it."""
        return bar.row, self.rows.rows[bar.row].plan_rows.tolist().index(bar.slot.plan_row)

    def resource_at(self, at: Point) -> Resource | None:
        """The resource whose row is at a place."""
        number = self.rows.at(at[1] + self.scroll_px)
        return None if number is None else self.rows.rows[number].resource

    def eligible(self, bar: BoardBar) -> frozenset[int]:
        """The resources that could do the task of a bar in the place of the one it stands with, itself not among them.

        A stream can take the place of a stream, all others that of all others; none does one task twice.
        """
        plan, task = self.state.plan, bar.slot.task.id
        here = self.rows.rows[bar.row].resource
        used = {each.resource for each in plan.assignments if each.task == task}
        is_stream = here is not None and here.kind is ResourceKind.STREAM
        return frozenset(
            row.id
            for row in self.rows.rows
            if row.resource is not None
            and row.id not in used
            and (here is None or (row.resource.kind is ResourceKind.STREAM) is is_stream)
            and row.id != NOBODY
        )

    def named(self, bar: BoardBar) -> frozenset[int]:
        """Those of the eligible that the plan names for the task, by alternatives or a skill, if it names any."""
        plan, task, here = self.state.plan, bar.slot.task, self.rows.rows[bar.row].resource
        replaced = plan.ways.replaced(task)
        if not plan.ways.is_choice(task) or (replaced.resource if replaced else None) != (here.id if here else None):
            return frozenset()
        return self.eligible(bar) & {way.resource for way in plan.ways.of(task) if way.resource is not None}
