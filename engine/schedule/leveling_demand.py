"""Demand: what each task uses of which resource while it is worked on. It never moves a task.

The work decides, not the duration: an assignment of `work` ticks at `units` lasts work / units of its own working
time. Where the task leaves it less time than that, or has a fixed duration, the work is spread over what there is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from engine.model import Assignment, Contour, EffortKind, Plan, Progress, Resource, ResourceKind, Task, TaskId, Ticks
from engine.schedule.leveling_profile import in_billionths
from engine.schedule.nodes import held_by_summaries
from engine.schedule.working_time import ALWAYS, Instants, WorkingTime

Stretches = Sequence[tuple[Ticks, Ticks]]
_NOT_BEGUN = Progress()


@dataclass(frozen=True, slots=True)
class Piece:
    """`units` (billionths) of a resource, from `first` to before `last` working ticks of `time` after the start.

    `hours` is the time the resource is there, and must hold all of it; None where that is so or does not matter.
    """

    resource: int
    time: WorkingTime
    first: Ticks
    last: Ticks
    units: int
    hours: WorkingTime | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """`units` (billionths) of a resource, used by a task in each of the stretches `starts[k]` to before `ends[k]`.

    `ignores_hours`: the task was told to take the resource outside its hours too.
    """

    task: TaskId
    resource: int
    units: int
    starts: Instants
    ends: Instants
    ignores_hours: bool = False


class Demands:
    """What the active leaves of one plan use. Streams are left out: the schedule puts their tasks in a row."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[int | None, WorkingTime] = {}
        self.resources = {r.id: r for r in plan.resources if r.kind is not ResourceKind.STREAM}
        self.assigned: dict[TaskId, list[Assignment]] = defaultdict(list)
        held = held_by_summaries(plan)
        for assignment in plan.assignments:
            task = plan.task(assignment.task)
            is_active = task.is_active and held[task.parent].is_active
            if assignment.resource in self.resources and task.id not in plan.children and is_active:
                self.assigned[task.id].append(assignment)

    def pieces(self, task: Task) -> tuple[Piece, ...]:
        """What a task that has not begun uses, wherever it starts; nothing if it takes no time."""
        assigned = self.assigned.get(task.id, ()) if task.duration else ()
        return tuple(piece for each in assigned for piece in self._pieces(task, each))

    def uses(self, task: Task, start: Ticks, worked: Stretches) -> list[Use]:
        """What a task uses that starts at `start` and is worked on in the stretches `worked`."""
        if self.is_planned(task):
            return [self._use(task, piece, start) for piece in self.pieces(task)]
        return [use for each in self.assigned.get(task.id, ()) for use in self._spread(task, each, worked)]

    def is_planned(self, task: Task) -> bool:
        """Whether a task is worked on as its pieces say: it has not begun, and no person dated it."""
        return task.progress in (None, _NOT_BEGUN) and not task.is_manual

    def ignores_hours(self, task: Task) -> bool:
        """Whether a task was told to take its resources outside their hours too."""
        return task.is_elapsed or task.ignores_resource_calendars

    def hours(self, resource: Resource) -> WorkingTime:
        """When a resource is there."""
        return self._time(resource.calendar)

    def _pieces(self, task: Task, assignment: Assignment) -> Iterator[Piece]:
        resource = self.resources[assignment.resource]
        time, hours = self._times(task, resource)
        work = assignment.work_in(task.duration)
        span = task.duration if _is_spread(task, resource) else assignment.time_of(task.duration)
        if not span or not work:
            return
        if assignment.contour is Contour.FLAT and not task.splits:  # as nearly all are
            yield Piece(resource.id, time, 0, span, in_billionths(work / span), hours)
            return
        pauses = sorted((each for each in task.splits if each.work < task.duration), key=lambda each: each.work)
        for first, last, units in _shares(assignment, span, work):
            done, paused = first, sum(split.gap for split in pauses if split.work <= first)
            for split in pauses:
                if done < split.work < last:
                    yield Piece(resource.id, time, done + paused, split.work + paused, units, hours)
                    done, paused = split.work, paused + split.gap
                elif first < split.work == done:
                    paused += split.gap
            yield Piece(resource.id, time, done + paused, last + paused, units, hours)

    def _use(self, task: Task, piece: Piece, start: Ticks) -> Use:
        begun = piece.time.work_before(start)
        first, last = piece.time.start_at(begun + piece.first), piece.time.finish_at(begun + piece.last)
        ignores = piece.hours is None and self.ignores_hours(task)
        return Use(task.id, piece.resource, piece.units, *piece.time.intervals(first, last), ignores)

    def _spread(self, task: Task, assignment: Assignment, worked: Stretches) -> Iterator[Use]:
        """The work of a task with known dates, at its units from the first tick on where there is time enough."""
        resource = self.resources[assignment.resource]
        time, _ = self._times(task, resource)
        found = [time.intervals(first, last) for first, last in worked]
        starts, ends = np.concatenate([s for s, _ in found]), np.concatenate([e for _, e in found])
        there, work = int((ends - starts).sum()), assignment.work_in(task.duration)
        if not there or not work:
            return
        span = there if _is_spread(task, resource) else min(assignment.time_of(task.duration), there)
        before = np.cumsum(ends - starts) - (ends - starts)
        ignores = self.ignores_hours(task)
        for first, last, units in _shares(assignment, span, work):
            begin, end = np.maximum(starts, starts + first - before), np.minimum(ends, starts + last - before)
            held = begin < end
            yield Use(task.id, assignment.resource, units, begin[held], end[held], ignores)

    def _times(self, task: Task, resource: Resource) -> tuple[WorkingTime, WorkingTime | None]:
        """The working time of an assignment, and the resource's hours where they do not hold all of it."""
        if task.is_elapsed:
            return ALWAYS, None
        own = self._time(task.calendar)
        if task.ignores_resource_calendars or resource.kind is ResourceKind.MATERIAL:
            return own, None
        hours = self.hours(resource)
        if task.effort is EffortKind.FIXED_DURATION:
            return own, None if own is hours else hours
        if task.calendar is None:
            return hours, None
        common = _common(own, hours)
        return (own, hours) if common.is_empty else (common, None)

    def _time(self, calendar: int | None) -> WorkingTime:
        if calendar not in self._known:
            known = self._plan.calendar_of
            self._known[calendar] = WorkingTime.of(self._plan.calendar if calendar is None else known[calendar], known)
        return self._known[calendar]


def _shares(assignment: Assignment, span: Ticks, work: float) -> Iterator[tuple[Ticks, Ticks, int]]:
    """`units` in billionths from a tick to before another of those worked: the work as its contour spreads it.

    units(tenth) = work / (span x contour.average) x the contour's part of it then.
    """
    most = work / span / assignment.contour.average
    tenths = assignment.contour.tenths
    edges = [tenth for tenth in range(1, 10) if tenths[tenth] != tenths[tenth - 1]]
    for low, high in pairwise((0, *edges, 10)):
        first, last = span * low // 10, span * high // 10
        if first < last:
            yield first, last, in_billionths(most * tenths[low] / 100)


def _is_spread(task: Task, resource: Resource) -> bool:
    """Whether the work is spread over the whole task, however long that is."""
    return task.effort is EffortKind.FIXED_DURATION or task.is_elapsed or resource.kind is ResourceKind.MATERIAL


@lru_cache(maxsize=64)
def _common(first: WorkingTime, second: WorkingTime) -> WorkingTime:
    return first.intersected(second)
