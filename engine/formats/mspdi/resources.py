"""Resources and assignments of an MSPDI file, read. It never levels.

What the model has no place for is kept as text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container
from dataclasses import dataclass, field

from engine.errors import FormatError
from engine.formats.mspdi.custom import CustomFields
from engine.formats.mspdi.kept import ASSIGNMENTS, MORE, Fields, keep, keep_timed, tags, texts
from engine.formats.mspdi.tasks import TaskTable
from engine.formats.mspdi.values import Record
from engine.formats.xml_text import Element, to_text
from engine.model import DAY, NOTES, Assignment, Capacity, Contour, Resource, ResourceKind, TaskId

KINDS = (ResourceKind.MATERIAL, ResourceKind.WORK, ResourceKind.MATERIAL)  # material, work, cost
COST = 2
UNDERSTOOD = tags("UID ID Name Type IsNull MaxUnits CalendarUID AvailabilityPeriods Notes ExtendedAttribute")
ASSIGNMENT_UNDERSTOOD = tags("TaskUID ResourceUID Units WorkContour TimephasedData")
CONTOURS = tuple(Contour)  # in the order of their numbers


@dataclass(slots=True)
class ResourceTable:
    """What the resources of a file say. `blank` are rows that are none; `lines` the line of an id."""

    resources: list[Resource] = field(default_factory=list)
    lines: dict[int, int] = field(default_factory=dict)
    blank: str = ""


@dataclass(slots=True)
class AssignmentTable:
    """Who does what. `others` are the elements of assignments the model has no place for, by task; 0: the project."""

    assignments: list[Assignment] = field(default_factory=list)
    others: dict[TaskId, list[Element]] = field(default_factory=lambda: defaultdict(list))
    elements: dict[TaskId, list[Element]] = field(default_factory=lambda: defaultdict(list))


def read_resources(project: Element, custom: CustomFields, calendars: Container[int]) -> ResourceTable:
    """All resources. `calendars` are the ids of those in the file. Raises FormatError with the line."""
    table = ResourceTable()
    for element in project.below("Resources", "Resource"):
        record = Record(element)
        number = record.integer("UID", -1)
        # Resource 0 stands for "nobody" in files of Microsoft Project.
        if record.flag("IsNull") or (number == 0 and not record.has("Name")):
            table.blank += to_text(element)
            continue
        if not record.has("UID"):
            raise FormatError(f"Resource “{record.text('Name')}” has no UID", line=record.line)
        if number in table.lines:
            raise FormatError(f"Two resources have the UID {number}", line=record.line)
        table.lines[number] = record.line
        table.resources.append(_resource(record, custom, calendars))
    return table


def _resource(record: Record, custom: CustomFields, calendars: Container[int]) -> Resource:
    calendar = record.integer("CalendarUID", -1)
    capacity = record.number("MaxUnits", 1.0)
    form = record.integer("Type", 1)
    return Resource(
        record.integer("UID"),
        record.text("Name"),
        KINDS[form] if 0 <= form < len(KINDS) else ResourceKind.WORK,
        capacity if capacity > 0 else 1.0,
        calendar if calendar in calendars else None,
        _steps(record),
        str(record.integer("UID")),
        _fields(record, custom, _unsaid(form, capacity, has_calendar=calendar < 0 or calendar in calendars)),
    )


def _unsaid(form: int, capacity: float, *, has_calendar: bool) -> frozenset[str]:
    """What the model cannot say of a resource: that it is a cost, has no units or a calendar that is not there."""
    said = ((form == COST, "Type"), (capacity <= 0, "MaxUnits"), (not has_calendar, "CalendarUID"))
    return frozenset(tag for is_odd, tag in said if is_odd)


def _fields(record: Record, custom: CustomFields, unsaid: frozenset[str]) -> Fields:
    more: list[Element] = []
    found = custom.read(record.element, more)
    text = texts(record.element.children, UNDERSTOOD - unsaid) + texts(more)
    return (*keep(NOTES, record.text("Notes")), *found, *keep(MORE, text))


def _steps(record: Record) -> tuple[Capacity, ...]:
    element = record.child("AvailabilityPeriods")
    periods = map(Record, element.all("AvailabilityPeriod")) if element else ()
    steps = []
    for period in periods:
        first, last = period.instant("AvailableFrom"), period.instant("AvailableTo")
        if first is not None and last is not None:
            # 23:59 is how Microsoft Project says the end of a day.
            last += 60 if last % DAY == DAY - 60 else 0
            steps.append(Capacity(first, last, period.number("AvailableUnits", 1.0)))
    return tuple(steps)


def read_assignments(project: Element, tasks: TaskTable, resources: ResourceTable) -> AssignmentTable:
    """All assignments. Raises FormatError with the line where one names a task or resource that is not there."""
    table = AssignmentTable()
    known = {resource.id: resource for resource in resources.resources}
    durations = {task.id: task.duration for task in tasks.tasks}
    others = {Record(each).integer("UID", -1) for each in _blank_resources(project)}
    for element in project.below("Assignments", "Assignment"):
        record = Record(element)
        task = tasks.id_of.get(record.integer("TaskUID", -1), 0)
        uid = record.integer("ResourceUID", -1)
        if not task and record.integer("TaskUID", -1) not in tasks.unseen:
            raise FormatError("An assignment is to a task that is not in the file", line=record.line)
        resource = known.get(uid)
        if resource is None and uid > 0 and uid not in others:
            raise FormatError(f"An assignment is of resource {uid}, which is not in the file", line=record.line)
        if task:
            table.elements[task].append(element)
        if not task or resource is None or record.number("Units", 1.0) <= 0:
            table.others[task].append(element)
        else:
            table.assignments.append(_assignment(record, task, resource, durations[task]))
    return table


def _blank_resources(project: Element) -> list[Element]:
    return [each for each in project.below("Resources", "Resource") if Record(each).flag("IsNull")]


def _assignment(record: Record, task: TaskId, resource: Resource, duration: int) -> Assignment:
    units = record.number("Units", 1.0)
    number = record.integer("WorkContour")
    contour = CONTOURS[number] if 0 <= number < len(CONTOURS) else Contour.FLAT
    work: int | None = None
    if resource.kind is ResourceKind.WORK:
        work = record.ticks("Work")
        # Work that follows from duration, units and contour goes on following from them.
        work = None if work == round(duration * units * contour.average) else work
    figures, more = keep_timed(record.element.all("TimephasedData"))
    text = texts(record.element.children, ASSIGNMENT_UNDERSTOOD) + texts(more)
    return Assignment(task, resource.id, units, work, (*keep(MORE, text), *figures), contour)


def with_others(fields: Fields, others: list[Element]) -> Fields:
    """A task's fields with the assignments that the model has no place for."""
    return (*fields, *keep(ASSIGNMENTS, texts(others)))
