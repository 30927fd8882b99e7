"""Rows of a table into a Plan, by a TableGuess. Nothing ever falls back to today.

A task with a start and no predecessors is pinned there (start no earlier than), unless the table has a column of
constraints. A duration with a unit counts; else the working time from start to finish; else a number without a unit;
else one day, which is noted. Dates stay beside as recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.errors import FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.progress import told
from engine.formats.table.cells import UNITS, Cells
from engine.formats.table.columns import Field
from engine.formats.table.durations import Span
from engine.formats.table.guess import NO_DATE_START, Row, TableGuess, count_fields
from engine.formats.table.links import Ids, read_links
from engine.formats.table.outline import find_parents
from engine.formats.table.risks import with_risks
from engine.formats.table.staff import read_staff
from engine.formats.table.ways import read_ways
from engine.model import (
    NOTES,
    Calendar,
    Clock,
    ConstraintKind,
    Plan,
    Progress,
    Recorded,
    Task,
    TaskId,
    Ticks,
    in_outline_order,
)
from engine.schedule.working_time import WorkingTime

_MOST_NOTES = 50
_CALENDAR = Calendar.standard()
_FREE = (ConstraintKind.AS_SOON_AS_POSSIBLE,)
# With these a task seldom starts before its plan does.
_NOT_BEFORE = tuple(
    kind for kind in ConstraintKind if kind not in (ConstraintKind.MUST_START_ON, ConstraintKind.MUST_FINISH_ON)
)


def read_table(rows: Sequence[Row], guess: TableGuess, name: str) -> Plan:
    """The plan that a table says. Raises FormatError with row and column, and PlanError's sentence with its row."""
    places = guess.places()
    below = [Cells(guess, places, row) for row in told(list(_below(rows, guess)), 0.1, 0.3)]
    ids = Ids.of(below)
    parents = find_parents(below)
    links, unlinked = read_links(below, ids, parents)
    reader = _Reader(below, ids, parents, {link.successor for link in links})
    tasks = reader.tasks()
    resources, assignments = read_staff(below, ids)
    tasks, doubtful = with_risks(tasks, below, ids, frozenset(task.parent for task in tasks if task.parent is not None))
    elapsed = frozenset(task.id for task in tasks if task.is_elapsed)
    resources, alternatives, unread = read_ways(below, ids, resources, elapsed)
    notes = (*guess.notes_of(is_dated=reader.is_dated), *_short((*unlinked, *unread, *doubtful, *reader.notes)))
    plan = Plan(
        name,
        Clock.CALENDAR,
        reader.start,
        tasks,
        links,
        _CALENDAR,
        resources,
        assignments,
        next_task_id=max((task.id for task in tasks), default=0) + 1,
        alternatives=alternatives,
        fields=tuple(("note", note) for note in notes),
    )
    try:
        return plan.check()
    except PlanError as error:
        row = next((cells.number for cells in below if ids.of_row(cells) in error.ids[-1:]), 0)
        place = f"Row {row}: " if row else ""
        raise FormatError(f"{place}{error.sentence}", ids=error.ids, line=row) from error


def _below(rows: Sequence[Row], guess: TableGuess) -> Iterator[Row]:
    """The rows of tasks: below the headers, without empty ones, up to the headers of another table."""
    is_after_gap = False
    for number, cells in rows:
        if number <= guess.header_row:
            continue
        if not any(cell.strip() for cell in cells):
            is_after_gap = True
            continue
        if is_after_gap and count_fields(cells) > 1:
            return
        is_after_gap = False
        yield number, cells


def _short(notes: tuple[str, ...]) -> tuple[str, ...]:
    """The notes, cut short when there are many."""
    rest = len(notes) - _MOST_NOTES
    more = counted(rest, "And 1 more row like these.", "And {count} more rows like these.")
    return (*notes[:_MOST_NOTES], *((more,) if rest > 0 else ()))


