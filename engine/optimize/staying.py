"""Which tasks of a plan the optimizer leaves where they are, and why. It never moves the others."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from engine.model import ConstraintKind, Plan, TaskId
from engine.schedule.columns import FINISHED, MANUAL, STARTED
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


_BY_CONSTRAINT = {
    ConstraintKind.MUST_START_ON: Stays.DATED,
    ConstraintKind.MUST_FINISH_ON: Stays.DATED,
    ConstraintKind.AS_LATE_AS_POSSIBLE: Stays.LATE,
}


def find_staying(
    plan: Plan, schedule: Schedule, kept: frozenset[TaskId], leaves: tuple[TaskId, ...]
) -> dict[TaskId, Stays]:
    """Why each of these leaves stays, for those that do; `kept` are those a person asked for."""
    found: dict[TaskId, Stays] = {}
    flags, settings = schedule.basis.network.nodes.flags, plan.settings
    for leaf in leaves:
        task, row, start = plan.task(leaf), plan.rows[leaf], schedule.start_of(leaf)
        if flags[row] & (STARTED | FINISHED):
            found[leaf] = Stays.BEGUN
        elif flags[row] & MANUAL:
            found[leaf] = Stays.MANUAL
        elif settings.frozen_until is not None and start < settings.frozen_until:
            found[leaf] = Stays.FENCE
        elif settings.status is not None and start < settings.status:
            found[leaf] = Stays.STATUS
        elif task.priority >= _NEVER_MOVED:
            found[leaf] = Stays.PRIORITY
        elif task.constraint in _BY_CONSTRAINT:
            found[leaf] = _BY_CONSTRAINT[task.constraint]
        elif row in schedule.basis.network.shared:
            found[leaf] = Stays.SHARED
        elif leaf in kept:
            found[leaf] = Stays.KEPT
    return found


def sentences(plan: Plan, staying: Mapping[TaskId, Stays]) -> tuple[str, ...]:
    """One sentence a reason that a planner may want to do something about, with the first few tasks it is about."""
    said = (Stays.STATUS, Stays.LATE, Stays.SHARED, Stays.TOO_MUCH)
    found = []
    for why in said:
        names = [f"“{plan.task(task).name}”" for task, reason in staying.items() if reason is why]
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            verb, stay = (
                (why.value[0], "it stays where it is")
                if len(names) == 1
                else (why.value[1], "they stay where they are")
            )
            found.append(f"{', '.join(names[:3])}{more} {verb}: {stay}.")
    return tuple(found)
