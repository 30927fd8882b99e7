"""P6's WBS and activities as rows of a plan: summaries, tasks, milestones, with codes and user fields as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.errors import FormatError
from engine.formats.progress import told
from engine.formats.xer.calendars import Calendars
from engine.formats.xer.constraints import constrained
from engine.formats.xer.notebooks import notes_of
from engine.formats.xer.tables import Row, Tables
from engine.model import NOTES, EffortKind, Progress, Recorded, Task, TaskId, Ticks

Fields = tuple[tuple[str, str], ...]

# Their dates follow from others': P6 never lets them drive, so they keep what is recorded and have no links.
SPANNING = ("TT_LOE", "TT_WBS")
_MILESTONES = ("TT_Mile", "TT_FinMile")
_PRIORITIES = {"PT_Top": 900, "PT_High": 700, "PT_Normal": 500, "PT_Low": 300, "PT_Lowest": 100}
_WORDS = {
    "TT_Task": "task dependent",
    "TT_Rsrc": "resource dependent",
    "TT_Mile": "start milestone",
    "TT_FinMile": "finish milestone",
    "TT_LOE": "level of effort",
    "TT_WBS": "WBS summary",
    "CP_Drtn": "duration",
    "CP_Phys": "physical",
    "CP_Units": "units",
    "DT_FixedDrtn": "fixed duration and units/time",
    "DT_FixedDUR2": "fixed duration and units",
    "DT_FixedQty": "fixed units",
    "DT_FixedRate": "fixed units/time",
}


@dataclass(slots=True)
class Rows:
    """The tasks made so far, and which id each activity was given."""

    tasks: list[Task] = field(default_factory=list)
    ids: dict[str, TaskId] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def next_id(self) -> TaskId:
        """The id that the next row is given."""
        return len(self.tasks) + 1


def read_tasks(tables: Tables, projects: Mapping[str, Row], calendars: Calendars, own: int | None) -> Rows:
    """Rows in P6's order: each WBS element, its activities, then the elements below. `own`: the plan's calendar."""
    made = Rows()
    activities: dict[str, list[Row]] = defaultdict(list)
    for row in tables.of("TASK"):
        if row.text("proj_id") in projects:
            activities[row.text("wbs_id")].append(row)
    names = _Texts(tables)
    sources = _Sources(tables, projects)
    for row, parent in told(list(_walk(_elements(tables, projects))), 0.6):
        wbs = row.text("wbs_id")
        name = row.text("wbs_name") or row.text("wbs_short_name")
        summary = Task(made.next_id, name, parent=_id_of(made, parent), source=sources.of_wbs(row, parent))
        made.tasks.append(summary)
        made.ids[f"wbs {wbs}"] = summary.id
        for activity in activities.pop(wbs, ()):
            _add(made, activity, summary.id, (calendars, own, names, sources))
    for rest in activities.values():
        for activity in rest:
            _add(made, activity, None, (calendars, own, names, sources))
    return made


def _id_of(made: Rows, parent: Row | None) -> TaskId | None:
    return made.ids[f"wbs {parent.text('wbs_id')}"] if parent is not None else None


def _elements(tables: Tables, projects: Mapping[str, Row]) -> list[Row]:
    return [row for row in tables.of("PROJWBS") if row.text("proj_id") in projects]


def _walk(elements: list[Row]) -> Iterator[tuple[Row, Row | None]]:
    """Each element after the one it lies in, brothers by their number in sequence."""
    known = {row.text("wbs_id"): row for row in elements}
    below: dict[str, list[Row]] = defaultdict(list)
    for row in elements:
        parent = row.text("parent_wbs_id")
        below[parent if parent in known else ""].append(row)
    stack: list[tuple[Row, Row | None]] = [(row, None) for row in _in_sequence(below[""])]
    count = 0
    while stack:
        row, parent_row = stack.pop()
        count += 1
        yield row, parent_row
        stack += [(child, row) for child in _in_sequence(below[row.text("wbs_id")])]
    if count != len(elements):
        raise FormatError("Elements of the WBS lie in each other.", line=elements[0].line)


def _in_sequence(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.number("seq_num"))[::-1]


class _Sources:
    """The id under which a person knows a row: the activity's code, or the path of a WBS element."""

    def __init__(self, tables: Tables, projects: Mapping[str, Row]) -> None:
        self._paths: dict[str, str] = {}
        self._projects = projects
        codes = [row.text("task_code") for row in tables.of("TASK") if row.text("proj_id") in projects]
        self._is_ambiguous = len(set(codes)) < len(codes)

    def of_wbs(self, row: Row, parent: Row | None) -> str:
        above = f"{self._paths[parent.text('wbs_id')]}." if parent else ""
        path = self._paths[row.text("wbs_id")] = above + row.text("wbs_short_name")
        return path

    def of_activity(self, row: Row) -> str:
        code = row.text("task_code")
        if not self._is_ambiguous:
            return code
        return f"{self._projects[row.text('proj_id')].text('proj_short_name')}.{code}"