class _Reader:
    """Makes the tasks; `start` is the plan's, `notes` say what had to be guessed."""

    def __init__(self, rows: Sequence[Cells], ids: Ids, parents: Sequence[int | None], followers: set[TaskId]) -> None:
        self._rows = rows
        self._ids = ids
        self._followers = followers
        self._time = WorkingTime.of(_CALENDAR)
        self.notes: list[str] = []
        self._parents = parents
        self._summaries = {parent for parent in self._parents if parent is not None}
        self._dates = [_dates(row) for row in rows]
        self.start = self._first()

    @property
    def is_dated(self) -> bool:
        """Whether any row has a date of its task."""
        return any(each is not None for dates in self._dates for each in dates)

    def tasks(self) -> tuple[Task, ...]:
        """All tasks; rows whose WBS code says that they lie in a summary further up stand there."""
        return in_outline_order(self._task(index, row) for index, row in enumerate(told(self._rows, 0.3)))

    def _first(self) -> Ticks:
        guess = self._rows[0].guess if self._rows else None
        if guess and guess.start is not None:
            return guess.start
        starts = {at: start for at, (start, _) in enumerate(self._dates) if start is not None}
        days = [start for at, start in starts.items() if self._is_free(at)]
        days = days or [start for at, start in starts.items() if self._is_free(at, _NOT_BEFORE)]
        days = days or list(starts.values())
        days = days or [finish for _, finish in self._dates if finish is not None]
        return min(days, default=guess.undated_start if guess else NO_DATE_START)

    def _is_free(self, index: int, kinds: tuple[ConstraintKind, ...] = _FREE) -> bool:
        """Whether the plan's start can have told when a task starts: a lead, or a date, can have it start before."""
        row = self._rows[index]
        is_follower = index in self._summaries or self._ids.of_row(row) in self._followers
        return not (is_follower or row.is_manual()) and row.constraint() in kinds

    def _task(self, index: int, row: Cells) -> Task:
        start, finish = self._dates[index]
        parent = self._parents[index]
        task = Task(
            self._ids.of_row(row),
            row.text(Field.NAME),
            parent=None if parent is None else self._ids.of_row(self._rows[parent]),
            source=row.text(Field.UID) or row.text(Field.ID) or row.text(Field.WBS),
            is_active=row.is_yes(Field.ACTIVE) is not False,
            deadline=row.end(Field.DEADLINE),
            priority=_priority(row),
            family=row.text(Field.FAMILY),
            skill=row.text(Field.SKILL),
            recorded=Recorded(start, finish) if start is not None and finish is not None else None,
            fields=row.rest() + (((NOTES, notes),) if (notes := row.text(Field.NOTES)) else ()),
        )
        if index in self._summaries:
            return _constrained(task, row)
        span = self._span(row, start, finish)
        flag = row.is_yes(Field.MILESTONE)
        is_manual = row.is_manual()
        task = replace(
            task,
            duration=span.ticks,
            is_elapsed=span.is_elapsed,
            is_milestone=span.ticks == 0 if flag is None else flag,
            is_manual=is_manual,
            manual_start=(self.start if start is None else start) if is_manual else None,
            manual_finish=finish if is_manual else None,
            progress=_progress(row, start, finish),
        )
        return task if is_manual else self._pinned(_constrained(task, row), row, start)

    def _pinned(self, task: Task, row: Cells, start: Ticks | None) -> Task:
        """The task at its date in the table, where nothing else says when it is."""
        is_begun = task.progress is not None and task.progress.actual_start is not None
        if is_begun or task.id in self._followers or Field.CONSTRAINT in row.places:
            return task
        finish = row.end(Field.FINISH)
        if start is None and finish is not None:
            return replace(task, constraint=ConstraintKind.FINISH_NO_EARLIER_THAN, constraint_at=finish)
        if start is None:
            if Field.START in row.places:
                self._note(row, Field.START, f"empty, so “{task.name}” starts when the plan does.")
            return task
        if start <= self.start:
            return task
        return replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=start)

    def _span(self, row: Cells, start: Ticks | None, finish: Ticks | None) -> Span:
        written = row.span(Field.DURATION)
        if written and (written.has_unit or written.ticks == 0):
            return written
        if row.is_yes(Field.MILESTONE):
            return written or Span(0)
        if start is not None and finish is not None:
            work = self._time.between(start, finish)
            return Span(work) if work or start == finish else Span(finish - start, is_elapsed=True)
        if written:
            return written
        self._note(row, Field.DURATION, f"empty, so “{row.text(Field.NAME)}” takes one day.")
        return Span(UNITS.day)

    def _note(self, row: Cells, field: Field, what: str) -> None:
        self.notes.append(f"Row {row.number}, column “{row.header(field)}”: {what}")


def _constrained(task: Task, row: Cells) -> Task:
    kind = row.constraint()
    if not kind.has_date:
        return task if kind is task.constraint else replace(task, constraint=kind)
    is_start = kind.value in ("snet", "snlt", "mso")
    at = row.begin(Field.CONSTRAINT_DATE) if is_start else row.end(Field.CONSTRAINT_DATE)
    if at is None:
        row.refuse(Field.CONSTRAINT_DATE, "empty, but the constraint needs a date.")
    return replace(task, constraint=kind, constraint_at=at)


def _dates(row: Cells) -> tuple[Ticks | None, Ticks | None]:
    """Start and finish; a milestone is over when it starts, whatever day other programs write."""
    start, finish = row.begin(Field.START), row.end(Field.FINISH)
    if start is None or finish is None:
        return start, finish
    written = row.span(Field.DURATION)
    if row.is_yes(Field.MILESTONE) or (written and written.ticks == 0):
        return start, start
    if finish < start:
        row.refuse(Field.FINISH, f"“{row.text(Field.FINISH)}” is before the start, {row.text(Field.START)}.")
    return start, finish


def _priority(row: Cells) -> int:
    """0 to 1000; words such as “high” stay as they are for a person to read, at 500."""
    text = row.text(Field.PRIORITY)
    return min(int(text), 1000) if text.isdecimal() and len(text) < 9 else 500


def _progress(row: Cells, start: Ticks | None, finish: Ticks | None) -> Progress | None:
    percent = row.amount(Field.PERCENT) or 0.0
    if not 0 <= percent <= 100:
        row.refuse(Field.PERCENT, f"“{row.text(Field.PERCENT)}” is not a percentage from 0 to 100.")
    actual_start, actual_finish = row.begin(Field.ACTUAL_START), row.end(Field.ACTUAL_FINISH)
    remaining = row.span(Field.REMAINING)
    if not percent and actual_start is None and actual_finish is None:
        return None
    if actual_start is None and Field.ACTUAL_START not in row.places:
        actual_start = start
    if percent == 100 and actual_finish is None and Field.ACTUAL_FINISH not in row.places:
        actual_finish = finish
    if actual_finish is not None:
        percent = 100.0
    return Progress(percent, actual_start, actual_finish, remaining.ticks if remaining else None)
