"""Tasks as MSPDI wants them, with the dates of a schedule. It never schedules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from engine.formats.mspdi.custom import CustomFields
from engine.formats.mspdi.holding import Holding
from engine.formats.mspdi.kept import BLANK, MORE, elements, field, tags, texts, timed, timed_xml
from engine.formats.mspdi.losses import Losses
from engine.formats.mspdi.order import TASK
from engine.formats.mspdi.tasks import CONSTRAINTS, EFFORTS, is_elapsed_unit, link_xml, read_link, read_promise
from engine.formats.mspdi.values import Record, from_instant, from_ticks
from engine.formats.progress import told
from engine.formats.xml_text import Element, escape, to_text
from engine.model import NOTES, BaselineTask, Dependency, Plan, Progress, Task, TaskId
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

# True only as long as nothing has moved.
_DATED = tags("Stop Resume StartVariance FinishVariance PreLeveledStart PreLeveledFinish ManualStart ManualFinish")
_DATED_FIGURES = frozenset(("1", "2", "3", "6", "11"))  # remaining and actual work, actual cost, progress
_REPEATED = tags("PredecessorLink ExtendedAttribute Baseline")
_DAYS, _ELAPSED_DAYS = 7, 8
Pieces = Iterator[tuple[str, str]]


def leaf(tag: str, value: object) -> tuple[str, str]:
    """An element with a text, by its name."""
    text = str(int(value)) if isinstance(value, bool) else escape(str(value))
    return tag, f"<{tag}>{text}</{tag}>"


def undated(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Timephased figures without those that are of dates which no longer hold."""
    return [row for row in rows if row[0] not in _DATED_FIGURES]


