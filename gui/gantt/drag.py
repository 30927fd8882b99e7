"""Drag: what is shown while a bar is moved, resized or linked: ghosts, a rubber line and a card of figures.

It never decides where things go; the trial schedule it is given does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model import TaskId
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Box, Dash, Label, Line, Point, Polygon, Shape
from gui.gantt.bars import MIDDLE_PX, Bar, BarKind, Layout
from gui.theme import METRICS

_CARD_LINE_PX = 18.0
_CARD_MARGIN_PX = 8.0
_CARD_PAD_PX = 12.0
_CURSOR_GAP_PX = 16.0


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of the card."""

    text: str
    color: str = "muted"
    is_bold: bool = False


@dataclass(frozen=True, eq=False)
class Drag:
    """A drag in progress: the task held, the trial State (None while nothing would change), the cursor, the card.

    `rubber` is the line of a link being drawn, `target` the task it would end at.
    """

    task: TaskId
    trial: State | None
    at: Point
    lines: tuple[CardLine, ...] = ()
    rubber: tuple[Point, Point] | None = None
    target: TaskId | None = None


def is_moved(before: State, after: State) -> bool:
    """Whether any date differs between two states of the same tasks."""
    old, new = before.schedule, after.schedule
    return not (np.array_equal(old.start, new.start) and np.array_equal(old.finish, new.finish))


def drag_shapes(layout: Layout, drag: Drag, bars: list[Bar]) -> list[Shape]:
    """Ghosts of everything in sight that would move, and the rubber line."""
    shapes: list[Shape] = []
    if drag.trial is not None:
        trial = Layout(drag.trial, layout.rows, layout.scale, layout.scroll_px)
        for bar in bars:
            ghost = trial.bar(bar.row)
            if (ghost.left, ghost.right) != (bar.left, bar.right):
                shapes += _ghost(layout, ghost, is_held=bar.task.id == drag.task)
    for bar in bars:
        if bar.task.id == drag.target:
            frame = (bar.left - 2, bar.y + METRICS.bar_top_px - 2, bar.right - bar.left + 4, METRICS.bar_px + 4)
            shapes.append(Box(*frame, "", "accent", METRICS.radius_px + 1, width=1.5))
    if drag.rubber is not None:
        shapes.append(Line(drag.rubber, "accent", 1.5, Dash.DASHED))
    return shapes


def _ghost(layout: Layout, ghost: Bar, is_held: bool) -> list[Shape]:
    fill, outline, width = ("accent:22", "accent", 1.5) if is_held else ("accent:12", "accent:60", 1.0)
    left, right = max(ghost.left, -20.0), min(ghost.right, layout.scale.width_px + 20)
    if right < left:
        return []
    y, middle, half = ghost.y, ghost.y + MIDDLE_PX, METRICS.bar_px / 2
    if ghost.kind is BarKind.SUMMARY:
        return [Box(left, y + 9, right - left, 4, fill, outline, 0, Dash.DASHED)]
    if ghost.kind is BarKind.MILESTONE:
        x = ghost.left
        corners = ((x - half, middle), (x, middle - half), (x + half, middle), (x, middle + half))
        return [Polygon(corners, fill, outline)]
    frame = (left, y + METRICS.bar_top_px, right - left, METRICS.bar_px)
    return [Box(*frame, fill, outline, METRICS.radius_px, Dash.DASHED, width)]


def card_shapes(layout: Layout, drag: Drag, height_px: float, text_width: TextWidth) -> list[Shape]:
    """The card of figures: under the row the cursor is in, or above it where there is no room; inside the chart."""
    if not drag.lines:
        return []
    wide = max(text_width(line.text, METRICS.text_px, line.is_bold) for line in drag.lines) + 2 * _CARD_PAD_PX
    high = len(drag.lines) * _CARD_LINE_PX + 2 * _CARD_MARGIN_PX
    below = drag.at[1] + _CURSOR_GAP_PX
    y = below if below + high <= height_px else max(drag.at[1] - _CURSOR_GAP_PX - high, 0.0)
    x = max(min(drag.at[0] + _CURSOR_GAP_PX, layout.scale.width_px - wide - 4), 4.0)
    shapes: list[Shape] = [Box(x, y, wide, high, "panel", "line", 6)]
    for place, line in enumerate(drag.lines):
        top = y + _CARD_MARGIN_PX + place * _CARD_LINE_PX
        shapes.append(Label(x + _CARD_PAD_PX, top, wide, line.text, line.color, is_bold=line.is_bold, h=_CARD_LINE_PX))
    return shapes
