"""Progress: how far a task is done, drawn along its bar or set by key. It never moves a date."""

from __future__ import annotations

from engine.model import TaskId
from engine.session.date_edits import SetProgress
from engine.session.edits import Edit
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.interactions.gesture import Held, InTime
from gui.gantt.work import done_at, worked, worked_until

_STEP = 5
_KEY_STEP = 10


class ProgressGesture(Held):
    """The end of what is done of a bar, held: the task is done to where it is let go, to 5 percent (freely: to 1)."""

    def __init__(self, ground: InTime, task: TaskId, press: Point) -> None:
        super().__init__(ground, task, press)
        self._state = ground.state
        self._done_at = done_at(ground.state, task)
        self._work = worked(ground.state, task)

    def move(self, layout: InTime, at: Point, is_free: bool = False) -> Edit | None:
        far = self._carried(layout.scale, at)
        done = worked_until(self._state, self._held, self._done_at + far)
        share = 100 * done / self._work if self._work else 0.0
        percent = round(share) if is_free else round(share / _STEP) * _STEP
        is_changed = far and percent != percent_of(self._state, self._held)
        self._edit = SetProgress(self._held, percent) if is_changed else None
        return self._edit


def percent_of(state: State, task: TaskId) -> float:
    """How much of a task is done, in percent."""
    progress = state.plan.task(task).progress
    return 0.0 if progress is None else progress.percent


def progressed(state: State, tasks: tuple[TaskId, ...], steps: int) -> tuple[Edit, ...]:
    """Tasks that are done 10 percent further (less far: steps -1); those of summaries each, what is done stays."""
    found: list[Edit] = []
    for task in dict.fromkeys(leaf for each in tasks for leaf in state.plan.leaves(each)):
        before = percent_of(state, task)
        percent = min(max((before // _KEY_STEP + (1 if steps > 0 else 0)) * _KEY_STEP, 0), 100)
        if steps < 0:
            percent = max(-(-before // _KEY_STEP) * _KEY_STEP - _KEY_STEP, 0)
        if percent != before:
            found.append(SetProgress(task, percent))
    return tuple(found)
