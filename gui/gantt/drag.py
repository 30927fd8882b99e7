"""Drag: what is shown while a bar is moved, resized or linked, as values: trial, rubber line, band and card.

It never decides where things go; the trial schedule it is given does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model import TaskId
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.bars import Bar


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of the card."""

    text: str
    color: str = "muted"
    is_bold: bool = False


@dataclass(frozen=True, eq=False)
class Drag:
    """A drag in progress: the task held, the trial State (None while nothing would change), the cursor, the card.

    `rubber` is the line of a link being drawn, `target` the task it would end at. `outline` is a bar that there would
    be: left, right and the upper edge of its row; `band` the rectangle that chooses: left, top, right, bottom.
    As long as the trial is that of an earlier place, `sketch` says where the bars in sight would stand, or else
    `carried` is the bar that is held where it is carried to.
    """

    task: TaskId | None
    trial: State | None
    at: Point
    lines: tuple[CardLine, ...] = ()
    rubber: tuple[Point, Point] | None = None
    target: TaskId | None = None
    outline: tuple[float, float, float] | None = None
    band: tuple[float, float, float, float] | None = None
    carried: Bar | None = None
    sketch: State | None = None


def is_moved(before: State, after: State) -> bool:
    """Whether any date differs between two states of the same tasks."""
    old, new = before.schedule, after.schedule
    return not (np.array_equal(old.start, new.start) and np.array_equal(old.finish, new.finish))
