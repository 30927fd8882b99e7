"""Pointer: what the mouse has hold of in the chart: a drag, a link, a pin, or the bar under it.

It never draws and never changes the plan: it hands on edits and choices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt

from engine.model import Dependency, TaskId
from engine.session.edits import Edit, RemoveLink, RemovePin
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.chart import GanttChart
from gui.gantt.drag import Drag
from gui.gantt.dragging import Dragging, Trial
from gui.gantt.hit import Hit, Part, hit_at, link_at
from gui.gantt.interactions import gesture_for
from gui.gantt.selection import Reach

_CURSORS = {
    Part.FINISH_EDGE: Qt.CursorShape.SizeHorCursor,
    Part.START_DOT: Qt.CursorShape.CrossCursor,
    Part.FINISH_DOT: Qt.CursorShape.CrossCursor,
    Part.PIN: Qt.CursorShape.PointingHandCursor,
}


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a pointer's doings go: the present layout, a trial schedule, an edit made, a task chosen (or none).

    `chosen` are the tasks that are.
    """

    layout: Callable[[], Layout | None]
    trial: Trial
    edit: Callable[[Edit], None]
    choose: Callable[[TaskId | None, Reach], None]
    chosen: Callable[[], tuple[TaskId, ...]]


class Pointer:
    """The mouse over one chart."""

    def __init__(self, chart: GanttChart, outlet: Outlet) -> None:
        self.link: Dependency | None = None
        self.pin: TaskId | None = None
        self._hover: Hit | None = None
        self._dragging: Dragging | None = None
        self._is_among = False
        self._chart = chart
        self._out = outlet
        chart.pressed.connect(self._press)
        chart.moved.connect(self._move)
        chart.released.connect(self._release)
        chart.left.connect(lambda: self._set_hover(None))

    @property
    def hovered(self) -> TaskId | None:
        """The task whose bar is under the mouse, while nothing is dragged."""
        return None if self._hover is None or self._dragging is not None else self._hover.task

    def drag(self, layout: Layout) -> Drag | None:
        """The drag in progress, as the scene shows it."""
        return None if self._dragging is None else self._dragging.shown(layout)

    def follow(self) -> None:
        """Rows or time moved under the mouse."""
        layout = self._out.layout()
        if self._dragging is not None and layout is not None:
            self._dragging.follow(layout)

    def drop(self) -> None:
        """Lets go of what is dragged; nothing comes of it."""
        self._dragging = None
        self._chart.refresh()

    def keep(self, state: State) -> None:
        """Another state is shown: a drag was of the earlier one, and a link or a pin may be gone."""
        self._dragging = None
        if self.link not in state.plan.dependencies:
            self.link = None
        if self.pin is not None and (self.pin not in state.plan.rows or state.plan.task(self.pin).pin is None):
            self.pin = None

    def forget(self) -> None:
        """No link or pin is chosen any more."""
        self.link = self.pin = None

    def delete(self) -> bool:
        """Takes the chosen link or pin away; False when there is none."""
        chosen = RemoveLink(self.link) if self.link is not None else None if self.pin is None else RemovePin(self.pin)
        if chosen is not None:
            self._out.edit(chosen)
        return chosen is not None

    def _press(self, at: Point, reach: Reach) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        hit = hit_at(layout, at)
        self.link = None if hit is not None else link_at(layout, self._chart.chart_height, at)
        self.pin = hit.task if hit is not None and hit.part is Part.PIN else None
        # One of several that are chosen is perhaps dragged with all of them: the release tells.
        self._is_among = hit is not None and reach is Reach.ALONE and hit.task in self._out.chosen()
        if not self._is_among:
            self._out.choose(None if hit is None else hit.task, reach)
        gesture = None
        if hit is not None and reach is Reach.ALONE:
            gesture = gesture_for(layout, hit, at, self._out.chosen())
        self._dragging = None if gesture is None else Dragging(gesture, layout.state, self._out.trial, at)

    def _move(self, at: Point, is_free: bool) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        if self._dragging is None:
            self._set_hover(hit_at(layout, at))
        else:
            self._dragging.move(layout, at, is_free)
            self._chart.refresh()

    def _release(self, at: Point, is_free: bool) -> None:
        dragging, layout = self._dragging, self._out.layout()
        if dragging is None or layout is None:
            return
        dragging.move(layout, at, is_free)
        edit = dragging.release()
        self.drop()
        if edit is not None:
            self._out.edit(edit)
        elif self._is_among:
            self._out.choose(dragging.gesture.task, Reach.ALONE)

    def _set_hover(self, hit: Hit | None) -> None:
        if hit != self._hover:
            self._hover = hit
            arrow = Qt.CursorShape.ArrowCursor
            self._chart.setCursor(arrow if hit is None else _CURSORS.get(hit.part, arrow))
            self._chart.refresh()
