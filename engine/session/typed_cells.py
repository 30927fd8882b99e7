"""Typed cells: what a person typed into a cell of the task table, as the edit that it means. It never makes one.

What cannot be understood is refused with one sentence that says what can.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from engine.errors import PlanError
from engine.formats.table.cells import find_constraint
from engine.formats.table.dates import is_nothing
from engine.formats.table.durations import number
from engine.formats.table.predecessors import Reference, UnreadableError, parse_references
from engine.formats.table.staff import parse_staff
from engine.model import Clock, ConstraintKind, Dependency, Plan, Progress, Task, TaskId, Ticks
from engine.schedule import words
from engine.session.cell_edits import SetDuration, SetFinish, SetNotes, SetPriority, SetStaff
from engine.session.cell_words import (
    constraint_text,
    duration_text,
    instant_text,
    links_text,
    notes_of,
    notes_text,
    staff_text,
    units_of,
)
from engine.session.date_edits import SetCalendar, SetConstraint, SetDeadline, SetProgress
from engine.session.device_edits import AssignStream
from engine.session.edits import Edit, MoveTask, RenameTask
from engine.session.giving_way import lost_constraint
from engine.session.plan_edits import SetPredecessors
from engine.session.shop_edits import SetAlternatives, SetFamily, SetSkill
from engine.session.state import State
from engine.session.typed_doubts import check_near, no_such_day, said_of
from engine.session.typed_risks import RiskCell, risk_text, typed_risk
from engine.session.typed_times import Habits, Place, read_instant, read_length
from engine.session.typed_ways import alternatives_text, as_spelled, known_families, known_skills, read_alternatives

_LENGTHS = {
    Clock.CALENDAR: "write 3d, 2w, 4h, 30m, 1.5d, or 5ed for elapsed days",
    Clock.DEVICE: "write it with its unit, such as 3 ms, 250 us or 40 ns",
}
_DATES = {
    Clock.CALENDAR: "write 2026-03-03, 3/3, mon, 13:00 or +2d, with a time behind it if you like",
    Clock.DEVICE: "write 3 ms, 250 us, or +1 ms for later than now",
}

_MOST_NAMED = 6


class Cell(Enum):
    """A cell that can be typed into."""

    TASK = "task"
    DURATION = "duration"
    START = "start"
    FINISH = "finish"
    PERCENT = "percent"
    PREDECESSORS = "predecessors"
    RESOURCES = "resources"
    CONSTRAINT = "constraint"
    DEADLINE = "deadline"
    CALENDAR = "calendar"
    PRIORITY = "priority"
    STREAM = "stream"
    FAMILY = "family"
    SKILL = "skill"
    ALTERNATIVES = "alternatives"
    RANGE = "range"
    OPTIMISTIC = "optimistic"
    LIKELY = "likely"
    PESSIMISTIC = "pessimistic"
    CHANCE = "chance"
    NOTES = "notes"


_RISKS = {Cell(each.value): each for each in RiskCell}


@dataclass(frozen=True, slots=True)
class Typed:
    """The edit that a text means, and what a person should know of it, empty where nothing is to be said."""

    edit: Edit
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A text on its way into a cell of a task."""

    state: State
    task: Task
    text: str
    habits: Habits
    numbers: Mapping[int, TaskId]

    @property
    def plan(self) -> Plan:
        return self.state.plan

    def refuse(self, why: str) -> PlanError:
        return PlanError(f"“{self.text}” {why}.", ids=(self.task.id,))

    def instant(self, now: Ticks | None, *, is_end: bool, text: str | None = None) -> Ticks:
        written = self.text if text is None else text
        place = Place(now, is_end, self.state.schedule.working_time_of(self.task.id))
        at = read_instant(self.plan, written, place, self.habits)
        if at is None:
            raise self.refuse(f"is no date: {no_such_day(written, self.habits.order) or _DATES[self.plan.clock]}")
        check_near(self.plan, written, at)
        return at


def typed(
    state: State,
    task: TaskId,
    cell: Cell,
    text: str,
    habits: Habits,
    numbers: Mapping[int, TaskId] | None = None,
) -> Typed:
    """The edit that a text means in a cell. Raises PlanError with a sentence where it means none.

    `numbers` name tasks where they are not known by their rows.
    """
    entry = _Entry(state, state.plan.task(task), text.strip(), habits, numbers or {})
    if cell in _RISKS:
        return Typed(*typed_risk(state, entry.task, _RISKS[cell], entry.text))
    found = _READERS[cell](entry)
    is_said = found.note or state.plan.clock is Clock.DEVICE
    return found if is_said else replace(found, note=_how_read(found.edit, cell, entry))


