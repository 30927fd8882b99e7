"""The critical path method: Plan in, Schedule out. It never reads a clock or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.errors import PlanError
from engine.model import DAY, Calendar, Clock, ConstraintKind, Dependency, Plan, PlanSettings, Task, TaskId, Ticks
from engine.schedule import delays, plain_passes
from engine.schedule.ahead import Ahead, Early
from engine.schedule.arranging import Arrange, arrange
from engine.schedule.assembly import Fold, assemble
from engine.schedule.columns import INACTIVE, LEAF, MANUAL, NONE, STARTED, Bits, Column, Dates
from engine.schedule.editing import edited
from engine.schedule.network import Network, rules_of
from engine.schedule.schedule import Basis, Schedule
from engine.schedule.task_paths import find_paths
from engine.schedule.working_time import FIRST_DAY, LAST_DAY, WorkingTime


class Engine(NamedTuple):
    """One set of passes; the readable and the compiled one give equal results."""

    arrange: Arrange
    compute: Callable[[Network, Ticks], Dates]
    update: Callable[[Network, Dates, Network], Dates | None]
    fold: Fold
    early: Early | None = None


_engines: list[Engine] = [
    Engine(arrange, plain_passes.compute_dates, lambda *_: None, plain_passes.FOLD)
]  # the last one loaded is used


def schedule(plan: Plan, durations: Mapping[TaskId, Ticks] | None = None, previous: Schedule | None = None) -> Schedule:
    """Dates, floats and the critical path of a plan.

    `durations` in ticks are used for tasks whose duration no person typed. `previous` is a schedule of the plan before
    an edit: the result is the same, only sooner. Raises PlanError where a date cannot be computed, and CycleError on
    a device plan; a calendar plan with a cycle is dated without its links, and Schedule.cycle names it.
    """
    return _computed(_engines[-1], plan, durations or {}, previous)


def _computed(engine: Engine, plan: Plan, durations: Mapping[TaskId, Ticks], previous: Schedule | None) -> Schedule:
    return _dated(engine, _network(plan, durations, previous, engine), durations, previous)


def _dated(
    engine: Engine, network: Network, durations: Mapping[TaskId, Ticks], previous: Schedule | None = None
) -> Schedule:
    plan = network.plan
    if plan.settings.is_from_finish and plan.clock is Clock.CALENDAR:
        network, finish = _from_finish(network, engine)
        dates = engine.compute(network, finish)
    else:
        known = previous.basis if previous and not previous.basis.network.plan.settings.is_from_finish else None
        updated = engine.update(known.network, known.dates, network) if known else None
        dates = updated or engine.compute(network, NONE)
    _check_horizon(network, dates)
    return assemble(Basis(network, dates), durations, engine.fold)


def _network(plan: Plan, durations: Mapping[TaskId, Ticks], previous: Schedule | None, engine: Engine) -> Network:
    """The network of a plan, made of that of the plan before an edit where that is simple."""
    known = previous.basis.network if previous and not durations else None
    changed = edited(known.with_rules(rules_of(known.plan)), plan, engine.arrange) if known else None
    return changed or Network.of(plan, durations, engine.arrange)


def _from_finish(network: Network, engine: Engine) -> tuple[Network, Ticks]:
    """The network with the start that its finish leaves, and that finish."""
    finish = _counted_from(network, engine)
    late = engine.compute(network, finish)
    planned = _counted(network) & (network.nodes.flags & (STARTED | MANUAL) == 0)
    start = int(late.late_start[planned].min(initial=finish))
    return network.with_rules(network.rules._replace(start=start)), finish


def counted_from(plan: Plan) -> Ticks:
    """The instant that a plan which is scheduled from its finish is counted back from."""
    return _counted_from(Network.of(plan, {}, _engines[-1].arrange), _engines[-1])


def _counted_from(network: Network, engine: Engine) -> Ticks:
    finish = network.plan.settings.finish
    if finish is None:
        dates = engine.compute(network, NONE)
        finish = int(dates.finish[_counted(network)].max(initial=network.plan.start))
    return finish


def _counted(network: Network) -> Column:
    counted: Column = (network.nodes.role == LEAF) & (network.nodes.flags & INACTIVE == 0)
    return counted


def delays_to(dated: Schedule, targets: Mapping[TaskId, Ticks]) -> dict[TaskId, Ticks]:
    """The leveling delay in elapsed ticks with which each task of a schedule's plan starts at its target, zero where
    it does without one; none for those that have begun, are dated by hand or as late as possible, or not active.
    """
    starts = np.full(len(dated.start), NONE, dtype=np.int64)
    starts[[dated.rows[task] for task in targets]] = list(targets.values())
    found = delays.find_delays(dated.basis.network, starts, _engines[-1].early).tolist()
    return {task: delay for task in targets if (delay := found[dated.rows[task]]) != NONE}


def delayed(dated: Schedule, plan: Plan) -> Schedule:
    """The schedule of a plan that differs from a schedule's own by leveling delays alone: as `schedule` has it, only
    sooner.
    """
    if plan.clock is Clock.DEVICE or plan.settings.is_from_finish:
        return schedule(plan)
    return _dated(_engines[-1], delays.delayed(dated.basis.network, plan), {})


def ahead_of(schedule: Schedule) -> Ahead | None:
    """What tells early when rows happen after an edit of a schedule's plan; None until passes are compiled."""
    engine = _engines[-1]
    return None if engine.early is None else Ahead(schedule, engine.early, engine.fold)


