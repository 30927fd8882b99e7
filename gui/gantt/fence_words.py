"""Fence words: what the line up to which a plan is frozen says, and what a drag carries across. It draws nothing."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from engine.model import Clock, Plan, TaskId
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.fence import fence_x
from gui.plan_words import instant_text

_REACH_PX = 4.0
translate = QCoreApplication.translate


def fence_sentence(plan: Plan, scale: TimeScale, at: Point) -> str:
    """What the fence says to a mouse on it; nothing elsewhere."""
    x, until = fence_x(plan, scale), plan.settings.frozen_until
    if x is None or until is None or abs(at[0] - x) > _REACH_PX:
        return ""
    words = translate("Fence", "Frozen until {date}: the optimizer leaves every task that starts earlier where it is.")
    return words.format(date=instant_text(plan, until))


def crossing_words(before: State, after: State, task: TaskId | None) -> str:
    """What an edit carries across the fence: the task that is held, else how many others; empty where none crosses."""
    until = before.plan.settings.frozen_until
    rows = before.plan.rows
    if until is None or before.plan.clock is Clock.DEVICE or len(rows) != len(after.plan.rows):
        return ""
    was, now = before.schedule.start < until, after.schedule.start < until
    date = instant_text(before.plan, until)
    if task in rows and was[rows[task]] != now[rows[task]]:
        goes_out = translate("Fence", "Leaves the frozen time, which ends {date}: the optimizer may move it then.")
        goes_in = translate("Fence", "Enters the frozen time, which ends {date}: the optimizer will leave it there.")
        return (goes_out if was[rows[task]] else goes_in).format(date=date)
    crossed = np.flatnonzero(was != now).tolist()
    count = sum(before.plan.tasks[row].id not in before.plan.children for row in crossed)
    if not count:
        return ""
    words = translate("Fence", "{count} tasks cross the end of the frozen time, {date}.")
    one = translate("Fence", "Another task crosses the end of the frozen time, {date}.")
    return one.format(date=date) if count == 1 else words.format(count=count, date=date)
