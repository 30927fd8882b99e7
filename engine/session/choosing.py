"""A task done another way than now: on another of its machines, as long as it takes there. It never sets dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.model import Alternative, Assignment, Plan, ResourceKind, Task, TaskId, Ticks, Way
from engine.session.effort import resized_use

_WORKING = (ResourceKind.WORK, ResourceKind.MACHINE)


def other_way(plan: Plan, task: Task, resource: int) -> Way | None:
    """The way of doing a task on a resource, if that is one of its ways and not the present one."""
    now = plan.ways.replaced(task)
    if not plan.ways.is_choice(task) or (now is not None and now.resource == resource):
        return None
    return next((way for way in plan.ways.of(task) if way.resource == resource), None)


def chosen(plan: Plan, ways: Mapping[TaskId, Way]) -> Plan:
    """The plan in which tasks are done in these ways: assigned there, and as long as it takes there.

    What the other ways would take stays as it was: where a new duration would change that, it is written down.
    """
    known, tasks = plan.ways, {task: plan.task(task) for task in ways}
    replaced = {task: known.replaced(each) for task, each in tasks.items()}
    changed = plan.with_tasks(_lasting(each, ways[task].duration) for task, each in tasks.items())
    changed = replace(changed, assignments=tuple(_assigned(plan, ways, tasks, replaced)))
    lost = []
    for task, each in tasks.items():
        after = {way.resource: way for way in changed.ways.of(changed.task(task))}
        others = (way for way in known.of(each) if way.resource not in (None, ways[task].resource))
        lost += [(task, way) for way in others if after.get(way.resource) != way]
    return _written_down(changed, lost) if lost else changed


def _lasting(task: Task, duration: Ticks) -> Task:
    return task if task.duration == duration else replace(task, duration=duration, is_duration_typed=True)


def _assigned(
    plan: Plan, ways: Mapping[TaskId, Way], tasks: Mapping[TaskId, Task], replaced: Mapping[TaskId, Assignment | None]
) -> Iterator[Assignment]:
    """The assignments, those of tasks that are done otherwise moved there; one that a task has there already goes."""
    kinds = {resource.id: resource.kind for resource in plan.resources}
    for each in plan.assignments:
        way, old = ways.get(each.task), replaced.get(each.task)
        if way is None:
            yield each
            continue
        task, is_old = tasks[each.task], each is old
        if not is_old and each.resource == way.resource:
            continue
        moved = replace(each, resource=way.resource or each.resource, units=way.units) if is_old else each
        is_same = task.duration == way.duration or not task.duration or not way.duration
        if not is_same and kinds[each.resource] in _WORKING:
            moved = resized_use(moved, task, way.duration / task.duration)
        yield moved
    for number, way in ways.items():
        if replaced[number] is None and way.resource is not None:
            yield Assignment(number, way.resource, way.units)


def _written_down(plan: Plan, ways: Iterable[tuple[TaskId, Way]]) -> Plan:
    made = {(t, w.resource): Alternative(t, w.resource, w.units, w.duration, w.cost) for t, w in ways if w.resource}
    kept = [made.pop((each.task, each.resource), each) for each in plan.alternatives]
    return replace(plan, alternatives=(*kept, *made.values()))