def task_paths(schedule: Schedule, tasks: Iterable[TaskId]) -> Bits:
    """What each row is to some tasks, as flags of task_paths: what leads to them, drives, follows or is driven."""
    return find_paths(schedule.basis, [schedule.rows[task] for task in tasks], _engines[-1].fold)


def working_time(plan: Plan) -> WorkingTime:
    """The working time of the plan's calendar; the device clock always works."""
    return WorkingTime.of(plan.calendar if plan.clock is Clock.CALENDAR else None, plan.calendar_of)


def _check_horizon(network: Network, dates: Dates) -> None:
    if network.plan.clock is Clock.DEVICE:
        return
    calendar, counted = network.nodes.calendar, _counted(network)
    first = np.array([max(int(time.starts[0]), FIRST_DAY * DAY) for time in network.times])
    last = np.array([min(int(time.ends[-1]), (LAST_DAY + 1) * DAY) for time in network.times])
    if dates.finish[counted].max(initial=0) < last.min() and dates.start[counted].min(initial=last[0]) >= first.max():
        return
    is_known = network.nodes.flags & (STARTED | MANUAL) != 0
    outside = (dates.finish >= last[calendar]) | (dates.start < np.where(is_known, FIRST_DAY * DAY, first[calendar]))
    shared = sorted(network.shared)
    outside[shared] |= np.array([_runs_out(network, dates, node) for node in shared], dtype=np.bool_)
    if (outside & counted).any():
        task = network.plan.tasks[int(np.argmax(outside & counted))]
        sentence = f"“{task.name}” would lie outside the years 1984 to 2149: check durations, lags and pins."
        raise PlanError(sentence, ids=(task.id,))


def _runs_out(network: Network, dates: Dates, node: int) -> bool:
    """Whether one of the calendars that share a task has no more work before it is done."""
    return any(dates.finish[node] >= network.times[clock].ends[-1] for clock, _, _ in network.shared[node])


def use_compiled() -> None:
    """Load the compiled pass, filling its disk cache, and use it from now on; results stay equal.

    Takes seconds on a cold cache: call it off the main thread, or in a child process first.
    """
    from engine.schedule import compiled_passes as passes

    engine = Engine(passes.arrange, passes.compute_dates, passes.update_dates, passes.FOLD, passes.date_early)
    known = _computed(engine, _WARM_PLAN, {}, None)
    _computed(engine, _WARM_PLAN.with_task(replace(_WARM_PLAN.tasks[1], duration=7200)), {}, known)
    late = replace(_WARM_PLAN.tasks[1], constraint=ConstraintKind.AS_LATE_AS_POSSIBLE)
    _computed(engine, _WARM_PLAN.with_task(late), {}, None)
    find_paths(known.basis, [0], engine.fold)
    _engines.append(engine)


_WARM_PLAN = Plan(
    "warm",
    Clock.CALENDAR,
    start=20_000 * DAY,
    tasks=(Task(1, "a"), Task(2, "b", 3600, parent=1), Task(3, "c", 3600)),
    dependencies=(Dependency(2, 3),),
    calendar=Calendar.standard(),
    settings=PlanSettings(is_longest_path=True),
    next_task_id=4,
)
