"""At once: many edits of one task each, made in one pass over the plan where one by one would copy it for each.

It never makes an edit of several tasks, nor one of links.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import Protocol, TypeGuard

from engine.model import Dependency, Plan, Task, TaskId
from engine.schedule.cpm import schedule as compute_dates
from engine.schedule.schedule import Schedule
from engine.session.edits import Edit
from engine.session.effort import all_resized

# Fewer are made one by one, each from the dates that the one before gave; where those of the plan are not known yet,
# fewer than MANY, which cost less than to find them.
FEW, MANY = 8, 64


class EditOfOne(Protocol):
    """An edit that reads and changes one task, and with its duration its assignments, and nothing else."""

    @property
    def task(self) -> TaskId:
        """The task."""

    def task_after(self, plan: Plan, schedule: Schedule | None) -> Task | None:
        """The task as it is then; None where the edit changes more than it. Raises PlanError as `apply` does."""


def made_at_once(plan: Plan, edits: Sequence[object], first: int, schedule: Schedule | None) -> tuple[Plan, int] | None:
    """The plan after the edits of one task each, of different tasks, that stand from a place on, and how many they are.

    Each starts from the dates of the plan as it is. None where they are few.
    """
    run: dict[TaskId, EditOfOne] = {}
    for edit in islice(edits, first, None):
        if not _is_of_one(edit) or edit.task in run:
            break
        run[edit.task] = edit
    if len(run) < (MANY if schedule is None else FEW):
        return None
    dates = schedule or compute_dates(plan)
    tasks = list(takewhile(lambda task: task is not None, (edit.task_after(plan, dates) for edit in run.values())))
    return (all_resized(plan, [task for task in tasks if task is not None]), len(tasks)) if tasks else None


def check_alone(plan: Plan, edit: Edit, schedule: Schedule) -> None:
    """Raises PlanError as `apply` does, without a copy of the plan where the edit is of one task."""
    task = edit.task_after(plan, schedule) if _is_of_one(edit) else None
    if task is None:
        edit.apply(plan, schedule)
    else:
        task.check()


def _is_of_one(edit: object) -> TypeGuard[EditOfOne]:
    """By its kind: to look through a protocol takes longer than the edit."""
    return hasattr(type(edit), "task_after")


def without_links(plan: Plan, gone: Sequence[Dependency]) -> Plan | None:
    """The plan without these links; None where one is not there, or is named twice."""
    keys = {link.key for link in gone}
    kept = tuple(link for link in plan.dependencies if link.key not in keys)
    is_whole = len(keys) == len(gone) and len(plan.dependencies) - len(kept) == len(gone)
    return plan.with_dependencies(kept) if is_whole else None
