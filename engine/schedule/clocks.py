"""Clocks: the working times of a plan, numbered, and who works by which. It never computes a date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from engine.model import (
    Assignment,
    Clock,
    EffortKind,
    LagCalendar,
    Plan,
    Resource,
    ResourceKind,
    Task,
    TaskId,
    Ticks,
)
from engine.schedule.working_time import ALWAYS, WorkingTime

# What is to be done of a task on one calendar: its number, ticks in all, ticks that remain.
Part = tuple[int, Ticks, Ticks]

EVER = 0  # the number of the clock that always works


class Clocks:
    """Working times by number: 0 always works, `project` is the plan's own; more are found as tasks ask for them."""

    def __init__(self, plan: Plan) -> None:
        self.times: list[WorkingTime] = [ALWAYS]
        self._numbers: dict[int, int] = {id(ALWAYS): EVER}
        self._common: dict[tuple[int, int], int] = {}
        self._calendars: dict[int, int] = {}
        self._plan = plan
        self._is_device = plan.clock is Clock.DEVICE
        self._resources = {resource.id: resource for resource in plan.resources}
        self._assigned: dict[TaskId, list[tuple[Assignment, Resource]]] = defaultdict(list)
        for assignment in () if self._is_device else plan.assignments:
            resource = self._resources[assignment.resource]
            if resource.kind in (ResourceKind.WORK, ResourceKind.MACHINE):
                self._assigned[assignment.task].append((assignment, resource))
        self.project = EVER if self._is_device else self._number(WorkingTime.of(plan.calendar, plan.calendar_of))

    def of(self, calendar: int | None) -> int:
        """The number of a calendar's working time, by its id in the plan; None is the plan's own."""
        if calendar is None or self._is_device:
            return self.project
        if calendar not in self._calendars:
            known = self._plan.calendar_of
            self._calendars[calendar] = self._number(WorkingTime.of(known[calendar], known))
        return self._calendars[calendar]

    def is_alone(self, task: Task) -> bool:
        """Whether nothing but a task's own calendar decides when it is worked on."""
        return not task.is_elapsed and task.id not in self._assigned

    def parts(self, task: Task, length: Ticks, remaining: Ticks) -> tuple[int, list[Part]]:
        """The number of a task's own working time, and what is to be done on which; one part for most tasks."""
        if task.is_elapsed:
            return EVER, [(EVER, length, remaining)]
        own = self.of(task.calendar)
        assigned = self._assigned.get(task.id, ())
        if not assigned or task.effort is EffortKind.FIXED_DURATION or not length:
            return own, [(own, length, remaining)]
        parts = []
        for assignment, resource in assigned:
            share = assignment.time_of(length)
            left = remaining if share == length else round(share * remaining / length)
            parts.append((self._by(task, own, resource), share, left))
        calendars = {number for number, _, _ in parts}
        return (calendars.pop() if len(calendars) == 1 else own), list(dict.fromkeys(parts))

    def shared_by(self, task: Task, resources: Iterable[Resource]) -> int | None:
        """The number of the working time of a task that these resources do, None where they keep several calendars."""
        own = EVER if task.is_elapsed else self.of(task.calendar)
        if task.is_elapsed or task.effort is EffortKind.FIXED_DURATION or not task.duration:
            return own
        numbers = {self._by(task, own, resource) for resource in resources}
        return own if not numbers else numbers.pop() if len(numbers) == 1 else None

    def lag_number(self, kind: LagCalendar) -> int | None:
        """The number of the working time that counts lags, None where it is one of the link's ends."""
        return {LagCalendar.PROJECT: self.project, LagCalendar.ALWAYS: EVER}.get(kind)

    def _by(self, task: Task, own: int, resource: Resource) -> int:
        """A task's own calendar and a resource's as one; without one of its own, the resource's alone."""
        if task.ignores_resource_calendars:
            return own
        theirs = self.of(resource.calendar)
        return theirs if task.calendar is None else self._both(own, theirs)

    def _both(self, first: int, second: int) -> int:
        """What two calendars have in common; the first alone where that is nothing."""
        key = (first, second)
        if key not in self._common:
            common = _intersection(self.times[first], self.times[second])
            self._common[key] = first if common.is_empty else self._number(common)
        return self._common[key]

    def _number(self, time: WorkingTime) -> int:
        number = self._numbers.setdefault(id(time), len(self.times))
        if number == len(self.times):
            self.times.append(time)
        return number


@lru_cache(maxsize=64)
def _intersection(first: WorkingTime, second: WorkingTime) -> WorkingTime:
    return first.intersected(second)
