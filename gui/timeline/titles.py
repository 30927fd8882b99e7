"""What the tasks of a plan are called where their row does not say where they belong. It never changes a plan."""

from __future__ import annotations

from engine.model import Plan, TaskId


def titles_of(plan: Plan) -> dict[TaskId, str]:
    """The name of each task, with that of the summary it lies in: "copy in, Frame 0"."""
    names = {task.id: task.name for task in plan.tasks}
    return {task.id: task.name if task.parent is None else f"{task.name}, {names[task.parent]}" for task in plan.tasks}