def _how_read(edit: Edit, cell: Cell, entry: _Entry) -> str:
    """How a date was read that could have been another."""
    if isinstance(edit, MoveTask):
        at: Ticks | None = edit.start
    elif isinstance(edit, SetFinish | SetConstraint | SetDeadline):
        at = edit.at
    else:
        return ""
    text = (find_constraint(entry.text) or (None, ""))[1] if cell is Cell.CONSTRAINT else entry.text
    return "" if at is None else said_of(text, entry.habits.order, at)


def cell_text(state: State, task: TaskId, cell: Cell) -> str:
    """What is typed over in a cell: exact, and understood when it is given back."""
    plan, found, dates = state.plan, state.plan.task(task), state.schedule
    if cell is Cell.DURATION:
        return _duration_text(state, found)
    if cell in {Cell.START, Cell.FINISH}:
        return instant_text(plan, dates.start_of(task) if cell is Cell.START else dates.finish_of(task))
    if cell is Cell.PREDECESSORS:
        return links_text(plan, (link for link in plan.dependencies if link.successor == task))
    if cell in {Cell.RESOURCES, Cell.STREAM}:
        names = {resource.id: resource.name for resource in plan.resources}
        done_by = [each for each in plan.assignments if each.task == task]
        if cell is Cell.STREAM:
            return names.get(plan.stream_of.get(task, 0), "")
        return staff_text((names[each.resource], each.units) for each in done_by)
    return {
        Cell.TASK: lambda: found.name,
        Cell.PERCENT: lambda: f"{found.progress.percent if found.progress else 0:g}%",
        Cell.CONSTRAINT: lambda: constraint_text(plan, found),
        Cell.DEADLINE: lambda: "" if found.deadline is None else instant_text(plan, found.deadline),
        Cell.CALENDAR: lambda: "" if found.calendar is None else plan.calendar_of[found.calendar].name,
        Cell.PRIORITY: lambda: str(found.priority),
        Cell.FAMILY: lambda: found.family,
        Cell.SKILL: lambda: found.skill,
        Cell.NOTES: lambda: notes_text(found.notes),
        Cell.ALTERNATIVES: lambda: alternatives_text(plan, found, plan.ways.named(task)),
        **{each: lambda: risk_text(plan, found, _RISKS[cell]) for each in _RISKS},
    }[cell]()


def _duration_text(state: State, task: Task) -> str:
    if state.plan.is_summary(task.id) or (state.plan.clock is Clock.DEVICE and not task.is_duration_typed):
        time = state.schedule.working_time_of(task.id)
        return duration_text(
            state.plan, time.between(state.schedule.start_of(task.id), state.schedule.finish_of(task.id))
        )
    return duration_text(state.plan, task.duration, is_elapsed=task.is_elapsed)


def _duration(entry: _Entry) -> Typed:
    if not entry.text and entry.plan.clock is Clock.DEVICE:
        return Typed(SetDuration(entry.task.id, None), f"“{entry.task.name}” takes as long as its profile says again.")
    span = read_length(entry.plan, entry.text)
    if span is None:
        raise entry.refuse(f"is no length of time: {_LENGTHS[entry.plan.clock]}")
    return Typed(SetDuration(entry.task.id, span.ticks, span.is_elapsed))


def _start(entry: _Entry) -> Typed:
    if is_nothing(entry.text):
        return _free(entry)
    at = entry.instant(entry.state.schedule.start_of(entry.task.id), is_end=False)
    if entry.task.is_manual or entry.plan.is_summary(entry.task.id):
        return Typed(MoveTask(entry.task.id, at))
    return Typed(MoveTask(entry.task.id, at), _bound(entry, "starts", at))


def _finish(entry: _Entry) -> Typed:
    if is_nothing(entry.text):
        return _free(entry)
    at = entry.instant(entry.state.schedule.finish_of(entry.task.id), is_end=True)
    note = "" if entry.task.is_manual else _bound(entry, "finishes", at)
    return Typed(SetFinish(entry.task.id, at), note)


