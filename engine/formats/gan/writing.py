"""A plan as the text of a .gan file, and what such a file cannot hold. It never touches the disk."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from engine.errors import FormatError
from engine.formats.gan.calendars import MOST_DATES, write_calendar
from engine.formats.gan.days import DAY_OF_WORK, WorkedDays, text_of
from engine.formats.gan.losses import FOREIGN, Losses, say_of_plan, say_of_task
from engine.formats.gan.reading import ATTRIBUTE, ELEMENT, KINDS, PRIORITIES, RUBBER
from engine.formats.progress import told
from engine.formats.xml_text import Element, escape, escape_attribute, parse_xml
from engine.model import (
    DAY,
    NOTES,
    Dependency,
    LagKind,
    Plan,
    Resource,
    Task,
    TaskId,
    Ticks,
)
from engine.schedule.cpm import schedule, working_time

_NUMBERS = {kind: number for number, kind in KINDS.items()}
_ATTRIBUTE = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_COLUMNS = (
    ("type", "icon"),
    ("priority", "icon"),
    ("info", "icon"),
    ("name", "text"),
    ("begindate", "date"),
    ("enddate", "date"),
    ("duration", "int"),
    ("completion", "int"),
    ("coordinator", "text"),
    ("predecessorsr", "text"),
)
_Fields = Iterable[tuple[str, str]]


def write_plan(plan: Plan) -> tuple[str, tuple[str, ...]]:
    """The file, and the sentences of what it does not hold. Raises PlanError for a plan without dates."""
    writer = _Writer(plan)
    text = "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', *_lines(writer.project(), ""), ""))
    return text, writer.losses.sentences()


class _Writer:
    """Makes the elements of one file, and notes on the way what they cannot hold."""

    def __init__(self, plan: Plan) -> None:
        self.losses = Losses()
        self._plan = plan
        self._dates = schedule(plan)
        self._time = working_time(plan)
        instants = [*self._dates.start.tolist(), *self._dates.finish.tolist()]
        promised = [at for line in plan.baselines for each in line.tasks for at in (each.start, each.finish)]
        self._days = WorkedDays(self._time, [*instants, *promised])
        self._ids = _numbered({task.id: task.source for task in plan.tasks})
        self._people = _numbered({resource.id: resource.source for resource in plan.resources})
        self._kept = [element for name, text in plan.fields if name.startswith(ELEMENT) for element in _raw(text)]
        self._columns = self._definitions("taskproperty", (task.fields for task in plan.tasks))
        self._links: defaultdict[TaskId, list[Dependency]] = defaultdict(list)
        for link in plan.dependencies:
            self._links[link.predecessor].append(link)
        self._drawn = self._drawn_along()

    def project(self) -> Element:
        """The whole."""
        say_of_plan(self._plan, self.losses)
        view_date = text_of(self._dates.project_start // DAY)
        usual = {
            "name": self._plan.name,
            "company": "",
            "webLink": "",
            "view-date": view_date,
            "view-index": "0",
            "gantt-divider-location": "421",
            "resource-divider-location": "399",
            "version": "3.3.3312",
            "locale": "en",
        }
        views = self._kept_as("view") or [
            Element("view", attributes={"zooming-state": "default:3", "id": "gantt-chart"}),
            Element("view", attributes={"id": "resource-table"}),
        ]
        calendar = write_calendar(self._plan, lambda what: self.losses.say(f"Of the calendar is left out: {what}"))
        calendar.children += self._kept_as("date")
        return Element(
            "project",
            attributes=usual | {n: v for n, v in _attributes(self._plan.fields).items() if n != "name"},
            children=[
                *(self._kept_as("description") or [Element("description")]),
                *views,
                calendar,
                self._tasks(),
                self._resources(),
                Element("allocations", children=list(self._allocations())),
                Element("vacations", children=list(self._vacations())),
                Element("previous", children=list(self._baselines())),
                *(self._kept_as("roles") or [Element("roles", attributes={"roleset-name": "Default"})]),
            ],
        )

    def _kept_as(self, tag: str) -> list[Element]:
        return [element for element in self._kept if element.tag == tag]

    def _definitions(self, tag: str, fields: Iterable[_Fields]) -> dict[str, str]:
        """Ids of custom columns by their names; for those that have none yet, elements are added to what is kept."""
        columns = {each.attributes.get("name", ""): each.attributes.get("id", "") for each in self._kept_as(tag)}
        named = dict.fromkeys(name for each in fields for name, _ in each if name != NOTES and not FOREIGN.match(name))
        for number, name in enumerate(name for name in named if name not in columns):
            columns[name] = f"tpc{len(self._kept_as(tag)) + number}"
        for name, column in list(columns.items()):
            if not any(each.attributes.get("id") == column for each in self._kept_as(tag)):
                what = {"id": column, "name": name, "type": "custom", "valuetype": "text"}
                self._kept.append(Element(tag, attributes=what))
        return columns

    # Tasks

    def _tasks(self) -> Element:
        columns = [
            Element("taskproperty", attributes={"id": f"tpd{n}", "name": name, "type": "default", "valuetype": kind})
            for n, (name, kind) in enumerate(_COLUMNS)
        ]
        top = Element("tasks", attributes={"empty-milestones": "true"})
        top.children.append(Element("taskproperties", children=[*columns, *self._kept_as("taskproperty")]))
        elements: dict[TaskId | None, Element] = {None: top}
        for task in told(self._plan.tasks):
            element = elements[task.id] = self._task(task)
            elements[task.parent].children.append(element)
        return top

    def _task(self, task: Task) -> Element:
        start = self._time.next_start(self._dates.start_of(task.id))
        days = 0 if task.is_milestone else self._length(task, start)
        say_of_task(task, self._plan.is_summary(task.id), self.losses)
        attributes = {
            "id": self._ids[task.id],
            "name": task.name,
            "meeting": str(task.is_milestone).lower(),
            "start": text_of(start // DAY),
            "duration": str(days),
            "complete": str(round(self._percent(task))),
        }
        priority = min(PRIORITIES, key=lambda number: abs(PRIORITIES[number] - task.priority))
        if priority != "1":
            attributes["priority"] = priority
        kept = _attributes(task.fields)
        rest = {"expand": kept.get("expand", "true"), **self._earliest(task, kept)}
        attributes |= {name: value for name, value in kept.items() if name not in (attributes.keys() | rest.keys())}
        attributes |= rest
        notes = [Element("notes", text=text) for name, text in task.fields if name == NOTES]
        return Element("task", attributes=attributes, children=[*notes, *self._links_of(task), *self._fields_of(task)])

    def _length(self, task: Task, start: Ticks) -> int:
        finish = self._dates.finish_of(task.id)
        days = self._days.count(start, finish) if finish > start else 0
        is_whole = self._time.between(self._time.next_start(start // DAY * DAY), start) == 0
        if not self._plan.is_summary(task.id) and (not is_whole or task.duration != days * DAY_OF_WORK):
            self.losses.add("Times of day and parts of days: whole days were written of", task.name)
        return days

    def _percent(self, task: Task) -> float:
        """What is done; of a summary, as much of the working time in it."""
        leaves = [self._plan.task(leaf) for leaf in self._plan.leaves(task.id)]
        whole = sum(leaf.duration for leaf in leaves)
        if len(leaves) == 1 or not whole:
            return leaves[0].progress.percent if leaves[0].progress else 0.0
        return sum(leaf.progress.percent * leaf.duration for leaf in leaves if leaf.progress) / whole

    def _earliest(self, task: Task, kept: dict[str, str]) -> dict[str, str]:
        """A pin is said only where the day alone would not hold the task, or where the file said it before."""
        if task.pin is not None and (task.id in self._drawn or kept.get("thirdDate-constraint") == "1"):
            day = self._time.next_start(task.pin) // DAY
            return {"thirdDate": text_of(day), "thirdDate-constraint": "1"}
        return {"thirdDate": kept["thirdDate"], "thirdDate-constraint": "0"} if "thirdDate" in kept else {}

    def _drawn_along(self) -> set[TaskId]:
        """Tasks that a link without a gap moves, or one of a summary that they lie in."""
        rubber = {(task.id, text) for task in self._plan.tasks for name, text in task.fields if name == RUBBER}
        strong = (d for d in self._plan.dependencies if (d.predecessor, self._as_text(d)) not in rubber)
        drawn = {link.successor for link in strong}
        for task in self._plan.tasks:
            if task.parent in drawn:
                drawn.add(task.id)
        return drawn

    def _as_text(self, link: Dependency) -> str:
        return f"{self._ids[link.successor]} {link.kind.value}"

    def _links_of(self, task: Task) -> Iterator[Element]:
        rubber = {text for name, text in task.fields if name == RUBBER}
        for link in self._links[task.id]:
            hardness = "Rubber" if self._as_text(link) in rubber else "Strong"
            what = {"id": self._ids[link.successor], "type": _NUMBERS[link.kind], "difference": str(self._lag(link))}
            yield Element("depend", attributes=what | {"hardness": hardness})

    def _lag(self, link: Dependency) -> int:
        task = self._plan.task(link.predecessor)
        exact = {
            LagKind.WORKING: link.lag.amount / DAY_OF_WORK,
            LagKind.ELAPSED: link.lag.amount / DAY,
            LagKind.PERCENT: link.lag.amount / 100 * task.duration / DAY_OF_WORK,
            LagKind.ELAPSED_PERCENT: link.lag.amount / 100 * task.duration / DAY,
        }[link.lag.kind]
        if link.lag.kind is not LagKind.WORKING or exact != round(exact):
            self.losses.add("Lags in hours, elapsed time or percent: whole working days were written after", task.name)
        return round(exact)

    def _fields_of(self, task: Task) -> Iterator[Element]:
        for name, text in task.fields:
            if name in self._columns:
                yield Element("customproperty", attributes={"taskproperty-id": self._columns[name], "value": text})
            elif name.startswith(ELEMENT) and not name.startswith((ATTRIBUTE, RUBBER)):
                yield from _raw(text)

    # Resources and baselines

    def _resources(self) -> Element:
        tag = "custom-property-definition"
        columns = self._definitions(tag, (resource.fields for resource in self._plan.resources))
        return Element(
            "resources",
            children=[*self._kept_as(tag), *(self._resource(each, columns) for each in self._plan.resources)],
        )

    def _resource(self, resource: Resource, columns: dict[str, str]) -> Element:
        kept = {"function": "Default:0", "contacts": "", "phone": ""} | _attributes(resource.fields)
        children = []
        for name, text in resource.fields:
            if name in columns:
                what = {"definition-id": columns[name], "value": text}
                children.append(Element("custom-property", attributes=what))
            elif name.startswith(ELEMENT) and not name.startswith(ATTRIBUTE):
                children += _raw(text)
        attributes = kept | {"id": self._people[resource.id], "name": resource.name}
        return Element("resource", attributes=attributes, children=children)

    def _allocations(self) -> Iterator[Element]:
        for each in self._plan.assignments:
            who = {"task-id": self._ids[each.task], "resource-id": self._people[each.resource]}
            usual = {"function": "Default:0", "responsible": "false"}
            yield Element(
                "allocation", attributes=usual | _attributes(each.fields) | who | {"load": repr(each.units * 100)}
            )

    def _vacations(self) -> Iterator[Element]:
        for resource in self._plan.resources:
            if resource.calendar is None or resource.calendar == (self._plan.calendar and self._plan.calendar.id):
                continue
            calendar = self._plan.calendar_of[resource.calendar]
            days = [e for e in calendar.exceptions if e.recurrence is None and not e.shifts]
            if calendar.periods or any(calendar.week) or len(days) < len(calendar.exceptions):
                self.losses.add("Hours of resources, of whom only days off were written:", resource.name)
            for each in days[:MOST_DATES]:
                dates = {"start": text_of(each.first_day), "end": text_of(each.last_day + 1)}
                yield Element("vacation", attributes=dates | {"resourceid": self._people[resource.id]})

    def _baselines(self) -> Iterator[Element]:
        for line in self._plan.baselines:
            tasks = [
                Element(
                    "previous-task",
                    attributes={
                        "id": self._ids[each.task],
                        "start": text_of(self._time.next_start(each.start) // DAY),
                        "duration": str(self._days.count(each.start, each.finish) if each.finish > each.start else 0),
                        "meeting": str(self._plan.task(each.task).is_milestone).lower(),
                        "super": str(self._plan.is_summary(each.task)).lower(),
                    },
                )
                for each in line.tasks
                if each.task in self._ids
            ]
            yield Element("previous-tasks", attributes={"name": line.name}, children=tasks)


def _numbered(sources: dict[int, str]) -> dict[int, str]:
    """The id that each had in the file it came from, where that is a number of its own; else a new one."""
    kept: dict[str, int] = {}
    for number, source in sources.items():
        if source.isdecimal() and source.isascii() and len(source) < 10:
            kept.setdefault(source, number)
    found = {number: source for source, number in kept.items()}
    free = max((int(source) for source in kept), default=-1) + 1
    for number in sources:
        if number not in found:
            found[number] = str(free)
            free += 1
    return found


def _attributes(fields: _Fields) -> dict[str, str]:
    named = ((name.removeprefix(ATTRIBUTE), text) for name, text in fields if name.startswith(ATTRIBUTE))
    return {name: text for name, text in named if _ATTRIBUTE.fullmatch(name)}


def _raw(text: str) -> list[Element]:
    """An element as a file had it; nothing where somebody broke it since."""
    try:
        return [parse_xml(text)]
    except FormatError:
        return []


def _lines(element: Element, indent: str) -> Iterator[str]:
    attributes = "".join(f' {name}="{escape_attribute(value)}"' for name, value in element.attributes.items())
    head = f"{indent}<{element.tag}{attributes}"
    if element.children:
        yield head + ">"
        for child in element.children:
            yield from _lines(child, indent + "    ")
        yield f"{indent}</{element.tag}>"
    else:
        yield f"{head}>{escape(element.text)}</{element.tag}>" if element.text else head + "/>"
