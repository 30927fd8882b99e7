"""The order of rows: a summary is followed by all that lies in it. It never changes who lies in what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.model.task import Task
from engine.model.ticks import TaskId


def in_outline_order(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Tasks with each summary followed by all that lies in it, otherwise in the order they came.

    What lies in a task that is not there, or in itself, stands last, for Plan.check to name.
    """
    came = tuple(tasks)
    known = {task.id for task in came}
    below: dict[TaskId | None, list[Task]] = defaultdict(list)
    for task in came:
        below[task.parent if task.parent in known else None].append(task)
    found: list[Task] = []
    waiting = below.pop(None, [])[::-1]
    while waiting:
        task = waiting.pop()
        found.append(task)
        waiting += below.pop(task.id, [])[::-1]
    return (*found, *(task for rest in below.values() for task in rest))


def stray(tasks: Sequence[Task]) -> Task | None:
    """The first task that stands apart from the summary it lies in: between them is one that lies elsewhere."""
    open_summaries: list[TaskId] = []
    for task in tasks:
        while open_summaries and open_summaries[-1] != task.parent:
            open_summaries.pop()
        if task.parent is not None and not open_summaries:
            return task
        open_summaries.append(task.id)
    return None
