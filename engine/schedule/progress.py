"""How much of a plan is done: of each task, and of summaries by the tasks in them. It never knows a date."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, Task, TaskId
from engine.schedule.columns import INACTIVE, LEAF
from engine.schedule.network import Network


@dataclass(frozen=True, eq=False)
class Done:
    """Working ticks of the rows before each row, all of them and those that are done; one entry more than rows."""

    plan: Plan
    _whole: NDArray[np.float64]
    _done: NDArray[np.float64]

    def percent(self, task_id: TaskId) -> float:
        """Of a task as it was told; of a summary that of its tasks, weighed by their durations. 0 to 100."""
        task = self.plan.task(task_id)
        last, children = task_id, self.plan.children
        if task_id not in children:
            return _percent(task)
        while last in children:
            last = children[last][-1]
        first, end = self.plan.rows[task_id] + 1, self.plan.rows[last] + 1
        whole = float(self._whole[end] - self._whole[first])
        return min(100.0, 100.0 * float(self._done[end] - self._done[first]) / whole) if whole else 0.0


def done_of(network: Network) -> Done:
    """How much of each row is done."""
    plan, nodes = network.plan, network.nodes
    count = len(plan.tasks)
    is_counted = (nodes.role[:count] == LEAF) & (nodes.flags[:count] & INACTIVE == 0)
    whole = np.where(is_counted, nodes.duration[:count], 0).astype(np.float64)
    done = np.zeros(count)
    for row, task in enumerate(plan.tasks):
        if task.progress is not None:
            done[row] = whole[row] * _percent(task) / 100
    return Done(plan, _summed(whole), _summed(done))


def _percent(task: Task) -> float:
    if task.progress is None:
        return 0.0
    return task.progress.percent if task.progress.actual_finish is None else 100.0


def _summed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate(((0.0,), np.cumsum(values)))
