"""Facts: what is known of the tasks of a state, found out when first asked for. It never puts it in words.

They are told by rows of the plan, or by ids of tasks.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import Assignment, BaselineTask, Clock, Dependency, TaskId, Ticks
from engine.session.costs import costs_of
from engine.session.state import State
from gui.gantt.outline import outline_of
from gui.gantt.sought import Sought

Keys = NDArray[np.int64]
# Tasks without a date stand after those with one.
NEVER = np.iinfo(np.int64).max


class Facts:
    """What is looked up of one state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.plan = state.plan

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
        tasks, tree = self.plan.tasks, outline_of(self.plan)
        own = np.array([0.0 if t.progress is None else t.progress.percent for t in tasks], dtype=np.float64)
        length = np.where(self.is_leaf, [task.duration for task in tasks], 0).astype(np.float64)
        total, done = tree.sums(length), tree.sums(length * own / 100)
        return np.where(total > 0, 100 * done / np.maximum(total, 1), own)

    @cached_property
    def durations(self) -> Keys:
        """Working ticks of each task, as duration() tells them one by one."""
        schedule, tasks = self.state.schedule, self.plan.tasks
        found: Keys = schedule.finish - schedule.start
        if self.plan.clock is Clock.DEVICE:
            return found
        network = schedule.basis.network
        calendars = network.nodes.calendar[: len(tasks)]
        worked = ~(np.array([task.is_elapsed for task in tasks], dtype=np.bool_) & self.is_leaf)
        for number in np.unique(calendars):
            rows = np.flatnonzero(worked & (calendars == number))
            found[rows] = network.times[int(number)].between_all(schedule.start[rows], schedule.finish[rows])
        for row in (row for row, task in enumerate(tasks) if task.splits and worked[row]):
            found[row] -= sum(split.gap for split in tasks[row].splits)
        return found

    @cached_property
    def first_predecessors(self) -> Keys:
        """The row of the uppermost that each task waits for; NEVER where it waits for none."""
        rows, links = self.plan.rows, self.plan.dependencies
        found = np.full(len(self.plan.tasks), NEVER, dtype=np.int64)
        before = np.fromiter((rows[link.predecessor] for link in links), np.int64, len(links))
        np.minimum.at(found, np.fromiter((rows[link.successor] for link in links), np.int64, len(links)), before)
        return found

    @cached_property
    def sought(self) -> Sought:
        """Names of all tasks, to be looked through at once: made once for all edits that leave them alone."""
        return _sought(tuple(task.name for task in self.plan.tasks))

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which rows hold no others."""
        children = self.plan.children
        return _flags([task.id not in children for task in self.plan.tasks])

    @cached_property
    def is_milestone(self) -> NDArray[np.bool_]:
        """Which rows are milestones."""
        return _flags([task.is_milestone for task in self.plan.tasks])

    @cached_property
    def has_begun(self) -> NDArray[np.bool_]:
        """Which tasks have an actual start."""
        return _flags([t.progress is not None and t.progress.actual_start is not None for t in self.plan.tasks])


@lru_cache(maxsize=2)
def _sought(names: tuple[str, ...]) -> Sought:
    return Sought(names)


def _flags(found: list[bool]) -> NDArray[np.bool_]:
    return np.array(found, dtype=np.bool_)
