"""Tasks whose dates are not those that the file they came from recorded, and why. It never changes a plan."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan, Recorded, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.schedule.reasons import reason
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime


@dataclass(frozen=True, slots=True)
class Difference:
    """One task: the dates that were recorded and ours, in ticks, and why ours are what they are, a clause a cause."""

    task: TaskId
    recorded: Recorded
    start: Ticks
    finish: Ticks
    why: tuple[str, ...]


def find_differences(plan: Plan, schedule: Schedule) -> tuple[Difference, ...]:
    """The tasks in row order whose start or finish is another instant than the recorded one.

    Friday 17:00 and Monday 08:00 are one instant where no work lies between them; Sunday is another one.
    """
    time = working_time(plan)
    found = []
    for task in plan.tasks:
        recorded = task.recorded
        if recorded is not None:
            start, finish = schedule.start_of(task.id), schedule.finish_of(task.id)
            if not (_is_one(time, recorded.start, start) and _is_one(time, recorded.finish, finish)):
                found.append(Difference(task.id, recorded, start, finish, reason(plan, schedule, task.id)))
    return tuple(found)


def _is_one(time: WorkingTime, recorded: Ticks, ours: Ticks) -> bool:
    """Whether two instants are one, or the two ends of one stretch without work."""
    done = time.work_before(ours)
    return recorded == ours or {recorded, ours} == {time.finish_at(done), time.start_at(done)}
