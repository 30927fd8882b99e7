"""Which tasks of two plans are one. It changes neither."""

from __future__ import annotations

from collections.abc import Mapping

from engine.model import Plan, Task, TaskId


def match(before: Plan, after: Plan) -> dict[TaskId, TaskId]:
    """The tasks of two plans that are one.

    By the id that a foreign file gave them, or ours, where those mean the same in both: most have the same name too.
    What is left by its name and the names of the summaries it lies in, in row order.
    """
    by_source = _by_key({t.source: t for t in before.tasks if t.source}, {t.source: t for t in after.tasks if t.source})
    by_id = _by_key({str(t.id): t for t in before.tasks}, {str(t.id): t for t in after.tasks})
    found = max(by_source, by_id, key=len)
    taken = set(found.values())
    places: dict[tuple[str, ...], list[TaskId]] = {}
    for task in after.tasks:
        if task.id not in taken:
            places.setdefault(_outline(after, task), []).append(task.id)
    for task in before.tasks:
        same = places.get(_outline(before, task))
        if same and task.id not in found:
            found[task.id] = same.pop(0)
    return {task.id: found[task.id] for task in before.tasks if task.id in found}


def _by_key(before: Mapping[str, Task], after: Mapping[str, Task]) -> dict[TaskId, TaskId]:
    """The tasks under the same key, none where the keys are of different worlds."""
    shared = [(task, after[key]) for key, task in before.items() if key in after]
    same = sum(old.name == new.name for old, new in shared)
    return {old.id: new.id for old, new in shared} if 2 * same >= len(shared) else {}


def _outline(plan: Plan, task: Task) -> tuple[str, ...]:
    names = [task.name]
    while task.parent is not None:
        task = plan.task(task.parent)
        names.append(task.name)
    return tuple(names)
