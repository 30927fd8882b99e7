"""Which tasks of a plan the optimizer leaves where they are, and why. It never moves the others."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from engine.model import Plan, TaskId
from engine.schedule.columns import FINISHED, LATE, MANUAL, MFO, MSO, NONE, STARTED, Column
from engine.schedule.schedule import Schedule

_NEVER_MOVED = 1000


class Stays(Enum):
    """Why a task stays, said of one, and of several."""

    BEGUN = "has begun", "have begun"
    MANUAL = "is scheduled by hand", "are scheduled by hand"
    FENCE = "starts before the instant up to which the plan is frozen", "start before the plan's frozen time ends"
    STATUS = "was to start before the status date", "were to start before the status date"
    PRIORITY = "has priority 1000", "have priority 1000"
    DATED = "must keep its date", "must keep their dates"
    LATE = "is as late as possible", "are as late as possible"
    SHARED = "is shared by resources of different calendars", "are shared by resources of different calendars"
    TOO_MUCH = "needs more of a resource than there ever is", "need more of a resource than there ever is"
    KEPT = "is to stay where it is", "are to stay where they are"


def find_staying(plan: Plan, schedule: Schedule, kept: frozenset[TaskId], rows: Column) -> dict[TaskId, Stays]:
    """Why each of the leaves in these rows stays, for those that do; `kept` are those a person asked for."""
    network, settings = schedule.basis.network, plan.settings
    flags, hard, start = network.nodes.flags[rows], network.nodes.hard[rows], schedule.start[rows]
    priority = np.fromiter((task.priority for task in plan.tasks), np.int64, len(plan.tasks))[rows]
    asked = [plan.rows[task] for task in kept if task in plan.rows]
    reasons: tuple[tuple[Stays, NDArray[np.bool_]], ...] = (
        (Stays.BEGUN, flags & (STARTED | FINISHED) != 0),
        (Stays.MANUAL, flags & MANUAL != 0),
        (Stays.FENCE, start < (NONE if settings.frozen_until is None else settings.frozen_until)),
        (Stays.STATUS, start < (NONE if settings.status is None else settings.status)),
        (Stays.PRIORITY, priority >= _NEVER_MOVED),
        (Stays.DATED, (hard == MSO) | (hard == MFO)),
        (Stays.LATE, flags & LATE != 0),
        (Stays.SHARED, np.isin(rows, list(network.shared))),
        (Stays.KEPT, np.isin(rows, asked)),
    )
    first = np.select([holds for _, holds in reasons], np.arange(len(reasons)), -1)
    return {plan.tasks[rows[at]].id: reasons[first[at]][0] for at in np.flatnonzero(first >= 0).tolist()}


def sentences(plan: Plan, staying: Mapping[TaskId, Stays]) -> tuple[str, ...]:
    """One sentence a reason that a planner may want to do something about, with the first few tasks it is about."""
    said = (Stays.STATUS, Stays.LATE, Stays.SHARED, Stays.TOO_MUCH)
    found = []
    for why in said:
        names = [f"“{plan.title_of(task)}”" for task, reason in staying.items() if reason is why]
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            verb, stay = (
                (why.value[0], "it stays where it is")
                if len(names) == 1
                else (why.value[1], "they stay where they are")
            )
            found.append(f"{', '.join(names[:3])}{more} {verb}: {stay}.")
    return tuple(found)
