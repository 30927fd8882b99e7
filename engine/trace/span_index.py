"""SpanIndex: where the span of a task in an iteration stands in the columns of a timeline. It never holds a stamp."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId
from engine.trace.columns import Columns, Int64

# So many rows of a task are held in memory before they go to the others, which lie on the disk once they are many.
_CHUNK = 64


class SpanIndex:
    """An eighth of a byte a span, and more on the disk. A task's spans nearly always come in the order of their
    iterations, and all of them.

    `column` below is the iteration of each span, `first` the row in the timeline from which on it tells.
    """

    def __init__(self) -> None:
        # Rows of spans of which parts are missing; and of each task's spans in the order of their arrival.
        self._open: dict[tuple[TaskId, int], int] = {}
        self._of_task: dict[TaskId, _Rows] = {}
        self._full = Columns("row")
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
                self._append(task, found)
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
        rows, full = self._of_task[task], self._full["row"]
        if iteration < len(rows) and _is_at(rows.at(iteration, full) - first, iteration, column):
            return rows.at(iteration, full) - first
        every = (rows.at(place, full) - first for place in range(len(rows)))
        return next((row for row in every if _is_at(row, iteration, column)), None)

    def _append(self, task: TaskId, row: int) -> None:
        rows = self._of_task.get(task)
        if rows is None:
            rows = self._of_task[task] = _Rows()
        rows.latest.append(row)
        if len(rows.latest) == _CHUNK:
            rows.chunks.append(self._full.count)
            self._full.append(np.array([rows.latest], np.int64))
            del rows.latest[:]


class _Rows:
    """The rows of one task's spans: chunks of them, given by their places in a column, and the latest."""

    __slots__ = ("chunks", "latest")

    def __init__(self) -> None:
        self.chunks, self.latest = array("q"), array("q")

    def __len__(self) -> int:
        return len(self.chunks) * _CHUNK + len(self.latest)

    def at(self, place: int, full: Int64) -> int:
        """The row of the span that came as the `place`th, from 0."""
        chunk, within = divmod(place, _CHUNK)
        return self.latest[within] if chunk == len(self.chunks) else int(full[self.chunks[chunk] + within])


def _is_at(row: int, iteration: int, column: Int64) -> bool:
    return 0 <= row < len(column) and int(column[row]) == iteration
