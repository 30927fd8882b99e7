"""The pauses of split tasks, which MSPDI holds only in the timephased work of assignments. It never schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.formats.mspdi.values import Record, to_instant, to_ticks
from engine.formats.xml_text import Element
from engine.model import Plan, Split, Task, TaskId
from engine.schedule.working_time import WorkingTime

REMAINING, ACTUAL = "1", "2"  # types of timephased data
_CURVES = range(1, 8)  # contours in which the work of an hour says nothing of how long it was worked
_BRIEF = 60


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Work of an assignment in a stretch of time, all in seconds."""

    start: int
    finish: int
    work: int
    is_done: bool


def with_splits(plan: Plan, assigned: Mapping[TaskId, Sequence[Element]], stops: Mapping[TaskId, Element]) -> Plan:
    """The plan with the splits of its tasks. `assigned` are the assignments of a task, `stops` its own element."""
    tasks = []
    for task in plan.tasks:
        if plan.is_summary(task.id) or task.is_elapsed:
            continue
        found = _splits(plan, task, assigned.get(task.id, ())) or _resumed(plan, task, stops[task.id])
        if found:
            tasks.append(replace(task, splits=found))
    return plan.with_tasks(tasks) if tasks else plan


def time_of(plan: Plan, task: Task, resources: Sequence[int]) -> WorkingTime:
    """When a task can be worked on by these resources."""
    known = plan.calendar_of
    own = None if task.calendar is None else WorkingTime.of(known[task.calendar], known)
    if own is not None and task.ignores_resource_calendars:
        return own
    calendars = {resource.id: resource.calendar for resource in plan.resources}
    named = [calendars[resource] for resource in resources if calendars.get(resource) is not None]
    times = [WorkingTime.of(known[number], known) for number in named if number is not None]
    if own is not None:
        times.insert(0, own)
    if not times:
        return WorkingTime.of(plan.calendar, known)
    time = times[0]
    for other in times[1:]:
        time = time.intersected(other)
    return own or times[0] if time.is_empty else time


def _splits(plan: Plan, task: Task, assigned: Sequence[Element]) -> tuple[Split, ...]:
    busy: list[tuple[int, int]] = []
    is_split = False
    resources: list[int] = []
    for record in map(Record, assigned):
        resource = record.integer("ResourceUID", -1)
        stretches = _stretches(record.element)
        if not stretches:
            continue
        time = time_of(plan, task, (resource,))
        resources.append(resource)
        is_split = is_split or _has_pause(stretches, time)
        units = record.number("Units", 1.0) if record.integer("WorkContour") not in _CURVES else 0.0
        busy += _busy(stretches, time, units)
    return _pauses(busy, time_of(plan, task, resources)) if is_split else ()


def _stretches(assignment: Element) -> list[_Stretch]:
    """Remaining and actual work; what cannot be read of so many figures is kept as it is, and no reason to refuse."""
    found = []
    for element in assignment.all("TimephasedData"):
        said = {child.tag: child.text.strip() for child in element.children}
        kind = said.get("Type")
        if kind in (REMAINING, ACTUAL):
            start, finish = to_instant(said.get("Start", "")), to_instant(said.get("Finish", ""))
            if start is not None and finish is not None and start < finish:
                found.append(_Stretch(start, finish, to_ticks(said.get("Value", "")) or 0, kind == ACTUAL))
    return sorted(found, key=lambda stretch: stretch.start)


def _has_pause(stretches: Sequence[_Stretch], time: WorkingTime) -> bool:
    """Whether nothing was done in some working time, between work before it and work after it."""
    worked = [place for place, stretch in enumerate(stretches) if stretch.work]
    if not worked:
        return False
    inner = stretches[worked[0] : worked[-1] + 1]
    idle = [(stretch.start, stretch.finish) for stretch in inner if not stretch.work]
    # From where the work was stopped to where it is taken up again.
    idle += [(a.finish, b.start) for a, b in pairwise(inner) if a.is_done and not b.is_done]
    return any(time.between(start, finish) > 0 for start, finish in idle)


def _busy(stretches: Sequence[_Stretch], time: WorkingTime, units: float) -> list[tuple[int, int]]:
    """When an assignment is worked on. Of a stretch that is only partly worked, what lies by a pause is left out."""
    found = []
    rests = [not stretch.work and time.between(stretch.start, stretch.finish) > 0 for stretch in stretches]
    for place, stretch in enumerate(stretches):
        if not stretch.work:
            continue
        start, finish = stretch.start, stretch.finish
        spent = round(stretch.work / units) if units > 0 else 0
        if 0 < spent < time.between(start, finish) - _BRIEF:
            if any(rests[place + 1 : place + 2]):
                finish = time.add(start, spent)
            elif place and rests[place - 1]:
                start = time.add(finish, -spent)
        found.append((start, finish))
    return found


def _pauses(busy: Sequence[tuple[int, int]], time: WorkingTime) -> tuple[Split, ...]:
    found: list[Split] = []
    ordered = sorted(busy)
    first, end = ordered[0]
    paused = 0
    for start, finish in ordered[1:]:
        gap = time.between(end, start)
        if gap > 0:
            found.append(Split(time.between(first, end) - paused, gap))
            paused += gap
        end = max(end, finish)
    return tuple(found)


def _resumed(plan: Plan, task: Task, element: Element) -> tuple[Split, ...]:
    """The pause between where a task was stopped and where it goes on, which it says without any assignment too."""
    record = Record(element)
    stop, resume = record.instant("Stop"), record.instant("Resume")
    began = task.progress.actual_start if task.progress else None
    if began is None or stop is None or resume is None or not began < stop < resume:
        return ()
    time = time_of(plan, task, [each.resource for each in plan.assignments if each.task == task.id])
    work, gap = time.between(began, stop), time.between(stop, resume)
    return (Split(work, gap),) if work > 0 and gap > 0 else ()
