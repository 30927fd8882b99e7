"""A plan to print. It asserts nothing."""

from __future__ import annotations

from engine.model import DAY, Calendar, Clock, Plan, Task
from engine.schedule.cpm import schedule
from engine.session.state import State
from gui.gantt.columns import Column
from gui.gantt.rows import Rows
from gui.printing.picture import Printed


def stairs(count: int = 500) -> Printed:
    """Tasks named T0001 and so on, each an hour longer than the one above."""
    start = 20_150 * DAY + 8 * 3600
    tasks = tuple(Task(number, f"T{number:04}", number * 3600) for number in range(1, count + 1))
    plan = Plan("Stairs", Clock.CALENDAR, start, tasks, calendar=Calendar.standard(), next_task_id=count + 1)
    state = State(plan, schedule(plan))
    dates = state.schedule
    span = (dates.project_start - DAY, dates.project_finish + DAY)
    return Printed(state, Rows.of(state), ((Column.TASK, "Task"), (Column.DURATION, "Duration")), span)
