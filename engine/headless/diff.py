"""The verb `diff`: the tasks that only one of two plans has, and what is another in the rest. It changes neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from engine.headless.schedule import Value, instant, load_state
from engine.model import Clock, Dependency, LagKind, Plan, Task, TaskId, Ticks
from engine.session.state import State


def answer(before: str, after: str) -> tuple[int, object, str]:
    """Exit code, document and text. `uid` is the task's in the first plan, but in "added", where it is the second's."""
    old, new = load_state(before), load_state(after)
    pairs = match(old.plan, new.plan)
    taken = set(pairs.values())
    removed = [task for task in old.plan.tasks if task.id not in pairs]
    added = [task for task in new.plan.tasks if task.id not in taken]
    changes = list(_changes(_Side(old, pairs), _Side(new, {each: each for each in taken}), pairs))
    document = {
        "added": [task.id for task in added],
        "removed": [task.id for task in removed],
        "changed": [{"uid": uid, "field": field, "before": was, "after": now} for uid, field, was, now in changes],
    }
    lines = [
        *(f"+ {task.name}" for task in added),
        *(f"- {task.name}" for task in removed),
        *(f"~ {old.plan.task(uid).name}: {field} {was} → {now}" for uid, field, was, now in changes),
    ]
    return 0, document, "\n".join(lines) or "The plans have the same tasks and dates."


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


def _changes(old: _Side, new: _Side, pairs: Mapping[TaskId, TaskId]) -> Iterator[tuple[TaskId, str, Value, Value]]:
    for was, now in pairs.items():
        after = new.values(now)
        for field, value in old.values(was).items():
            if value != after[field]:
                yield was, field, value, after[field]


class _Side:
    """One of the plans; `ids` says which task of the second plan each of its own is."""

    def __init__(self, state: State, ids: Mapping[TaskId, TaskId]) -> None:
        self._state = state
        self._ids = ids
        names = {resource.id: resource.name for resource in state.plan.resources}
        self._users: dict[TaskId, list[str]] = defaultdict(list)
        for each in state.plan.assignments:
            self._users[each.task].append(f"{names[each.resource]}[{each.units:g}]")
        self._links: dict[TaskId, list[str]] = defaultdict(list)
        for link in state.plan.dependencies:
            self._links[link.successor].append(self._link(link))

    def values(self, task_id: TaskId) -> dict[str, Value]:
        """What is compared of a task, as the document says it; other tasks by their id in the second plan."""
        plan, schedule = self._state.plan, self._state.schedule
        task = plan.task(task_id)
        return {
            "name": task.name,
            "start": instant(plan, schedule.start_of(task_id)),
            "finish": instant(plan, schedule.finish_of(task_id)),
            "duration": self._length(task.duration),
            "summary": None if task.parent is None else self._ids.get(task.parent),
            "predecessors": ",".join(sorted(self._links[task_id])),
            "resources": ";".join(sorted(self._users[task_id])),
            "constraint": task.constraint.value,
            "constraint_date": instant(plan, task.constraint_at) if task.constraint.has_date else None,
            "deadline": None if task.deadline is None else instant(plan, task.deadline),
            "complete": task.progress.percent if task.progress else 0.0,
            "milestone": task.is_milestone,
            "elapsed": task.is_elapsed,
            "manual": task.is_manual,
            "active": task.is_active,
            "calendar": None if task.calendar is None else plan.calendar_of[task.calendar].name,
            "priority": task.priority,
        }

    def _link(self, link: Dependency) -> str:
        """Such as 3FS+480m; a predecessor that the other plan does not have is a question mark."""
        lag = link.lag
        amount = f"{lag.amount:+}%" if lag.kind is LagKind.PERCENT else f"{self._length(lag.amount):+g}{self._unit}"
        elapsed = "e" if lag.kind is LagKind.ELAPSED else ""
        return f"{self._ids.get(link.predecessor, '?')}{link.kind.value}{amount + elapsed if lag.amount else ''}"

    @property
    def _unit(self) -> str:
        return "ns" if self._state.plan.clock is Clock.DEVICE else "m"

    def _length(self, ticks: Ticks) -> int | float:
        """In minutes, or nanoseconds on a device plan."""
        if self._state.plan.clock is Clock.DEVICE:
            return ticks
        return ticks // 60 if ticks % 60 == 0 else ticks / 60
