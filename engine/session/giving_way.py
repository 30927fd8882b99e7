"""Giving way: what a task loses when its start is pinned by hand, in words. It never changes a plan."""

from __future__ import annotations

from collections.abc import Iterable

from engine.model import ConstraintKind, Plan, Task, TaskId

_GIVE_WAY = {
    ConstraintKind.AS_LATE_AS_POSSIBLE: "is as late as possible",
    ConstraintKind.START_NO_LATER_THAN: "must start by a date",
    ConstraintKind.FINISH_NO_EARLIER_THAN: "is held by an earliest finish",
    ConstraintKind.FINISH_NO_LATER_THAN: "must finish by a date",
    ConstraintKind.MUST_START_ON: "must start on a date",
    ConstraintKind.MUST_FINISH_ON: "must finish on a date",
}


def lost_constraint(task: Task) -> str:
    """What a task no longer does once its start is pinned, such as "must finish on a date"; empty for nothing."""
    return _GIVE_WAY.get(task.constraint, "")


def lost_delays(plan: Plan, tasks: Iterable[TaskId]) -> str:
    """What tasks lose of leveling once their starts are pinned: "without its leveling delay"; empty for nothing."""
    leaves = dict.fromkeys(leaf for task in tasks for leaf in plan.leaves(plan.task(task).id))
    count = sum(plan.task(leaf).delay != 0 for leaf in leaves)
    if not count:
        return ""
    if count == 1:
        return f"without {'its' if len(leaves) == 1 else 'a'} leveling delay"
    return f"without {count} leveling delays"


def in_brackets(said: Iterable[str]) -> str:
    """What is lost, behind what is done: " (it no longer must start on a date)"; empty for nothing."""
    words = ", ".join(each for each in said if each)
    return words and f" ({words})"