def _bound(entry: _Entry, verb: str, at: Ticks) -> str:
    """What a typed date does, for it is a constraint from then on."""
    kept = ConstraintKind.START_NO_EARLIER_THAN if verb == "starts" else ConstraintKind.FINISH_NO_EARLIER_THAN
    lost = lost_constraint(entry.task) if entry.task.constraint is not kept else ""
    more = f" It no longer {lost}." if lost else ""
    more += " Its leveling delay is taken away." if entry.task.delay else ""
    return f"“{entry.task.name}” {verb} no earlier than {words.instant(entry.plan, at)} from now on.{more}"


def _free(entry: _Entry) -> Typed:
    return Typed(SetConstraint(entry.task.id, ConstraintKind.AS_SOON_AS_POSSIBLE))


def _percent(entry: _Entry) -> Typed:
    percent = _number(entry, entry.text.removesuffix("%").strip() or "0")
    if not 0 <= percent <= 100:
        raise entry.refuse("is not between 0 and 100 %")
    done, dates = entry.task.progress or Progress(), entry.state.schedule
    start = dates.start_of(entry.task.id) if percent and done.actual_start is None else None
    finish = dates.finish_of(entry.task.id) if percent >= 100 and done.actual_finish is None else None
    return Typed(SetProgress(entry.task.id, percent, start, finish))


def _predecessors(entry: _Entry) -> Typed:
    rows, links = entry.plan.tasks, []
    known = {link.key: link for link in entry.plan.dependencies if link.successor == entry.task.id}
    for reference in _references(entry):
        number = int(reference.id) if len(reference.id) < 10 else 0
        before = entry.numbers.get(number)
        if before is None and not entry.numbers and 1 <= number <= len(rows):
            before = rows[number - 1].id
        if before is None:
            raise PlanError(f"There is no row “{reference.id}”: rows go from 1 to {len(rows)}.", ids=(entry.task.id,))
        if entry.plan.clock is Clock.DEVICE and (reference.kind.value != "FS" or reference.lag.amount):
            raise entry.refuse("asks for more than a device knows: name rows alone, such as 2,5")
        link = Dependency(before, entry.task.id, reference.kind, reference.lag)
        links.append(_with_limits(link, known.get(link.key)))
    return Typed(SetPredecessors(entry.task.id, tuple(links)))


def _with_limits(link: Dependency, before: Dependency | None) -> Dependency:
    """A typed link keeps the longest lag and the spread of the one it was, which a cell does not say, if it can."""
    if before is None or (link.lag.amount and before.lag.amount and link.lag.kind is not before.lag.kind):
        return link
    if before.longest is not None and before.longest < link.lag.amount:
        return link
    kind = link.lag.kind if link.lag.amount else before.lag.kind
    return replace(before, lag=replace(link.lag, kind=kind))


def _references(entry: _Entry) -> tuple[Reference, ...]:
    what = ""
    try:
        found = parse_references(entry.text, units_of(entry.plan)) if entry.text else ()
        what = next((each.id for each in found if not each.id.isdecimal()), "")
    except UnreadableError as error:
        found, what = (), str(error)
    if what:
        raise PlanError(f"“{what}” cannot be read: write 2FS+3d, 5SS-1d or 7FF+50%.", ids=(entry.task.id,))
    return found


def _resources(entry: _Entry) -> Typed:
    staff = parse_staff(entry.text)
    for name, _ in staff:
        if "[" in name or "]" in name:
            raise entry.refuse("cannot be read: write Ann[50%];Bob")
    edit = SetStaff(entry.task.id, tuple(staff))
    new = edit.new_names(entry.plan)
    names = ", ".join(f"“{name}”" for name in new)
    return Typed(edit, f"New in the plan's resources: {names}." if new else "")


def _constraint(entry: _Entry) -> Typed:
    if is_nothing(entry.text):
        return _free(entry)
    found = find_constraint(entry.text)
    if found is None:
        raise entry.refuse("is no constraint: write asap, alap, or snet, snlt, fnet, fnlt, mso or mfo with a date")
    kind, rest = found
    if not kind.has_date:
        if rest:
            raise entry.refuse("names a constraint that has no date")
        return Typed(SetConstraint(entry.task.id, kind))
    is_end = kind.value.startswith("f") or kind is ConstraintKind.MUST_FINISH_ON
    dates = entry.state.schedule
    now = dates.finish_of(entry.task.id) if is_end else dates.start_of(entry.task.id)
    at = entry.instant(now, is_end=is_end, text=rest) if rest else now
    return Typed(SetConstraint(entry.task.id, kind, at))


