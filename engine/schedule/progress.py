"""How much of a plan is done: of each task, and of summaries by the tasks in them. It never knows a date."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Task, TaskId
from engine.schedule.columns import INACTIVE, LEAF
from engine.schedule.network import Network


@dataclass(frozen=True, eq=False)
class Done:
    """`whole` and `done` are working ticks of the rows before each row, one entry more than there are rows."""

    plan: Plan
    whole: NDArray[np.float64]
    done: NDArray[np.float64]

    @staticmethod
    def of(network: Network) -> Done:
        """How much is done of the plan of a network."""
        plan, nodes, count = network.plan, network.nodes, len(network.plan.tasks)
        is_counted = (nodes.role[:count] == LEAF) & (nodes.flags[:count] & INACTIVE == 0)
        whole = nodes.duration[:count] * is_counted.astype(np.float64)
        done = np.zeros(count)
        told = list(map(attrgetter("progress"), plan.tasks))
        if told.count(None) < count:  # most plans are not begun, and a window asks after every edit
            rows = [row for row, progress in enumerate(told) if progress is not None]
            done[rows] = whole[rows] * np.array([_percent(plan.tasks[row]) for row in rows]) / 100
        return Done(plan, np.append(0.0, np.cumsum(whole)), np.append(0.0, np.cumsum(done)))

    def percent(self, task_id: TaskId) -> float:
        """Of a task as it was told; of a summary that of its tasks, weighed by their durations. 0 to 100."""
        last, children = task_id, self.plan.children
        if task_id not in children:
            return _percent(self.plan.task(task_id))
        while last in children:
            last = children[last][-1]
        first, end = self.plan.rows[task_id] + 1, self.plan.rows[last] + 1
        whole = float(self.whole[end] - self.whole[first])
        return min(100.0, 100.0 * float(self.done[end] - self.done[first]) / whole) if whole else 0.0


def _percent(task: Task) -> float:
    if task.progress is None:
        return 0.0
    return task.progress.percent if task.progress.actual_finish is None else 100.0
