"""Comparison: how far the dates of a plan are from a baseline, or from those of another plan. It changes neither."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError
from engine.model import Plan, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.working_time import WorkingTime
from engine.session.document import Document
from engine.session.matching import match
from engine.session.state import State


class Fate(Enum):
    """What became of a task since: it is there and dated otherwise, or only one of the two sides has it."""

    MOVED = "moved"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Dated:
    """A task's dates in ticks, and its duration in working ticks."""

    start: Ticks
    finish: Ticks
    duration: Ticks


@dataclass(frozen=True, slots=True)
class Variance:
    """One task that differs. `before` is None of an added one, `after` of a removed one.

    `start`, `finish` and `duration` are after less before, in working ticks; 0 where there is only one of the two.
    `task` is its id in the present plan; None where that has it no more.
    """

    task: TaskId | None
    name: str
    fate: Fate
    before: Dated | None
    after: Dated | None
    start: Ticks = 0
    finish: Ticks = 0
    duration: Ticks = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs, the largest variance of a finish first, then what was added and removed in row order.

    `count` is how many tasks both sides have. `finish` is the variance of the whole plan's finish, in working ticks.
    """

    title: str
    variances: tuple[Variance, ...]
    count: int
    finish: Ticks


def against_baseline(state: State, number: int) -> Comparison:
    """The plan against one of its baselines. Raises PlanError where there is none of that number."""
    plan = state.plan
    baseline = next((each for each in plan.baselines if each.number == number), None)
    if baseline is None:
        raise PlanError(f"There is no baseline {number}.")
    before = {each.task: Dated(each.start, each.finish, each.duration) for each in baseline.tasks}
    gone = {task: "" for task in before if task not in plan.rows}
    pairs = {task: task for task in before if task in plan.rows}
    return _compared(baseline.name, state, before, pairs, gone)


def against_plan(state: State, other: State, title: str) -> Comparison:
    """The plan against another, whose tasks are found by the ids and names that they share."""
    if other.plan.clock is not state.plan.clock:
        raise PlanError(f"“{title}” has another clock than “{state.plan.name}”: their dates cannot be compared.")
    pairs = match(other.plan, state.plan)
    before = {task.id: _dated(other, task.id) for task in other.plan.tasks}
    gone = {task.id: task.name for task in other.plan.tasks if task.id not in pairs}
    return _compared(title, state, before, pairs, gone)


def read_state(path: str) -> State:
    """The plan of a file, of whatever program, with its dates. Raises EngineError; reads: it belongs to a worker."""
    return Document.load(path).state


def _compared(
    title: str,
    state: State,
    before: Mapping[TaskId, Dated],
    pairs: Mapping[TaskId, TaskId],
    gone: Mapping[TaskId, str],
) -> Comparison:
    plan, time = state.plan, working_time(state.plan)
    moved = sorted(_moved(state, before, pairs, time), key=_size, reverse=True)
    known = set(pairs.values())
    added = [
        Variance(task.id, task.name, Fate.ADDED, None, _dated(state, task.id))
        for task in plan.tasks
        if task.id not in known
    ]
    removed = [Variance(None, gone[task], Fate.REMOVED, before[task], None) for task in gone]
    finish = _finish_change(state, before, time)
    return Comparison(title, (*moved, *added, *removed), len(pairs), finish)


def _moved(
    state: State, before: Mapping[TaskId, Dated], pairs: Mapping[TaskId, TaskId], time: WorkingTime
) -> Iterator[Variance]:
    """The tasks of both sides that differ; an instant and the next one worked are one."""
    for old, new in pairs.items():
        was, now = before[old], _dated(state, new)
        start, finish = time.between(was.start, now.start), time.between(was.finish, now.finish)
        longer = now.duration - was.duration
        if start or finish or longer:
            name = state.plan.task(new).name
            yield Variance(new, name, Fate.MOVED, was, now, start, finish, longer)


def _size(variance: Variance) -> tuple[Ticks, Ticks]:
    return (abs(variance.finish), abs(variance.start))


def _finish_change(state: State, before: Mapping[TaskId, Dated], time: WorkingTime) -> Ticks:
    if not before or not state.plan.tasks:
        return 0
    return time.between(max(dated.finish for dated in before.values()), state.schedule.project_finish)


def _dated(state: State, task_id: TaskId) -> Dated:
    start, finish = state.schedule.start_of(task_id), state.schedule.finish_of(task_id)
    return Dated(start, finish, _duration(state.plan, state, task_id))


def _duration(plan: Plan, state: State, task_id: TaskId) -> Ticks:
    """What a person typed; else the working time from start to finish, as a baseline keeps it."""
    task = plan.task(task_id)
    if task.is_duration_typed and not plan.is_summary(task_id):
        return task.duration
    time = state.schedule.working_time_of(task_id)
    return time.between(state.schedule.start_of(task_id), state.schedule.finish_of(task_id))
