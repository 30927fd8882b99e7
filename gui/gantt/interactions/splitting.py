"""Splitting: a pause put into a task where its bar is pressed. It never moves the piece before the pause."""

from __future__ import annotations

from engine.model import Clock, TaskId, Ticks
from engine.schedule.working_time import WorkingTime
from engine.session.edits import Edit
from engine.session.shape_edits import SplitTask
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.interactions.gesture import Held, InTime
from gui.gantt.work import instant_of, pieces, worked

_MOST_STEPS = 400


class SplitGesture(Held):
    """A bar cut where it is pressed: what lies right of the cut goes as far as the mouse. A click parts it by a tick.

    The cut snaps to the visible tick, as long as that lies within the bar.
    """

    def __init__(self, ground: InTime, task: TaskId, press: Point) -> None:
        super().__init__(ground, task, press)
        self.cut = cut_at(ground.state, ground.scale, task, self._press_tick)

    def move(self, layout: InTime, at: Point, is_free: bool = False) -> Edit | None:
        scale, far = layout.scale, self._carried(layout.scale, at)
        if not far:
            gap = tick_of_work(self._time, scale, self.cut, self._is_calendar)
        elif is_free:
            gap = self._time.between(self.cut, self.cut + far)
        else:
            gap = self._time.between(self.cut, self._snapped(self.cut + far, scale, self._time.next_start))
        self._edit = SplitTask(self._held, self.cut, gap) if gap > 0 else None
        return self._edit


def cut_at(state: State, scale: TimeScale, task: TaskId, instant: Ticks) -> Ticks:
    """Where a task is cut near an instant: at a visible tick within one of its pieces, else at the instant itself."""
    is_calendar = state.plan.clock is Clock.CALENDAR
    time = state.schedule.working_time_of(task)
    after = scale.stepped(instant, 1, is_calendar)
    marks = (time.next_start(mark) for mark in (scale.stepped(after, -1, is_calendar), after))
    inside = [mark for mark in marks if any(start < mark < finish for start, finish in pieces(state, task))]
    return min(inside, key=lambda mark: abs(mark - instant), default=instant)


def tick_of_work(time: WorkingTime, scale: TimeScale, instant: Ticks, is_calendar: bool) -> Ticks:
    """Working ticks from an instant to the first visible tick after it before which anything is worked."""
    for steps in range(1, _MOST_STEPS):
        if (work := time.between(instant, scale.stepped(instant, steps, is_calendar))) > 0:
            return work
    return 0


def halved(state: State, scale: TimeScale, task: TaskId) -> Edit:
    """A task that pauses in its middle, for a visible tick of its working time."""
    middle = cut_at(state, scale, task, instant_of(state, task, worked(state, task) // 2))
    time = state.schedule.working_time_of(task)
    return SplitTask(task, middle, tick_of_work(time, scale, middle, state.plan.clock is Clock.CALENDAR))
