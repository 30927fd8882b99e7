"""What two branches of a plan differ in, field by field, and what a branch comes to. It never changes either."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from engine.errors import PlanError
from engine.model import Dependency, Plan, Task, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.session.merging import find_merge
from engine.session.problems import problems
from engine.session.scenarios import Branch, Scenarios
from engine.session.state import State

START, FINISH, PREDECESSORS, RESOURCES = "start", "finish", "predecessors", "resources"
ADDED, REMOVED = "added", "removed"
# Tables and choices of a plan that are told as one: what of them differs is seen in their dialogs.
_OF_PLAN = tuple(
    each.name
    for each in fields(Plan)
    if each.name not in ("clock", "tasks", "dependencies", "assignments", "next_task_id", "fields")
)
_OF_TASK = (*(each.name for each in fields(Task) if each.name not in ("id", "source", "fields", "recorded")), "notes")


@dataclass(frozen=True, eq=False, slots=True)
class FieldChange:
    """One field of a task, or of the plan where `task` is None, and both its values; None where there is none.

    `field` is that of a Task, or one of the constants here: links and assignments are told with the task they lead to.
    `change` is after less before where that is a time, in working ticks.
    """

    task: TaskId | None
    name: str
    field: str
    before: object
    after: object
    change: Ticks = 0


@dataclass(frozen=True, eq=False, slots=True)
class BranchChanges:
    """What `after` has otherwise than `before`, in its row order. `tasks` is how many tasks that concerns."""

    before: Branch
    after: Branch
    changes: tuple[FieldChange, ...]
    tasks: int


@dataclass(frozen=True, eq=False, slots=True)
class BranchFigures:
    """What a branch comes to. `later` is its finish less that of the main plan, in working ticks; `tasks` how many
    tasks differ from it; `conflicts` how many constraints its dates break; `clashes` how much both changed since they
    parted, None where the two together break a rule of the plan.
    """

    branch: Branch
    finish: Ticks
    later: Ticks
    tasks: int
    conflicts: int
    clashes: int | None


def changes(before: Branch, after: Branch) -> BranchChanges:
    """What two branches differ in."""
    found = [*_of_plan(before.plan, after.plan)]
    whole = len(found)
    pairs = common(before, after)
    found += [FieldChange(t.id, t.name, ADDED, None, t) for t in after.plan.tasks if t.id not in pairs]
    moved = _moved(before, after, pairs)
    links, staff = (tuple(kind(branch.plan) for branch in (before, after)) for kind in (_links, _staff))
    for number in pairs:
        was, now = before.plan.task(number), after.plan.task(number)
        if was is not now:
            found += _fields(was, now)
        if number in moved:
            found += _dates(before, after, now)
        for field, (one, other) in ((PREDECESSORS, links), (RESOURCES, staff)):
            if one.get(number, ()) != other.get(number, ()):
                values = one.get(number, ()), other.get(number, ())
                found.append(FieldChange(number, now.name, field, *values))
    rows = after.plan.rows
    told = sorted(found[whole:], key=lambda change: rows.get(change.task or 0, 0))
    gone = [FieldChange(t.id, t.name, REMOVED, t, None) for t in before.plan.tasks if t.id not in pairs]
    every = (*found[:whole], *told, *gone)
    return BranchChanges(before, after, every, len({(c.task, c.field == REMOVED) for c in every[whole:]}))


def common(before: Branch, after: Branch) -> set[TaskId]:
    """Tasks of both. Under one id each may have added a task of its own: those are not one."""
    known = before.base.rows.keys() | after.base.rows.keys()
    both = before.plan.rows.keys() & after.plan.rows.keys()
    return {
        number for number in both if number in known or before.plan.task(number).name == after.plan.task(number).name
    }


def figures(scenarios: Scenarios, number: int) -> BranchFigures:
    """What a branch comes to. Raises PlanError where it is gone."""
    return _figures(scenarios.branch(number), scenarios.main)


@lru_cache(maxsize=32)
def _figures(branch: Branch, main: Branch) -> BranchFigures:
    """Kept for as long as neither of the two is another value."""
    finish = branch.schedule.project_finish
    later = working_time(main.plan).between(main.schedule.project_finish, finish)
    differs = 0 if branch is main else changes(main, branch).tasks
    broken = len(problems(State(branch.plan, branch.schedule)))
    return BranchFigures(branch, finish, later, differs, broken, 0 if branch is main else _clashes(branch, main))


def _clashes(branch: Branch, main: Branch) -> int | None:
    try:
        return len(find_merge(Scenarios((main, branch)), branch.id).clashes)
    except PlanError:
        return None


def _of_plan(before: Plan, after: Plan) -> Iterator[FieldChange]:
    for name in _OF_PLAN:
        was, now = getattr(before, name), getattr(after, name)
        if was is not now and was != now:
            yield FieldChange(None, "", name, was, now)


def _fields(was: Task, now: Task) -> Iterator[FieldChange]:
    for name in _OF_TASK:
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            change = after - before if name == "duration" else 0
            yield FieldChange(now.id, now.name, name, before, after, change)


def _moved(before: Branch, after: Branch, pairs: set[TaskId]) -> set[TaskId]:
    """The tasks that are dated otherwise."""
    ids = [task.id for task in after.plan.tasks if task.id in pairs]
    here = np.array([after.plan.rows[number] for number in ids], dtype=np.int64)
    there = np.array([before.plan.rows[number] for number in ids], dtype=np.int64)
    was, now = before.schedule, after.schedule
    differs = (was.start[there] != now.start[here]) | (was.finish[there] != now.finish[here])
    return {ids[place] for place in np.flatnonzero(differs)}


def _dates(before: Branch, after: Branch, task: Task) -> Iterator[FieldChange]:
    """Start and finish where they differ; an instant and the next one worked are one."""
    time = working_time(after.plan)
    was, now = before.schedule, after.schedule
    pairs = (
        (START, was.start_of(task.id), now.start_of(task.id)),
        (FINISH, was.finish_of(task.id), now.finish_of(task.id)),
    )
    for name, old, new in pairs:
        if old != new and (later := time.between(old, new)):
            yield FieldChange(task.id, task.name, name, old, new, later)


def _links(plan: Plan) -> dict[TaskId, tuple[Dependency, ...]]:
    found: dict[TaskId, list[Dependency]] = {}
    for link in plan.dependencies:
        found.setdefault(link.successor, []).append(link)
    return {task: tuple(before) for task, before in found.items()}


def _staff(plan: Plan) -> dict[TaskId, tuple[tuple[str, float], ...]]:
    names = {resource.id: resource.name for resource in plan.resources}
    found: dict[TaskId, list[tuple[str, float]]] = {}
    for use in plan.assignments:
        found.setdefault(use.task, []).append((names[use.resource], use.units))
    return {task: tuple(staff) for task, staff in found.items()}
