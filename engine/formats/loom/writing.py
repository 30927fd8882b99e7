"""A plan as the bytes of a .loom file: the same plan, the same bytes. It never touches the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from enum import Enum
from itertools import chain, repeat
from typing import Any

from engine.formats.loom.branches import LoomBranch, branch_tables
from engine.formats.loom.calendars import hours_text
from engine.formats.loom.risk import TABLES as RISK_TABLES
from engine.formats.loom.risk import risk_tables
from engine.formats.loom.schema import BRANCH_TABLES, ONCE_TABLE, PLAIN_VERSION, TABLES, VERSION
from engine.formats.loom.shop import TABLES as SHOP_TABLES
from engine.formats.loom.shop import shop_tables
from engine.model import CalendarException, KernelSpec, Plan, PlanSettings, Task
from engine.trace.recorded_run import Parts, RecordedRun
from engine.trace.timeline import ENGINES, NOT_KNOWN

Row = tuple[Any, ...]
_EXTRA_TABLES = {**SHOP_TABLES, **RISK_TABLES}


def to_bytes(plan: Plan, runs: Sequence[RecordedRun], branches: Sequence[LoomBranch] = ()) -> bytes:
    """The whole file. Raises UnicodeEncodeError for text that is none (a lone surrogate)."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        extra = chain(shop_tables(plan), risk_tables(plan))
        shop = [(table, found) for table, rows in extra if (found := list(rows))]
        once = [(task.id,) for task in plan.tasks if task.operation is not None and task.operation.is_once]
        is_plain = not (branches or shop or once or plan.settings.frozen_until is not None)
        db.executescript(TABLES if is_plain else f"{TABLES}{BRANCH_TABLES}")
        about = "about", (("format", "Warploom plan"), ("version", str(PLAIN_VERSION if is_plain else VERSION)))
        db.execute("BEGIN")
        for table, rows in chain((about,), _plan_tables(plan), _device_tables(plan), _run_tables(runs)):
            _insert(db, table, rows)
        if once:
            db.execute(ONCE_TABLE)
            _insert(db, "operation_once", once)
        for table, rows in branch_tables(branches, to_bytes) if branches else ():
            _insert(db, table, rows)
        for table, found in shop:
            db.execute(_EXTRA_TABLES[table])
            _insert(db, table, found)
        db.execute("COMMIT")
        return db.serialize()


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    columns = len(db.execute(f"PRAGMA table_info({table})").fetchall())
    marks = ", ".join("?" * columns)
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _plan_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    own = (("name", plan.name), ("clock", plan.clock.value), ("start", plan.start), ("next_task_id", plan.next_task_id))
    yield "setting", (*own, *_settings(plan.settings))
    yield "task", ((t.id, row, *_task(t)) for row, t in enumerate(plan.tasks))
    yield "task_split", _numbered((t.id, split.work, split.gap) for t in plan.tasks for split in t.splits)
    links = ((d.predecessor, d.successor, d.kind.value, d.lag.amount, d.lag.kind.value) for d in plan.dependencies)
    yield "dependency", _numbered(links)
    yield from _calendar_tables(plan)
    resources = plan.resources
    yield (
        "resource",
        _numbered((r.id, r.name, r.kind.value, float(r.capacity), r.calendar, r.source) for r in resources),
    )
    steps = ((r.id, step.first, step.last, float(step.units)) for r in resources for step in r.steps)
    yield "resource_capacity", _numbered(steps)
    yield (
        "assignment",
        _numbered((a.task, a.resource, float(a.units), a.work, a.contour.value) for a in plan.assignments),
    )
    yield "baseline", _numbered((b.number, b.name) for b in plan.baselines)
    dates = ((at, b.task, b.start, b.finish, b.duration) for at, line in enumerate(plan.baselines) for b in line.tasks)
    yield "baseline_task", _numbered(dates)
    yield "field", _numbered(_fields(plan))


def _settings(settings: PlanSettings) -> Iterator[Row]:
    """Each choice by its name; what is None has no row."""
    for name in (field.name for field in fields(settings)):
        value, usual = getattr(settings, name), getattr(PlanSettings(), name)
        if isinstance(value, Enum):
            yield name, value.value
        elif value is not None:
            yield name, float(value) if isinstance(usual, float) else int(value) if isinstance(value, bool) else value


def _task(task: Task) -> Row:
    done, recorded = task.progress, task.recorded
    return (
        task.name,
        task.duration,
        task.parent,
        int(task.is_milestone),
        int(task.is_duration_typed),
        task.constraint.value,
        task.constraint_at,
        task.source,
        int(task.is_elapsed),
        int(task.is_manual),
        task.manual_start,
        task.manual_finish,
        int(task.is_active),
        task.calendar,
        int(task.ignores_resource_calendars),
        task.deadline,
        task.priority,
        task.delay,
        *((float(done.percent), done.actual_start, done.actual_finish, done.remaining) if done else (None,) * 4),
        *((recorded.start, recorded.finish) if recorded else (None, None)),
        task.effort.value,
    )


