"""The verb `schedule`: a plan's dates as a document. It never changes a plan."""

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

from engine.errors import CycleError
from engine.formats import find_format
from engine.model import Clock, Plan, TaskId, Ticks
from engine.schedule.schedule import Schedule
from engine.session.document import Document

Value = None | bool | int | float | str | list[int] | list["Answer"]
Answer = dict[str, Value]

BAD_INPUT = 2

_EPOCH = datetime(1970, 1, 1)


def answer(file: str) -> tuple[int, object, str]:
    """Exit code, document and text of a file's plan. Raises EngineError for a file that holds no plan."""
    plan = find_format(file).load(file)
    try:
        state = Document(plan, folder=str(Path(file).absolute().parent)).state
    except CycleError as error:
        sys.stderr.write(error.sentence + "\n")
        return BAD_INPUT, cycle_document(plan, error), error.sentence
    return 0, schedule_document(state.plan, state.schedule), _text(state.plan, state.schedule)


def schedule_document(plan: Plan, schedule: Schedule) -> Answer:
    """The document of the verb: instants as ISO text and floats in minutes, or nanoseconds on a device plan."""
    driving: dict[TaskId, list[TaskId]] = defaultdict(list)
    for before, after in schedule.driving:
        driving[after].append(before)
    return {
        "clock": plan.clock.value,
        "start": instant(plan, schedule.project_start),
        "finish": instant(plan, schedule.project_finish),
        "tasks": [_task(plan, schedule, task_id, driving[task_id]) for task_id in plan.rows],
        "conflicts": [],
        "cycle": None,
    }


def cycle_document(plan: Plan, error: CycleError) -> Answer:
    """The document of a plan whose tasks wait for each other: no dates, and the cycle by uid."""
    empty: list[Answer] = []
    return {
        "clock": plan.clock.value,
        "start": None,
        "finish": None,
        "tasks": empty,
        "conflicts": empty,
        "cycle": list(error.ids),
    }


def instant(plan: Plan, ticks: Ticks) -> str | int:
    """An instant as the command line says it."""
    if plan.clock is Clock.DEVICE:
        return int(ticks)
    return (_EPOCH + timedelta(seconds=int(ticks))).isoformat()


def _task(plan: Plan, schedule: Schedule, task_id: TaskId, driving: list[TaskId]) -> Answer:
    row, task = schedule.rows[task_id], plan.task(task_id)
    unit, scale = ("_ns", 1) if plan.clock is Clock.DEVICE else ("_minutes", 60)
    dates = {
        "start": schedule.start,
        "finish": schedule.finish,
        "early_start": schedule.start,
        "early_finish": schedule.finish,
        "late_start": schedule.late_start,
        "late_finish": schedule.late_finish,
    }
    return {
        "uid": task_id,
        "name": task.name,
        "summary": plan.is_summary(task_id),
        "milestone": task.is_milestone,
        **{name: instant(plan, column[row]) for name, column in dates.items()},
        f"total_float{unit}": _scaled(int(schedule.total_float[row]), scale),
        f"free_float{unit}": _scaled(int(schedule.free_float[row]), scale),
        "critical": bool(schedule.is_critical[row]),
        "driving": sorted(driving),
        "recorded_start": None,
        "recorded_finish": None,
    }


def _text(plan: Plan, schedule: Schedule) -> str:
    """One line a task: start, finish, name; critical ones are starred."""
    lines = []
    for task_id, row in schedule.rows.items():
        star = "*" if schedule.is_critical[row] else " "
        start, finish = instant(plan, schedule.start[row]), instant(plan, schedule.finish[row])
        lines.append(f"{start:>20} {finish:>20} {star} {'  ' * plan.depth(task_id)}{plan.task(task_id).name}")
    return "\n".join(lines) or "The plan has no tasks."


def _scaled(ticks: Ticks, scale: int) -> int | float:
    return ticks // scale if ticks % scale == 0 else ticks / scale
