"""Band: the rectangle drawn on the ground that chooses every bar it touches. It never changes a plan."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.model import TaskId
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.theme import METRICS

Corners = tuple[float, float, float, float]


class Scrolled(Protocol):
    """What a rectangle is drawn over: time across, rows down, both scrolled."""

    @property
    def scale(self) -> TimeScale: ...

    @property
    def scroll_px(self) -> int: ...


class Stretch:
    """A rectangle from where the ground was pressed, which stays at its rows and its time when they scroll."""

    def __init__(self, layout: Scrolled, press: Point) -> None:
        self._tick = layout.scale.tick(press[0])
        self._height = press[1] + layout.scroll_px

    def corners(self, layout: Scrolled, at: Point) -> Corners:
        """Left, top, right and bottom in pixels of the chart."""
        x, y = layout.scale.x(self._tick), self._height - layout.scroll_px
        return min(x, at[0]), min(y, at[1]), max(x, at[0]), max(y, at[1])

    def is_drag(self, layout: Scrolled, at: Point) -> bool:
        """Whether the mouse is farther from the press than a hand shakes."""
        left, top, right, bottom = self.corners(layout, at)
        return max(right - left, bottom - top) >= METRICS.drag_px


class Band(Stretch):
    """One over the rows of the chart."""

    def tasks(self, layout: Layout, at: Point) -> tuple[TaskId, ...]:
        """The tasks whose bars it touches, in row order."""
        left, top, right, bottom = self.corners(layout, at)
        rows, dates = layout.rows, layout.state.schedule
        first = max(int((top + layout.scroll_px - METRICS.bar_top_px - METRICS.bar_px) // METRICS.row_px) + 1, 0)
        last = min(int((bottom + layout.scroll_px - METRICS.bar_top_px) // METRICS.row_px), len(rows) - 1)
        if last < first:
            return ()
        plan_rows = rows.plan_rows[first : last + 1]
        is_touched = (dates.start[plan_rows] <= layout.scale.tick(right)) & (
            dates.finish[plan_rows] >= layout.scale.tick(left)
        )
        found = (rows.tasks[first + place].id for place in np.flatnonzero(is_touched).tolist())
        return tuple(task for task in found if task > 0)