def _deadline(entry: _Entry) -> Typed:
    if is_nothing(entry.text):
        return Typed(SetDeadline(entry.task.id, None))
    now = entry.task.deadline
    usual = entry.state.schedule.finish_of(entry.task.id) if now is None else now
    return Typed(SetDeadline(entry.task.id, entry.instant(usual, is_end=True)))


def _calendar(entry: _Entry) -> Typed:
    if not entry.text:
        return Typed(SetCalendar(entry.task.id, None))
    known = entry.plan.calendar_of
    wanted = entry.text.casefold()
    found = next((number for number, each in known.items() if each.name.casefold() == wanted), None)
    if found is None:
        names = ", ".join(f"“{each.name}”" for each in known.values())
        raise entry.refuse(f"is no calendar of the plan, which has {names}")
    return Typed(SetCalendar(entry.task.id, found))


def _priority(entry: _Entry) -> Typed:
    priority = _number(entry, entry.text)
    if priority != round(priority) or not 0 <= priority <= 1000:
        raise entry.refuse("is no priority: write a whole number from 0 to 1000")
    return Typed(SetPriority(entry.task.id, round(priority)))


def _stream(entry: _Entry) -> Typed:
    wanted = entry.text.casefold()
    streams = entry.plan.streams
    found = next((each for each in streams if each.name.casefold() == wanted), None)
    if found is None and wanted.isdecimal() and 1 <= int(wanted) <= len(streams):
        found = streams[int(wanted) - 1]
    if found is None:
        names = ", ".join(f"“{each.name}”" for each in streams) or "none"
        raise entry.refuse(f"is no stream of the plan, which has {names}")
    return Typed(AssignStream(entry.task.id, found.id))


def _family(entry: _Entry) -> Typed:
    known, plan, task = known_families(entry.plan), entry.plan, entry.task
    family = as_spelled(entry.text, known)
    edit = SetFamily(task.id, family)
    if plan.is_summary(task.id):
        what = f"of the family “{family}”" if family else "of no family"
        return Typed(edit, f"All tasks in “{task.name}” are {what} now.")
    changing = tuple(dict.fromkeys(name for each in plan.changeovers for name in each.families))
    if not family or not changing or family in changing:
        return Typed(edit)
    names = ", ".join(f"“{name}”" for name in changing[:_MOST_NAMED]) + (", …" if len(changing) > _MOST_NAMED else "")
    return Typed(edit, f"No changeover of the plan knows “{family}”, so it needs no set-up: they know {names}.")


def _skill(entry: _Entry) -> Typed:
    known = known_skills(entry.plan)
    skill = as_spelled(entry.text, known)
    note = "" if not skill or skill in known else f"Nobody in the plan has the skill “{skill}” yet."
    return Typed(SetSkill(entry.task.id, skill), note)


def _alternatives(entry: _Entry) -> Typed:
    return Typed(SetAlternatives(entry.task.id, read_alternatives(entry.plan, entry.task, entry.text)))


def _number(entry: _Entry, text: str) -> float:
    try:
        found = number(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise entry.refuse("is no number")
    return found


_READERS: dict[Cell, Callable[[_Entry], Typed]] = {
    Cell.TASK: lambda entry: Typed(RenameTask(entry.task.id, entry.text)),
    Cell.DURATION: _duration,
    Cell.START: _start,
    Cell.FINISH: _finish,
    Cell.PERCENT: _percent,
    Cell.PREDECESSORS: _predecessors,
    Cell.RESOURCES: _resources,
    Cell.CONSTRAINT: _constraint,
    Cell.DEADLINE: _deadline,
    Cell.CALENDAR: _calendar,
    Cell.PRIORITY: _priority,
    Cell.STREAM: _stream,
    Cell.FAMILY: _family,
    Cell.SKILL: _skill,
    Cell.ALTERNATIVES: _alternatives,
    Cell.NOTES: lambda entry: Typed(SetNotes(entry.task.id, notes_of(entry.text))),
}
