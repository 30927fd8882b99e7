"""Bars: where each row's bar stands in the chart, in pixels. It never says how a bar looks, nor changes a plan."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.model import Task, TaskId
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.canvas.time_scale import TimeScale
from gui.gantt.row_links import Places
from gui.gantt.rows import Rows
from gui.theme import METRICS

Coordinates: TypeAlias = NDArray[np.float64]

MIDDLE_PX = METRICS.bar_top_px + METRICS.bar_px / 2
BOTTOM_PX = METRICS.bar_top_px + METRICS.bar_px
_LEAST_PX = 2.0


class BarKind(Enum):
    """What a row shows."""

    LEAF = "leaf"
    SUMMARY = "summary"
    MILESTONE = "milestone"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from `left` to `right`, in the row whose upper edge is at `y`. A milestone's edges are one."""

    task: Task
    row: int
    plan_row: int
    kind: BarKind
    left: float
    right: float
    y: float


@dataclass(frozen=True, eq=False)
class Layout:
    """Everything that turns a task into a place: state, rows, time scale, and how far the rows are scrolled.

    With `text_width` links go round the words beside bars. `ways` keeps those of the links last asked
    for, and the layout of the trial last shown.
    """

    state: State
    rows: Rows
    scale: TimeScale
    scroll_px: int = 0
    text_width: TextWidth | None = None
    ways: dict[Hashable, Any] = field(default_factory=dict)
    _bars: dict[int, Bar] = field(default_factory=dict)

    def bar(self, row: int) -> Bar:
        """The bar of one row, in sight or not."""
        if row not in self._bars:
            self._bars[row] = self._placed(row)
        return self._bars[row]

    def _placed(self, row: int) -> Bar:
        task, plan_row = self.rows.tasks[row], int(self.rows.plan_rows[row])
        schedule, heading = self.state.schedule, self.rows.headings.get(row)
        dates = int(schedule.start[plan_row]), int(schedule.finish[plan_row])
        first, last = dates if heading is None else heading.span(schedule.start, schedule.finish)
        left, right = self.scale.x(first), self.scale.x(last)
        kind = BarKind.HEADING if heading is not None else _kind(task, self.rows)
        if kind is not BarKind.MILESTONE:
            right = max(right, left + _LEAST_PX)
        return Bar(task, row, plan_row, kind, left, right, self.y(row))

    def bar_of(self, task_id: TaskId) -> Bar | None:
        """The bar of a task, or None where its row is folded away."""
        row = self.rows.row_of.get(task_id)
        return None if row is None else self.bar(row)

    def spans(self, rows: Places) -> tuple[Coordinates, Coordinates]:
        """Where bars start and where they finish, in sight or not."""
        dates, plan_rows = self.state.schedule, self.rows.plan_rows[rows]
        left = (dates.start[plan_rows] - self.scale.origin_ticks) / self.scale.ticks_per_px
        right = (dates.finish[plan_rows] - self.scale.origin_ticks) / self.scale.ticks_per_px
        least = np.where(self.rows.traits(rows).is_milestone, -np.inf, _LEAST_PX)
        return left, np.maximum(right, left + least)

    def y(self, row: int) -> float:
        """Upper edge of a row."""
        return float(row * METRICS.row_px - self.scroll_px)

    def row_at(self, y_px: float) -> int | None:
        """The row at a height, or None below the last."""
        row = int((y_px + self.scroll_px) // METRICS.row_px)
        return row if 0 <= row < len(self.rows) else None

    def seen(self, height_px: float) -> tuple[int, int]:
        """First and last row in sight; the last lies before the first when there is none."""
        first = self.scroll_px // METRICS.row_px
        last = int((self.scroll_px + height_px) // METRICS.row_px)
        return first, min(last, len(self.rows) - 1)


def _kind(task: Task, rows: Rows) -> BarKind:
    if task.id in rows.summaries:
        return BarKind.SUMMARY
    return BarKind.MILESTONE if task.is_milestone else BarKind.LEAF
