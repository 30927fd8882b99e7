"""Duplicating: tasks that stand a second time in the plan, with what lies in them and between them. It never dates."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PlanError
from engine.model import Plan, TaskId
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted, row_below
from engine.session.row_edits import held_by, tops_of


@dataclass(frozen=True, slots=True)
class DuplicateTasks:
    """Copies of tasks, with all they hold, stand below the task `after` and in its summary; without it last of all.

    Links and assignments among the copied are copied too; what links them to others is not, nor what was done of them.
    Ids are given out in row order from the plan's `next_task_id`.
    """

    tasks: tuple[TaskId, ...]
    after: TaskId | None = None

    def label(self, plan: Plan) -> str:
        """Paste 3 tasks."""
        count = len(held_by(plan, tops_of(plan, self.tasks)))
        return f"Paste {quoted(plan, self.tasks[0]) if count == 1 else f'{count} tasks'}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Inserts the copies."""
        tops = tops_of(plan, self.tasks)
        held = held_by(plan, tops)
        parent = None if self.after is None else plan.task(self.after).parent
        copied = [task for task in plan.tasks if task.id in held]
        new = {task.id: plan.next_task_id + at for at, task in enumerate(copied)}
        made = tuple(
            replace(
                task,
                id=new[task.id],
                parent=parent if task.parent is None or task.id in tops else new[task.parent],
                progress=None,
                recorded=None,
                source="",
            )
            for task in copied
        )
        row = len(plan.tasks) if self.after is None else row_below(plan, self.after)
        links = tuple(
            replace(link, predecessor=new[link.predecessor], successor=new[link.successor])
            for link in plan.dependencies
            if link.predecessor in new and link.successor in new
        )
        assignments = tuple(replace(each, task=new[each.task]) for each in plan.assignments if each.task in new)
        others = tuple(replace(each, task=new[each.task]) for each in plan.alternatives if each.task in new)
        return replace(
            plan,
            tasks=(*plan.tasks[:row], *made, *plan.tasks[row:]),
            dependencies=(*plan.dependencies, *links),
            assignments=(*plan.assignments, *assignments),
            alternatives=(*plan.alternatives, *others),
            next_task_id=plan.next_task_id + len(made),
        ).check()


def place_below(plan: Plan, task: TaskId) -> tuple[TaskId | None, TaskId | None]:
    """The summary that a row below a task lies in, and the task that it stands above, None at the end of it."""
    parent = plan.task(task).parent
    siblings = [each.id for each in plan.tasks if each.parent == parent]
    if task not in siblings:
        raise PlanError(f"There is no task {task} in the plan.", ids=(task,))
    place = siblings.index(task) + 1
    return parent, siblings[place] if place < len(siblings) else None
