"""A task done another way than now: on another of its machines, as long as it takes there. It never sets dates."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Alternative, Assignment, Plan, Task, TaskId, Way
from engine.session.effort import resized


def other_way(plan: Plan, task: Task, resource: int) -> Way | None:
    """The way of doing a task on a resource, if that is one of its ways and not the present one."""
    now = plan.ways.replaced(task)
    if not plan.ways.is_choice(task) or (now is not None and now.resource == resource):
        return None
    return next((way for way in plan.ways.of(task) if way.resource == resource), None)


def chosen(plan: Plan, task_id: TaskId, way: Way) -> Plan:
    """The plan in which a task is done this way: assigned there, and as long as it takes there.

    What the other ways would take stays as it was: where a new duration would change that, it is written down.
    """
    task = plan.task(task_id)
    before = plan.ways.of(task)
    old = plan.ways.replaced(task)
    plan = _assigned(plan, task, old, way)
    if way.duration != task.duration:
        plan = resized(plan, replace(task, duration=way.duration, is_duration_typed=True))
        task = plan.task(task_id)
    after = {each.resource: each for each in plan.ways.of(task)}
    lost = [each for each in before if each.resource is not None and after.get(each.resource) != each]
    lost = [each for each in lost if each.resource != way.resource]
    return _written_down(plan, task_id, lost) if lost else plan


def _assigned(plan: Plan, task: Task, old: Assignment | None, way: Way) -> Plan:
    if way.resource is None or (old is not None and (old.resource, old.units) == (way.resource, way.units)):
        return plan
    if old is None:
        return replace(plan, assignments=(*plan.assignments, Assignment(task.id, way.resource, way.units)))
    new = replace(old, resource=way.resource, units=way.units)
    # One that it uses besides cannot be assigned twice: the two become one.
    kept = (new if each is old else each for each in plan.assignments)
    kept = (each for each in kept if each is new or (each.task, each.resource) != (task.id, way.resource))
    return replace(plan, assignments=tuple(kept))


def _written_down(plan: Plan, task_id: TaskId, ways: list[Way]) -> Plan:
    made = {w.resource: Alternative(task_id, w.resource, w.units, w.duration, w.cost) for w in ways if w.resource}
    kept = [made.pop(each.resource, each) if each.task == task_id else each for each in plan.alternatives]
    return replace(plan, alternatives=(*kept, *made.values()))