class _Texts:
    """Activity codes, user defined fields and notebooks of each activity, as (name, text)."""

    def __init__(self, tables: Tables) -> None:
        types = {row.text("actv_code_type_id"): row.text("actv_code_type") for row in tables.of("ACTVTYPE")}
        codes = {row.text("actv_code_id"): row for row in tables.of("ACTVCODE")}
        labels = {
            row.text("udf_type_id"): row.text("udf_type_label")
            for row in tables.of("UDFTYPE")
            if row.text("table_name") == "TASK"
        }
        self._found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in tables.of("TASKACTV"):
            code = codes.get(row.text("actv_code_id"))
            if code is not None:
                kind = types.get(row.text("actv_code_type_id"), "Activity code")
                self._found[row.text("task_id")].append((kind, code.text("actv_code_name") or code.text("short_name")))
        for row in tables.of("UDFVALUE"):
            label = labels.get(row.text("udf_type_id"))
            value = next((text for name in _VALUES if (text := row.text(name))), "")
            if label and value:
                self._found[row.text("fk_id")].append((label, value))
        for task, text in notes_of(tables).items():
            self._found[task].append((NOTES, text))

    def of(self, activity: Row) -> Fields:
        return tuple(self._found.get(activity.text("task_id"), ()))


_VALUES = ("udf_text", "udf_number", "udf_date", "udf_code_id")
_Helpers = tuple[Calendars, int | None, _Texts, _Sources]


def _add(made: Rows, row: Row, parent: TaskId | None, helpers: _Helpers) -> None:
    key = row.text("task_id")
    if key in made.ids:
        raise FormatError(f"Activity {row.text('task_code')} has the id {key}, which is in use.", line=row.line)
    made.ids[key], made.rows[key] = made.next_id, row
    made.tasks.append(_task(made, row, parent, helpers))


def _task(made: Rows, row: Row, parent: TaskId | None, helpers: _Helpers) -> Task:
    calendars, own, texts, sources = helpers
    kind = row.text("task_type")
    calendar = calendars.find(row.text("clndr_id"), row)
    recorded = _recorded(row)
    is_spanning = kind in SPANNING and recorded is not None
    task = Task(
        made.next_id,
        row.text("task_name") or row.text("task_code"),
        0 if kind in _MILESTONES else _duration(row),
        parent,
        is_milestone=kind in _MILESTONES,
        source=sources.of_activity(row),
        is_manual=is_spanning,
        manual_start=recorded.start if recorded and is_spanning else None,
        manual_finish=recorded.finish if recorded and is_spanning else None,
        # A resource dependent activity has its resources' calendars and no other.
        calendar=None if calendar == own or kind == "TT_Rsrc" else calendar,
        ignores_resource_calendars=kind != "TT_Rsrc",
        priority=_PRIORITIES.get(row.text("priority_type"), 500),
        progress=_progress(row),
        recorded=recorded,
        effort=EffortKind.FIXED_DURATION,
        fields=(*_words(row), *texts.of(row)),
    )
    return task if is_spanning else constrained(task, row, made.notes)


def _duration(row: Row) -> Ticks:
    """The original duration; what is still to be done of an activity that has not begun, since P6 schedules that."""
    original, remaining = row.hours("target_drtn_hr_cnt"), row.hours("remain_drtn_hr_cnt")
    is_new = not (row.text("act_start_date") or row.text("act_end_date"))
    duration = remaining if is_new and row.text("remain_drtn_hr_cnt") else original
    if duration < 0:
        raise FormatError(f"Activity {row.text('task_code')} has a negative duration.", line=row.line)
    return duration


def _progress(row: Row) -> Progress | None:
    """How much of the duration is done; physical and units percentages are kept as fields."""
    start, finish = row.ticks("act_start_date"), row.ticks("act_end_date")
    if start is None and finish is None:
        return None
    original, remaining = row.hours("target_drtn_hr_cnt"), max(row.hours("remain_drtn_hr_cnt"), 0)
    if finish is not None:
        return Progress(100.0, start if start is not None else finish, finish, 0)
    percent = 100.0 * (original - remaining) / original if original > 0 else 0.0
    return Progress(min(max(percent, 0.0), 100.0), start, None, remaining)


def _recorded(row: Row) -> Recorded | None:
    """The dates that P6 shows: actual ones, else the early ones it computed last, else the planned ones."""
    start = _first(row, "act_start_date", "early_start_date", "restart_date", "target_start_date")
    finish = _first(row, "act_end_date", "early_end_date", "reend_date", "target_end_date")
    return Recorded(start, finish) if start is not None and finish is not None else None


def _first(row: Row, *columns: str) -> Ticks | None:
    return next((row.ticks(column) for column in columns if row.text(column)), None)


def _words(row: Row) -> Iterator[tuple[str, str]]:
    """What the plan has no place for."""
    for name, column in (("Activity type", "task_type"), ("Duration type", "duration_type")):
        if row.text(column):
            yield name, _WORDS.get(row.text(column), row.text(column))
    kind = row.text("complete_pct_type")
    if kind:
        yield "Percent complete type", _WORDS.get(kind, kind)
    if kind == "CP_Phys":
        yield "Physical % complete", f"{row.number('phys_complete_pct'):g}"
    if kind == "CP_Units":
        done = row.number("act_work_qty") + row.number("act_equip_qty")
        total = done + row.number("remain_work_qty") + row.number("remain_equip_qty")
        yield "Units % complete", f"{100 * done / total if total else 0:g}"
    for name, column in _DATES.items():
        if row.ticks(column) is not None:
            yield name, row.text(column)


_DATES = {"Expected finish": "expect_end_date", "Suspended": "suspend_date", "Resumed": "resume_date"}
