"""Row moves: where tasks go that are moved a row up or down among their siblings. They never change a plan."""

from __future__ import annotations

from engine.model import Plan, TaskId
from engine.session.edits import Edit
from engine.session.row_edits import MoveRows


def moved_up(plan: Plan, tasks: tuple[TaskId, ...]) -> Edit | None:
    """Tasks above the sibling above the first of them; None where there is none."""
    block, siblings = _block(plan, tasks)
    place = siblings.index(block[0]) if block else 0
    return MoveRows(block, plan.task(block[0]).parent, siblings[place - 1]) if place else None


def moved_down(plan: Plan, tasks: tuple[TaskId, ...]) -> Edit | None:
    """Tasks below the sibling below the last of them; None where there is none."""
    block, siblings = _block(plan, tasks)
    if not block or (place := siblings.index(block[-1]) + 1) == len(siblings):
        return None
    below = siblings[place + 1 :]
    return MoveRows(block, plan.task(block[0]).parent, next((each for each in below if each not in block), None))


def _block(plan: Plan, tasks: tuple[TaskId, ...]) -> tuple[tuple[TaskId, ...], list[TaskId]]:
    """Of the tasks those that are siblings of the first, in row order, and all their siblings."""
    order = sorted((task for task in tasks if task in plan.rows), key=plan.rows.__getitem__)
    if not order:
        return (), []
    parent = plan.task(order[0]).parent
    siblings = [task.id for task in plan.tasks if task.parent == parent]
    return tuple(task for task in order if plan.task(task).parent == parent), siblings
