"""Tasks and links of an MSPDI file, read. It never schedules; what the model has no place for is kept as text."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from engine.errors import FormatError
from engine.formats.mspdi.custom import CustomFields
from engine.formats.mspdi.kept import BLANK, MORE, Fields, keep, keep_timed, tags, texts
from engine.formats.mspdi.values import Record
from engine.formats.progress import told
from engine.formats.xml_text import Element, to_text
from engine.model import (
    NOTES,
    BaselineTask,
    ConstraintKind,
    Dependency,
    DependencyKind,
    EffortKind,
    Lag,
    LagKind,
    PlanSettings,
    Progress,
    Recorded,
    Task,
    TaskId,
)

CONSTRAINTS = (
    ConstraintKind.AS_SOON_AS_POSSIBLE,
    ConstraintKind.AS_LATE_AS_POSSIBLE,
    ConstraintKind.MUST_START_ON,
    ConstraintKind.MUST_FINISH_ON,
    ConstraintKind.START_NO_EARLIER_THAN,
    ConstraintKind.START_NO_LATER_THAN,
    ConstraintKind.FINISH_NO_EARLIER_THAN,
    ConstraintKind.FINISH_NO_LATER_THAN,
)
_OF_FINISHES = (
    ConstraintKind.MUST_FINISH_ON,
    ConstraintKind.FINISH_NO_EARLIER_THAN,
    ConstraintKind.FINISH_NO_LATER_THAN,
)
LINKS = (DependencyKind.FF, DependencyKind.FS, DependencyKind.SF, DependencyKind.SS)
EFFORTS = (EffortKind.FIXED_UNITS, EffortKind.FIXED_DURATION, EffortKind.FIXED_WORK)
_ELAPSED = (4, 6, 8, 10, 12)
_PERCENT, _ELAPSED_PERCENT = 19, 20
_ESTIMATED = 32  # added to a unit that is shown with a question mark
_DAYS, _ELAPSED_DAYS = 7, 8
_FORMS = {
    LagKind.WORKING: _DAYS,
    LagKind.ELAPSED: _ELAPSED_DAYS,
    LagKind.PERCENT: _PERCENT,
    LagKind.ELAPSED_PERCENT: _ELAPSED_PERCENT,
}
# What the model carries, or the schedule computes again.
UNDERSTOOD = tags(
    "UID ID Name Active Manual Type IsNull OutlineLevel OutlineNumber Priority Start Finish Duration Milestone Summary "
    "Critical EarlyStart EarlyFinish LateStart LateFinish FreeSlack TotalSlack StartSlack FinishSlack PercentComplete "
    "ActualStart ActualFinish ActualDuration RemainingDuration ConstraintType ConstraintDate CalendarUID Deadline "
    "LevelingDelay IgnoreResourceCalendar Notes PredecessorLink ExtendedAttribute Baseline TimephasedData"
)
_WBS = tags("WBS")
_CALENDAR = tags("CalendarUID")
_MANUAL = tags("ManualStart ManualFinish ManualDuration")


@dataclass(slots=True)
class TaskTable:
    """What the tasks of a file say. `id_of` gives the model's id of a UID, `elements` what stands in
    the file for an id.

    `unseen` are the UIDs of rows that are no tasks: the project's own, which is `summary`, and blank ones. `notes` say
    which links cannot be and are left out.
    """

    calendars: Container[int]
    tasks: list[Task] = field(default_factory=list)
    links: list[Dependency] = field(default_factory=list)
    promises: dict[int, list[BaselineTask]] = field(default_factory=dict)
    id_of: dict[int, TaskId] = field(default_factory=dict)
    elements: dict[TaskId, Element] = field(default_factory=dict)
    unseen: set[int] = field(default_factory=set)
    summary: Element | None = None
    blank: str = ""
    notes: list[str] = field(default_factory=list)


def read_tasks(project: Element, settings: PlanSettings, custom: CustomFields, calendars: Container[int]) -> TaskTable:
    """All rows. `calendars` are the ids of those in the file. Raises FormatError with the line."""
    table = TaskTable(calendars)
    records = _rows(project, table)
    _give_ids(records, table)
    above: list[tuple[int, TaskId]] = []
    blank = ""
    for record, is_blank in told(records, 0.4, 0.9):
        if is_blank:
            blank += to_text(record.element)
            continue
        level = _level(record)
        while above and above[-1][0] >= level:
            above.pop()
        reader = _TaskReader(record, settings, custom, table)
        task = replace(reader.task(), parent=above[-1][1] if above else None)
        table.tasks.append(replace(task, fields=(*keep(BLANK, blank), *task.fields)) if blank else task)
        above.append((level, task.id))
        blank = ""
    table.blank = blank
    _derive_summaries(table)
    _read_links(records, table)
    return table


def _rows(project: Element, table: TaskTable) -> list[tuple[Record, bool]]:
    """Every row with whether it is blank; the row of the project itself is set apart."""
    records = []
    for element in project.below("Tasks", "Task"):
        record = Record(element)
        if not record.has("UID"):
            raise FormatError(f"Task “{record.text('Name')}” has no UID", line=record.line)
        records.append(record)
    if records and _is_project(records[0]):
        table.summary = records.pop(0).element
        table.unseen.add(0)
    rows = [(record, record.flag("IsNull")) for record in records]
    table.unseen.update(record.integer("UID", -1) for record, is_blank in rows if is_blank)
    return rows


def _is_project(record: Record) -> bool:
    return record.integer("UID", -1) == 0 and _level(record) == 0


def _level(record: Record) -> int:
    if record.has("OutlineLevel"):
        return record.integer("OutlineLevel")
    number = record.text("OutlineNumber").strip()
    return number.count(".") + 1 if number not in ("", "0") else 1


def _give_ids(records: Sequence[tuple[Record, bool]], table: TaskTable) -> None:
    seen: dict[int, Record] = {}
    for record, is_blank in records:
        if is_blank:
            continue
        uid = record.integer("UID")
        if uid in seen:
            names = f"“{seen[uid].text('Name')}” and “{record.text('Name')}”"
            raise FormatError(f"Two tasks have the UID {uid}, {names}", line=record.line)
        seen[uid] = record
    free = max((0, *seen)) + 1
    for uid, record in seen.items():
        table.id_of[uid] = uid if uid > 0 else free
        table.elements[table.id_of[uid]] = record.element
        free += uid <= 0


class _TaskReader:
    """Reads one row."""

    def __init__(self, record: Record, settings: PlanSettings, custom: CustomFields, table: TaskTable) -> None:
        self._record = record
        number = record.integer("CalendarUID", -1)
        self._calendar = number if number in table.calendars else None
        self._settings = settings
        self._custom = custom
        self._table = table
        self._id = table.id_of[record.integer("UID")]

    def task(self) -> Task:
        """The row without its parent."""
        record = self._record
        # A task of another project keeps the dates it came with.
        is_manual = record.flag("Manual") or record.flag("ExternalTask")
        form = record.integer("DurationFormat", _DAYS)
        typed = record.ticks("ManualDuration") if is_manual else None
        duration = (record.ticks("Duration") or 0) if typed is None else typed
        constraint, at = self._constraint()
        return Task(
            self._id,
            record.text("Name"),
            duration,
            is_milestone=record.flag("Milestone"),
            constraint=constraint,
            constraint_at=at,
            source=str(record.integer("UID")),
            is_elapsed=is_elapsed_unit(form),
            is_manual=is_manual,
            manual_start=self._manual("ManualStart", "Start", self._settings.default_start) if is_manual else None,
            manual_finish=self._manual("ManualFinish", "Finish", self._settings.default_finish) if is_manual else None,
            is_active=record.flag("Active", True),
            calendar=self._calendar,
            ignores_resource_calendars=record.flag("IgnoreResourceCalendar"),
            deadline=record.instant("Deadline", self._settings.default_finish),
            priority=record.integer("Priority", 500),
            delay=record.integer("LevelingDelay") * 6,
            progress=self._progress(duration),
            recorded=self._recorded(),
            effort=EFFORTS[record.integer("Type") if 0 <= record.integer("Type") < 3 else 0],
            fields=self._fields(is_manual),
        )

    def _constraint(self) -> tuple[ConstraintKind, int]:
        number = self._record.integer("ConstraintType")
        if not 0 <= number < len(CONSTRAINTS):
            raise self._record.wrong("ConstraintType", "kind of constraint (0 to 7)")
        kind = CONSTRAINTS[number]
        settings = self._settings
        within = settings.default_finish if kind in _OF_FINISHES else settings.default_start
        at = self._record.instant("ConstraintDate", within) if kind.has_date else 0
        return (ConstraintKind.AS_SOON_AS_POSSIBLE, 0) if at is None else (kind, at)

    def _manual(self, tag: str, other: str, within: int) -> int | None:
        at = self._record.instant(tag, within)
        return self._record.instant(other, within) if at is None else at

    def _recorded(self) -> Recorded | None:
        start = self._record.instant("Start", self._settings.default_start)
        finish = self._record.instant("Finish", self._settings.default_finish)
        return None if start is None or finish is None else Recorded(start, finish)

    def _progress(self, duration: int) -> Progress | None:
        percent = self._record.number("PercentComplete")
        start, finish = self._record.instant("ActualStart"), self._record.instant("ActualFinish")
        if not percent and start is None and finish is None:
            return None
        remaining = self._record.ticks("RemainingDuration")
        if remaining is not None and remaining * 100 == duration * (100 - percent):
            remaining = None
        return Progress(percent, start, finish, remaining)

    def _fields(self, is_manual: bool) -> Fields:
        record = self._record
        children = record.element.children
        figures, more = keep_timed(record.element.all("TimephasedData"))
        named = self._custom.read(record.element, more)
        self._baselines(more)
        for link in record.element.all("PredecessorLink"):
            if to_text(link) != _plain_link(Record(link)):
                more.append(link)
        understood = UNDERSTOOD | _MANUAL if is_manual else UNDERSTOOD
        if self._calendar is None and record.integer("CalendarUID", -1) >= 0:
            understood -= _CALENDAR  # one that the file does not hold
        if record.text("WBS").strip() in ("", record.text("OutlineNumber").strip()):
            understood |= _WBS
        return (
            *keep(NOTES, record.text("Notes")),
            *named,
            *keep(MORE, texts(children, understood) + texts(more)),
            *figures,
        )

    def _baselines(self, more: list[Element]) -> None:
        for element in self._record.element.all("Baseline"):
            promise = read_promise(element, self._id, self._settings)
            if promise is not None:
                self._table.promises.setdefault(Record(element).integer("Number"), []).append(promise)
            more.append(element)


def read_promise(element: Element, task: TaskId, settings: PlanSettings) -> BaselineTask | None:
    """What a Baseline promised of a task; None where it promised no dates."""
    record = Record(element)
    start = record.instant("Start", settings.default_start)
    finish = record.instant("Finish", settings.default_finish)
    if start is None or finish is None:
        return None
    return BaselineTask(task, start, finish, record.ticks("Duration") or 0)


def _derive_summaries(table: TaskTable) -> None:
    """The duration of a summary is that of what it holds, unless a person typed it."""
    parents = {task.parent for task in table.tasks}
    for row, task in enumerate(table.tasks):
        if task.id in parents and not task.is_manual:
            done = replace(task.progress, remaining=None) if task.progress else None
            table.tasks[row] = replace(task, duration=0, is_elapsed=False, progress=done)


def _read_links(records: Sequence[tuple[Record, bool]], table: TaskTable) -> None:
    """Links between tasks of the file. One that cannot be is left out, and named: it keeps nobody from the others."""
    seen: set[tuple[int, int, DependencyKind]] = set()
    by_id = {task.id: task for task in table.tasks}
    for record, is_blank in records:
        for element in () if is_blank else record.element.all("PredecessorLink"):
            link = Record(element)
            if link.flag("CrossProject"):
                continue
            wrong = _wrong_link(record, link, table, by_id)
            if not wrong:
                ends = table.id_of[record.integer("UID")], table.id_of[link.integer("PredecessorUID")]
                found = read_link(link, *ends)
                if found.key not in seen:
                    seen.add(found.key)
                    table.links.append(found)
                    continue
                wrong = f"is linked with “{by_id[ends[1]].name}” twice as {found.kind.value}"
            note = f"Line {element.line}: Task “{record.text('Name')}” {wrong}. The link is left out."
            table.notes.append(" ".join(note.split()))


def _wrong_link(task: Record, record: Record, table: TaskTable, by_id: Mapping[TaskId, Task]) -> str:
    """Why a link cannot be; empty where it can."""
    uid = record.integer("PredecessorUID", -1)
    if uid not in table.id_of:
        what = f"task {uid}" if record.has("PredecessorUID") else "a task without a UID"
        return f"waits for {what}, which is not in the file"
    successor, predecessor = by_id[table.id_of[task.integer("UID")]], by_id[table.id_of[uid]]
    if predecessor is successor:
        return "waits for itself"
    if any(_holds(one, other, by_id) for one, other in permutations((successor, predecessor))):
        return f"is linked with “{predecessor.name}”, and one lies inside the other"
    return ""


def _holds(one: Task, other: Task, by_id: Mapping[TaskId, Task]) -> bool:
    parent = other.parent
    while parent is not None and parent != one.id:
        parent = by_id[parent].parent
    return parent is not None


def read_link(record: Record, successor: TaskId, predecessor: TaskId | None = None) -> Dependency:
    """A PredecessorLink; the predecessor is the one it names where it isn't given."""
    number = record.integer("Type", 1)
    if not 0 <= number < len(LINKS):
        raise record.wrong("Type", "kind of link (0 to 3)")
    uid = record.integer("PredecessorUID") if predecessor is None else predecessor
    return Dependency(uid, successor, LINKS[number], _lag(record))


