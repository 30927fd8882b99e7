"""A plan out of the tables of a .loom file, checked as a whole. It never touches the disk."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from dataclasses import fields, replace
from enum import Enum
from functools import lru_cache
from typing import Any

from engine.errors import FormatError
from engine.formats.loom.calendars import read_calendars
from engine.formats.loom.risk import Spreads, read_lag_spreads, read_risks, read_spreads, read_task_risks
from engine.formats.loom.shop import (
    OfResource,
    read_alternatives,
    read_changeovers,
    read_longest,
    read_of_resources,
    read_of_tasks,
    read_transports,
)
from engine.formats.loom.tables import one_of, rows, rows_if_any, truth, version_of
from engine.formats.progress import told
from engine.model import (
    Assignment,
    Baseline,
    BaselineTask,
    Buffer,
    Capacity,
    Clock,
    ConstraintKind,
    Contour,
    Dependency,
    DependencyKind,
    EffortKind,
    Fill,
    FillKind,
    KernelSpec,
    KernelSplit,
    Lag,
    LagKind,
    Memory,
    OperationKind,
    OperationSpec,
    ParameterSpec,
    Plan,
    PlanSettings,
    Progress,
    Recorded,
    Resource,
    ResourceKind,
    Split,
    Task,
    TaskId,
    in_outline_order,
)

_IN_1 = ("profile", "hours_per_day")
_SHAPE = re.compile(r"(\d{1,12}(x\d{1,12}){0,31})?", re.ASCII)
_PLAN = {"name": str, "clock": str, "start": int, "next_task_id": int}
_TASK = (
    "id:int name:str duration:int parent:int? is_milestone:int is_duration_typed:int pin_kind:str pin:int source:str "
    "is_elapsed:int=0 is_manual:int=0 manual_start:int?=NULL manual_finish:int?=NULL is_active:int=1 "
    "calendar:int?=NULL ignores_resource_calendars:int=0 deadline:int?=NULL priority:int=500 delay:int=0 "
    "effort:str='units' "
    "percent:float?=NULL actual_start:int?=NULL actual_finish:int?=NULL remaining:int?=NULL "
    "recorded_start:int?=NULL recorded_finish:int?=NULL"
)
Fields = defaultdict[tuple[str, int], tuple[tuple[str, str], ...]]


def read_plan(db: sqlite3.Connection) -> Plan:
    """The plan. Raises sqlite3.Error, or FormatError and PlanError, each with a sentence."""
    found = dict(rows(db, "setting", "name:str value:any", order="name"))
    for name, kind in _PLAN.items():
        _check_setting(found, name, kind)
    fields_of, spreads = _fields(db), read_spreads(db)
    calendar, calendars = read_calendars(db)
    return Plan(
        name=found["name"],
        clock=one_of(Clock, found["clock"]),
        start=found["start"],
        tasks=_tasks(db, fields_of, spreads),
        dependencies=_dependencies(db, spreads),
        calendar=calendar,
        resources=_resources(db, fields_of),
        assignments=_assignments(db, fields_of),
        buffers=_buffers(db),
        settings=_settings(found, version_of(db)),
        next_task_id=found["next_task_id"],
        calendars=calendars,
        baselines=_baselines(db),
        fields=fields_of["plan", 0],
        kernels=_kernels(db),
        alternatives=read_alternatives(db),
        changeovers=read_changeovers(db),
        transports=read_transports(db),
        risks=read_risks(db, spreads),
    ).check()


def _check_setting(found: dict[str, Any], name: str, kind: type) -> None:
    if type(found.get(name)) is not kind:
        raise FormatError(f"is damaged: its setting “{name}” is {found.get(name, 'missing')!r:.60}")


def _settings(found: dict[str, Any], version: int) -> PlanSettings:
    """The choices of a plan; of those that version 1 had not, the present defaults."""
    default = PlanSettings()
    chosen: dict[str, Any] = {}
    for field in fields(PlanSettings):
        usual = getattr(default, field.name)
        if field.name not in found and (usual is None or (version == 1 and field.name not in _IN_1)):
            continue
        kind = str if isinstance(usual, Enum) else int if usual is None or isinstance(usual, bool) else type(usual)
        _check_setting(found, field.name, kind)
        value = found[field.name]
        if isinstance(usual, Enum):
            value = one_of(type(usual), value)
        chosen[field.name] = truth(value) if isinstance(usual, bool) else value
    return PlanSettings(**chosen)


def _fields(db: sqlite3.Connection) -> Fields:
    found: Fields = defaultdict(tuple)
    for owner, number, name, text in rows(db, "field", "owner:str id:int name:str text:str"):
        found[owner, number] = (*found[owner, number], (name, text))
    return found


def _tasks(db: sqlite3.Connection, fields_of: Fields, spreads: Spreads) -> tuple[Task, ...]:
    operations = _operations(db)
    splits: defaultdict[TaskId, list[Split]] = defaultdict(list)
    for task, work, gap in rows(db, "task_split", "task:int work:int gap:int"):
        splits[task].append(Split(work, gap))
    asked, risks = read_of_tasks(db), read_task_risks(db, spreads)
    read = (
        _task(row, operations, tuple(splits[row[0]]), fields_of["task", row[0]])
        for row in told(list(rows(db, "task", _TASK)), 0.2)
    )
    # A file that other programs wrote may have rows of a summary anywhere below it.
    shop = (replace(t, **asked[t.id]._asdict()) if t.id in asked else t for t in read)
    return in_outline_order(replace(t, risk=risks[t.id]) if t.id in risks else t for t in shop)


def _task(
    row: tuple[Any, ...],
    operations: dict[TaskId, OperationSpec],
    splits: tuple[Split, ...],
    fields: tuple[tuple[str, str], ...],
) -> Task:
    task_id, name, duration, parent, is_milestone, is_typed, pin_kind, pin, source = row[:9]
    is_elapsed, is_manual, manual_start, manual_finish, is_active, calendar, ignores, deadline, *numbers = row[9:]
    priority, delay, effort, percent, *done, recorded_start, recorded_finish = numbers
    has_dates = recorded_start is not None and recorded_finish is not None
    return Task(
        task_id,
        name,
        duration,
        parent,
        is_milestone=truth(is_milestone),
        is_duration_typed=truth(is_typed),
        constraint=one_of(ConstraintKind, pin_kind),
        constraint_at=pin,
        operation=operations.get(task_id),
        source=source,
        is_elapsed=truth(is_elapsed),
        is_manual=truth(is_manual),
        manual_start=manual_start,
        manual_finish=manual_finish,
        is_active=truth(is_active),
        calendar=calendar,
        ignores_resource_calendars=truth(ignores),
        deadline=deadline,
        priority=priority,
        delay=delay,
        splits=splits,
        progress=None if percent is None else Progress(percent, *done),
        recorded=Recorded(recorded_start, recorded_finish) if has_dates else None,
        effort=one_of(EffortKind, effort),
        fields=fields,
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
    once = {task for (task,) in rows_if_any(db, "operation_once", "task:int", order="task")}
    return {
        task: OperationSpec(
            one_of(OperationKind, kind),
            kernel,
            tuple(parameters[task]),
            tuple(buffers[task, "read"]),
            tuple(buffers[task, "write"]),
            task in once,
        )
        for task, kind, kernel in rows(db, "operation", "task:int kind:str kernel:str", order="task")
    }


def _dependencies(db: sqlite3.Connection, spreads: Spreads) -> tuple[Dependency, ...]:
    columns = "position:int predecessor:int successor:int kind:str lag:int lag_kind:str"
    longest, spread = read_longest(db), read_lag_spreads(db, spreads)
    return tuple(
        Dependency(before, after, one_of(DependencyKind, kind), _lag(lag, lag_kind), longest.get(at), spread.get(at))
        for at, before, after, kind, lag, lag_kind in rows(db, "dependency", columns)
    )


@lru_cache(maxsize=1024)
def _lag(amount: int, kind: str) -> Lag:
    """A lag: most links have one of a few."""
    return Lag(amount, one_of(LagKind, kind))


def _resources(db: sqlite3.Connection, fields_of: Fields) -> tuple[Resource, ...]:
    steps: defaultdict[int, list[Capacity]] = defaultdict(list)
    for number, first, last, units in rows(db, "resource_capacity", "resource:int first:int last:int units:float"):
        steps[number].append(Capacity(first, last, units))
    shop = read_of_resources(db)
    found = rows(db, "resource", "id:int name:str kind:str capacity:float calendar:int?=NULL source:str=''")
    return tuple(
        Resource(
            number,
            name,
            one_of(ResourceKind, kind),
            capacity,
            calendar,
            tuple(steps[number]),
            source,
            fields_of["resource", number],
            *shop.get(number, OfResource()),
        )
        for number, name, kind, capacity, calendar, source in found
    )


def _assignments(db: sqlite3.Connection, fields_of: Fields) -> tuple[Assignment, ...]:
    columns = "position:int task:int resource:int units:float work:int?=NULL contour:str='flat'@3"
    return tuple(
        Assignment(task, resource, units, work, fields_of["assignment", position], one_of(Contour, contour))
        for position, task, resource, units, work, contour in rows(db, "assignment", columns)
    )


def _baselines(db: sqlite3.Connection) -> tuple[Baseline, ...]:
    tasks: defaultdict[int, list[BaselineTask]] = defaultdict(list)
    columns = "baseline:int task:int start:int finish:int duration:int"
    for position, *row in rows(db, "baseline_task", columns):
        tasks[position].append(BaselineTask(*row))
    found = rows(db, "baseline", "position:int number:int name:str")
    return tuple(Baseline(number, name, tuple(tasks[position])) for position, number, name in found)


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


def _kernels(db: sqlite3.Connection) -> tuple[KernelSpec, ...]:
    parameters: defaultdict[str, list[ParameterSpec]] = defaultdict(list)
    columns = "kernel:str name:str usual:float minimum:float maximum:float is_whole:int"
    for kernel, name, *numbers, is_whole in rows(db, "kernel_parameter", columns):
        usual, low, high = numbers
        parameters[kernel].append(ParameterSpec(name, usual, low, high, truth(is_whole)))
    columns = (
        "name:str kit:str reads:str writes:str summary:str python:str cuda:str reference:str dtype:str "
        "is_one_shape:int is_in_place:int split:str tolerance:float flops_per_item:float bytes_per_item:float"
    )
    return tuple(_kernel(row, tuple(parameters[row[0]])) for row in rows(db, "kernel", columns))


def _kernel(row: tuple[Any, ...], parameters: tuple[ParameterSpec, ...]) -> KernelSpec:
    name, kit, reads, writes, *texts, dtype, is_one_shape, is_in_place, split, tolerance, flops, nbytes = row
    summary, python, cuda, reference = texts
    return KernelSpec(
        name,
        kit,
        _names(reads),
        _names(writes),
        summary,
        python,
        cuda,
        reference,
        parameters,
        dtype,
        truth(is_one_shape),
        truth(is_in_place),
        one_of(KernelSplit, split),
        tolerance,
        flops,
        nbytes,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _shape(text: str) -> tuple[int, ...]:
    if not _SHAPE.fullmatch(text):
        raise FormatError(f"is damaged: “{text:.60}” is no shape")
    return tuple(int(side) for side in text.split("x")) if text else ()
