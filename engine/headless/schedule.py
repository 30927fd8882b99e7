"""The verb `schedule`: a plan's dates as a document. It never changes a plan."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from engine.errors import CycleError, PlanError
from engine.headless.options import idle_options, with_options
from engine.headless.reading import read_plan
from engine.model import DAY, Clock, Plan, Task, Ticks
from engine.schedule.conflicts import Conflict
from engine.schedule.schedule import Schedule
from engine.schedule.shop_conflicts import find_shop_conflicts
from engine.session.cell_words import device_text
from engine.session.differences import find_differences
from engine.session.document import Document
from engine.session.state import State

Value = None | bool | int | float | str | list[int] | list["Answer"]
Answer = dict[str, Value]

BAD_INPUT = 2

_FIRST, _LAST = -719_162 * DAY, 2_932_897 * DAY  # the years 1 to 9999
_EPOCH = datetime(1970, 1, 1)


def load_state(file: str, options: Sequence[str] = ()) -> State:
    """The plan of a file under some options, and its schedule. Raises EngineError for a file that holds no plan."""
    return _state(file, _load(file, options))


def _load(file: str, options: Sequence[str]) -> Plan:
    plan = with_options(read_plan(file), options)
    if idle := idle_options(plan, options):
        sys.stderr.write(f"{idle}\n")
    return plan


def _state(file: str, plan: Plan) -> State:
    try:
        return Document(plan, folder=str(Path(file).absolute().parent)).state
    except PlanError as error:
        error.path = error.path or file
        raise


def answer(file: str, options: Sequence[str] = (), *, is_recorded: bool = False) -> tuple[int, object, str]:
    """Exit code, document and text of a file's plan. Raises EngineError for a file that holds no plan."""
    plan = _load(file, options)
    try:
        schedule = _state(file, plan).schedule
    except CycleError as error:  # a device plan cannot be dated without some of its links
        sys.stderr.write(f"{error.sentence}\n")
        return BAD_INPUT, cycle_document(plan, error), error.sentence
    remarks = [conflict.sentence for conflict in _conflicts(schedule)]
    if schedule.cycle:
        names = " → ".join(f"“{plan.task(each).name}”" for each in (*schedule.cycle, schedule.cycle[0]))
        remarks.insert(0, f"{names} wait for each other; the plan was dated without the links between them.")
    sys.stderr.writelines(f"{remark}\n" for remark in remarks)
    return 0, schedule_document(plan, schedule, is_recorded=is_recorded), _text(plan, schedule, is_recorded=is_recorded)


def schedule_document(plan: Plan, schedule: Schedule, *, is_recorded: bool = False) -> Answer:
    """The document of the verb: instants as ISO text and floats in minutes, or nanoseconds on a device plan."""
    return {
        "clock": plan.clock.value,
        "start": instant(plan, schedule.project_start),
        "finish": instant(plan, schedule.project_finish),
        "tasks": [_task(plan, schedule, task, is_recorded=is_recorded) for task in plan.tasks],
        "conflicts": [_conflict(each) for each in _conflicts(schedule)],
        "cycle": list(schedule.cycle) or None,
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


def _conflicts(schedule: Schedule) -> tuple[Conflict, ...]:
    return (*schedule.conflicts, *find_shop_conflicts(schedule))


def _conflict(conflict: Conflict) -> Answer:
    chain = list(conflict.chain)
    return {"task": conflict.task, "kind": conflict.kind, "chain": chain, "sentence": conflict.sentence}


def instant(plan: Plan, ticks: Ticks) -> str | int:
    """An instant as the command line says it: ticks where a calendar has no such year."""
    if plan.clock is Clock.DEVICE or not _FIRST <= ticks < _LAST:
        return int(ticks)
    return (_EPOCH + timedelta(seconds=int(ticks))).isoformat()


def instant_words(plan: Plan, ticks: Ticks) -> str:
    """The same for a person: "2026-03-02T08:00:00", or "1.25 ms" on a device plan."""
    return device_text(ticks) if plan.clock is Clock.DEVICE else str(instant(plan, ticks))


def _task(plan: Plan, schedule: Schedule, task: Task, *, is_recorded: bool) -> Answer:
    row = schedule.rows[task.id]
    unit, scale = ("_ns", 1) if plan.clock is Clock.DEVICE else ("_minutes", 60)
    dates = {
        "start": schedule.start,
        "finish": schedule.finish,
        "early_start": schedule.early_start,
        "early_finish": schedule.early_finish,
        "late_start": schedule.late_start,
        "late_finish": schedule.late_finish,
    }
    recorded = task.recorded if is_recorded else None
    return {
        "uid": task.id,
        "name": task.name,
        "source": task.source or None,
        "summary": plan.is_summary(task.id),
        "milestone": task.is_milestone,
        **{name: instant(plan, column[row]) for name, column in dates.items()},
        f"total_float{unit}": _scaled(int(schedule.total_float[row]), scale),
        f"free_float{unit}": _scaled(int(schedule.free_float[row]), scale),
        "critical": bool(schedule.is_critical[row]),
        "driving": sorted(schedule.driven_by.get(task.id, ())),
        "recorded_start": instant(plan, recorded.start) if recorded else None,
        "recorded_finish": instant(plan, recorded.finish) if recorded else None,
    }


def _text(plan: Plan, schedule: Schedule, *, is_recorded: bool) -> str:
    """One line a task: start, finish, name; critical ones are starred. Of recorded dates also what we make of them."""
    moved = {each.task for each in find_differences(plan, schedule)} if is_recorded else set()
    lines = []
    for task in plan.tasks:
        star = "*" if schedule.is_critical[schedule.rows[task.id]] else " "
        ours = _dates(plan, schedule.start_of(task.id), schedule.finish_of(task.id))
        shown, remark = ours, ""
        if is_recorded and task.recorded is not None:
            shown = _dates(plan, task.recorded.start, task.recorded.finish)
            remark = f"   (recalculated: {' '.join(ours.split())})" if task.id in moved else ""
        lines.append(f"{shown} {star} {'  ' * plan.depth(task.id)}{task.name}{remark}")
    return "\n".join(lines) or "The plan has no tasks."


def _dates(plan: Plan, start: Ticks, finish: Ticks) -> str:
    return f"{instant_words(plan, start):>20} {instant_words(plan, finish):>20}"


def _scaled(ticks: Ticks, scale: int) -> int | float:
    return ticks // scale if ticks % scale == 0 else ticks / scale