class TaskWriter:
    """Writes the rows of one plan."""

    def __init__(self, plan: Plan, schedule: Schedule, custom: CustomFields, losses: Losses) -> None:
        self._plan = plan
        self._schedule = schedule
        self._holding = Holding(plan, schedule)
        self._custom = custom
        self._losses = losses
        self._own = WorkingTime.of(plan.calendar, plan.calendar_of)
        self._links: dict[TaskId, list[Dependency]] = defaultdict(list)
        for link in plan.dependencies:
            self._links[link.successor].append(link)
        self._promises: dict[TaskId, list[tuple[int, BaselineTask]]] = defaultdict(list)
        for baseline in plan.baselines:
            for promise in baseline.tasks:
                self._promises[promise.task].append((baseline.number, promise))

    def xml(self, summary: str) -> str:
        """All rows; `summary` is what a file said of the row of the project itself."""
        rows = [self._summary(element) for element in elements(summary)]
        numbers: list[int] = []
        depths: dict[TaskId | None, int] = {None: 0}
        count = 0
        for task in told(self._plan.tasks):
            for blank in elements(field(task.fields, BLANK)):
                count += 1
                rows.append(_blank(blank, count))
            count += 1
            depth = depths[task.id] = depths[task.parent] + 1
            numbers = [*numbers[: depth - 1], (numbers[depth - 1] if len(numbers) >= depth else 0) + 1]
            rows.append(self._task(task, count, ".".join(map(str, numbers))))
        for blank in elements(field(self._plan.fields, BLANK)):
            count += 1
            rows.append(_blank(blank, count))
        return f"<Tasks>{''.join(rows)}</Tasks>"

    def _summary(self, element: Element) -> str:
        """The row of the project itself, as the file had it unless the project's dates are others."""
        record = Record(element)
        first, last = self._schedule.project_start, self._schedule.project_finish
        if (record.instant("Start"), record.instant("Finish")) == (first, last):
            return to_text(element)
        made = (
            leaf("Start", from_instant(first)),
            leaf("Finish", from_instant(last)),
            leaf("Duration", from_ticks(self._own.between(first, last))),
        )
        kept = [child for child in element.children if child.tag not in _DATED]
        return f"<Task>{TASK.arrange(made, kept)}</Task>"

    def _task(self, task: Task, number: int, outline: str) -> str:
        kept = elements(field(task.fields, MORE))
        figures = timed(task.fields)
        if not self._holding.holds(task):
            kept = [child for child in kept if child.tag not in _DATED]
            figures = undated(figures)
        record = Record(Element("Task", children=kept))
        made = [
            *self._identity(task, number, outline, record),
            *self._dates(task, record),
            *self._progress(task),
            *self._wishes(task, record),
            *self._repeated(task, kept),
            ("TimephasedData", timed_xml(figures) + texts(each for each in kept if each.tag == "TimephasedData")),
        ]
        return f"<Task>{TASK.arrange(made, [child for child in kept if child.tag not in _REPEATED])}</Task>"

    def _identity(self, task: Task, number: int, outline: str, kept: Record) -> Pieces:
        yield leaf("UID", task.id)
        yield leaf("ID", number)
        yield leaf("Name", task.name)
        yield leaf("Active", task.is_active)
        yield leaf("Manual", task.is_manual and not kept.flag("ExternalTask"))
        yield leaf("Type", EFFORTS.index(task.effort))
        yield leaf("IsNull", False)
        if not kept.has("WBS"):
            yield leaf("WBS", outline)
        yield leaf("OutlineNumber", outline)
        yield leaf("OutlineLevel", outline.count(".") + 1)
        yield leaf("Priority", task.priority)
        yield leaf("Milestone", task.is_milestone)
        yield leaf("Summary", self._plan.is_summary(task.id))

    def _duration(self, task: Task) -> int:
        if task.is_manual or not self._plan.is_summary(task.id):
            return task.duration
        return self._own.between(self._schedule.start_of(task.id), self._schedule.finish_of(task.id))

    def _dates(self, task: Task, kept: Record) -> Pieces:
        schedule, row = self._schedule, self._schedule.rows[task.id]
        duration = from_ticks(self._duration(task))
        start, finish = from_instant(int(schedule.start[row])), from_instant(int(schedule.finish[row]))
        yield leaf("Start", start)
        yield leaf("Finish", finish)
        yield leaf("Duration", duration)
        if is_elapsed_unit(kept.integer("DurationFormat", _DAYS)) != task.is_elapsed or not kept.has("DurationFormat"):
            yield leaf("DurationFormat", _ELAPSED_DAYS if task.is_elapsed else _DAYS)
        if task.is_manual and not kept.flag("ExternalTask"):
            yield leaf("ManualStart", start if task.manual_start is None else from_instant(task.manual_start))
            yield leaf("ManualFinish", finish if task.manual_finish is None else from_instant(task.manual_finish))
            yield leaf("ManualDuration", duration)
        yield leaf("Critical", bool(schedule.is_critical[row]))
        for tag, instants in (
            ("EarlyStart", schedule.early_start),
            ("EarlyFinish", schedule.early_finish),
            ("LateStart", schedule.late_start),
            ("LateFinish", schedule.late_finish),
        ):
            yield leaf(tag, from_instant(int(instants[row])))
        for tag, floats in (
            ("FreeSlack", schedule.free_float),
            ("TotalSlack", schedule.total_float),
            ("StartSlack", schedule.start_float),
            ("FinishSlack", schedule.finish_float),
        ):
            yield leaf(tag, round(int(floats[row]) / 6))  # in tenths of a minute

    def _progress(self, task: Task) -> Pieces:
        done = task.progress or Progress()
        duration = self._duration(task)
        left = round(duration * (100 - done.percent) / 100) if done.remaining is None else done.remaining
        yield leaf("PercentComplete", round(done.percent))
        if done.actual_start is not None:
            yield leaf("ActualStart", from_instant(done.actual_start))
        if done.actual_finish is not None:
            yield leaf("ActualFinish", from_instant(done.actual_finish))
        yield leaf("ActualDuration", from_ticks(max(0, duration - left)))
        yield leaf("RemainingDuration", from_ticks(left))

    def _wishes(self, task: Task, kept: Record) -> Pieces:
        yield leaf("ConstraintType", CONSTRAINTS.index(task.constraint))
        if task.calendar is not None or not kept.has("CalendarUID"):
            yield leaf("CalendarUID", -1 if task.calendar is None else task.calendar)
        if task.constraint.has_date:
            yield leaf("ConstraintDate", from_instant(task.constraint_at))
        if task.deadline is not None:
            yield leaf("Deadline", from_instant(task.deadline))
        yield leaf("LevelingDelay", round(task.delay / 6))
        yield leaf("IgnoreResourceCalendar", task.ignores_resource_calendars)
        if field(task.fields, NOTES):
            yield leaf("Notes", field(task.fields, NOTES))

    def _repeated(self, task: Task, kept: list[Element]) -> Pieces:
        """Links, custom fields and baselines: as a file said them where that still holds."""
        yield "PredecessorLink", self._links_xml(task, [each for each in kept if each.tag == "PredecessorLink"])
        attributes = [each for each in kept if each.tag == "ExtendedAttribute"]
        text, lost = self._custom.write(task.fields, attributes)
        for name in lost:
            self._losses.say("Custom fields of tasks for which there is no place are left out", name)
        yield "ExtendedAttribute", text
        yield "Baseline", self._baselines_xml(task, [each for each in kept if each.tag == "Baseline"])

    def _links_xml(self, task: Task, kept: list[Element]) -> str:
        """The links of a task, and those to tasks of other files."""
        others = [element for element in kept if Record(element).flag("CrossProject")]
        said = {read_link(Record(each), task.id): to_text(each) for each in kept if each not in others}
        own = [said.get(link) or link_xml(link) for link in self._links.get(task.id, ())]
        return "".join((*own, *map(to_text, others)))

    def _baselines_xml(self, task: Task, kept: list[Element]) -> str:
        settings = self._plan.settings
        said = {(Record(each).integer("Number"), read_promise(each, task.id, settings)): to_text(each) for each in kept}
        wanted = self._promises.get(task.id, [])
        others = [(number, text) for (number, promise), text in said.items() if promise is None]
        own = [(number, said.get((number, promise)) or _baseline(number, promise)) for number, promise in wanted]
        return "".join(text for _, text in sorted((*own, *others)))


def _baseline(number: int, promise: BaselineTask) -> str:
    pieces = (
        leaf("Number", number),
        leaf("Start", from_instant(promise.start)),
        leaf("Finish", from_instant(promise.finish)),
        leaf("Duration", from_ticks(promise.duration)),
        leaf("DurationFormat", _DAYS),
    )
    return f"<Baseline>{''.join(text for _, text in pieces)}</Baseline>"


def _blank(element: Element, number: int) -> str:
    return f"<Task>{TASK.arrange((leaf('ID', number),), element.children)}</Task>"
