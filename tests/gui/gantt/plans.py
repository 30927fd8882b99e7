"""Small plans for the tests of the Gantt view, with their dates."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from engine.model import (
    Assignment,
    Calendar,
    Clock,
    ConstraintKind,
    Dependency,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.schedule.cpm import schedule
from engine.session.edits import Edit
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.rows import Rows

HOUR = 3600
DAY = 24 * HOUR
WORKDAY = 8 * HOUR
US = 1000


def at(*when: int) -> int:
    """A date as a tick of a calendar plan."""
    return int((datetime(*when) - datetime(1970, 1, 1)).total_seconds())


def state_of(plan: Plan, costs: Mapping[int, int] | None = None) -> State:
    return State(plan, schedule(plan, costs))


def tried(state: State, edit: Edit, costs: Mapping[int, int] | None = None) -> State:
    """What the document computes for a drag."""
    plan = edit.apply(state.plan, state.schedule)
    return replace(state, plan=plan, schedule=schedule(plan, costs))


def week() -> State:
    """A summary of two linked tasks and a milestone, from Monday 2 March 2026, and a short task beside them.

    Rows: Build; Frame (3 d); Roof (2 d, after Frame); Built (milestone, after Roof); Paint (1 d, alone).
    """
    tasks = (
        Task(1, "Build"),
        Task(2, "Frame", 3 * WORKDAY, 1),
        Task(3, "Roof", 2 * WORKDAY, 1),
        Task(4, "Built", 0, 1, is_milestone=True),
        Task(5, "Paint", WORKDAY),
    )
    links = (Dependency(2, 3), Dependency(3, 4))
    monday = at(2026, 3, 2, 8)
    plan = Plan("week", Clock.CALENDAR, monday, tasks, links, Calendar.standard(), next_task_id=6)
    return state_of(plan)


COSTS = {2: 1000 * US, 3: 2000 * US, 4: 500 * US, 5: 1000 * US}


def frames(pin: int | None = None) -> State:
    """Copy in, blur and copy out on one stream, and a second copy in on another; durations from COSTS but for Copy 2.

    Rows: Frame; Copy in; Blur; Copy out; Copy 2 (typed 800 µs, free).
    """
    kinds = (OperationKind.COPY_IN, OperationKind.KERNEL, OperationKind.COPY_OUT)
    names = ("Copy in", "Blur", "Copy out")
    tasks = [Task(1, "Frame")]
    for number, (kind, name) in enumerate(zip(kinds, names, strict=True), 2):
        tasks.append(Task(number, name, 0, 1, is_duration_typed=False, operation=OperationSpec(kind)))
    tasks.append(Task(5, "Copy 2", 800 * US, operation=OperationSpec(OperationKind.COPY_IN)))
    if pin is not None:
        tasks[4] = replace(tasks[4], constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=pin)
    streams = (Resource(1, "Stream 1", ResourceKind.STREAM), Resource(2, "Stream 2", ResourceKind.STREAM))
    where = (Assignment(2, 1), Assignment(3, 1), Assignment(4, 1), Assignment(5, 2))
    links = (Dependency(2, 3),)
    plan = Plan("frames", Clock.DEVICE, 0, tuple(tasks), links, None, streams, where, next_task_id=6)
    return state_of(plan, COSTS)


def layout_of(state: State, scale: TimeScale | None = None, scroll_px: int = 0) -> Layout:
    """By default 10 µs a pixel from 100 µs before zero, or an hour in four pixels from the Sunday before."""
    if scale is None:
        is_calendar = state.plan.clock is Clock.CALENDAR
        scale = TimeScale(at(2026, 3, 1), 900.0) if is_calendar else TimeScale(-1000 * US // 10, 10_000.0)
    return Layout(state, Rows.of(state), scale, scroll_px)
