"""SpanIndex: where the span of a task in an iteration stands in the columns of a timeline. It never holds a stamp."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.columns import Int64


class SpanIndex:
    """Eight bytes a span. A task's spans nearly always come in the order of their iterations, and all of them.

    `column` below is the iteration of each span, `first` the row in the timeline from which on it tells.
    """

    def __init__(self) -> None:
        # Rows of spans of which parts are missing; and of each task's spans in the order of their arrival.
        self._open: dict[tuple[TaskId, int], int] = {}
        self._of_task: dict[TaskId, array[int]] = {}
        self._latest: dict[TaskId, int] = {}

    def latest(self, task: TaskId) -> int:
        """The latest iteration of a task that has begun to end; -1 when none has."""
        return self._latest.get(task, -1)

    def place(self, parts: Int64, count: int) -> tuple[Int64, list[int]]:
        """The span of each part, and which parts are the first of theirs: those spans stand from row `count` on."""
        new: list[int] = []
        place = np.empty(len(parts), np.int64)
        for index, (task, iteration) in enumerate(parts[:, :2].tolist()):
            found = self._open.setdefault((task, iteration), count + len(new))
            if found == count + len(new):
                new.append(index)
                self._of_task.setdefault(task, array("q")).append(found)
                self._latest[task] = max(iteration, self.latest(task))
            place[index] = found
        return place, new

    def close(self, are_done: Callable[[Int64], NDArray[np.bool_]]) -> None:
        """No more parts come of the spans that are done."""
        done = are_done(np.fromiter(self._open.values(), np.int64, len(self._open)))
        if done.any():
            self._open = {key: row for (key, row), is_done in zip(self._open.items(), done, strict=True) if not is_done}

    def row_of(self, task: TaskId, iteration: int, column: Int64, first: int) -> int | None:
        """The row of one span, None where there is none."""
        if not 0 <= iteration <= self.latest(task):
            return None
        rows = self._of_task[task]
        if iteration < len(rows) and _is_at(rows[iteration] - first, iteration, column):
            return rows[iteration] - first
        return next((row - first for row in array("q", rows) if _is_at(row - first, iteration, column)), None)


def _is_at(row: int, iteration: int, column: Int64) -> bool:
    return 0 <= row < len(column) and int(column[row]) == iteration
