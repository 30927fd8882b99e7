"""Edits of where a task stands: its row, and the summary it lies in. They never change a date on their own.

As edits.py: one that would break a rule is refused with a sentence, one that changes nothing returns the plan itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.errors import CycleError, PlanError
from engine.model import Plan, Task, TaskId
from engine.schedule.network import leaf_links, topological_order
from engine.schedule.schedule import Schedule
from engine.session.edits import quoted


@dataclass(frozen=True, slots=True)
class IndentTasks:
    """Tasks lie in the summary of the one above them: the sibling above the first, which becomes a summary."""

    tasks: tuple[TaskId, ...]

    def label(self, plan: Plan) -> str:
        """Indent “Design”."""
        return f"Indent {_named(plan, self.tasks)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Each run of siblings goes into the sibling above it. Refused where there is none."""
        tops, above = dict.fromkeys(tops_of(plan, self.tasks)), dict[TaskId | None, TaskId]()
        rows: list[Task] = []
        for task in plan.tasks:
            if task.id not in tops:
                above[task.parent] = task.id
                rows.append(task)
            elif task.parent in above:
                rows.append(replace(task, parent=above[task.parent]))
            else:
                raise PlanError(f"{quoted(plan, task.id)} has no task above it to lie in.", ids=(task.id,))
        return _rearranged(plan, rows, list(tops))


@dataclass(frozen=True, slots=True)
class OutdentTasks:
    """Tasks lie one summary further out, below the one that they leave; those below them there go into them."""

    tasks: tuple[TaskId, ...]

    def label(self, plan: Plan) -> str:
        """Outdent “Design”."""
        return f"Outdent {_named(plan, self.tasks)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Last to first, so that several siblings keep their order. Refused for one that lies in no summary."""
        changed = plan
        for task in reversed(tops_of(plan, self.tasks)):
            left = changed.task(task).parent
            if left is None:
                raise PlanError(f"{quoted(plan, task)} lies in no summary.", ids=(task,))
            changed = MoveRows((task,), changed.task(left).parent, _sibling_below(changed, left)).apply(changed)
        return changed


@dataclass(frozen=True, slots=True)
class MoveRows:
    """Tasks, with all they hold, lie in the summary `parent` (None: in none) above the row of `before`, a task of it.

    Without `before` they come last in it. They keep their order.
    """

    tasks: tuple[TaskId, ...]
    parent: TaskId | None
    before: TaskId | None = None

    def label(self, plan: Plan) -> str:
        """Move the row of “Design”."""
        return f"Move the {'row' if len(self.tasks) == 1 else 'rows'} of {_named(plan, self.tasks)}"

    def apply(self, plan: Plan, schedule: Schedule | None = None) -> Plan:
        """Takes the blocks of rows out and puts them in. Refused where a task would lie in itself."""
        tops = tops_of(plan, self.tasks)
        moved = held_by(plan, tops)
        if self.before in moved or self.parent in moved:
            raise PlanError(f"{quoted(plan, tops[0])} cannot lie in itself.", ids=(tops[0],))
        if self.before is not None and plan.task(self.before).parent != self.parent:
            raise PlanError(f"{quoted(plan, self.before)} does not lie there.", ids=(self.before,))
        rest = [task for task in plan.tasks if task.id not in moved]
        place = self._place(plan, rest)
        block = [replace(t, parent=self.parent) if t.id in tops else t for t in plan.tasks if t.id in moved]
        return _rearranged(plan, [*rest[:place], *block, *rest[place:]], tops)

    def _place(self, plan: Plan, rest: Sequence[Task]) -> int:
        rows = {task.id: row for row, task in enumerate(rest)}
        if self.before is not None:
            return rows[self.before]
        if self.parent is None:
            return len(rest)
        held = held_by(plan, (plan.task(self.parent).id,))
        return 1 + max(row for task, row in rows.items() if task in held)


def tops_of(plan: Plan, tasks: Iterable[TaskId]) -> list[TaskId]:
    """The tasks in row order, without those that lie in another of them."""
    chosen = {plan.task(task).id for task in tasks}
    found = []
    for task in plan.tasks:
        above = task.parent
        while above is not None and above not in chosen:
            above = plan.task(above).parent
        if task.id in chosen and above is None:
            found.append(task.id)
    if not found:
        raise PlanError("No task is chosen.")
    return found


def held_by(plan: Plan, tops: Iterable[TaskId]) -> set[TaskId]:
    """Tasks and all that they hold."""
    found = set(tops)
    for task in plan.tasks:
        if task.parent in found:
            found.add(task.id)
    return found


def _siblings(plan: Plan, task: TaskId) -> list[TaskId]:
    parent = plan.task(task).parent
    return [each.id for each in plan.tasks if each.parent == parent]


def _sibling_below(plan: Plan, task: TaskId) -> TaskId | None:
    siblings = _siblings(plan, task)
    place = siblings.index(task) + 1
    return siblings[place] if place < len(siblings) else None


def _rearranged(plan: Plan, tasks: Sequence[Task], moved: Sequence[TaskId]) -> Plan:
    """The plan with its rows otherwise. Refused where a rule is broken: an operation that holds tasks, a link that
    would lead from a summary into itself, too many summaries in each other."""
    changed = replace(plan, tasks=tuple(tasks))
    if changed.tasks == plan.tasks:
        return plan
    for parent in {changed.task(task).parent for task in moved} - {None}:
        if parent is not None and changed.task(parent).operation is not None:
            raise PlanError(f"{quoted(plan, parent)} does an operation: it cannot hold tasks.", ids=(parent,))
    for link in changed.dependencies:
        try:
            changed.check_link(link)
        except CycleError as error:
            sentence = f"{error.sentence.rstrip('.')}: take their link away first."
            raise CycleError(sentence, ids=error.ids) from error
    if not _cycle(plan) and (cycle := _cycle(changed)):
        names = " → ".join(quoted(plan, task) for task in (*cycle, cycle[0]))
        raise CycleError(f"Through a summary these tasks would wait for each other: {names}.", ids=cycle)
    return changed.check()


def _cycle(plan: Plan) -> tuple[TaskId, ...]:
    try:
        topological_order(plan, leaf_links(plan))
    except CycleError as error:
        return error.ids
    return ()


def _named(plan: Plan, tasks: Sequence[TaskId]) -> str:
    return quoted(plan, tasks[0]) if len(tasks) == 1 else f"{len(tasks)} tasks"
