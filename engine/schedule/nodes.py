"""Tasks as columns of numbers: what a task, its progress and the summaries it lies in ask of its dates.

It never looks at a link.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.model import DAY, Clock, ConstraintKind, Plan, Progress, Task, TaskId, Ticks
from engine.schedule.clocks import Clocks, Part
from engine.schedule.columns import (
    FINISHED,
    FNLT,
    INACTIVE,
    LATE,
    LEAF,
    MANUAL,
    MFO,
    MSO,
    NEVER,
    NONE,
    PINNED,
    SNLT,
    SOFT,
    STARTED,
    SUMMARY,
    Column,
    Parts,
)
from engine.schedule.working_time import FIRST_DAY

_HARD = {
    ConstraintKind.START_NO_LATER_THAN: SNLT,
    ConstraintKind.FINISH_NO_LATER_THAN: FNLT,
    ConstraintKind.MUST_START_ON: MSO,
    ConstraintKind.MUST_FINISH_ON: MFO,
}
_NOT_BEGUN = Progress()


class Row(NamedTuple):
    """One node's entries in the columns of Nodes."""

    role: int = LEAF
    calendar: int = 0
    lag_calendar: int = 0
    float_calendar: int = 0
    duration: int = 0
    length: int = 0
    remaining: int = 0
    start_at: int = NONE
    finish_at: int = NONE
    pin: int = NONE
    ends_after: int = NONE
    hard: int = SOFT
    hard_at: int = 0
    cap: int = NEVER
    delay: int = 0
    flags: int = 0


class Held(NamedTuple):
    """What the summaries above ask of every leaf."""

    pin: int = NONE
    cap: int = NEVER
    is_active: bool = True


def held_by_summaries(plan: Plan) -> dict[TaskId | None, Held]:
    """What each summary, with those above it, asks of the leaves in it; None holds nothing back."""
    found: dict[TaskId | None, Held] = {None: Held()}
    for parent in sorted(plan.children, key=plan.rows.__getitem__):
        task, above = plan.task(parent), found[plan.task(parent).parent]
        begins = task.constraint in (ConstraintKind.START_NO_EARLIER_THAN, ConstraintKind.MUST_START_ON)
        ends = task.constraint in (ConstraintKind.FINISH_NO_LATER_THAN, ConstraintKind.MUST_FINISH_ON)
        cap = min(task.constraint_at if ends else NEVER, NEVER if task.deadline is None else task.deadline)
        pin = task.constraint_at if begins else NONE
        found[parent] = Held(max(above.pin, pin), min(above.cap, cap), above.is_active and task.is_active)
    return found


