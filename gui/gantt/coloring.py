"""Coloring: which token of the theme a bar takes, by what a person chose to see. It never holds a color."""

from __future__ import annotations

from enum import Enum

from engine.model import Task, TaskId
from engine.session.state import State
from gui.gantt.bars import Bar, BarKind
from gui.gantt.shares import UNKNOWN, Shares
from gui.theme import HUES


class ColorBy(Enum):
    """What the color of a bar stands for."""

    KIND = "kind"
    RESOURCE = "resource"
    CRITICALITY = "criticality"
    CHANCE = "chance"
    STATUS = "status"


def bar_color(state: State, bar: Bar, by: ColorBy = ColorBy.KIND, shares: Shares | None = None) -> str:
    """The token of a bar. A summary has one color whatever is chosen. `shares`: how critical tasks are in samples."""
    if bar.kind is BarKind.SUMMARY:
        return "summary"
    if by is ColorBy.RESOURCE:
        return _resource_color(state, bar.task.id)
    if by is ColorBy.CRITICALITY:
        return _float_color(state, bar.plan_row)
    if by is ColorBy.CHANCE:
        return UNKNOWN if shares is None else shares.color(bar)
    if by is ColorBy.STATUS:
        return _status_color(state, bar)
    return kind_color(bar.task)


def kind_color(task: Task) -> str:
    """By the operation on a device plan, the accent on a calendar plan."""
    return "accent" if task.operation is None else task.operation.kind.engine


def _resource_color(state: State, task: TaskId) -> str:
    """The hue of the first who does it, by that one's place in the plan; hues come again after the last."""
    place = state.plan.first_resource.get(task)
    return "idle" if place is None else HUES[place % len(HUES)]


def _float_color(state: State, row: int) -> str:
    dates = state.schedule
    return "critical" if dates.is_critical[row] else "warning" if dates.is_near_critical[row] else "idle"


def _status_color(state: State, bar: Bar) -> str:
    """Done, late, begun, or still to come: late is what should have been further by the status date, or misses its
    deadline.
    """
    task, dates, status = bar.task, state.schedule, state.plan.settings.status
    percent = 0.0 if task.progress is None else task.progress.percent
    if percent >= 100 or (task.progress is not None and task.progress.actual_finish is not None):
        return "good"
    start, finish = int(dates.start[bar.plan_row]), int(dates.finish[bar.plan_row])
    is_behind = status is not None and start < status and _due(state, task.id, (start, finish), status) > percent
    if is_behind or (task.deadline is not None and finish > task.deadline):
        return "critical"
    return "accent" if percent else "idle"


def _due(state: State, task: TaskId, span: tuple[int, int], status: int) -> float:
    """How many percent of a task should be done by an instant."""
    time = state.schedule.working_time_of(task)
    whole = time.between(*span)
    return 100.0 * time.between(span[0], min(status, span[1])) / whole if whole else 100.0
