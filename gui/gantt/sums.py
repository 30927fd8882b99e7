"""Sums: what the tasks of a group come to together, as its heading says it. They never know which rows are shown."""

from __future__ import annotations

import numpy as np

from gui.gantt.columns import Column
from gui.gantt.figures import NOTHING, Figures
from gui.gantt.headings import Heading
from gui.gantt.words import exact_text

# What stands for a group is told by the task that is first, or last, in a column.
_LEAST = frozenset({Column.START, Column.FLOAT, Column.FREE_FLOAT, Column.BASELINE_START, Column.DEADLINE})
_MOST = frozenset({Column.FINISH, Column.BASELINE_FINISH})


def heading_text(figures: Figures, heading: Heading, column: Column) -> str:
    """What a group comes to in a column: sums of lengths, first starts, last finishes; nothing in others."""
    rows = heading.plan_rows
    if column is Column.TASK:
        return heading.task.name
    if column in _LEAST | _MOST:
        keys = figures.keys(column)[rows]
        return figures.text(int(rows[keys.argmin() if column in _LEAST else keys.argmax()]), column)
    if column is Column.DURATION:
        return exact_text(figures.plan, int(figures.durations[rows].sum()))
    if column is Column.WORK:
        found = [work for row in rows.tolist() if (work := figures.work(row)) is not None]
        return exact_text(figures.plan, sum(found)) if found else NOTHING
    return f"{_done(figures, heading):.0f} %" if column is Column.PERCENT else ""


def _done(figures: Figures, heading: Heading) -> float:
    """How much of its tasks is done, by their lengths; of milestones alone by their number."""
    lengths = figures.durations[heading.plan_rows].astype(np.float64)
    weights = lengths if lengths.sum() else np.ones(len(lengths))
    return float(np.average(figures.percent[heading.plan_rows], weights=weights))
