"""A plan out of the elements of a .gan file. It never touches the disk, and drops nothing without a note of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from engine.errors import PlanError
from engine.formats.gan.calendars import read_calendar
from engine.formats.gan.days import DAY_OF_WORK, HOURS, day_of
from engine.formats.gan.values import Values
from engine.formats.progress import told
from engine.formats.xml_text import Element, to_text
from engine.model import (
    DAY,
    NOTES,
    Assignment,
    Baseline,
    BaselineTask,
    Calendar,
    CalendarException,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    Plan,
    Progress,
    Recorded,
    Resource,
    Task,
    TaskId,
    Ticks,
)
from engine.model.resource import LEAST_UNITS
from engine.schedule.working_time import WorkingTime

KINDS = {"1": DependencyKind.SS, "2": DependencyKind.FS, "3": DependencyKind.FF, "4": DependencyKind.SF}
PRIORITIES = {"3": 100, "0": 300, "1": 500, "2": 700, "4": 900}
# Names of fields: an attribute as it stands, an element as it stands, a link that may leave a gap, what was dropped.
ATTRIBUTE, ELEMENT, RUBBER, LEFT_OUT = "gan:@", "gan:", "gan:rubber", "note"

_MOST_TASKS = 100_000
_TASK = {"id", "name", "meeting", "start", "duration", "complete", "priority"}
_PROJECT = ("description", "view", "roles")
_Fields = tuple[tuple[str, str], ...]


def read_plan(root: Element, path: str) -> Plan:
    """The plan. Raises FormatError with the line, and PlanError."""
    return _Reader(root, path).plan()


class _Reader:
    """Goes through the parts of one file in the order in which they rest on each other."""

    def __init__(self, root: Element, path: str) -> None:
        self._root = root
        self._path = path
        self._values = Values(path)
        self._ids: dict[str, TaskId] = {}
        self._elements: list[tuple[Element, TaskId | None]] = []
        self._calendar = self._checked_calendar()
        self._time = WorkingTime.of(self._calendar)

    def plan(self) -> Plan:
        """All of it, checked."""
        self._number(self._root.below("tasks", "task"), None)
        self._check_not_emptied()
        links, rubber = self._links()
        is_driven = {link.successor for link in links if (link.predecessor, link.successor, link.kind) not in rubber}
        tasks = self._tasks(is_driven, rubber)
        resources, calendars = self._resources()
        assignments = self._assignments({resource.source: resource.id for resource in resources})
        baselines = self._baselines()
        starts = [task.recorded.start for task in tasks if task.recorded]
        return Plan(
            self._root.attributes.get("name") or Path(self._path).stem,
            Clock.CALENDAR,
            min(starts, default=self._view_date()),
            tasks,
            links,
            self._calendar,
            resources,
            assignments,
            next_task_id=len(tasks) + 1,
            calendars=calendars,
            baselines=baselines,
            fields=self._fields(),
        ).check()

    # The whole

    def _checked_calendar(self) -> Calendar:
        calendar = read_calendar(self._root, self._values.error)
        try:
            calendar.check()
        except PlanError as error:
            element = self._root.find("calendars") or self._root
            raise self._values.error(element, "makes every day of the week a day off") from error
        return calendar

    def _check_not_emptied(self) -> None:
        mentioned = self._root.below("allocations", "allocation") or self._root.below(
            "previous", "previous-tasks", "previous-task"
        )
        if not self._ids and mentioned:
            what = "lost all its tasks: people are assigned to tasks that are not there; look for its backup"
            raise self._values.error(self._root.find("tasks") or self._root, what)

    def _view_date(self) -> Ticks:
        try:
            return day_of(self._root.attributes.get("view-date", "")) * DAY + HOURS[0].start
        except ValueError:
            return HOURS[0].start

    def _fields(self) -> _Fields:
        named = [(ATTRIBUTE + name, value) for name, value in self._root.attributes.items() if name != "name"]
        kept = [child for child in self._root.children if child.tag in _PROJECT]
        kept += [
            definition
            for definition in self._root.below("tasks", "taskproperties", "taskproperty")
            if definition.attributes.get("type") == "custom"
        ]
        kept += self._root.below("resources", "custom-property-definition")
        kept += [each for each in self._root.below("calendars", "date") if each.attributes.get("type") == "NEUTRAL"]
        notes = [(LEFT_OUT, sentence) for sentence in self._values.left_out]
        return (*named, *((ELEMENT + child.tag, to_text(child)) for child in kept), *notes)

    # Tasks

    def _number(self, elements: Iterable[Element], parent: TaskId | None) -> None:
        """Give every task an id, in the order of the rows."""
        for element in elements:
            source = self._values.text(element, "id")
            if len(self._ids) == _MOST_TASKS:
                raise self._values.error(element, f"has more than {_MOST_TASKS:,} tasks")
            if source in self._ids:
                raise self._values.error(element, f"has a second task with the id {source}")
            number = self._ids[source] = len(self._ids) + 1
            self._elements.append((element, parent))
            self._number(element.all("task"), number)

    def _tasks(
        self, is_driven: set[TaskId], rubber: dict[tuple[TaskId, TaskId, DependencyKind], str]
    ) -> tuple[Task, ...]:
        properties = {
            each.attributes.get("id", ""): each.attributes.get("name", "")
            for each in self._root.below("tasks", "taskproperties", "taskproperty")
        }
        keeps_empty = any(each.attributes.get("empty-milestones") == "true" for each in self._root.all("tasks"))
        stretches: defaultdict[TaskId, list[tuple[str, str]]] = defaultdict(list)
        for (before, _, _), text in rubber.items():
            stretches[before].append((RUBBER, text))
        driven: set[TaskId] = set()  # by a link of its own, or of a summary that it lies in
        tasks = []
        for number, (element, parent) in enumerate(told(self._elements, 0.4), start=1):
            if number in is_driven or parent in driven:
                driven.add(number)
            fields = (*_kept(element, _TASK, properties), *stretches[number])
            tasks.append(
                self._task(element, Task(number, "", parent=parent, fields=fields), number in driven, keeps_empty)
            )
        return tuple(tasks)

    def _task(self, element: Element, row: Task, is_driven: bool, keeps_empty: bool) -> Task:
        is_milestone = element.attributes.get("meeting") == "true"
        days = self._values.integer(element, "duration", "1")
        if is_milestone and keeps_empty:
            days = 0
        start = self._values.day(element, "start") * DAY + HOURS[0].start
        duration = days * DAY_OF_WORK
        percent = max(0.0, min(self._values.decimal(element, "complete", "0"), 100.0))
        is_summary = element.find("task") is not None
        constraint, at = (ConstraintKind.AS_SOON_AS_POSSIBLE, 0) if is_summary else self._pin(element, start, is_driven)
        return replace(
            row,
            name=element.attributes.get("name", ""),
            duration=0 if is_summary else duration,
            is_milestone=is_milestone,
            constraint=constraint,
            constraint_at=at,
            source=element.attributes["id"].strip(),
            # Vacations are shown there, and move nothing.
            ignores_resource_calendars=True,
            priority=PRIORITIES.get(element.attributes.get("priority", "1"), 500),
            progress=Progress(percent) if percent and not is_summary else None,
            recorded=Recorded(start, self._time.add(start, duration) if duration else start),
        )

    def _pin(self, element: Element, start: Ticks, is_driven: bool) -> tuple[ConstraintKind, Ticks]:
        """A task that no link draws along keeps its day; else it may have an earliest start."""
        pins = [] if is_driven else [start]
        if element.attributes.get("thirdDate-constraint") == "1" and "thirdDate" in element.attributes:
            pins.append(self._values.day(element, "thirdDate") * DAY + HOURS[0].start)
        if not pins:
            return ConstraintKind.AS_SOON_AS_POSSIBLE, 0
        return ConstraintKind.START_NO_EARLIER_THAN, max(pins)

    def _links(self) -> tuple[tuple[Dependency, ...], dict[tuple[TaskId, TaskId, DependencyKind], str]]:
        """The links, and those that may leave a gap, each as the text that keeps it so."""
        found: dict[tuple[TaskId, TaskId, DependencyKind], Dependency] = {}
        rubber = {}
        above = {number: parent for number, (_, parent) in enumerate(self._elements, start=1)}
        for before, (element, _) in enumerate(self._elements, start=1):
            for depend in element.all("depend"):
                after = self._ids.get(depend.attributes.get("id", "").strip(), 0)
                number = depend.attributes.get("type", "2").strip()
                kind = KINDS.get(number, DependencyKind.FS)
                key = (before, after, kind)
                if not after or key in found or after in _above(above, before) or before in _above(above, after):
                    self._values.note(
                        depend, f"“{element.attributes.get('name', '')}” is linked to what cannot follow it"
                    )
                    continue
                days = self._values.integer(depend, "difference", "0")
                found[key] = Dependency(before, after, kind, Lag(days * DAY_OF_WORK))
                if depend.attributes.get("hardness") == "Rubber":
                    rubber[key] = f"{depend.attributes['id'].strip()} {kind.value}"
        return tuple(found.values()), rubber

    # Resources

    def _resources(self) -> tuple[tuple[Resource, ...], tuple[Calendar, ...]]:
        vacations = self._vacations()
        properties = {
            each.attributes.get("id", ""): each.attributes.get("name", "")
            for each in self._root.below("resources", "custom-property-definition")
        }
        resources, calendars = [], []
        for number, element in enumerate(self._root.below("resources", "resource"), start=1):
            source, name = self._values.text(element, "id"), element.attributes.get("name", "")
            calendar = None
            if vacations.get(source):
                days = tuple(vacations.pop(source))
                calendar = self._calendar.id + number
                calendars.append(Calendar(calendar, name, (None,) * 7, days, self._calendar.id))
            fields = _kept(element, {"id", "name"}, properties)
            resources.append(Resource(number, name, calendar=calendar, source=source, fields=fields))
        self._values.left_out += [
            f"Vacations of resource {source} were left out: there is no such resource." for source in vacations
        ]
        return tuple(resources), tuple(calendars)

    def _vacations(self) -> defaultdict[str, list[CalendarException]]:
        found: defaultdict[str, list[CalendarException]] = defaultdict(list)
        for element in self._root.below("vacations", "vacation"):
            first, end = self._values.day(element, "start"), self._values.day(element, "end")
            if end > first:  # the last day is the one before
                found[self._values.text(element, "resourceid")].append(CalendarException(first, end - 1))
            else:
                self._values.note(element, "a vacation ends before it begins")
        return found

    def _assignments(self, resources: dict[str, int]) -> tuple[Assignment, ...]:
        found: dict[tuple[TaskId, int], Assignment] = {}
        for element in self._root.below("allocations", "allocation"):
            task = self._ids.get(element.attributes.get("task-id", "").strip())
            resource = resources.get(element.attributes.get("resource-id", "").strip())
            units = self._values.decimal(element, "load", "100") / 100
            if task is None or resource is None or units < LEAST_UNITS or (task, resource) in found:
                self._values.note(element, "somebody is assigned to what is not there, twice, or with no load")
                continue
            fields = _kept(element, {"task-id", "resource-id", "load"}, {})
            found[task, resource] = Assignment(task, resource, units, fields=fields)
        return tuple(found.values())

    def _baselines(self) -> tuple[Baseline, ...]:
        return tuple(
            Baseline(number, element.attributes.get("name", ""), tuple(self._promised(element)))
            for number, element in enumerate(self._root.below("previous", "previous-tasks"))
        )

    def _promised(self, baseline: Element) -> Iterator[BaselineTask]:
        for element in baseline.all("previous-task"):
            task = self._ids.get(element.attributes.get("id", "").strip())
            if task is None:
                self._values.note(element, "a baseline holds a task that is not there any more")
                continue
            start = self._values.day(element, "start") * DAY + HOURS[0].start
            duration = self._values.integer(element, "duration", "0") * DAY_OF_WORK
            yield BaselineTask(
                task, start, self._time.add(start, duration) if duration > 0 else start, max(0, duration)
            )


def _kept(element: Element, known: set[str], properties: dict[str, str]) -> _Fields:
    """What an element says and the plan does not: custom columns by their names, the rest as it stands."""
    told = sorted(pair for pair in element.attributes.items() if pair != ("expand", "true"))
    fields = [(ATTRIBUTE + name, value) for name, value in told if name not in known]
    for child in element.children:
        column = child.attributes.get("taskproperty-id") or child.attributes.get("definition-id") or ""
        if child.tag == "notes":
            fields.append((NOTES, child.text))
        elif properties.get(column):
            fields.append((properties[column], child.attributes.get("value", "")))
        elif child.tag not in ("task", "depend"):
            fields.append((ELEMENT + child.tag, to_text(child)))
    return tuple(fields)


def _above(parents: dict[TaskId, TaskId | None], task: TaskId) -> Iterator[TaskId]:
    """A task and the summaries that it lies in."""
    at: TaskId | None = task
    while at:
        yield at
        at = parents[at]