def _fields(plan: Plan) -> Iterator[Row]:
    yield from (("plan", 0, *field) for field in plan.fields)
    yield from (("task", task.id, *field) for task in plan.tasks for field in task.fields)
    yield from (("resource", resource.id, *field) for resource in plan.resources for field in resource.fields)
    for position, assignment in enumerate(plan.assignments):
        yield from (("assignment", position, *field) for field in assignment.fields)


def _calendar_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    calendars = list(plan.calendar_of.values())
    yield "calendar", _numbered((c.id, c.name, c.base, int(c is plan.calendar)) for c in calendars)
    periods = ((c.id, number, period) for c in calendars for number, period in enumerate(c.periods, start=1))
    yield "work_week", _numbered((c, number, p.first_day, p.last_day, p.name) for c, number, p in periods)
    weeks = [(c.id, number, w) for c in calendars for number, w in enumerate((c.week, *(p.week for p in c.periods)))]
    days = ((c, number, weekday, hours) for c, number, week in weeks for weekday, hours in enumerate(week))
    yield "calendar_day", _numbered((*day, None if hours is None else hours_text(hours)) for *day, hours in days)
    exceptions = ((c.id, exception) for c in calendars for exception in c.exceptions)
    yield "calendar_exception", _numbered((c, *_exception(exception)) for c, exception in exceptions)


def _exception(exception: CalendarException) -> Row:
    what = (exception.first_day, exception.last_day, hours_text(exception.shifts), exception.name)
    again = exception.recurrence
    if again is None:
        return (*what, *(None,) * 7)
    weekdays = ",".join(map(str, again.weekdays))
    when = (again.period, weekdays, again.month_day, again.month, again.position, again.occurrences)
    return (*what, again.kind.value, *when)


def _device_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    buffers = (
        (b.id, "x".join(map(str, b.shape)), b.dtype, b.memory.value, b.fill.kind.value, b.fill.seed, b.fill.file)
        for b in plan.buffers
    )
    yield "buffer", _numbered(buffers)
    yield "kernel", _numbered(map(_kernel, plan.kernels))
    parameters = (
        (k.name, p.name, float(p.default), float(p.minimum), float(p.maximum), int(p.is_whole))
        for k in plan.kernels
        for p in k.parameters
    )
    yield "kernel_parameter", _numbered(parameters)
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


def _kernel(kernel: KernelSpec) -> Row:
    texts = (kernel.summary, kernel.python, kernel.cuda, kernel.reference, kernel.dtype)
    choices = (int(kernel.is_one_shape), int(kernel.is_in_place), kernel.split.value)
    numbers = (float(kernel.tolerance), float(kernel.flops_per_item), float(kernel.bytes_per_item))
    return (kernel.name, kernel.kit, ",".join(kernel.reads), ",".join(kernel.writes), *texts, *choices, *numbers)


def _run_tables(runs: Sequence[RecordedRun]) -> Iterator[tuple[str, Iterable[Row]]]:
    numbered = list(enumerate(runs))
    yield "run", ((position, *_run_columns(run)) for position, run in numbered)
    yield "run_stream", _numbered((position, name) for position, run in numbered for name in run.streams)
    lanes = [dict(run.waits.lanes) for run in runs]
    tasks = ((at, task, name, lanes[at].get(task, 1)) for at, run in numbered for task, name in run.names)
    yield "run_task", _numbered(tasks)
    yield "run_link", _numbered((position, *link) for position, run in numbered for link in run.waits.links)
    yield "run_engine", _numbered((position, *engine) for position, run in numbered for engine in run.waits.engines)
    spans = (
        _spans(position, is_predicted, parts)
        for position, run in numbered
        for is_predicted, parts in enumerate((run.parts, run.predicted))
    )
    yield "span", _numbered(chain.from_iterable(spans))
    yield "run_pause", _numbered((position, *pause) for position, run in numbered for pause in run.pauses)


def _run_columns(run: RecordedRun) -> Row:
    verified = None if run.is_verified is None else int(run.is_verified)
    what = (run.number, run.device, run.outcome, run.device_name, run.stamps, run.error)
    return (*what, run.failed_task, run.repeat, run.bound_ns, verified)


def _spans(run: int, is_predicted: int, parts: Parts) -> Iterator[Row]:
    task, iteration, part, of, stream, engine, start, end, launch = parts.T.tolist()
    engines = [ENGINES[index] for index in engine]
    launches = [None if at == NOT_KNOWN else at for at in launch]
    columns = (task, iteration, part, of, stream, engines, start, end, launches)
    return zip(repeat(run), repeat(is_predicted), *columns, strict=False)


def _numbered(rows: Iterable[Row]) -> Iterator[Row]:
    return ((position, *row) for position, row in enumerate(rows))
