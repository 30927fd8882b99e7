"""Moves: what stays where it is while a better plan is looked for, as a person asked or by being moved by hand.

It never moves a task itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from weakref import ref

from engine.model import ConstraintKind, Plan, TaskId
from engine.session.edits import Edit, MoveTask, MoveTasks
from engine.session.plan_edits import Together
from engine.session.solution_edits import ApplySolution
from engine.session.state import State

# Constraints that put a task somewhere; others bound where it may be, or hold it there by themselves.
_PUTS = (ConstraintKind.START_NO_EARLIER_THAN, ConstraintKind.FINISH_NO_EARLIER_THAN)


class Moves:
    """What was moved by hand is known by the very plan that a move led to: undo, redo and branches come back to it."""

    def __init__(self) -> None:
        self._asked: frozenset[TaskId] = frozenset()
        self._moved: dict[int, tuple[ref[Plan], frozenset[TaskId]]] = {}

    def open(self, state: State | None) -> None:
        """Another plan is open, or none: nothing of it has been moved, nor of its branches."""
        self._asked = frozenset()
        self._moved.clear()
        if state is not None:
            for plan in (state.plan, *(each.plan for each in (state.scenarios.branches if state.scenarios else ()))):
                self._keep_moved(plan, frozenset())

    def keep(self, tasks: Collection[TaskId], plan: Plan) -> None:
        """These tasks too, wherever they are; none: let go of all, whatever is undone or made again."""
        self._asked |= frozenset(tasks) - self._moved_of(plan)
        if not tasks:
            self._asked = frozenset()
            self._moved.clear()
            self._keep_moved(plan, frozenset())

    def kept(self, plan: Plan) -> frozenset[TaskId]:
        """What stays of a plan."""
        return (self._asked | self._moved_of(plan)) & plan.rows.keys()

    def follow(self, before: Plan, state: State, *, is_on: bool) -> None:
        """Another plan is shown than before. What the edit moved that led to it counts while `is_on`."""
        if self._known(state.plan) is not None:
            return
        moved = self._moved_of(before)
        if is_on and state.edit is not None:
            moved |= moved_by_hand(before, state.plan, state.edit)
        self._keep_moved(state.plan, moved)

    def _known(self, plan: Plan) -> frozenset[TaskId] | None:
        known = self._moved.get(id(plan))
        return known[1] if known is not None and known[0]() is plan else None

    def _moved_of(self, plan: Plan) -> frozenset[TaskId]:
        return self._known(plan) or frozenset()

    def _keep_moved(self, plan: Plan, tasks: frozenset[TaskId]) -> None:
        """For as long as there is this plan anywhere."""
        number = id(plan)
        self._moved[number] = ref(plan, lambda _: self._moved.pop(number, None)), tasks


def moved_by_hand(before: Plan, after: Plan, edit: Edit) -> frozenset[TaskId]:
    """The tasks that an edit put elsewhere: carried, pinned to another date, or given to another resource.

    Not what follows them by its links, nor what a plan taken from the optimizer moves.
    """
    if isinstance(edit, ApplySolution):
        return frozenset()
    return (_carried(before, edit) | _pinned(before, after) | _given_to_others(before, after)) & before.rows.keys()


def _carried(before: Plan, edit: Edit) -> frozenset[TaskId]:
    """What the mouse or a key carried, also where it needs no pin since another one of them drives it."""
    held: set[TaskId] = set()
    for each in edit.edits if isinstance(edit, Together) else (edit,):
        tasks = each.tasks if isinstance(each, MoveTasks) else (each.task,) if isinstance(each, MoveTask) else ()
        held.update(leaf for task in tasks if task in before.rows for leaf in before.leaves(before.task(task).id))
    return frozenset(held)


def _pinned(before: Plan, after: Plan) -> frozenset[TaskId]:
    if before.tasks is after.tasks:
        return frozenset()
    known = before.rows
    return frozenset(
        task.id
        for task in after.tasks
        if task.constraint in _PUTS
        and task.id in known
        and (old := before.tasks[known[task.id]]) is not task
        and (old.constraint, old.constraint_at) != (task.constraint, task.constraint_at)
    )


def _given_to_others(before: Plan, after: Plan) -> frozenset[TaskId]:
    """The tasks that somebody else does now, in the place of who did it before; not those that more or fewer do."""
    if before.assignments is after.assignments:
        return frozenset()
    went: defaultdict[TaskId, set[int]] = defaultdict(set)
    came: defaultdict[TaskId, set[int]] = defaultdict(set)
    was, now = ({(each.task, each.resource) for each in plan.assignments} for plan in (before, after))
    for pairs, changed in ((was - now, went), (now - was, came)):
        for task, resource in pairs:
            changed[task].add(resource)
    return frozenset(went.keys() & came.keys())
