"""A Plan as rows of a table, and what such a table has no place for. It never decides how a cell is stored."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import PlanError
from engine.formats.counted import counted
from engine.formats.progress import told
from engine.formats.table.cells import SETTINGS, constraint_name
from engine.formats.table.columns import Field, find_field
from engine.formats.table.durations import Units, to_text
from engine.formats.table.predecessors import Reference, format_references
from engine.formats.table.spreads import Ranged, chance_text, spread_text
from engine.formats.table.staff import format_staff
from engine.formats.table.ways import WrittenWay, format_way
from engine.model import DAY, NOTES, Alternative, Calendar, Clock, Contour, Plan, Progress, Task, TaskId, Ticks
from engine.schedule.cpm import schedule

_MOST_FIELDS = 40
_FIRST, _LAST = -719_162 * DAY, 2_932_897 * DAY  # the years 1 to 9999
# What other columns say: levels, predecessors and ranges.
_SAID = (Field.WBS, Field.SUCCESSORS, Field.OPTIMISTIC, Field.LIKELY, Field.PESSIMISTIC)
_FIELDS = tuple(field for field in Field if field not in _SAID)
# What most plans have nothing of.
_SHOP = frozenset({Field.FAMILY, Field.SKILL, Field.ALTERNATIVES})
_RISKS = frozenset({Field.RANGE, Field.CHANCE})


@dataclass(frozen=True, slots=True)
class Instant:
    """A cell that holds an instant in ticks."""

    ticks: Ticks


Cell = None | str | int | float | Instant


@dataclass(frozen=True, slots=True)
class Table:
    """Headers, rows of as many cells, and a sentence for each thing that they cannot hold."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    losses: tuple[str, ...]


def write_table(plan: Plan) -> Table:
    """The table of a calendar plan. Raises PlanError for a device plan, whose operations no table can hold."""
    if plan.clock is Clock.DEVICE:
        raise PlanError("A device plan has operations and buffers, which no table can hold; save it as .loom.")
    writer = _Writer(plan)
    headers = (*(field.value for field in writer.fields), *writer.names)
    rows = tuple(writer.row(task) for task in told(plan.tasks))
    return Table(headers, rows, tuple(_losses(plan, writer)))