class RowMaker:
    """Makes the rows of one plan; `durations` are those in ticks that no person typed."""

    def __init__(
        self, plan: Plan, clocks: Clocks, durations: Mapping[TaskId, Ticks], held: Mapping[TaskId | None, Held]
    ) -> None:
        self._plan = plan
        self._clocks = clocks
        self._durations = durations
        self._held = held
        self._is_device = plan.clock is Clock.DEVICE

    def row(self, task: Task) -> tuple[Row, list[Part]]:
        """A task's entries, and the parts of one that several calendars share."""
        if task.id in self._plan.children:
            number = self._clocks.of(task.calendar)
            return Row(SUMMARY, number, number, number, task.duration), []
        duration, held = self.duration(task), self._held[task.parent]
        if self._is_device:
            return Row(LEAF, 0, 0, 0, duration, duration, duration, pin=NONE if task.pin is None else task.pin), []
        if not _is_plain(task, held):
            return self._full_row(task, duration, held)
        if self._clocks.is_alone(task):
            number = self._clocks.of(task.calendar)
            return Row(LEAF, number, number, number, duration, duration, duration), []
        number, parts = self._clocks.parts(task, duration, duration)
        lags, floats = self._counted(task, number)
        return Row(LEAF, number, lags, floats, duration, parts[0][1], parts[0][2]), parts if len(parts) > 1 else []

    def _counted(self, task: Task, number: int) -> tuple[int, int]:
        """The numbers of the working times that lags and floats of a task are counted on."""
        own = self._clocks.of(task.calendar)
        return (own, number) if task.is_elapsed else (number, own)

    def table(self, tasks: Iterable[Task]) -> tuple[Column, dict[int, list[Part]]]:
        """The rows of tasks as a table, and the parts of those that several calendars share, by row."""
        flat, shared = array("q"), {}  # flat: nothing for the garbage collector to walk
        for node, task in enumerate(tasks):
            row, parts = self.row(task)
            flat.extend(row)
            if parts:
                shared[node] = parts
        return np.array(flat, dtype=np.int64).reshape(-1, len(Row._fields)), shared

    def duration(self, task: Task) -> Ticks:
        """The duration of a task in ticks, typed or from its cost."""
        return task.duration if task.is_duration_typed else self._durations.get(task.id, task.duration)

    def _full_row(self, task: Task, duration: Ticks, held: Held) -> tuple[Row, list[Part]]:
        done = task.progress or _NOT_BEGUN
        remaining = round(duration * (100 - done.percent) / 100) if done.remaining is None else done.remaining
        has_begun = done.actual_start is not None or done.actual_finish is not None
        length, remaining = (max(duration, remaining), remaining) if has_begun else (duration, duration)
        number, parts = self._clocks.parts(task, length, remaining)
        ahead = [split for split in task.splits if split.work < duration]
        pauses = sum(split.gap for split in ahead)
        still = sum(split.gap for split in ahead if split.work >= length - remaining) if has_begun else pauses
        parts = [(clock, share + pauses, left + still) for clock, share, left in parts]
        row = Row(
            LEAF,
            number,
            *self._counted(task, number),
            duration,
            parts[0][1],
            parts[0][2],
            pin=held.pin,
            cap=min(held.cap, NEVER if task.deadline is None else task.deadline),
            delay=min(task.delay, 0) if self._plan.settings.is_from_finish else max(task.delay, 0),
            flags=0 if held.is_active and task.is_active else INACTIVE,
        )
        row = self._with_facts(row, task, done) if has_begun or task.is_manual else _with_constraint(row, task)
        return row, parts if len(parts) > 1 else []

    def _with_facts(self, row: Row, task: Task, done: Progress) -> Row:
        """Dates that are known: of what was done, or typed by hand."""
        time = self._clocks.times[row.calendar]
        if done.actual_finish is not None:
            start = time.add(done.actual_finish, -row.length) if done.actual_start is None else done.actual_start
            return row._replace(start_at=start, finish_at=done.actual_finish, flags=row.flags | STARTED | FINISHED)
        if task.is_manual and (task.manual_start is not None or task.manual_finish is not None):
            first, last = task.manual_start, task.manual_finish
            start = time.add(last or 0, -row.length) if first is None else first
            finish = time.add(start, row.length) if last is None else max(start, last)
            worked = time.between(start, finish)
            flags = row.flags | MANUAL
            return row._replace(start_at=start, finish_at=finish, length=worked, remaining=worked, flags=flags)
        if done.actual_start is not None:
            row = row._replace(start_at=done.actual_start, flags=row.flags | STARTED, delay=0)
            ends = task.constraint in (ConstraintKind.FINISH_NO_LATER_THAN, ConstraintKind.MUST_FINISH_ON)
            return row._replace(cap=min(row.cap, task.constraint_at)) if ends else row
        return _with_constraint(row, task)


def _is_plain(task: Task, held: Held) -> bool:
    """Whether a task asks for nothing but its duration."""
    return (
        task.constraint is ConstraintKind.AS_SOON_AS_POSSIBLE
        and task.progress is None
        and not (task.splits or task.is_manual or task.delay)
        and task.deadline is None
        and task.is_active
        and held == _FREE
    )


_FREE = Held()


def _with_constraint(row: Row, task: Task) -> Row:
    kind, at = task.constraint, task.constraint_at
    if kind is ConstraintKind.START_NO_EARLIER_THAN:
        flags = row.flags | (PINNED if at >= FIRST_DAY * DAY else 0)
        return row._replace(pin=max(row.pin, at), flags=flags)
    if kind is ConstraintKind.FINISH_NO_EARLIER_THAN:
        return row._replace(ends_after=at)
    if kind is ConstraintKind.AS_LATE_AS_POSSIBLE:
        return row._replace(flags=row.flags | LATE)
    return row._replace(hard=_HARD.get(kind, SOFT), hard_at=at)


def as_table(rows: Sequence[Row]) -> Column:
    """Rows as a table of shape (nodes, columns of Nodes)."""
    return np.array(rows, dtype=np.int64).reshape(-1, len(Row._fields))


def as_parts(shared: Mapping[int, list[Part]], count: int) -> Parts:
    """The parts of the nodes that have several, by node, as columns."""
    sizes = np.zeros(count + 1, dtype=np.int64)
    for node, parts in shared.items():
        sizes[node + 1] = len(parts)
    table = [part for node in sorted(shared) for part in shared[node]]
    columns: Column = np.array(table, dtype=np.int64).reshape(-1, 3).T
    return Parts(np.cumsum(sizes), *np.ascontiguousarray(columns))
