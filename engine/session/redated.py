"""What a file that was just written loses of a plan's dates: both are calculated, and told apart. It writes nothing."""

from __future__ import annotations

from engine.errors import EngineError
from engine.formats import Format
from engine.model import Clock, Plan, Task
from engine.schedule import words
from engine.schedule.cpm import schedule
from engine.schedule.schedule import Schedule

_MOST_NAMED = 20


def redated(plan: Plan, target: str, reader: Format) -> tuple[str, ...]:
    """A sentence that names the tasks which get other dates when the written file is calculated again; or none.

    Says nothing of a file that holds other rows than the plan, such as events of a calendar.
    """
    if plan.clock is Clock.DEVICE:
        return ()
    try:
        again = reader.load(target)
        ours, theirs = schedule(plan), schedule(again)
    except EngineError:
        return ()
    if [task.name for task in plan.tasks] != [task.name for task in again.tasks]:
        return ()
    moved = [
        _said(plan, task, ours, theirs, row)
        for row, task in enumerate(plan.tasks)
        if not plan.is_summary(task.id) and _dates(ours, row) != _dates(theirs, row)
    ]
    if not moved:
        return ()
    more = f", and {len(moved) - _MOST_NAMED} more" if len(moved) > _MOST_NAMED else ""
    count = "1 task gets" if len(moved) == 1 else f"{len(moved)} tasks get"
    named = ", ".join(moved[:_MOST_NAMED])
    return (f"Other dates: {count} other dates when {target} is calculated again: {named}{more}.",)


def _dates(dates: Schedule, row: int) -> tuple[int, int]:
    return int(dates.start[row]), int(dates.finish[row])


def _said(plan: Plan, task: Task, ours: Schedule, theirs: Schedule, row: int) -> str:
    """Such as: “Build” (finish Fri 5 Jun 2026 17:00, then Mon 8 Jun 2026 17:00)."""
    is_start = ours.finish[row] == theirs.finish[row]
    before, after = (ours.start, theirs.start) if is_start else (ours.finish, theirs.finish)
    end = "start" if is_start else "finish"
    return f"“{task.name}” ({end} {words.instant(plan, int(before[row]))}, then {words.instant(plan, int(after[row]))})"
