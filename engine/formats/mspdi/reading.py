"""A plan out of the elements of an MSPDI file, checked as a whole. It never touches the disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.errors import FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.mspdi.calendars import UNDERSTOOD as CALENDAR_UNDERSTOOD
from engine.formats.mspdi.calendars import read_calendars
from engine.formats.mspdi.custom import RESOURCE, TASK, CustomFields, definitions
from engine.formats.mspdi.kept import BLANK, MORE, Fields, keep, tags, texts
from engine.formats.mspdi.resources import (
    AssignmentTable,
    ResourceTable,
    read_assignments,
    read_resources,
    with_others,
)
from engine.formats.mspdi.splits import with_splits
from engine.formats.mspdi.tasks import TaskTable, read_tasks
from engine.formats.mspdi.values import Record
from engine.formats.xml_text import Element, to_text
from engine.model import MOST_TICKS, Baseline, Calendar, Clock, DependencyKind, Plan, PlanSettings, Task

SUMMARY = "mspdi:summary"
RESOURCES = "mspdi:resources"
OTHERS = "mspdi:assignments"
CALENDAR = "mspdi:calendar "
UNDERSTOOD = tags(
    "StartDate FinishDate ScheduleFromStart CriticalSlackLimit CalendarUID DefaultStartTime DefaultFinishTime "
    "MinutesPerDay MinutesPerWeek DaysPerMonth HonorConstraints StatusDate Calendars Tasks Resources Assignments"
)
_MOST_MINUTES = 1440
_MOST_NOTES = 50


def read_project(project: Element) -> Plan:
    """The plan. Raises FormatError with the line, without the path."""
    record = Record(project)
    calendars = read_calendars(project)
    own = _own_calendar(record, calendars)
    settings = _settings(record)
    custom = definitions(project.children)
    known = {calendar.id for calendar in calendars}
    tasks = read_tasks(project, settings, CustomFields(TASK, custom), known)
    resources = read_resources(project, CustomFields(RESOURCE, custom), known)
    assigned = read_assignments(project, tasks, resources)
    rows = tuple(_with_others(task, assigned) for task in tasks.tasks)
    plan = Plan(
        project_name(record),
        Clock.CALENDAR,
        _start(record, settings, rows),
        rows,
        tuple(tasks.links),
        own,
        tuple(resources.resources),
        tuple(assigned.assignments),
        settings=settings,
        next_task_id=max(tasks.elements, default=0) + 1,
        calendars=tuple(calendar for calendar in calendars if calendar is not own),
        baselines=_baselines(tasks),
        fields=_fields(record, tasks, resources, assigned),
    )
    return _checked(plan, tasks, assigned)


def project_name(record: Record) -> str:
    """What a person calls the plan."""
    return record.text("Title") or record.text("Name")


def _checked(plan: Plan, tasks: TaskTable, assigned: AssignmentTable) -> Plan:
    try:
        return with_splits(plan.check(), assigned.elements, tasks.elements)
    except PlanError as error:
        element = tasks.elements.get(error.ids[0]) if error.ids else None
        line = element.line if element else 0
        raise FormatError(error.sentence.rstrip("."), line=line, ids=error.ids) from error


def _own_calendar(record: Record, calendars: tuple[Calendar, ...]) -> Calendar:
    """The project's calendar, or the one that every copy of Microsoft Project has."""
    bases = [calendar for calendar in calendars if calendar.base is None]
    if record.has("CalendarUID"):
        number = record.integer("CalendarUID")
        for calendar in calendars:
            if calendar.id == number:
                return calendar
    named = [calendar for calendar in bases if calendar.name == "Standard"]
    return (*named, *bases, Calendar.standard(max((c.id for c in calendars), default=0) + 1))[0]


def _settings(record: Record) -> PlanSettings:
    minutes = record.number("MinutesPerDay", 480.0)
    if not 0 < minutes <= _MOST_MINUTES:
        raise record.wrong("MinutesPerDay", "number of minutes in a day")
    critical = round(record.number("CriticalSlackLimit") * minutes * 60)
    if abs(critical) > MOST_TICKS:
        raise record.wrong("CriticalSlackLimit", "number of days that a plan can hold")
    start, finish = record.seconds("DefaultStartTime"), record.seconds("DefaultFinishTime")
    is_from_finish = not record.flag("ScheduleFromStart", True)
    finish = 17 * 3600 if finish is None else finish
    return PlanSettings(
        hours_per_day=minutes / 60,
        hours_per_week=record.number("MinutesPerWeek", 2400.0) / 60,
        days_per_month=record.number("DaysPerMonth", 20.0),
        honors_dates=record.flag("HonorConstraints", True),
        critical_float=critical,
        status=record.instant("StatusDate", finish),
        is_from_finish=is_from_finish,
        finish=record.instant("FinishDate", finish) if is_from_finish else None,
        default_start=8 * 3600 if start is None else start,
        default_finish=finish,
    )


def _start(record: Record, settings: PlanSettings, tasks: tuple[Task, ...]) -> int:
    start = record.instant("StartDate", settings.default_start)
    starts = [task.recorded.start for task in tasks if task.recorded]
    return min(starts, default=0) if start is None else start


def _with_others(task: Task, assigned: AssignmentTable) -> Task:
    others = assigned.others.get(task.id)
    return replace(task, fields=with_others(task.fields, others)) if others else task


def _baselines(tasks: TaskTable) -> tuple[Baseline, ...]:
    names = {number: f"Baseline {number}" if number else "Baseline" for number in tasks.promises}
    return tuple(Baseline(number, names[number], tuple(tasks.promises[number])) for number in sorted(tasks.promises))


def _fields(record: Record, tasks: TaskTable, resources: ResourceTable, assigned: AssignmentTable) -> Fields:
    calendars = record.element.below("Calendars", "Calendar")
    more = [(Record(calendar).integer("UID"), texts(calendar.children, CALENDAR_UNDERSTOOD)) for calendar in calendars]
    return (
        *keep(MORE, texts(record.element.children, UNDERSTOOD)),
        *(pair for number, text in more for pair in keep(f"{CALENDAR}{number}", text)),
        *keep(SUMMARY, to_text(tasks.summary) if tasks.summary else ""),
        *keep(BLANK, tasks.blank),
        *keep(RESOURCES, resources.blank),
        *keep(OTHERS, texts(assigned.others.get(0, ()))),
        *(("note", note) for note in _notes(record, tasks)),
    )


def _notes(record: Record, tasks: TaskTable) -> Iterator[str]:
    """Which links cannot be, and that a file asks for what remains to wait for predecessors, where a task would."""
    yield from tasks.notes[:_MOST_NOTES]
    if len(tasks.notes) > _MOST_NOTES:
        rest = len(tasks.notes) - _MOST_NOTES
        yield counted(rest, "And 1 more link is left out.", "And {count} more links are left out.")
    if not record.flag("SplitsInProgressTasks"):
        return
    progress = {task.id: task.progress for task in tasks.tasks if task.progress is not None}
    done = {task for task, each in progress.items() if each.actual_finish is not None}
    begun = {task for task, each in progress.items() if each.actual_start is not None and task not in done}
    early = {
        link.successor
        for link in tasks.links
        if link.kind is DependencyKind.FS and link.successor in begun and link.predecessor not in done
    }
    names = [f"“{task.name}”" for task in tasks.tasks if task.id in early]
    if names:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        yield (
            f"The file splits tasks in progress: in Microsoft Project what remains of {', '.join(names[:3])}{more} may "
            "wait for what was not done when it began; here it stays in place unless the plan moves what remains."
        )
