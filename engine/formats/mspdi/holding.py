"""Holding: which tasks lie where the file they came from had them. It never says what follows from that."""

from __future__ import annotations

from collections import defaultdict

from engine.formats.mspdi.splits import time_of
from engine.model import Plan, Task, TaskId
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import ALWAYS


class Holding:
    """Compares a plan's schedule with what was recorded of its tasks."""

    def __init__(self, plan: Plan, schedule: Schedule) -> None:
        self._plan = plan
        self._schedule = schedule
        self._people: dict[TaskId, list[int]] = defaultdict(list)
        for assignment in plan.assignments:
            self._people[assignment.task].append(assignment.resource)

    def holds(self, task: Task) -> bool:
        """Whether a task has its recorded dates, so that what the file said of dates still holds.

        Friday 17:00 and Monday 08:00 are one instant where the task cannot be worked on between them.
        """
        recorded = task.recorded
        if recorded is None:
            return False
        ours = self._schedule.start_of(task.id), self._schedule.finish_of(task.id)
        theirs = recorded.start, recorded.finish
        if ours == theirs:
            return True
        time = ALWAYS if task.is_elapsed else time_of(self._plan, task, self._people[task.id])
        return not any(time.between(a, b) for a, b in zip(ours, theirs, strict=True))
