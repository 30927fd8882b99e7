"""Figures: what each column of the table says of each task of a state, as words and as keys to sort by.

They are told by rows of the plan, and found out when first asked for; they never know which rows are in sight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import Assignment, BaselineTask, Clock, ConstraintKind, Dependency, Task, TaskId, Ticks
from engine.session.cell_words import links_text, staff_text
from engine.session.costs import costs_of
from engine.session.state import State
from gui.gantt.column_words import constraint_words, operation_words
from gui.gantt.columns import Column
from gui.gantt.words import change_text, duration_text, instant_text

Keys = NDArray[np.int64]
NOTHING = "—"
# Tasks without a date stand after those with one.
NEVER = np.iinfo(np.int64).max


class Figures:
    """Words and keys of one state. A key is an integer an entry of the plan; words are told one cell at a time."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.plan = state.plan
        self._texts: dict[Column, Callable[[int], str]] = {
            Column.TASK: lambda row: self.plan.tasks[row].name,
            Column.GROUP: lambda _: "",
            Column.NUMBER: lambda row: str(row + 1),
            Column.WBS: lambda row: self.outline[row],
            Column.DURATION: lambda row: duration_text(self.plan, self.duration(row)),
            Column.FLOAT: lambda row: self._float(row, int(state.schedule.total_float[row])),
            Column.FREE_FLOAT: lambda row: self._float(row, int(state.schedule.free_float[row])),
            Column.START: lambda row: instant_text(self.plan, int(state.schedule.start[row])),
            Column.FINISH: lambda row: instant_text(self.plan, int(state.schedule.finish[row])),
            Column.PERCENT: lambda row: f"{self.percent[row]:.0f} %",
            Column.PREDECESSORS: lambda row: links_text(self.plan, self.links_to[self.plan.tasks[row].id]),
            Column.RESOURCES: lambda row: staff_text(self.staff_of(self.plan.tasks[row].id)),
            Column.CONSTRAINT: self._constraint,
            Column.DEADLINE: self._deadline,
            Column.CALENDAR: self._calendar,
            Column.PRIORITY: lambda row: str(self.plan.tasks[row].priority),
            Column.WORK: self._work_text,
            Column.BASELINE_START: lambda row: self._promise(row, 0),
            Column.BASELINE_FINISH: lambda row: self._promise(row, 1),
            Column.START_VARIANCE: lambda row: self._variance_text(Column.START_VARIANCE, row),
            Column.FINISH_VARIANCE: lambda row: self._variance_text(Column.FINISH_VARIANCE, row),
            Column.OPERATION: lambda row: operation_words(self.plan.tasks[row].operation),
            Column.STREAM: lambda row: self.stream(self.plan.tasks[row].id),
            Column.BUFFERS: self._buffers,
            Column.COST: self._cost,
        }

    def text(self, row: int, column: Column) -> str:
        """The words of a cell, of a row of the plan."""
        return self._texts[column](row)

    def is_summary(self, row: int) -> bool:
        """Whether other tasks lie in that of a row."""
        return self.plan.tasks[row].id in self.plan.children

    def duration(self, row: int) -> Ticks:
        """Working ticks of the task's own calendar from its start to its finish, without pauses; on a device, and
        where the duration is elapsed, all ticks."""
        start, finish = int(self.state.schedule.start[row]), int(self.state.schedule.finish[row])
        task = self.plan.tasks[row]
        if self.plan.clock is Clock.DEVICE or (task.is_elapsed and not self.is_summary(row)):
            return finish - start
        paused = sum(split.gap for split in task.splits)
        return self.state.schedule.working_time_of(task.id).between(start, finish) - paused

    def keys(self, column: Column) -> Keys:
        """What a column is sorted by, one entry a row of the plan."""
        schedule, tasks = self.state.schedule, self.plan.tasks
        instants = {
            Column.START: schedule.start,
            Column.FINISH: schedule.finish,
            Column.FLOAT: schedule.total_float,
            Column.FREE_FLOAT: schedule.free_float,
        }
        if column in instants:
            return instants[column]
        if column in _NUMBERS:
            return np.fromiter((_NUMBERS[column](self, row) for row in range(len(tasks))), np.int64, len(tasks))
        if column in {Column.NUMBER, Column.WBS}:
            return np.arange(len(tasks), dtype=np.int64)
        return _ranks([self.text(row, column).casefold() for row in range(len(tasks))])

    # What is looked up

    @cached_property
    def links_to(self) -> dict[TaskId, list[Dependency]]:
        """The links of each task that waits for others."""
        found: dict[TaskId, list[Dependency]] = defaultdict(list)
        for link in self.plan.dependencies:
            found[link.successor].append(link)
        return found

    @cached_property
    def assigned(self) -> dict[TaskId, list[Assignment]]:
        """Who or what does each task."""
        found: dict[TaskId, list[Assignment]] = defaultdict(list)
        for assignment in self.plan.assignments:
            found[assignment.task].append(assignment)
        return found

    @cached_property
    def resource_names(self) -> dict[int, str]:
        """Names of resources by id."""
        return {resource.id: resource.name for resource in self.plan.resources}

    def staff_of(self, task: TaskId) -> list[tuple[str, float]]:
        """Names and units of those who do a task."""
        return [(self.resource_names[each.resource], each.units) for each in self.assigned.get(task, ())]

    def stream(self, task: TaskId) -> str:
        """The stream that a task runs on, empty where it has none."""
        return self.resource_names.get(self.plan.stream_of.get(task, 0), "")

    @cached_property
    def outline(self) -> list[str]:
        """The number of each row in the outline: 2.3."""
        counts: dict[TaskId | None, int] = defaultdict(int)
        numbers: dict[TaskId | None, str] = {None: ""}
        for task in self.plan.tasks:
            counts[task.parent] += 1
            numbers[task.id] = f"{numbers[task.parent]}{counts[task.parent]}."
        return [numbers[task.id][:-1] for task in self.plan.tasks]

    @cached_property
    def baseline(self) -> dict[TaskId, BaselineTask]:
        """What was promised of each task, in the baseline of the lowest number."""
        first = min(self.plan.baselines, key=lambda each: each.number, default=None)
        return {} if first is None else {each.task: each for each in first.tasks}

    @cached_property
    def costs(self) -> dict[TaskId, Ticks]:
        """What each operation takes by the plan's profile, in nanoseconds."""
        return costs_of(self.plan)

    @cached_property
    def percent(self) -> NDArray[np.float64]:
        """How far each task is; a summary as far as its tasks, weighed by their durations."""
        tasks, rows = self.plan.tasks, self.plan.rows
        length, done = np.zeros(len(tasks)), np.zeros(len(tasks))
        for row in range(len(tasks) - 1, -1, -1):
            task = tasks[row]
            if task.id not in self.plan.children:
                length[row] = task.duration
                done[row] = task.duration * self._leaf_percent(task) / 100
            if task.parent is not None:
                length[rows[task.parent]] += length[row]
                done[rows[task.parent]] += done[row]
        leaf = np.array([self._leaf_percent(task) for task in tasks], dtype=np.float64)
        return np.where(length > 0, 100 * done / np.maximum(length, 1), leaf)

    @cached_property
    def names(self) -> list[str]:
        """Names of all tasks, to look in without regard to capitals."""
        return [task.name.casefold() for task in self.plan.tasks]

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which rows hold no others."""
        children = self.plan.children
        return self._flags([task.id not in children for task in self.plan.tasks])

    @cached_property
    def is_milestone(self) -> NDArray[np.bool_]:
        """Which rows are milestones."""
        return self._flags([task.is_milestone for task in self.plan.tasks])

    @cached_property
    def has_begun(self) -> NDArray[np.bool_]:
        """Which tasks have an actual start."""
        return self._flags([t.progress is not None and t.progress.actual_start is not None for t in self.plan.tasks])

    @cached_property
    def is_late(self) -> NDArray[np.bool_]:
        """Which finish after their deadline or their baseline, or have float below zero."""
        schedule, tasks = self.state.schedule, self.plan.tasks
        due = np.fromiter((_or_never(task.deadline) for task in tasks), np.int64, len(tasks))
        if self.baseline:
            due = np.minimum(due, self.keys(Column.BASELINE_FINISH))
        return (schedule.finish > due) | (schedule.total_float < 0)

    @staticmethod
    def _flags(found: list[bool]) -> NDArray[np.bool_]:
        return np.array(found, dtype=np.bool_)

    @staticmethod
    def _leaf_percent(task: Task) -> float:
        return 0.0 if task.progress is None else task.progress.percent

    # Words

    def _float(self, row: int, ticks: Ticks) -> str:
        return NOTHING if self.is_summary(row) else duration_text(self.plan, ticks) if ticks else "0"

    def _constraint(self, row: int) -> str:
        task = self.plan.tasks[row]
        if task.constraint is ConstraintKind.AS_SOON_AS_POSSIBLE or self.is_summary(row):
            return ""
        return constraint_words(task.constraint, instant_text(self.plan, task.constraint_at))

    def _deadline(self, row: int) -> str:
        at = self.plan.tasks[row].deadline
        return "" if at is None else instant_text(self.plan, at)

    def _calendar(self, row: int) -> str:
        number = self.plan.tasks[row].calendar
        return "" if number is None else self.plan.calendar_of[number].name

    def work(self, row: int) -> int | None:
        """Working ticks of one unit that a task is for all who do it; None where nobody does."""
        task = self.plan.tasks[row]
        found = self.assigned.get(task.id, ())
        return round(sum(each.work_in(task.duration) for each in found)) if found else None

    def _work_text(self, row: int) -> str:
        found = self.work(row)
        return "" if found is None else duration_text(self.plan, found)

    def _promise(self, row: int, which: int) -> str:
        found = self.baseline.get(self.plan.tasks[row].id)
        return NOTHING if found is None else instant_text(self.plan, (found.start, found.finish)[which])

    def variance(self, column: Column, row: int) -> Ticks | None:
        """Working ticks that a task starts or finishes later than promised; None where nothing was."""
        task = self.plan.tasks[row]
        found = self.baseline.get(task.id)
        if found is None:
            return None
        schedule, is_start = self.state.schedule, column is Column.START_VARIANCE
        was = found.start if is_start else found.finish
        now = int((schedule.start if is_start else schedule.finish)[row])
        return now - was if self.plan.clock is Clock.DEVICE else schedule.working_time_of(task.id).between(was, now)

    def _variance_text(self, column: Column, row: int) -> str:
        found = self.variance(column, row)
        return NOTHING if found is None else change_text(self.plan, found) or "0"

    def _buffers(self, row: int) -> str:
        spec = self.plan.tasks[row].operation
        return "" if spec is None else f"{', '.join(spec.reads)} → {', '.join(spec.writes)}".strip()

    def _cost(self, row: int) -> str:
        found = self.costs.get(self.plan.tasks[row].id)
        return "" if found is None else duration_text(self.plan, found)


_NUMBERS: dict[Column, Callable[[Figures, int], int]] = {
    Column.DURATION: lambda figures, row: figures.duration(row),
    Column.PERCENT: lambda figures, row: round(figures.percent[row] * 1000),
    Column.PRIORITY: lambda figures, row: figures.plan.tasks[row].priority,
    Column.DEADLINE: lambda figures, row: _or_never(figures.plan.tasks[row].deadline),
    Column.WORK: lambda figures, row: figures.work(row) or 0,
    Column.BASELINE_START: lambda figures, row: _promised(figures, row, 0),
    Column.BASELINE_FINISH: lambda figures, row: _promised(figures, row, 1),
    Column.START_VARIANCE: lambda figures, row: _or_never(figures.variance(Column.START_VARIANCE, row)),
    Column.FINISH_VARIANCE: lambda figures, row: _or_never(figures.variance(Column.FINISH_VARIANCE, row)),
    Column.COST: lambda figures, row: figures.costs.get(figures.plan.tasks[row].id, 0),
}


@lru_cache(maxsize=2)
def figures_of(state: State) -> Figures:
    """The figures of a state: those of the last two are kept."""
    return Figures(state)


def _promised(figures: Figures, row: int, which: int) -> int:
    found = figures.baseline.get(figures.plan.tasks[row].id)
    return int(NEVER) if found is None else (found.start, found.finish)[which]


def _or_never(ticks: Ticks | None) -> int:
    return int(NEVER) if ticks is None else ticks


def _ranks(texts: list[str]) -> Keys:
    """The place of each text among all in their order, equal ones alike."""
    places = {text: place for place, text in enumerate(sorted(set(texts)))}
    return np.fromiter((places[text] for text in texts), np.int64, len(texts))
