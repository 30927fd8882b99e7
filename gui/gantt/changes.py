"""Changes: which cells of which tasks the last edit changed. They never say why."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan
from engine.session.state import State
from gui.gantt.columns import Column

Flags = NDArray[np.bool_]
_Rows = NDArray[np.int64]


def changes_between(before: State, after: State) -> dict[Column, Flags]:
    """The cells that differ between two states of one document, by column, one entry a row of the later plan.

    Of a task that is new nothing has changed: all of it is new.
    """
    was, now, count = before.schedule, after.schedule, len(after.plan.tasks)
    common = _common(before.plan, after.plan)

    def differ(one: _Rows, other: _Rows) -> Flags:
        found = np.zeros(count, dtype=np.bool_)
        if common is None:
            np.not_equal(one, other, out=found)
        else:
            here, there = common
            found[there] = one[here] != other[there]
        return found

    return {
        Column.START: differ(was.start, now.start),
        Column.FINISH: differ(was.finish, now.finish),
        Column.FLOAT: differ(was.total_float, now.total_float),
        Column.FREE_FLOAT: differ(was.free_float, now.free_float),
    }


def _common(before: Plan, after: Plan) -> tuple[_Rows, _Rows] | None:
    """Rows before and after of the tasks that are in both; None where they are the same ones in the same rows."""
    if before.rows is after.rows or before.rows == after.rows:
        return None
    places = after.rows
    shared = [(row, places[task]) for task, row in before.rows.items() if task in places]
    found = np.array(shared, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]
