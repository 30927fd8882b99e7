"""Resources and assignments as MSPDI wants them, with the dates of a schedule. It never schedules."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from engine.formats.mspdi.custom import CustomFields
from engine.formats.mspdi.holding import Holding
from engine.formats.mspdi.kept import ASSIGNMENTS, MORE, elements, field, tags, texts, timed, timed_xml
from engine.formats.mspdi.losses import Losses
from engine.formats.mspdi.order import ASSIGNMENT, RESOURCE
from engine.formats.mspdi.resources import CONTOURS, KINDS
from engine.formats.mspdi.splits import ACTUAL, REMAINING, time_of
from engine.formats.mspdi.task_writing import leaf, undated
from engine.formats.mspdi.values import Record, from_instant, from_number, from_ticks
from engine.formats.xml_text import Element
from engine.model import DAY, NOTES, Assignment, Plan, Resource, ResourceKind, Task, TaskId
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

NOBODY = -65535
_DATED = tags("Start Finish Stop Resume StartVariance FinishVariance ActualStart ActualFinish")
# What Microsoft Project derives from an assignment's work.
_WORKED = tags(
    "PercentWorkComplete ActualCost ActualOvertimeCost ActualOvertimeWork ActualWork ACWP Cost CostVariance CV "
    "WorkVariance OvertimeCost OvertimeWork RegularWork RemainingCost RemainingOvertimeCost RemainingOvertimeWork "
    "RemainingWork SV VAC BCWS BCWP"
)
Row = tuple[str, ...]


def resources_xml(plan: Plan, blank: str, custom: CustomFields, losses: Losses) -> str:
    """All resources; `blank` are rows of a file that are none."""
    rows = [f"<Resource>{RESOURCE.arrange((), element.children)}</Resource>" for element in elements(blank)]
    for number, resource in enumerate(plan.resources, start=1):
        kept = elements(field(resource.fields, MORE))
        attributes = [element for element in kept if element.tag == "ExtendedAttribute"]
        text, lost = custom.write(resource.fields, attributes)
        for name in lost:
            losses.say("Custom fields of resources for which there is no place are left out", name)
        made = (*_resource(resource, number, Record(Element("Resource", children=kept))), ("ExtendedAttribute", text))
        rows.append(f"<Resource>{RESOURCE.arrange(made, kept)}</Resource>")
    return f"<Resources>{''.join(rows)}</Resources>"


def _resource(resource: Resource, number: int, kept: Record) -> Iterator[tuple[str, str]]:
    yield leaf("UID", resource.id)
    yield leaf("ID", number)
    yield leaf("Name", resource.name)
    kind = resource.kind if resource.kind in KINDS else ResourceKind.WORK
    if not kept.has("Type") or KINDS[kept.integer("Type") % len(KINDS)] is not kind:
        yield leaf("Type", KINDS.index(kind))
    yield leaf("IsNull", False)
    if not (kept.has("MaxUnits") and resource.capacity == 1.0):
        yield leaf("MaxUnits", from_number(resource.capacity))
    if resource.calendar is not None or not kept.has("CalendarUID"):
        yield leaf("CalendarUID", -1 if resource.calendar is None else resource.calendar)
    if field(resource.fields, NOTES):
        yield leaf("Notes", field(resource.fields, NOTES))
    if resource.steps:
        yield "AvailabilityPeriods", _steps(resource)


def _steps(resource: Resource) -> str:
    periods = "".join(
        f"<AvailabilityPeriod><AvailableFrom>{from_instant(step.first)}</AvailableFrom>"
        f"<AvailableTo>{from_instant(step.last - (0 if step.last % DAY else 60))}</AvailableTo>"
        f"<AvailableUnits>{from_number(step.units)}</AvailableUnits></AvailabilityPeriod>"
        for step in resource.steps
    )
    return f"<AvailabilityPeriods>{periods}</AvailabilityPeriods>"


class AssignmentWriter:
    """Writes who does what in one plan."""

    def __init__(self, plan: Plan, schedule: Schedule, losses: Losses) -> None:
        self._plan = plan
        self._schedule = schedule
        self._holding = Holding(plan, schedule)
        self._losses = losses
        self._kinds = {resource.id: resource.kind for resource in plan.resources}
        self._of: dict[TaskId, list[Assignment]] = defaultdict(list)
        for assignment in plan.assignments:
            self._of[assignment.task].append(assignment)
        kept = [field(assignment.fields, MORE) for assignment in plan.assignments]
        kept += [field(task.fields, ASSIGNMENTS) for task in plan.tasks]
        # An assignment holds its own UID, or is an element that does.
        uids = [_uid(element) for text in kept for element in elements(text)]
        self._uids = itertools.count(max((uid for uid in uids if uid is not None), default=0) + 1)
        self._taken: set[int] = set()

    def xml(self, others: str) -> str:
        """All assignments; `others` are those that a file had of the project itself."""
        parts = [self._assignment(self._plan.task(each.task), each) for each in self._plan.assignments]
        for task in self._plan.tasks:
            parts += self._others(task)
        for element in elements(others):
            parts.append(_element(element.children, [leaf("UID", self._uid_of(element.children))]))
        return f"<Assignments>{''.join(parts)}</Assignments>"

    def _assignment(self, task: Task, assignment: Assignment) -> str:
        kept = elements(field(assignment.fields, MORE))
        units = assignment.units
        made = [
            leaf("TaskUID", task.id),
            leaf("ResourceUID", assignment.resource),
            leaf("Units", from_number(units)),
            leaf("WorkContour", CONTOURS.index(assignment.contour)),
        ]
        record = Record(Element("Assignment", children=kept))
        if self._kinds[assignment.resource] is not ResourceKind.MATERIAL:
            work = round(assignment.work_in(task.duration))
            made.append(leaf("Work", from_ticks(work)))
            if record.has("Work") and record.ticks("Work") != work:
                kept = [child for child in kept if child.tag not in _WORKED]
        rows = timed(assignment.fields)
        if rows and not self._holding.holds(task):
            self._losses.say("The spread of work over days of tasks that lie elsewhere is left out", task.name)
        return self._dated(task, made, kept, rows, units if assignment.resource >= 0 else 1.0)

    def _others(self, task: Task) -> Iterator[str]:
        """The assignments that only the file knew, and one to nobody where a split has no other place."""
        found = elements(field(task.fields, ASSIGNMENTS))
        for element in found:
            rows = [_row(child) for child in element.children if child.tag == "TimephasedData"]
            kept = [child for child in element.children if child.tag != "TimephasedData"]
            work = Record(element).ticks("Work")
            if work and work != task.duration:  # nobody's work is none, or the whole of the task
                kept = [child for child in kept if child.tag not in _WORKED and child.tag != "Work"]
            yield self._dated(task, [leaf("TaskUID", task.id)], kept, rows, 1.0)
        if task.splits and not found and not self._of.get(task.id):
            made = [leaf("TaskUID", task.id), leaf("ResourceUID", NOBODY), leaf("Units", 1)]
            yield self._dated(task, made, [], [], 1.0)

    def _dated(
        self, task: Task, made: list[tuple[str, str]], kept: list[Element], rows: Sequence[Row], units: float
    ) -> str:
        """An assignment with its dates: those of the file where they hold, else those of the schedule."""
        holds = self._holding.holds(task)
        if not holds:
            kept = [child for child in kept if child.tag not in _DATED]
            rows = undated(rows)
        first, last = self._schedule.start_of(task.id), self._schedule.finish_of(task.id)
        known = {child.tag for child in kept}
        if not (holds and kept):
            made += [
                leaf(tag, from_instant(at)) for tag, at in (("Start", first), ("Finish", last)) if tag not in known
            ]
        uid = self._uid_of(kept)
        if task.splits and not any(row[0] in (REMAINING, ACTUAL) for row in rows):
            rows = [*rows, *self._spread(task, uid, units)]
        made.append(("TimephasedData", timed_xml(rows) + texts(c for c in kept if c.tag == "TimephasedData")))
        return _element(kept, [leaf("UID", uid), *made])

    def _uid_of(self, kept: Iterable[Element]) -> int:
        """The UID that an assignment had, or one that no other has."""
        uid = next((_uid(child) for child in kept if child.tag == "UID"), None)
        while uid is None or uid in self._taken:
            uid = next(self._uids)
        self._taken.add(uid)
        return uid

    def _spread(self, task: Task, uid: int, units: float) -> Iterator[Row]:
        """The work of a split task, day by day, with nothing in its pauses."""
        resources = [assignment.resource for assignment in self._of.get(task.id, ())]
        time = WorkingTime.of(None) if task.is_elapsed else time_of(self._plan, task, resources)
        worked = _worked(task)
        for start, finish, is_work in _segments(task, time, self._schedule.start_of(task.id)):
            for day in range(start, finish, DAY):
                end = min(day + DAY, finish)
                amount = time.between(day, end)
                if is_work and 0 < worked < amount:  # done until some time of this day
                    stop = time.add(day, worked)
                    yield _figure(ACTUAL, uid, (day, stop), worked * units)
                    day, amount, worked = stop, amount - worked, 0
                kind = ACTUAL if worked > 0 else REMAINING
                yield _figure(kind, uid, (day, end), amount * units if is_work else 0)
                worked -= amount if is_work else 0


def _element(kept: Iterable[Element], made: Iterable[tuple[str, str]] = ()) -> str:
    return f"<Assignment>{ASSIGNMENT.arrange(made, kept)}</Assignment>"


def _worked(task: Task) -> int:
    """How much of a task is done, in working ticks."""
    done = task.progress
    if done is None:
        return 0
    return task.duration - (
        round(task.duration * (100 - done.percent) / 100) if done.remaining is None else done.remaining
    )


def _segments(task: Task, time: WorkingTime, at: int) -> Iterator[tuple[int, int, bool]]:
    """Start and finish of work and of pauses, in order."""
    done = 0
    for split in task.splits:
        stop = time.add(at, split.work - done)
        resume = time.next_start(time.add(stop, split.gap))
        if split.work > done:
            yield at, stop, True
        yield stop, resume, False
        at, done = resume, max(done, split.work)
    if task.duration > done:
        yield at, time.add(at, task.duration - done), True


def _figure(kind: str, uid: int, span: tuple[int, int], work: float) -> Row:
    return (kind, str(uid), *map(from_instant, span), "2", from_ticks(round(work)))


def _row(element: Element) -> Row:
    return tuple(element.get(tag) for tag in ("Type", "UID", "Start", "Finish", "Unit", "Value"))


def _uid(element: Element) -> int | None:
    """The UID that an element is or holds."""
    text = element.text if element.tag == "UID" else element.get("UID")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
