"""Words: instants, durations and changes of a plan as a person reads them. It never computes a date."""

from __future__ import annotations

from pathlib import Path

from engine.model import Clock, Plan, Task, TaskId, Ticks
from engine.session.state import State
from gui.canvas import calendar_ticks, device_ticks

_MINUTE_S = 60


def instant_text(plan: Plan, tick: Ticks) -> str:
    """An instant: "Mon 2 Mar 2026 08:00", or "4.1 ms" since the run began."""
    if plan.clock is Clock.CALENDAR:
        return calendar_ticks.instant_text(tick)
    return device_ticks.instant_text(tick)


def duration_text(plan: Plan, ticks: Ticks) -> str:
    """Working ticks to one decimal: "2.5 d" by the plan's hours a day, or "1600 µs"."""
    if plan.clock is Clock.CALENDAR:
        return calendar_ticks.duration_text(ticks, plan.settings.hours_per_day)
    return device_ticks.duration_text(ticks)


def length_text(plan: Plan, task: Task, ticks: Ticks, *, is_rough: bool = False) -> str:
    """Ticks of a task's own time, its duration or its float, to the minute: "4 h 15 min", "1.5 ed" if it is elapsed.

    What was estimated is rough: "4.2 h".
    """
    if plan.clock is Clock.CALENDAR and task.is_elapsed and not plan.is_summary(task.id):
        return calendar_ticks.elapsed_text(ticks)
    return duration_text(plan, ticks) if is_rough else exact_text(plan, ticks)


def float_text(plan: Plan, task: Task, ticks: Ticks) -> str:
    """A float, to the minute as the task is and from a day on to a tenth: less than a minute is "0", for shifts part by
    a second where one ends or begins.
    """
    if plan.clock is Clock.CALENDAR and task.duration % _MINUTE_S == 0 and abs(ticks) < _MINUTE_S:
        return "0"
    is_rough = abs(ticks) >= plan.settings.hours_per_day * 60 * _MINUTE_S
    return length_text(plan, task, ticks, is_rough=is_rough) if ticks else "0"


def exact_text(plan: Plan, ticks: Ticks) -> str:
    """Working ticks to the minute: "4 h 15 min", "1 d 30 min"; on a device plan as duration_text."""
    if plan.clock is Clock.CALENDAR:
        return calendar_ticks.exact_text(ticks, plan.settings.hours_per_day)
    return duration_text(plan, ticks)


def change_text(plan: Plan, ticks: Ticks, *, is_rough: bool = False) -> str:
    """A difference with its sign, to the minute: "+4 h 15 min", "+900 µs"; nothing when there is none.

    What was estimated is rough: "+4.2 h".
    """
    if ticks == 0:
        return ""
    text = duration_text(plan, ticks) if is_rough else exact_text(plan, ticks)
    return f"+{text}" if ticks > 0 else text


def full_name(plan: Plan, task_id: TaskId, between: str = ", ") -> str:
    """A task and the summary it lies in, for many summaries hold tasks of one name: "denoise, Frame 4"."""
    task = plan.task(task_id)
    return task.name if task.parent is None else f"{task.name}{between}{plan.task(task.parent).name}"


def title_of(state: State) -> str:
    """The plan's name, its file's where there is one, and that of the branch that is active."""
    return " · ".join(name for name in (state.plan.name, Path(state.path).name, state.branch) if name)
