"""Work: how much of a task is worked, where, and how far it is done. It never dates a task."""

from __future__ import annotations

from engine.model import TaskId, Ticks
from engine.session.state import State


def pieces(state: State, task: TaskId) -> tuple[tuple[Ticks, Ticks], ...]:
    """(start, finish) in ticks of the pieces of a task; its dates where it does not pause."""
    dates = state.schedule
    found = dates.segments[dates.rows[task]] if state.plan.task(task).splits else ()
    return tuple((start, finish) for start, finish in found) or ((dates.start_of(task), dates.finish_of(task)),)


def worked(state: State, task: TaskId) -> Ticks:
    """Working ticks of a task by its own calendar, without its pauses."""
    time = state.schedule.working_time_of(task)
    return sum(time.between(start, finish) for start, finish in pieces(state, task))


def worked_until(state: State, task: TaskId, instant: Ticks) -> Ticks:
    """Working ticks of a task that lie before an instant."""
    time = state.schedule.working_time_of(task)
    return sum(time.between(start, min(max(instant, start), finish)) for start, finish in pieces(state, task))


def instant_of(state: State, task: TaskId, work: Ticks) -> Ticks:
    """When so many working ticks of a task are done; its start where none are."""
    time, found = state.schedule.working_time_of(task), pieces(state, task)
    for start, finish in found:
        length = time.between(start, finish)
        if work <= length:
            return time.add(start, work) if work > 0 else start
        work -= length
    return found[-1][1]


def done_at(state: State, task: TaskId) -> Ticks:
    """How far along its bar a task is done."""
    progress = state.plan.task(task).progress
    if progress is not None and progress.actual_finish is not None:
        return state.schedule.finish_of(task)
    percent = 0.0 if progress is None else progress.percent
    return instant_of(state, task, round(worked(state, task) * percent / 100))
