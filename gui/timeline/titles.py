"""What the tasks of a plan are called where their row does not say where they belong. It never changes a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.model import Plan, TaskId


class Titles(Mapping[TaskId, str]):
    """The name of each task, with that of the summary it lies in: "copy in, Frame 0"; put together when asked for."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __getitem__(self, task_id: TaskId) -> str:
        plan = self._plan
        task = plan.tasks[plan.rows[task_id]]
        return task.name if task.parent is None else f"{task.name}, {plan.task(task.parent).name}"

    def __iter__(self) -> Iterator[TaskId]:
        return iter(self._plan.rows)

    def __len__(self) -> int:
        return len(self._plan.rows)
