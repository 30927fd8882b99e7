"""Pins: those that an edit leaves behind, and what can be made of them instead. They never change a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.errors import EngineError, PlanError
from engine.model import Clock, Dependency, DependencyKind, Lag, LagKind, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.neighbors import links_before
from engine.session.edits import ChangeLink, Edit, MoveTask, MoveTasks, RemovePin
from engine.session.plan_edits import Together
from engine.session.shape_edits import ResizeStart
from engine.session.state import State

# Whoever moves more than this at once is asked about no pin: nobody looks at each.
MOST_ASKED = 256

_FROM_FINISH = {DependencyKind.FS, DependencyKind.FF}
_TO_START = {DependencyKind.FS, DependencyKind.SS}


def left_by(edit: Edit, before: State, after: State) -> tuple[TaskId, ...]:
    """The tasks that an edit has pinned, or pinned elsewhere, in row order; none where it was asked of very many."""
    if isinstance(edit, MoveTasks):
        held = edit.tasks
    elif isinstance(edit, MoveTask | ResizeStart):
        held = (edit.task,)
    else:
        return ()
    if len(held) > MOST_ASKED:
        return ()
    leaves = dict.fromkeys(leaf for task in held for leaf in after.plan.leaves(task))
    if len(leaves) > MOST_ASKED:
        return ()
    found = [leaf for leaf in leaves if (pin := after.plan.task(leaf).pin) is not None and pin != _pin(before, leaf)]
    return tuple(sorted(found, key=after.plan.rows.__getitem__))


def removal(tasks: tuple[TaskId, ...], words: str) -> Edit:
    """Tasks start as soon as they can again."""
    return RemovePin(tasks[0]) if len(tasks) == 1 else Together(words, tuple(RemovePin(task) for task in tasks))


def as_lags(state: State, tasks: tuple[TaskId, ...], words: str, trial: Callable[[Edit], State]) -> Edit | None:
    """Tasks that follow a predecessor by a lag, in the place of their pins, and start when they do now.

    None where no link can say so: nothing precedes a task, or what does cannot be given such a lag.
    """
    edits: list[Edit] = []
    for task in tasks:
        found = next((edits for edits in _lags(state, task, trial) if _starts_alike(state, task, edits, trial)), None)
        if found is None:
            return None
        edits += found
    return Together(words, tuple(edits)) if edits else None


def wish_for_lags(
    tasks: tuple[TaskId, ...], words: str, trial: Callable[[Edit], State], none: str
) -> Callable[[State], Edit]:
    """The same of the state that is there then; it raises a PlanError that says `none` where there is no such edit."""

    def made(state: State) -> Edit:
        edit = as_lags(state, tuple(task for task in tasks if task in state.plan.rows), words, trial)
        if edit is None:
            raise PlanError(none)
        return edit

    return made


def has_predecessors(state: State, tasks: tuple[TaskId, ...]) -> bool:
    """Whether links lead to all of these tasks, on a calendar: operations wait for no lag."""
    return state.plan.clock is Clock.CALENDAR and all(links_before(state.schedule, task) for task in tasks)


def _lags(state: State, task: TaskId, trial: Callable[[Edit], State]) -> Iterator[tuple[Edit, ...]]:
    """Ways to say a start by a lag: of the link that decides it without the pin first, in work, then in all hours."""
    free = trial(RemovePin(task)).schedule
    drivers = set(free.driven_by.get(task, ()))
    into = [link for link in state.plan.dependencies if link.successor == task]
    for link in sorted(into, key=lambda link: link.predecessor not in drivers):
        source, target = _bounds(state, link)
        times = (state.schedule.working_time_of(task), working_time(state.plan))
        amounts = [Lag(time.between(source, target)) for time in times]
        for lag in dict.fromkeys((*amounts, Lag(target - source, LagKind.ELAPSED))):
            yield RemovePin(task), ChangeLink(link, replace(link, lag=lag))


def _bounds(state: State, link: Dependency) -> tuple[Ticks, Ticks]:
    """The instants of the two ends that a link ties together."""
    dates = state.schedule
    source = dates.finish_of if link.kind in _FROM_FINISH else dates.start_of
    target = dates.start_of if link.kind in _TO_START else dates.finish_of
    return source(link.predecessor), target(link.successor)


def _starts_alike(state: State, task: TaskId, edits: tuple[Edit, ...], trial: Callable[[Edit], State]) -> bool:
    try:
        after = trial(Together("", edits)).schedule
    except EngineError:
        return False
    return after.start_of(task) == state.schedule.start_of(task)


def _pin(state: State, task: TaskId) -> Ticks | None:
    return state.plan.task(task).pin if task in state.plan.rows else None
