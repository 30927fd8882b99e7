"""Primavera P6's XER export: read, never written (what other programs write, P6 often refuses)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.encoding import open_text, sniff_encoding
from engine.formats.progress import told
from engine.formats.text import placed, read_head
from engine.formats.xer.calendars import Calendars
from engine.formats.xer.constraints import MANDATORY, SOFT
from engine.formats.xer.resources import read_assignments, read_resources
from engine.formats.xer.tables import Row, Tables, read_tables
from engine.formats.xer.tasks import Rows, read_tasks
from engine.model import (
    Calendar,
    Clock,
    Dependency,
    DependencyKind,
    Lag,
    LagCalendar,
    Plan,
    PlanSettings,
    ProgressRule,
    Ticks,
)

TITLE = "Primavera P6 XER"
SUFFIXES: tuple[str, ...] = (".xer",)
_HEAD = 64
_MOST_BYTES = 1 << 26
_KINDS = {f"PR_{kind.value}": kind for kind in DependencyKind}
_LAG_CALENDARS = {
    "rcal_predecessor": LagCalendar.PREDECESSOR,
    "rcal_successor": LagCalendar.SUCCESSOR,
    "rcal_24hour": LagCalendar.ALWAYS,
    "rcal_projdefault": LagCalendar.PROJECT,
}


def sniff(path: str | Path) -> bool:
    """Whether the file begins as an export of P6 does, in any encoding."""
    head = read_head(path, _HEAD)
    return open_text(head, sniff_encoding(head)).read().startswith("ERMHDR\t")


def load(path: str | Path) -> Plan:
    """The plan of a file, all of its projects in one. Raises FormatError: one sentence with the path and the line."""
    data = read_head(path, _MOST_BYTES + 1)
    try:
        if len(data) > _MOST_BYTES:
            raise FormatError(f"The file is larger than {_MOST_BYTES >> 20} MB.")
        lines = open_text(data, sniff_encoding(data)).readlines()
        return _plan(read_tables(told(lines, 0.0, 0.6)), Path(path).stem).check()
    except (FormatError, PlanError) as error:
        raise placed(error, path, "line") from error


def _plan(tables: Tables, stem: str) -> Plan:
    notes: list[str] = []
    projects = _projects(tables, notes)
    first = next(iter(projects.values()))
    calendars = Calendars(tables.of("CALENDAR"))
    own = calendars.find(first.text("clndr_id") or calendars.default, first)
    made = read_tasks(tables, projects, calendars, own)
    resources = read_resources(tables, calendars)
    assignments = read_assignments(tables, made, resources)
    links = _links(tables, made)
    others = calendars.all()
    calendar = next((each for each in others if each.id == own), None) or Calendar.standard(len(others) + 1)
    notes += [*made.notes, *calendars.broken]
    name = stem if len(projects) > 1 else _name(tables, first)
    return Plan(
        name,
        Clock.CALENDAR,
        _start(projects),
        tuple(made.tasks),
        links,
        calendar,
        tuple(resources.values()),
        assignments,
        settings=_settings(tables, first, calendars.row(first.text("clndr_id") or calendars.default)),
        next_task_id=made.next_id,
        calendars=tuple(each for each in others if each.id != own),
        fields=tuple(("note", note) for note in notes) + _end(projects),
    )


def _projects(tables: Tables, notes: list[str]) -> Mapping[str, Row]:
    """The exported projects; those there only because links lead to them, and baselines, are named and left out."""
    rows = {row.text("proj_id"): row for row in tables.of("PROJECT")}
    if not rows:
        raise FormatError("The file holds no project.")
    is_marked = any(row.text("export_flag") == "Y" for row in rows.values())
    kept = {}
    for key, row in rows.items():
        if row.text("orig_proj_id") in rows and row.text("orig_proj_id") != key:
            notes.append(f"“{row.text('proj_short_name')}” is a baseline of another project; it was left out.")
        elif is_marked and row.text("export_flag") == "N":
            notes.append(f"“{row.text('proj_short_name')}” was not exported itself; it was left out.")
        else:
            kept[key] = row
    if len(kept) > 1:
        notes.append(f"The file holds {len(kept)} projects; the options of the first hold for all.")
    return kept or rows


def _name(tables: Tables, project: Row) -> str:
    for row in tables.of("PROJWBS"):
        if row.text("proj_id") == project.text("proj_id") and row.text("proj_node_flag") == "Y":
            return row.text("wbs_name") or project.text("proj_short_name")
    return project.text("proj_short_name")


def _start(projects: Mapping[str, Row]) -> Ticks:
    starts = [row.ticks("plan_start_date") or row.ticks("last_recalc_date") for row in projects.values()]
    known = [start for start in starts if start is not None]
    if not known:
        line = next(iter(projects.values())).line
        raise FormatError("The project has neither a planned start nor a data date.", line=line)
    return min(known)


def _end(projects: Mapping[str, Row]) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("Must finish by", row.text("plan_end_date")) for row in projects.values() if row.ticks("plan_end_date")
    )


def _links(tables: Tables, made: Rows) -> tuple[Dependency, ...]:
    """Links between the tasks there are; those of levels of effort are dropped, since they drive nothing."""
    found: dict[tuple[int, int, DependencyKind], Dependency] = {}
    outside = spanning = 0
    for row in tables.of("TASKPRED"):
        ends = row.text("pred_task_id"), row.text("task_id")
        if any(end not in made.rows for end in ends):
            outside += any(end in made.rows for end in ends)
            continue
        if any(made.tasks[made.ids[end] - 1].is_manual for end in ends):
            spanning += 1
            continue
        kind = _KINDS.get(row.text("pred_type"))
        if kind is None:
            raise FormatError(f"“{row.text('pred_type')}” is no kind of relationship.", line=row.line)
        link = Dependency(made.ids[ends[0]], made.ids[ends[1]], kind, Lag(row.hours("lag_hr_cnt")))
        found.setdefault(link.key, link)
    if outside:
        one = "1 relationship leads to an activity that is not in the file; it was left out."
        many = "{count} relationships lead to activities that are not in the file; they were left out."
        made.notes.append(counted(outside, one, many))
    if spanning:
        one = "1 relationship of a level of effort or WBS summary was left out."
        many = "{count} relationships of levels of effort and WBS summaries were left out."
        made.notes.append(counted(spanning, one, many))
    return tuple(found.values())


def _settings(tables: Tables, project: Row, calendar: Row | None) -> PlanSettings:
    """The options under which P6 scheduled the project."""
    own = [row for row in tables.of("SCHEDOPTIONS") if row.text("proj_id") == project.text("proj_id")]
    options = own[0] if own else Row({}, (), project.line)
    lag = _LAG_CALENDARS.get(options.text("sched_calendar_on_relationship_lag").lower(), LagCalendar.PREDECESSOR)
    is_override = options.text("sched_progress_override") == "Y"
    hours = calendar.number("day_hr_cnt") if calendar else 0.0
    hours = hours if 0 < hours <= 24 else 8.0
    kinds = {row.text(column) for row in tables.of("TASK") for column in ("cstr_type", "cstr_type2")}
    return PlanSettings(
        hours_per_day=hours,
        hours_per_week=(calendar.number("week_hr_cnt") if calendar else 0.0) or 5 * hours,
        days_per_month=(calendar.number("month_hr_cnt") if calendar else 0.0) / hours or 20.0,
        lag_calendar=lag,
        # Mandatory dates win over logic in P6, the others never do.
        honors_dates=not kinds.isdisjoint(MANDATORY) and kinds.isdisjoint(SOFT),
        progress_rule=ProgressRule.PROGRESS_OVERRIDE if is_override else ProgressRule.RETAINED_LOGIC,
        moves_remaining_to_status=True,
        critical_float=project.hours("critical_drtn_hr_cnt"),
        is_longest_path=project.text("critical_path_type") == "CT_DrivPath",
        status=project.ticks("last_recalc_date"),
    )
