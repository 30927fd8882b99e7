"""Gestures: what a press, a drag and a release mean, as edits. One class each; they never draw and never commit.

A gesture is made by the press. `move` says which edit the drag would be now, None while it would change nothing;
`release` the edit to execute, or None. Letting a gesture go drops it: nothing has to be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.model import Clock, Dependency, DependencyKind, TaskId, Ticks
from engine.schedule.cpm import working_time
from engine.session.edits import AddLink, Edit, MoveTask, MoveTasks, ResizeTask
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import MIDDLE_PX, Layout
from gui.gantt.hit import Hit, Part, hit_at, is_finish_end
from gui.theme import METRICS

_MOST_STEPS = 400


class Gesture(Protocol):
    """A press that may become an edit."""

    task: TaskId

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        """The edit if the mouse were let go here; `is_free` does not snap to the visible ticks.

        `layout` is the present one, for rows and time may be scrolled while the button is down.
        """
        ...

    def release(self) -> Edit | None:
        """The edit of the last move."""
        ...


class _Held:
    """What moving and resizing share: how far in ticks the mouse is sideways of where it was pressed.

    Less than METRICS.drag_px is no drag, and the height never counts: a hand that shakes changes nothing.
    """

    def __init__(self, layout: Layout, task: TaskId, press: Point) -> None:
        self.task = task
        self._press_tick = layout.scale.tick(press[0])
        self._is_calendar = layout.state.plan.clock is Clock.CALENDAR
        self._time = working_time(layout.state.plan)
        self._start = layout.state.schedule.start_of(task)
        self._finish = layout.state.schedule.finish_of(task)
        self._edit: Edit | None = None

    def release(self) -> Edit | None:
        return self._edit

    def _carried(self, scale: TimeScale, at: Point) -> Ticks:
        """How far the mouse carries an instant along; 0 while it is no drag."""
        is_drag = abs(at[0] - scale.x(self._press_tick)) >= METRICS.drag_px
        return scale.tick(at[0]) - self._press_tick if is_drag else 0

    def _snapped(self, instant: Ticks, scale: TimeScale, worked: Callable[[Ticks], Ticks]) -> Ticks:
        """The nearest of what the visible ticks around an instant mean in working time.

        At days, Monday 12:00 as a start is Monday 08:00, four hours off, and not Tuesday 08:00.
        """
        after = scale.stepped(instant, 1, self._is_calendar)
        before = scale.stepped(after, -1, self._is_calendar)
        return min(worked(before), worked(after), key=lambda meant: abs(meant - instant))


class MoveGesture(_Held):
    """A bar held in its middle: it starts no earlier than where it is let go. Its duration stays.

    Where several tasks are chosen, the one that is held among them, `together` they move as far.
    """

    def __init__(self, layout: Layout, task: TaskId, press: Point, together: tuple[TaskId, ...] = ()) -> None:
        super().__init__(layout, task, press)
        self._together = together if task in together and len(together) > 1 else ()

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        far, worked = self._carried(layout.scale, at), self._time.next_start
        start = worked(self._start + far) if is_free else self._snapped(self._start + far, layout.scale, worked)
        self._edit = _moved(self._together, self.task, self._start, start) if far and start != self._start else None
        return self._edit


class ResizeGesture(_Held):
    """A bar held at its finish: it lasts until where it is let go, at least to the first visible tick of its time."""

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        scale = layout.scale
        far = self._carried(scale, at)
        if is_free:
            finish = max(self._finish + far, self._start + 1)
        else:
            least = scale.stepped(self._start, 1, self._is_calendar)
            finish = max(self._snapped(self._finish + far, scale, self._time.previous_finish), least)
        duration = self._time.between(self._start, finish)
        is_changed = far and duration != self._time.between(self._start, self._finish)
        self._edit = ResizeTask(self.task, duration) if is_changed else None
        return self._edit


class LinkGesture:
    """A line drawn from a dot at the end of one bar to another bar; the two ends decide the kind of the link."""

    def __init__(self, layout: Layout, hit: Hit) -> None:
        self.task = hit.task
        self.target: TaskId | None = None
        self._is_from_finish = hit.part is Part.FINISH_DOT
        self._edit: AddLink | None = None

    def move(self, layout: Layout, at: Point, is_free: bool = False) -> Edit | None:
        hit = hit_at(layout, at, METRICS.row_px)
        self.target = None if hit is None or hit.task == self.task else hit.task
        bar = None if self.target is None else layout.bar_of(self.target)
        if bar is None:
            self._edit = None
        else:
            kind = link_kind(self._is_from_finish, is_finish_end(bar, at[0]))
            self._edit = AddLink(Dependency(self.task, bar.task.id, kind))
        return self._edit

    def release(self) -> Edit | None:
        return self._edit

    def rubber(self, layout: Layout, at: Point) -> tuple[Point, Point]:
        """The line from the end that is held to the mouse."""
        bar = layout.bar_of(self.task)
        if bar is None:
            return at, at
        return (bar.right if self._is_from_finish else bar.left, bar.y + MIDDLE_PX), at


def gesture_for(layout: Layout, hit: Hit, press: Point, together: tuple[TaskId, ...] = ()) -> Gesture | None:
    """The gesture that a press on a part of a bar begins, while these tasks are chosen."""
    if hit.part in {Part.START_DOT, Part.FINISH_DOT}:
        return LinkGesture(layout, hit)
    if hit.part is Part.FINISH_EDGE:
        return ResizeGesture(layout, hit.task, press)
    return None if hit.part is Part.PIN else MoveGesture(layout, hit.task, press, together)


def link_kind(is_from_finish: bool, is_to_finish: bool) -> DependencyKind:
    """The kind of a link by the ends it was drawn from and to."""
    if is_from_finish:
        return DependencyKind.FF if is_to_finish else DependencyKind.FS
    return DependencyKind.SF if is_to_finish else DependencyKind.SS


def nudged(state: State, scale: TimeScale, tasks: tuple[TaskId, ...], steps: int) -> Edit | None:
    """Tasks moved until the first of them starts at the next visible tick (the one before: steps -1) where it can."""
    is_calendar = state.plan.clock is Clock.CALENDAR
    time = working_time(state.plan)
    start = state.schedule.start_of(tasks[0])
    mark: Ticks = start
    for _ in range(_MOST_STEPS):
        mark = scale.stepped(mark, steps, is_calendar)
        reached = time.next_start(mark)
        if (reached - start) * steps > 0:
            return _moved(tasks if len(tasks) > 1 else (), tasks[0], start, reached)
    return None


def _moved(together: tuple[TaskId, ...], task: TaskId, before: Ticks, start: Ticks) -> Edit:
    return MoveTasks(together, start - before) if together else MoveTask(task, start)
