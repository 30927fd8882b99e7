"""Gestures on the board: a bar carried in time, to another resource, or drawn longer. They never draw or commit."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Clock, TaskId, Ticks
from engine.session.edits import Edit, MoveTask, MoveTasks, ResizeTask
from engine.session.plan_edits import Together
from engine.session.resource_edits import AssignResource
from gui.board.layout import BoardBar, BoardLayout
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS


class BoardGesture:
    """A bar that is held. `target` is the id of the resource that would do the task, None while that stays."""

    def __init__(self, layout: BoardLayout, bar: BoardBar, press: Point) -> None:
        self.task: TaskId = bar.slot.task.id
        self.bar = bar
        self.target: int | None = None
        self.eligible: frozenset[int] = frozenset()
        dates = layout.state.schedule
        self._press_tick = layout.scale.tick(press[0])
        self._is_calendar = layout.state.plan.clock is Clock.CALENDAR
        self._time = dates.working_time_of(self.task)
        self._start, self._finish = dates.start_of(self.task), dates.finish_of(self.task)

    def move(self, layout: BoardLayout, at: Point, is_free: bool = False) -> Edit | None:
        """The edit if the mouse were let go here, None while it would change nothing; `is_free` does not snap."""
        raise NotImplementedError

    def _carried(self, scale: TimeScale, at: Point) -> Ticks:
        """How far the mouse carries an instant along; 0 while it is no drag."""
        is_drag = abs(at[0] - scale.x(self._press_tick)) >= METRICS.drag_px
        return scale.tick(at[0]) - self._press_tick if is_drag else 0

    def _snapped(self, instant: Ticks, scale: TimeScale, worked: Callable[[Ticks], Ticks]) -> Ticks:
        """The nearest of what the visible ticks around an instant mean in working time."""
        after = scale.stepped(instant, 1, self._is_calendar)
        before = scale.stepped(after, -1, self._is_calendar)
        return min(worked(before), worked(after), key=lambda meant: abs(meant - instant))


class PlaceGesture(BoardGesture):
    """A bar held in its middle: it starts no earlier than where it is let go, done by whose row that is.

    Where several tasks are chosen, the one that is held among them, `together` they move as far in time.
    """

    def __init__(self, layout: BoardLayout, bar: BoardBar, press: Point, together: tuple[TaskId, ...] = ()) -> None:
        super().__init__(layout, bar, press)
        self.eligible = layout.eligible(bar)
        self._together = together if self.task in together and len(together) > 1 else ()
        self._here = layout.rows.rows[bar.row].id

    def move(self, layout: BoardLayout, at: Point, is_free: bool = False) -> Edit | None:
        in_time = self._in_time(layout.scale, at, is_free)
        other = layout.resource_at(at)
        self.target = other.id if other is not None and other.id in self.eligible else None
        if self.target is None:
            return in_time
        assign = AssignResource(self.task, self.target, instead_of=self._here)
        return assign if in_time is None else Together(assign.label(layout.state.plan), (assign, in_time))

    def _in_time(self, scale: TimeScale, at: Point, is_free: bool) -> Edit | None:
        far, worked = self._carried(scale, at), self._time.next_start
        start = worked(self._start + far) if is_free else self._snapped(self._start + far, scale, worked)
        if not far or start == self._start:
            return None
        return MoveTasks(self._together, start - self._start) if self._together else MoveTask(self.task, start)


class StretchGesture(BoardGesture):
    """A bar held at its finish: it lasts until where it is let go, at least to the first visible tick of its time."""

    def move(self, layout: BoardLayout, at: Point, is_free: bool = False) -> Edit | None:
        scale, far = layout.scale, self._carried(layout.scale, at)
        if is_free:
            finish = max(self._finish + far, self._start + 1)
        else:
            least = scale.stepped(self._start, 1, self._is_calendar)
            finish = max(self._snapped(self._finish + far, scale, self._time.previous_finish), least)
        change = self._time.between(self._finish, finish)
        length = self._time.between(self._start, self._finish)
        return ResizeTask(self.task, max(length + change, 1)) if far and change else None


def gesture_for(layout: BoardLayout, bar: BoardBar, press: Point, together: tuple[TaskId, ...]) -> BoardGesture:
    """What a press on a bar begins."""
    is_finish = layout.is_finish_edge(bar, press[0])
    return StretchGesture(layout, bar, press) if is_finish else PlaceGesture(layout, bar, press, together)
