"""The verb `schedule`: a plan's dates as a document. It never changes a plan."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from engine.errors import CycleError
from engine.model import Clock, Plan, TaskId, Ticks
from engine.schedule.schedule import Schedule

Value = None | bool | int | float | str | list[int] | list["Document"]
Document = dict[str, Value]

_EPOCH = datetime(1970, 1, 1)


def schedule_document(plan: Plan, schedule: Schedule) -> Document:
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


def cycle_document(plan: Plan, error: CycleError) -> Document:
    """The document of a plan whose tasks wait for each other: no dates, and the cycle by uid."""
    empty: list[Document] = []
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


def _task(plan: Plan, schedule: Schedule, task_id: TaskId, driving: list[TaskId]) -> Document:
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


def _scaled(ticks: Ticks, scale: int) -> int | float:
    return ticks // scale if ticks % scale == 0 else ticks / scale