def is_elapsed_unit(form: int) -> bool:
    """Whether a DurationFormat counts every hour of the clock."""
    return form % _ESTIMATED in _ELAPSED


def _lag(record: Record) -> Lag:
    """LinkLag is in tenths of a minute, or in percent."""
    form = record.integer("LagFormat", _DAYS) % _ESTIMATED
    if form in (_PERCENT, _ELAPSED_PERCENT):
        return Lag(record.integer("LinkLag"), LagKind.PERCENT if form == _PERCENT else LagKind.ELAPSED_PERCENT)
    return Lag(record.integer("LinkLag") * 6, LagKind.ELAPSED if form in _ELAPSED else LagKind.WORKING)


def link_xml(link: Dependency) -> str:
    """A link as it is written; its unit is shown in days."""
    lag = link.lag
    amount = lag.amount if lag.kind.is_percent else round(lag.amount / 6)
    return _link_xml(link.predecessor, LINKS.index(link.kind), amount, _FORMS[lag.kind])


def _plain_link(record: Record) -> str:
    """What would be written for a link."""
    form = record.integer("LagFormat", _DAYS)
    is_percent = form in (_PERCENT, _ELAPSED_PERCENT)
    plain = form if is_percent else _ELAPSED_DAYS if form in _ELAPSED else _DAYS
    return _link_xml(record.integer("PredecessorUID"), record.integer("Type", 1), record.integer("LinkLag"), plain)


def _link_xml(predecessor: int, kind: int, lag: int, form: int) -> str:
    parts = (
        ("PredecessorUID", predecessor),
        ("Type", kind),
        ("CrossProject", 0),
        ("LinkLag", lag),
        ("LagFormat", form),
    )
    return f"<PredecessorLink>{''.join(f'<{tag}>{value}</{tag}>' for tag, value in parts)}</PredecessorLink>"
