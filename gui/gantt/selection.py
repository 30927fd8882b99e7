"""Selection: which tasks are chosen after a click or a key, as plain values. It never draws and never tells."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import Enum

from engine.model import TaskId
from gui.gantt.rows import Rows


class Reach(Enum):
    """What a click or a key adds to what is chosen: nothing, itself (or takes it away), or all up to itself."""

    ALONE = "alone"
    TOO = "too"
    UP_TO = "up to"


@dataclass(frozen=True, slots=True)
class Selection:
    """Chosen tasks, the one chosen last at first. `anchor` is where a range began."""

    tasks: tuple[TaskId, ...] = ()
    anchor: TaskId | None = None

    @staticmethod
    def of(tasks: Iterable[TaskId]) -> Selection:
        """These tasks, chosen one by one."""
        chosen = tuple(dict.fromkeys(tasks))
        return Selection(chosen, chosen[0] if chosen else None)

    def with_row(self, rows: Rows, row: int, reach: Reach) -> Selection:
        """What is chosen once a row is too."""
        task = rows.tasks[row].id
        if reach is Reach.TOO:
            left = tuple(each for each in self.tasks if each != task)
            return Selection(left, self.anchor) if task in self.tasks else Selection((task, *left), task)
        start = rows.row_of.get(self.anchor) if reach is Reach.UP_TO and self.anchor is not None else None
        if start is None:
            return Selection((task,), task)
        step = 1 if start <= row else -1
        reached = (rows.tasks[each].id for each in range(row, start - step, -step))
        return Selection(tuple(task for task in reached if task > 0), self.anchor)

    def with_band(self, tasks: Iterable[TaskId], reach: Reach) -> Selection:
        """What is chosen once a band was drawn over tasks: they alone, or they too."""
        return Selection.of(tasks if reach is Reach.ALONE else (*tasks, *self.tasks))

    def with_all(self, rows: Rows) -> Selection:
        """Every row, the one chosen last still at first."""
        every = (task.id for task in rows.tasks if task.id > 0)
        return Selection(tuple(dict.fromkeys((*self.tasks[:1], *every))), self.anchor)

    def kept(self, ids: Container[TaskId], before: Rows | None, after: Rows) -> Selection:
        """What stays chosen when only `ids` are left; the row that takes the place of the first that went, if none
        does."""
        left = tuple(task for task in self.tasks if task in ids)
        if left:
            return Selection(left, self.anchor if self.anchor in left else left[0])
        gone = [] if before is None else [before.row_of[task] for task in self.tasks if task in before.row_of]
        if not gone or not len(after):
            return Selection()
        near = min(*gone, len(after) - 1)
        row = after.task_row(near, 1)
        row = after.task_row(near, -1) if row is None else row
        return Selection() if row is None else Selection.of((after.tasks[row].id,))
