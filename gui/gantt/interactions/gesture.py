"""Gesture: a press that may become an edit, and what gestures in time share. It never draws and never commits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from engine.model import Clock, TaskId, Ticks
from engine.session.edits import Edit
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS


class InTime(Protocol):
    """What a gesture sideways needs of a chart, whatever stands in its rows."""

    @property
    def state(self) -> State: ...

    @property
    def scale(self) -> TimeScale: ...


Ground_contra = TypeVar("Ground_contra", contravariant=True)


class Gesture(ABC, Generic[Ground_contra]):
    """Made by the press on a task, or on the ground. `target` is a task that it would end at.

    A chart scrolls its rows under a gesture whose height counts, as it scrolls time under all.
    """

    height_counts = False

    def __init__(self, task: TaskId | None) -> None:
        self.task = task
        self.target: TaskId | None = None
        self._edit: Edit | None = None

    @abstractmethod
    def move(self, layout: Ground_contra, at: Point, is_free: bool = False) -> Edit | None:
        """The edit if the mouse were let go here, None while it would change nothing.

        `layout` is the present one, for rows and time may be scrolled while the button is down; `is_free` does not
        snap to the visible ticks.
        """

    def release(self) -> Edit | None:
        """The edit of the last move."""
        return self._edit

    def span(self) -> tuple[Ticks, Ticks] | None:
        """Start and finish of the bar that is held, as it was carried; None where a gesture carries none."""
        return None

    def rubber(self, layout: Ground_contra, at: Point) -> tuple[Point, Point] | None:
        """A line from what is held to the mouse, of a gesture that draws one."""
        return None

    def outline(self, layout: Ground_contra) -> tuple[float, float, float] | None:
        """Left, right and upper edge of the row of a bar that there would be, of a gesture that makes one."""
        return None


class Held(Gesture[InTime]):
    """A bar that is held: how far in ticks the mouse is sideways of where it was pressed.

    Less than METRICS.drag_px is no drag, and the height never counts: a hand that shakes changes nothing. Instants
    snap to the working time of the task itself.
    """

    def __init__(self, ground: InTime, task: TaskId, press: Point) -> None:
        super().__init__(task)
        dates = ground.state.schedule
        self._held = task
        self._press_tick = ground.scale.tick(press[0])
        self._is_calendar = ground.state.plan.clock is Clock.CALENDAR
        self._time = dates.working_time_of(task)
        self._start, self._finish = dates.start_of(task), dates.finish_of(task)

    def _carried(self, scale: TimeScale, at: Point) -> Ticks:
        """How far the mouse carries an instant along; 0 while it is no drag."""
        is_drag = abs(at[0] - scale.x(self._press_tick)) >= METRICS.drag_px
        return scale.tick(at[0]) - self._press_tick if is_drag else 0

    def _snapped(self, instant: Ticks, scale: TimeScale, worked: Callable[[Ticks], Ticks]) -> Ticks:
        return snapped(instant, scale, worked, self._is_calendar)


def snapped(instant: Ticks, scale: TimeScale, worked: Callable[[Ticks], Ticks], is_calendar: bool) -> Ticks:
    """The nearest of what the visible ticks around an instant mean in working time.

    At days, Monday 12:00 as a start is Monday 08:00, four hours off, and not Tuesday 08:00.
    """
    after = scale.stepped(instant, 1, is_calendar)
    before = scale.stepped(after, -1, is_calendar)
    return min(worked(before), worked(after), key=lambda meant: abs(meant - instant))
