"""Cells: what the task table says in each cell, as words and as shapes. It never knows which rows are in sight."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.typing import NDArray

from engine.model import Clock
from engine.session.state import State
from gui.canvas.axis import TextWidth
from gui.canvas.shapes import Align, Box, Label, Line, Point, Polygon, Shape
from gui.gantt.columns import WORDS, Column
from gui.gantt.figures import figures_of
from gui.gantt.rows import Rows
from gui.gantt.sums import heading_text
from gui.theme import METRICS

PAD_PX = 12.0
_NAME_PX = 14.0
_SWATCH_PX = 8.0
# Text, width in whole pixels, size, whether it is bold: to the part of the text that fits.
Elide = Callable[[str, int, int, bool], str]
_PROBED = 40
_LENGTHS = frozenset({Column.DURATION, Column.FLOAT, Column.FREE_FLOAT, Column.COST, Column.WORK})
_LIKES = {Column.SURE_FINISH: Column.FINISH}
_LEAST_PX, _MOST_PX, _MOST_WORDS_PX = 56, 160, 220


def column_width(state: State, rows: Rows, column: Column, title_px: float, text_width: TextWidth) -> int:
    """Pixels that a column needs for its title and for the longest of its words, within limits.

    The longest stand where a column is largest and smallest, and where it has the most figures: that is measured, not
    every row; and the first rows are. What is told later is as long as its like.
    """
    column = _LIKES.get(column, column)
    texts = ["888.8 ms" if state.plan.clock is Clock.DEVICE else "88.8 d"] if column in _LENGTHS else []
    if len(rows):
        values = _values(state, column)
        probed = set(range(min(len(rows), _PROBED)))
        if values is not None:
            probed |= {int(values[rows.plan_rows].argmin()), int(values[rows.plan_rows].argmax())}
        texts += [cell_text(state, rows, row, column) for row in probed]
    widest = max([title_px, *(text_width(text, METRICS.text_px, False) for text in texts)])
    most, pads = (_MOST_WORDS_PX, 2.0) if column in WORDS else (_MOST_PX, 1.5)
    return min(max(ceil(widest + pads * PAD_PX), _LEAST_PX), most)


def _values(state: State, column: Column) -> NDArray[np.int64] | None:
    """What a column of figures is told by, one entry a row of the plan, where the schedule has it."""
    schedule = state.schedule
    if column is Column.DURATION:
        return schedule.finish - schedule.start
    return {
        Column.FLOAT: schedule.total_float,
        Column.FREE_FLOAT: schedule.free_float,
        Column.START: schedule.start,
        Column.FINISH: schedule.finish,
    }.get(column)


def cell_text(state: State, rows: Rows, row: int, column: Column) -> str:
    """The words of a cell."""
    if row in rows.headings:
        return heading_text(figures_of(state), rows.headings[row], column)
    return figures_of(state).text(int(rows.plan_rows[row]), column)


def cell_shapes(
    state: State, rows: Rows, place: tuple[int, Column], width: float, elide: Elide, at: Point = (0.0, 0.0)
) -> list[Shape]:
    """A cell of a width, METRICS.row_px high, without its ground, at a place. `place` is its row and column."""
    (row, column), (x, y) = place, at
    if column is Column.TASK:
        return _name_shapes(rows, row, width, elide, at)
    plan_row = int(rows.plan_rows[row])
    is_summary = rows.tasks[row].id in rows.summaries
    if row in rows.headings:
        column_room = int(width - PAD_PX * (2 if column in WORDS else 1))
        words = elide(cell_text(state, rows, row, column), max(column_room, 0), METRICS.text_px, False)
        start, side = (PAD_PX, Align.LEFT) if column in WORDS else (0.0, Align.RIGHT)
        return [Label(x + start, y, width - PAD_PX - start, words, "muted", side)]
    is_estimated = column is Column.DURATION and not is_summary and bool(state.schedule.is_estimated[plan_row])
    is_estimated |= column is Column.RANGE and figures_of(state).own_spread(plan_row) is None  # of its family
    color = "text"
    if column is Column.FLOAT:
        color = "alarm" if not is_summary and state.schedule.is_critical[plan_row] else "muted"
    elif is_estimated:
        color = "muted"
    room = width - PAD_PX * (2 if column in WORDS else 1)
    text = elide(cell_text(state, rows, row, column), max(int(room), 0), METRICS.text_px, False)
    left, align = (PAD_PX, Align.LEFT) if column in WORDS else (0.0, Align.RIGHT)
    return [Label(x + left, y, width - PAD_PX - left, text, color, align, is_italic=is_estimated)]


def expander_left(rows: Rows, row: int) -> float | None:
    """Where the triangle that folds a summary stands in the first column; None on a leaf."""
    return PAD_PX + int(rows.depths[row]) * METRICS.indent_px if rows.tasks[row].id in rows.summaries else None


def row_lines(y: float, width: float, is_focused: bool, x: float = 0.0) -> list[Shape]:
    """The lines of a row, or those above and below it in the accent where the keyboard is."""
    above, below = (((x, each - 0.5), (x + width, each - 0.5)) for each in (y, y + METRICS.row_px))
    return [Line(above, "accent"), Line(below, "accent")] if is_focused else [Line(below, "line")]


def _name_shapes(rows: Rows, row: int, width: float, elide: Elide, at: Point) -> list[Shape]:
    task, (x, y) = rows.tasks[row], at
    left = PAD_PX + int(rows.depths[row]) * METRICS.indent_px
    shapes: list[Shape] = []
    is_summary = task.id in rows.summaries
    if is_summary:
        shapes.append(_triangle(x + left, y + METRICS.row_px / 2, task.id in rows.collapsed))
    elif task.operation is not None:
        top = y + (METRICS.row_px - _SWATCH_PX) / 2
        shapes.append(Box(x + left, top, _SWATCH_PX, _SWATCH_PX, task.operation.kind.engine, radius=2))
    room = width - left - _NAME_PX - 4
    text = elide(task.name, max(int(room), 0), METRICS.text_px, is_summary)
    shapes.append(Label(x + left + _NAME_PX, y, room, text, is_bold=is_summary))
    return shapes


def _triangle(left: float, middle: float, is_collapsed: bool) -> Polygon:
    if is_collapsed:
        return Polygon(((left + 2, middle - 4), (left + 7, middle), (left + 2, middle + 4)), "muted")
    return Polygon(((left, middle - 2.5), (left + 8, middle - 2.5), (left + 4, middle + 2.5)), "text")
