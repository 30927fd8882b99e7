"""The critical path method: Plan in, Schedule out. It never reads a clock or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.errors import PlanError
from engine.model import DAY, Calendar, Clock, Plan, Task, TaskId, Ticks
from engine.schedule import plain
from engine.schedule.network import Network
from engine.schedule.plain import Dates
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

_Pass = Callable[[Network, WorkingTime, Ticks], Dates]
_passes: list[_Pass] = [plain.compute_dates]  # the last one loaded is used


def use_compiled() -> None:
    """Load the compiled pass, filling its disk cache, and use it from now on; results stay equal.

    Takes seconds on a cold cache: call it off the main thread, or in a child process first.
    """
    from engine.schedule import passes

    passes.compute_dates(Network.of(_WARM_PLAN, {}), working_time(_WARM_PLAN), 0)
    _passes.append(passes.compute_dates)


def schedule(plan: Plan, durations: Mapping[TaskId, Ticks] | None = None) -> Schedule:
    """Dates, floats and the critical path of a plan.

    `durations` in ticks are used for tasks whose duration no person typed. Raises PlanError, and CycleError naming
    the tasks that wait for each other.
    """
    network = Network.of(plan, durations or {})
    time = working_time(plan)
    dates = _passes[-1](network, time, plan.start)
    _check_horizon(plan, network, time, dates)
    return _assemble(plan, network, dates, durations or {})


def working_time(plan: Plan) -> WorkingTime:
    """The working time of the plan's calendar; the device clock always works."""
    return WorkingTime.of(plan.calendar if plan.clock is Clock.CALENDAR else None)


def _check_horizon(plan: Plan, network: Network, time: WorkingTime, dates: Dates) -> None:
    if not len(network.ids):
        return
    last = int(np.argmax(dates.early_finish))
    if dates.early_finish[last] >= time.ends[-1] or dates.early_start.min() < time.starts[0]:
        task = plan.task(int(network.ids[last]))
        sentence = f"“{task.name}” would lie outside the years 1984 to 2149: check durations, lags and pins."
        raise PlanError(sentence, ids=(task.id,))


def _assemble(plan: Plan, network: Network, dates: Dates, durations: Mapping[TaskId, Ticks]) -> Schedule:
    rows = np.array([plan.rows[task_id] for task_id in network.ids.tolist()], dtype=np.int64)
    column = _Columns(plan, rows)
    total = column.spread(dates.total_float, np.minimum)
    links = list(zip(_successors(network).tolist(), network.predecessor.tolist(), strict=True))
    ids = network.ids.tolist()
    driving = tuple((ids[p], ids[s]) for (s, p), drives in zip(links, dates.is_driving, strict=True) if drives)
    start, finish = column.spread(dates.early_start, np.minimum), column.spread(dates.early_finish, np.maximum)
    return Schedule(
        rows=plan.rows,
        start=start,
        finish=finish,
        late_start=column.spread(dates.late_start, np.minimum),
        late_finish=column.spread(dates.late_finish, np.maximum),
        total_float=total,
        free_float=column.spread(dates.free_float, np.minimum),
        is_critical=total <= 0,
        is_estimated=np.array([not t.is_duration_typed and t.id in durations for t in plan.tasks], dtype=np.bool_),
        project_start=int(start.min()) if len(start) else plan.start,
        project_finish=int(finish.max(initial=plan.start)),
        driving=driving,
        stream_links=network.derived,
    )


def _successors(network: Network) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(network.ids)), np.diff(network.first))


class _Columns:
    """Spreads values of leaves onto rows; a summary folds those of its leaves."""

    def __init__(self, plan: Plan, rows: NDArray[np.int64]) -> None:
        self._rows = rows
        self._count = len(plan.tasks)
        self._parents = [(plan.rows[t.id], plan.rows[t.parent]) for t in reversed(plan.tasks) if t.parent is not None]
        self._summaries = [plan.rows[parent] for parent in plan.children]

    def spread(self, values: NDArray[np.int64], fold: np.ufunc) -> NDArray[np.int64]:
        column = np.zeros(self._count, dtype=np.int64)
        column[self._rows] = values
        limits = np.iinfo(np.int64)
        column[self._summaries] = limits.max if fold is np.minimum else limits.min
        for row, parent in self._parents:
            column[parent] = fold(column[parent], column[row])
        return column


_WARM_PLAN = Plan(
    "warm",
    Clock.CALENDAR,
    start=20_000 * DAY,
    tasks=(Task(1, "a", 3600),),
    calendar=Calendar.standard(),
    next_task_id=2,
)
