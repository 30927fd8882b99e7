"""Changes: which cells of which tasks the last edit changed. They never say why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan
from engine.schedule.schedule import Schedule
from engine.session.state import State
from gui.gantt.columns import Column

Flags = NDArray[np.bool_]
_Rows = NDArray[np.int64]
_FIGURES: dict[Column, Callable[[Schedule], _Rows]] = {
    Column.START: lambda schedule: schedule.start,
    Column.FINISH: lambda schedule: schedule.finish,
    Column.FLOAT: lambda schedule: schedule.total_float,
    Column.FREE_FLOAT: lambda schedule: schedule.free_float,
}


class Changes(Mapping[Column, Flags]):
    """The cells that differ between two states of one document, by column, one entry a row of the later plan: each
    column is looked at when it is asked for.

    Of a task that is new nothing has changed: all of it is new.
    """

    def __init__(self, before: State, after: State) -> None:
        self._dates = before.schedule, after.schedule
        self._common, self._count = _common(before.plan, after.plan), len(after.plan.tasks)
        self._known: dict[Column, Flags] = {}

    def __getitem__(self, column: Column) -> Flags:
        found = self._known.get(column)
        if found is None:
            found = self._known[column] = self._found(*map(_FIGURES[column], self._dates))
        return found

    def __iter__(self) -> Iterator[Column]:
        return iter(_FIGURES)

    def __len__(self) -> int:
        return len(_FIGURES)

    def _found(self, one: _Rows, other: _Rows) -> Flags:
        found = np.zeros(self._count, dtype=np.bool_)
        if self._common is None:
            return np.not_equal(one, other, out=found)
        here, there = self._common
        found[there] = one[here] != other[there]
        return found


def _common(before: Plan, after: Plan) -> tuple[_Rows, _Rows] | None:
    """Rows before and after of the tasks that are in both; None where they are the same ones in the same rows."""
    if before.rows is after.rows or before.rows == after.rows:
        return None
    places = after.rows
    shared = [(row, places[task]) for task, row in before.rows.items() if task in places]
    found = np.array(shared, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]
