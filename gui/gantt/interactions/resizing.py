"""Resizing: bars that last longer or shorter, held at either end, by mouse and by key. It never moves the other end."""

from __future__ import annotations

from engine.model import Clock, TaskId, Ticks
from engine.session.edits import Edit, ResizeTask
from engine.session.shape_edits import ResizeStart
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.interactions.gesture import Held, InTime
from gui.gantt.work import pieces, worked

_MOST_STEPS = 400


class ResizeGesture(Held):
    """A bar held at its finish: it lasts until where it is let go, at least to the first visible tick of its time.

    Of one that pauses the last piece becomes longer or shorter.
    """

    def __init__(self, ground: InTime, task: TaskId, press: Point) -> None:
        super().__init__(ground, task, press)
        self._work = worked(ground.state, task)
        self._floor = pieces(ground.state, task)[-1][0]
        self._to = self._finish

    def move(self, layout: InTime, at: Point, is_free: bool = False) -> Edit | None:
        scale = layout.scale
        far = self._carried(scale, at)
        if is_free:
            finish = max(self._finish + far, self._floor + 1)
        else:
            least = scale.stepped(self._floor, 1, self._is_calendar)
            finish = max(self._snapped(self._finish + far, scale, self._time.previous_finish), least)
        duration = max(self._work + self._time.between(self._finish, finish), 1)
        self._to = finish
        self._edit = ResizeTask(self._held, duration) if far and duration != self._work else None
        return self._edit

    def span(self) -> tuple[Ticks, Ticks]:
        return self._start, self._to


class ResizeStartGesture(Held):
    """A bar held at its start: it starts where it is let go, and finishes as it did. It keeps a visible tick at least.

    Of one that pauses the first piece becomes longer or shorter.
    """

    def __init__(self, ground: InTime, task: TaskId, press: Point) -> None:
        super().__init__(ground, task, press)
        self._ceiling = pieces(ground.state, task)[0][1]
        self._to = self._start

    def move(self, layout: InTime, at: Point, is_free: bool = False) -> Edit | None:
        scale, next_start = layout.scale, self._time.next_start
        far = self._carried(scale, at)
        if is_free:
            start = min(next_start(self._start + far), self._ceiling - 1)
        else:
            latest = next_start(scale.stepped(self._ceiling, -1, self._is_calendar))
            start = min(self._snapped(self._start + far, scale, next_start), max(latest, self._start))
        self._to = start
        self._edit = ResizeStart(self._held, start) if far and start != self._start else None
        return self._edit

    def span(self) -> tuple[Ticks, Ticks]:
        return self._to, self._finish


def stretched(state: State, scale: TimeScale, task: TaskId, steps: int) -> Edit | None:
    """A task that finishes at the next visible tick that makes a difference (the one before: steps -1)."""
    time, floor, finish = state.schedule.working_time_of(task), *_last_piece(state, task)
    mark: Ticks = finish
    for _ in range(_MOST_STEPS):
        mark = scale.stepped(mark, steps, state.plan.clock is Clock.CALENDAR)
        reached = time.previous_finish(mark)
        if reached <= floor:
            return None
        if (reached - finish) * steps > 0:
            return ResizeTask(task, worked(state, task) + time.between(finish, reached))
    return None


def started(state: State, scale: TimeScale, task: TaskId, steps: int) -> Edit | None:
    """A task that starts at the next visible tick that makes a difference, and finishes as it did."""
    time, (start, ceiling) = state.schedule.working_time_of(task), pieces(state, task)[0]
    mark: Ticks = start
    for _ in range(_MOST_STEPS):
        mark = scale.stepped(mark, steps, state.plan.clock is Clock.CALENDAR)
        reached = time.next_start(mark)
        if reached >= ceiling:
            return None
        if (reached - start) * steps > 0:
            return ResizeStart(task, reached)
    return None


def _last_piece(state: State, task: TaskId) -> tuple[Ticks, Ticks]:
    return pieces(state, task)[-1]
