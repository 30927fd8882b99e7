"""Work, duration and units of a task that is made longer or shorter: work = duration x units. It never sets dates."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Assignment, EffortKind, Plan, ResourceKind, Task
from engine.model.resource import LEAST_UNITS, MOST_UNITS

_WORKING = (ResourceKind.WORK, ResourceKind.MACHINE)


def resized(plan: Plan, task: Task) -> Plan:
    """The plan with a task that lasts otherwise, and with what that makes of its assignments.

    Fixed work: units' = units x old / new; else units stay and work' = work x new / old. Work that nobody gave follows
    from the duration by itself.
    """
    known = plan.task(task.id)
    old, new = known.duration, task.duration
    if task == known:
        return plan
    task.check()
    changed = plan.with_task(task)
    if old == new or not old or not new:
        return changed
    working = {resource.id for resource in plan.resources if resource.kind in _WORKING}
    own = [(at, each) for at, each in enumerate(plan.assignments) if each.task == task.id and each.resource in working]
    after = [(at, resized_use(each, task, new / old)) for at, each in own]
    if after == own:
        return changed
    assignments = list(plan.assignments)
    for at, each in after:
        assignments[at] = each
    return replace(changed, assignments=tuple(assignments))


def resized_use(assignment: Assignment, task: Task, ratio: float) -> Assignment:
    """An assignment to whoever works on a task that lasts so many times as long as before."""
    if task.effort is EffortKind.FIXED_WORK:
        return replace(assignment, units=min(max(assignment.units / ratio, LEAST_UNITS), MOST_UNITS))
    if assignment.work is None:
        return assignment
    return replace(assignment, work=round(assignment.work * ratio))
