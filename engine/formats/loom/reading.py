"""A plan out of the tables of a .loom file, checked as a whole. It never touches the disk."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from typing import Any

from engine.errors import FormatError
from engine.formats.loom.tables import one_of, rows, truth
from engine.model import (
    Assignment,
    Buffer,
    Calendar,
    CalendarException,
    Clock,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Fill,
    FillKind,
    Lag,
    LagKind,
    Memory,
    OperationKind,
    OperationSpec,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Shift,
    Task,
    TaskId,
)

_SHAPE = re.compile(r"(\d{1,12}(x\d{1,12}){0,31})?", re.ASCII)
_SETTINGS = {"name": str, "clock": str, "start": int, "next_task_id": int, "profile": str, "hours_per_day": float}


def read_plan(db: sqlite3.Connection) -> Plan:
    """The plan. Raises sqlite3.Error, or FormatError and PlanError, each with a sentence."""
    setting = _settings(db)
    return Plan(
        name=setting["name"],
        clock=one_of(Clock, setting["clock"]),
        start=setting["start"],
        tasks=_tasks(db),
        dependencies=_dependencies(db),
        calendar=_calendar(db),
        resources=_resources(db),
        assignments=tuple(Assignment(*row) for row in rows(db, "assignment", "task:int resource:int units:float")),
        buffers=_buffers(db),
        settings=PlanSettings(setting["profile"], setting["hours_per_day"]),
        next_task_id=setting["next_task_id"],
    ).check()


def _settings(db: sqlite3.Connection) -> dict[str, Any]:
    found = dict(rows(db, "setting", "name:str value:any", order="name"))
    for name, kind in _SETTINGS.items():
        if type(found.get(name)) is not kind:
            raise FormatError(f"is damaged: its setting “{name}” is {found.get(name, 'missing')!r:.60}")
    return found


def _tasks(db: sqlite3.Connection) -> tuple[Task, ...]:
    operations = _operations(db)
    flags = "is_milestone:int is_duration_typed:int pin_kind:str"
    found = rows(db, "task", f"{flags} id:int name:str duration:int parent:int? pin:int source:str")
    return tuple(
        Task(
            task_id,
            name,
            duration,
            parent,
            is_milestone=truth(is_milestone),
            is_duration_typed=truth(is_duration_typed),
            constraint=one_of(ConstraintKind, pin_kind),
            constraint_at=pin,
            operation=operations.get(task_id),
            source=source,
        )
        for is_milestone, is_duration_typed, pin_kind, task_id, name, duration, parent, pin, source in found
    )


def _operations(db: sqlite3.Connection) -> dict[TaskId, OperationSpec]:
    parameters: defaultdict[TaskId, list[tuple[str, float]]] = defaultdict(list)
    for task, name, value in rows(db, "operation_parameter", "task:int name:str value:float"):
        parameters[task].append((name, value))
    buffers: defaultdict[tuple[TaskId, str], list[str]] = defaultdict(list)
    for task, access, buffer in rows(db, "operation_buffer", "task:int access:str buffer:str"):
        if access not in ("read", "write"):
            raise FormatError(f"is damaged: task {task} has access “{access:.60}” to a buffer")
        buffers[task, access].append(buffer)
    return {
        task: OperationSpec(
            one_of(OperationKind, kind),
            kernel,
            tuple(parameters[task]),
            tuple(buffers[task, "read"]),
            tuple(buffers[task, "write"]),
        )
        for task, kind, kernel in rows(db, "operation", "task:int kind:str kernel:str", order="task")
    }


def _dependencies(db: sqlite3.Connection) -> tuple[Dependency, ...]:
    columns = "predecessor:int successor:int kind:str lag:int lag_kind:str"
    return tuple(
        Dependency(before, after, one_of(DependencyKind, kind), Lag(lag, one_of(LagKind, lag_kind)))
        for before, after, kind, lag, lag_kind in rows(db, "dependency", columns)
    )


def _calendar(db: sqlite3.Connection) -> Calendar | None:
    named = next(rows(db, "calendar", "id:int name:str", order="id"), None)
    if named is None:
        return None
    exceptions = list(rows(db, "calendar_exception", "first_day:int last_day:int name:str"))
    week = _shifts(db, "shift", "weekday", 7)
    shifts = _shifts(db, "exception_shift", "exception", len(exceptions))
    return Calendar(
        id=named[0],
        name=named[1],
        week=week,
        exceptions=tuple(
            CalendarException(first, last, worked, name)
            for (first, last, name), worked in zip(exceptions, shifts, strict=True)
        ),
    )


def _shifts(db: sqlite3.Connection, table: str, group: str, count: int) -> tuple[tuple[Shift, ...], ...]:
    groups: list[list[Shift]] = [[] for _ in range(count)]
    for index, start, finish in rows(db, table, f"{group}:int start:int finish:int"):
        if not 0 <= index < count:
            raise FormatError(f"is damaged: “{group}” in its table “{table}” is {index}")
        groups[index].append(Shift(start, finish))
    return tuple(tuple(shifts) for shifts in groups)


def _resources(db: sqlite3.Connection) -> tuple[Resource, ...]:
    found = rows(db, "resource", "id:int name:str kind:str capacity:float")
    return tuple(Resource(number, name, one_of(ResourceKind, kind), capacity) for number, name, kind, capacity in found)


def _buffers(db: sqlite3.Connection) -> tuple[Buffer, ...]:
    columns = "id:str shape:str dtype:str memory:str fill:str seed:int file:str"
    return tuple(
        Buffer(
            number,
            _shape(shape),
            dtype,
            one_of(Memory, memory),
            Fill(one_of(FillKind, fill), seed, file),
        )
        for number, shape, dtype, memory, fill, seed, file in rows(db, "buffer", columns)
    )


def _shape(text: str) -> tuple[int, ...]:
    if not _SHAPE.fullmatch(text):
        raise FormatError(f"is damaged: “{text:.60}” is no shape")
    return tuple(int(side) for side in text.split("x")) if text else ()
