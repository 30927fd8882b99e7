"""Paths: how the chart shows what leads to the chosen tasks and what follows from them. It never finds a path itself.

What leads has one hue and what follows another; what decides is filled, the rest is an outline; a sign at the left edge
of the row says the same without any color. What is on no path steps back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.model import TaskId
from engine.schedule import cpm
from engine.schedule.columns import Bits
from engine.schedule.schedule import Schedule
from engine.schedule.task_paths import DRIVES, FOLLOWS, IS_DRIVEN, LEADS, Counts, counted, is_driving
from gui.canvas.shapes import Box, Line, Polygon, Shape
from gui.gantt.bars import MIDDLE_PX, Bar
from gui.theme import METRICS

LEADING, FOLLOWING = "hue_2", "hue_4"
LIGHT_PERCENT, AWAY_PERCENT = 25, 30
_SIGN_PX = 7.0
_LEFT_PX = 4.0
_HALF_PX = 4.0


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths of some tasks of one schedule, as flags of its rows."""

    schedule: Schedule
    flags: Bits
    chosen: frozenset[TaskId]

    @property
    def counts(self) -> Counts:
        """How many tasks lead, drive, follow and are driven."""
        return counted(self.schedule, self.flags)

    def fill(self, bar: Bar, color: str) -> str:
        """The fill of a bar that would else have a color."""
        hue = self.hue(bar.plan_row)
        if bar.task.id in self.chosen:
            return color
        if not hue:
            return f"{color.partition(':')[0]}:{AWAY_PERCENT}"
        return hue if self.decides(bar.plan_row) else f"{hue}:{LIGHT_PERCENT}"

    def hue(self, row: int) -> str:
        """The hue of a row's side; empty for one that is on no path."""
        flags = int(self.flags[row])
        return LEADING if flags & LEADS else FOLLOWING if flags & FOLLOWS else ""

    def decides(self, row: int) -> bool:
        """Whether a row drives the chosen tasks, or is driven by them."""
        return bool(int(self.flags[row]) & (DRIVES | IS_DRIVEN))

    def link_look(self, first: int, second: int) -> tuple[str, float]:
        """The hue and the width of a link between two rows of the plan; no hue where it is on no path."""
        hue = self.hue(first if second in self._inner else second)
        inner = {first, second} & self._inner
        if not hue or (not inner and self.hue(first) != hue):
            return "", 1.0
        return hue, 2.0 if is_driving(self.schedule, first, second) else 1.0

    @cached_property
    def _inner(self) -> frozenset[int]:
        return frozenset(self.schedule.rows[task] for task in self.chosen)

    def sign(self, bar: Bar) -> list[Shape]:
        """At the left edge of the chart: an arrow to a bar for what leads, from a bar for what follows."""
        hue = self.hue(bar.plan_row)
        return sign_shapes(_LEFT_PX, bar.y + MIDDLE_PX, hue, is_filled=self.decides(bar.plan_row)) if hue else []


def sign_shapes(left: float, middle: float, hue: str, *, is_filled: bool) -> list[Shape]:
    """The sign of a path, beside its middle line."""
    x = left + (0.0 if hue == LEADING else 2.0)
    tip = x + _SIGN_PX
    bar = tip + 1.5 if hue == LEADING else left
    arrow = ((x, middle - _HALF_PX), (tip, middle), (x, middle + _HALF_PX))
    around = Box(left - 2, middle - _HALF_PX - 3, _SIGN_PX + 6, 2 * _HALF_PX + 6, "panel", radius=METRICS.radius_px)
    line = Line(((bar, middle - _HALF_PX), (bar, middle + _HALF_PX)), hue, 1.5)
    return [around, Polygon(arrow, hue if is_filled else "panel", hue, 1.0), line]


@lru_cache(maxsize=1)
def paths_of(schedule: Schedule, tasks: tuple[TaskId, ...]) -> Paths | None:
    """The paths of the chosen tasks, found once a selection; None where none is chosen."""
    known = tuple(task for task in tasks if task in schedule.rows)
    return Paths(schedule, cpm.task_paths(schedule, known), frozenset(known)) if known else None
