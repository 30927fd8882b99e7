"""A plan as the bytes of a .loom file: the same plan, the same bytes. It never touches the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, repeat
from typing import Any

from engine.formats.loom.schema import TABLES, VERSION
from engine.model import Calendar, Plan, Shift, Task
from engine.trace.recorded_run import Parts, RecordedRun
from engine.trace.timeline import ENGINES

Row = tuple[Any, ...]


def to_bytes(plan: Plan, runs: Sequence[RecordedRun]) -> bytes:
    """The whole file. Raises UnicodeEncodeError for text that is none (a lone surrogate)."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(TABLES)
        db.execute("BEGIN")
        for table, rows in chain(_plan_tables(plan), _device_tables(plan), _run_tables(runs)):
            _insert(db, table, rows)
        db.execute("COMMIT")
        return db.serialize()


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    columns = len(db.execute(f"PRAGMA table_info({table})").fetchall())
    marks = ", ".join("?" * columns)
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _plan_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    yield "about", (("format", "Warploom plan"), ("version", str(VERSION)))
    settings = plan.settings
    yield (
        "setting",
        (
            ("name", plan.name),
            ("clock", plan.clock.value),
            ("start", plan.start),
            ("next_task_id", plan.next_task_id),
            ("profile", settings.profile),
            ("hours_per_day", float(settings.hours_per_day)),
        ),
    )
    yield (
        "task",
        (
            (t.id, row, t.name, t.duration, t.parent, int(t.is_milestone), int(t.is_duration_typed), *_pin(t), t.source)
            for row, t in enumerate(plan.tasks)
        ),
    )
    links = ((d.predecessor, d.successor, d.kind.value, d.lag.amount, d.lag.kind.value) for d in plan.dependencies)
    yield "dependency", _numbered(links)
    if plan.calendar is not None:
        yield from _calendar_tables(plan.calendar)
    yield "resource", _numbered((r.id, r.name, r.kind.value, float(r.capacity)) for r in plan.resources)
    yield "assignment", _numbered((a.task, a.resource, float(a.units)) for a in plan.assignments)


def _pin(task: Task) -> Row:
    return task.constraint.value, task.constraint_at


def _calendar_tables(calendar: Calendar) -> Iterator[tuple[str, Iterable[Row]]]:
    yield "calendar", ((calendar.id, calendar.name),)
    yield "shift", _shifts(calendar.week)
    exceptions = calendar.exceptions
    yield "calendar_exception", _numbered((e.first_day, e.last_day, e.name) for e in exceptions)
    yield "exception_shift", _shifts([e.shifts for e in exceptions])


def _shifts(groups: Sequence[tuple[Shift, ...]]) -> Iterator[Row]:
    return _numbered((group, shift.start, shift.end) for group, shifts in enumerate(groups) for shift in shifts)


def _device_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    buffers = (
        (b.id, "x".join(map(str, b.shape)), b.dtype, b.memory.value, b.fill.kind.value, b.fill.seed, b.fill.file)
        for b in plan.buffers
    )
    yield "buffer", _numbered(buffers)
    operations = [(t.id, t.operation) for t in plan.tasks if t.operation is not None]
    yield "operation", ((task, o.kind.value, o.kernel) for task, o in operations)
    yield (
        "operation_parameter",
        _numbered((t, name, float(value)) for t, o in operations for name, value in o.parameters),
    )
    uses = (
        (t, access, b) for t, o in operations for access, ids in (("read", o.reads), ("write", o.writes)) for b in ids
    )
    yield "operation_buffer", _numbered(uses)


def _run_tables(runs: Sequence[RecordedRun]) -> Iterator[tuple[str, Iterable[Row]]]:
    numbered = list(enumerate(runs))
    yield "run", ((position, *_run_columns(run)) for position, run in numbered)
    yield "run_stream", _numbered((position, name) for position, run in numbered for name in run.streams)
    yield "run_task", _numbered((position, *name) for position, run in numbered for name in run.names)
    yield "run_link", _numbered((position, *link) for position, run in numbered for link in run.links)
    spans = (
        _spans(position, is_predicted, parts)
        for position, run in numbered
        for is_predicted, parts in enumerate((run.parts, run.predicted))
    )
    yield "span", _numbered(chain.from_iterable(spans))


def _run_columns(run: RecordedRun) -> Row:
    verified = None if run.is_verified is None else int(run.is_verified)
    what = (run.number, run.device, run.outcome, run.device_name, run.stamps, run.error)
    return (*what, run.failed_task, run.repeat, run.bound_ns, verified)


def _spans(run: int, is_predicted: int, parts: Parts) -> Iterator[Row]:
    task, iteration, part, of, stream, engine, start, end = parts.T.tolist()
    engines = [ENGINES[index] for index in engine]
    return zip(repeat(run), repeat(is_predicted), task, iteration, part, of, stream, engines, start, end, strict=False)


def _numbered(rows: Iterable[Row]) -> Iterator[Row]:
    return ((position, *row) for position, row in enumerate(rows))
