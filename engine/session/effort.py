"""Work, duration and units of a task that is made longer or shorter: work = duration x units. It never sets dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.model import Assignment, EffortKind, Plan, ResourceKind, Task
from engine.model.resource import LEAST_UNITS, MOST_UNITS

_WORKING = (ResourceKind.WORK, ResourceKind.MACHINE)


def resized(plan: Plan, task: Task) -> Plan:
    """The plan with a task that lasts otherwise, and with what that makes of its assignments.

    Fixed work: units' = units x old / new; else units stay and work' = work x new / old. Work that nobody gave follows
    from the duration by itself.
    """
    return all_resized(plan, (task,))


def all_resized(plan: Plan, tasks: Iterable[Task]) -> Plan:
    """The same for several tasks at once; the same plan when all are there already."""
    changed, ratios = [], {}
    for task in tasks:
        known = plan.task(task.id)
        if task == known:
            continue
        task.check()
        changed.append(task)
        if known.duration != task.duration and known.duration and task.duration:
            ratios[task.id] = (task, task.duration / known.duration)
    if not changed:
        return plan
    after = plan.with_tasks(changed)
    working = {resource.id for resource in plan.resources if resource.kind in _WORKING}
    own = [at for at, each in enumerate(plan.assignments) if each.task in ratios and each.resource in working]
    uses = [resized_use(plan.assignments[at], *ratios[plan.assignments[at].task]) for at in own]
    if all(use == plan.assignments[at] for at, use in zip(own, uses, strict=True)):
        return after
    assignments = list(plan.assignments)
    for at, use in zip(own, uses, strict=True):
        assignments[at] = use
    return replace(after, assignments=tuple(assignments))


def resized_use(assignment: Assignment, task: Task, ratio: float) -> Assignment:
    """An assignment to whoever works on a task that lasts so many times as long as before."""
    if task.effort is EffortKind.FIXED_WORK:
        return replace(assignment, units=min(max(assignment.units / ratio, LEAST_UNITS), MOST_UNITS))
    if assignment.work is None:
        return assignment
    return replace(assignment, work=round(assignment.work * ratio))
