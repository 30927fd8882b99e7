"""Moving: bars that start elsewhere, alone or several together, by mouse and by key. It never changes a duration."""

from __future__ import annotations

from engine.model import Clock, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.session.edits import Edit, MoveTask, MoveTasks
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.interactions.gesture import Held, InTime

_MOST_STEPS = 400


class MoveGesture(Held):
    """A bar held in its middle: it starts no earlier than where it is let go. Its duration stays.

    Where several tasks are chosen, the one that is held among them, `together` they move as far.
    """

    def __init__(self, ground: InTime, task: TaskId, press: Point, together: tuple[TaskId, ...] = ()) -> None:
        super().__init__(ground, task, press)
        self._state = ground.state
        self._together = together if task in together and len(together) > 1 else ()
        self._work, self._to = self._time.between(self._start, self._finish), self._start

    def move(self, layout: InTime, at: Point, is_free: bool = False) -> Edit | None:
        far, worked = self._carried(layout.scale, at), self._time.next_start
        start = worked(self._start + far) if is_free else self._snapped(self._start + far, layout.scale, worked)
        is_changed = far and start != self._start
        self._to = start
        self._edit = moved(self._state, self._together, self._held, start) if is_changed else None
        return self._edit

    def span(self) -> tuple[Ticks, Ticks]:
        return self._to, self._time.add(self._to, self._work)


def moved(state: State, together: tuple[TaskId, ...], task: TaskId, start: Ticks) -> Edit:
    """The edit by which a task starts at an instant, and those that are moved together as much work later."""
    if not together:
        return MoveTask(task, start)
    plan, dates, time = state.plan, state.schedule, working_time(state.plan)
    before = dates.start_of(task)
    first = min(dates.start_of(leaf) for each in together for leaf in plan.leaves(each))
    work = time.between(before, start)
    return MoveTasks(together, time.next_start(time.add(first, work)) - first if work else start - before)


def nudged(state: State, scale: TimeScale, tasks: tuple[TaskId, ...], steps: int) -> Edit | None:
    """Tasks moved until the first of them starts at the next visible tick (the one before: steps -1) where it can."""
    is_calendar = state.plan.clock is Clock.CALENDAR
    time, start = state.schedule.working_time_of(tasks[0]), state.schedule.start_of(tasks[0])
    mark: Ticks = start
    for _ in range(_MOST_STEPS):
        mark = scale.stepped(mark, steps, is_calendar)
        reached = time.next_start(mark)
        if (reached - start) * steps > 0:
            return moved(state, tasks if len(tasks) > 1 else (), tasks[0], reached)
    return None