class _Writer:
    """Makes one row a task."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        # Other plans count another day: there, lengths are written in hours and less, which all count alike.
        self._units = Units() if plan.settings.hours_per_day == SETTINGS.hours_per_day else Units(0, 0, 0)
        self.dates, self.problem = _dates(plan)
        self.outside = 0
        self._links: dict[TaskId, list[Reference]] = defaultdict(list)
        for link in plan.dependencies:
            self._links[link.successor].append(Reference(str(link.predecessor), link.kind, link.lag))
        names = {resource.id: resource.name for resource in plan.resources}
        self._staff: dict[TaskId, list[tuple[str, float]]] = defaultdict(list)
        for assignment in plan.assignments:
            self._staff[assignment.task].append((names[assignment.resource], assignment.units))
        self._names = names
        is_shop = bool(plan.alternatives or any(task.family or task.skill for task in plan.tasks))
        is_uncertain = any(task.risk is not None for task in plan.tasks)
        left_out = (frozenset() if is_shop else _SHOP) | (frozenset() if is_uncertain else _RISKS)
        left_out |= frozenset() if any(task.notes for task in plan.tasks) else {Field.NOTES}
        self.fields = tuple(field for field in _FIELDS if field not in left_out)
        texts = dict.fromkeys(name for task in plan.tasks for name, _ in task.fields)
        self.names = tuple(name for name in texts if _is_header(name))[:_MOST_FIELDS]

    def row(self, task: Task) -> tuple[Cell, ...]:
        cells = dict(self._cells(task))
        texts = dict(reversed(task.fields))
        return (*(cells.get(field) for field in self.fields), *(texts.get(name) for name in self.names))

    def _cells(self, task: Task) -> Iterator[tuple[Field, Cell]]:
        start, finish = self.dates.get(task.id, (task.manual_start, task.manual_finish))
        is_leaf = not self._plan.is_summary(task.id)
        yield Field.ID, task.id
        yield Field.UID, task.source
        yield Field.LEVEL, self._plan.depth(task.id) + 1
        yield Field.NAME, task.name
        yield Field.START, self._instant(start)
        yield Field.FINISH, self._instant(finish)
        yield Field.PREDECESSORS, format_references(self._links[task.id], self._units)
        yield Field.RESOURCES, format_staff(self._staff[task.id])
        yield Field.CONSTRAINT, constraint_name(task.constraint)
        yield Field.CONSTRAINT_DATE, self._instant(task.constraint_at if task.constraint.has_date else None)
        yield Field.DEADLINE, self._instant(task.deadline)
        yield Field.MODE, "Manually scheduled" if task.is_manual else "Auto scheduled"
        yield Field.ACTIVE, "Yes" if task.is_active else "No"
        yield Field.PRIORITY, task.priority
        yield Field.FAMILY, task.family
        yield Field.SKILL, task.skill
        yield Field.NOTES, task.notes
        yield Field.ALTERNATIVES, "; ".join(self._way(task, each) for each in self._plan.ways.named(task.id))
        if task.risk is not None:
            ranged = Ranged(self._units, task.duration, task.is_elapsed)
            yield Field.RANGE, spread_text(ranged, task.risk.spread)
            yield Field.CHANCE, chance_text(task.risk.chance)
        if is_leaf:
            yield Field.DURATION, to_text(task.duration, self._units, is_elapsed=task.is_elapsed)
            yield Field.MILESTONE, "Yes" if task.is_milestone else "No"
            yield from self._progress(task.progress)

    def _way(self, task: Task, each: Alternative) -> str:
        lasts = each.duration
        length = "" if lasts is None else to_text(lasts, self._units, is_elapsed=task.is_elapsed)
        return format_way(WrittenWay(self._names[each.resource], each.units, length, each.cost))

    def _instant(self, ticks: Ticks | None) -> Instant | None:
        if ticks is not None and not _FIRST <= ticks < _LAST:
            self.outside += 1
            return None
        return None if ticks is None else Instant(ticks)

    def _progress(self, progress: Progress | None) -> Iterator[tuple[Field, Cell]]:
        if progress is None:
            return
        yield Field.PERCENT, f"{progress.percent:.15g}%"
        yield Field.ACTUAL_START, self._instant(progress.actual_start)
        yield Field.ACTUAL_FINISH, self._instant(progress.actual_finish)
        if progress.remaining is not None:
            yield Field.REMAINING, to_text(progress.remaining, self._units)


def _dates(plan: Plan) -> tuple[dict[TaskId, tuple[Ticks, Ticks]], str]:
    """Start and finish of every task, or why there are none."""
    try:
        dates = schedule(plan)
    except PlanError as error:
        return {}, error.sentence
    return {task.id: (dates.start_of(task.id), dates.finish_of(task.id)) for task in plan.tasks}, ""


def _is_header(name: str) -> bool:
    """Whether a field can be a column: a plain name, not raw text of another format, and none of our own headers."""
    is_raw = re.match(r"\w+:\w", name) is not None and not name[0].isdecimal()
    return 0 < len(name) <= 100 and not is_raw and name == " ".join(name.split()) and find_field(name) is None


def _losses(plan: Plan, writer: _Writer) -> Iterator[str]:
    if writer.problem:
        yield f"Start and finish are empty: {writer.problem}"
    if writer.outside:
        one = "Dates: 1 lies outside the years 1 to 9999 and is left out."
        yield counted(writer.outside, one, "Dates: {count} lie outside the years 1 to 9999 and are left out.")
    usual = Calendar.standard().week
    own = plan.calendar
    if plan.calendars or (own and (own.week != usual or own.exceptions or own.periods)):
        what = counted(1 + len(plan.calendars), "1 calendar is left out", "{count} calendars are left out")
        yield f"Working times: {what}; read back, the plan has the standard week."
    if plan.baselines:
        yield counted(len(plan.baselines), "Baselines: 1 is left out.", "Baselines: {count} are left out.")
    lost = (
        (sum(bool(task.splits) for task in plan.tasks), "its pauses", "their pauses"),
        (sum(task.delay != 0 for task in plan.tasks), "its delay of leveling", "their delays of leveling"),
        (sum(task.calendar is not None for task in plan.tasks), "its own calendar", "calendars of their own"),
    )
    for count, its, their in lost:
        if count:
            yield counted(count, f"Tasks: 1 loses {its}.", f"Tasks: {{count}} lose {their}.")
    fields = {name for task in plan.tasks for name, _ in task.fields if name not in (NOTES, *writer.names)}
    if fields:
        one = "Fields: 1 kind of text of tasks is left out."
        yield counted(len(fields), one, "Fields: {count} kinds of text of tasks are left out.")
    if any(resource.capacity != 1 or resource.steps or resource.calendar for resource in plan.resources):
        yield "Resources: only their names are kept, not capacity and calendars."
    if any(each.work is not None or each.contour is not Contour.FLAT for each in plan.assignments):
        yield "Assignments: only units are kept, not work."
    if plan.settings != SETTINGS:
        yield "The plan's own options are left out."
