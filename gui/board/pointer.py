"""BoardPointer: what the mouse has hold of on the board. It never draws and never changes the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt

from engine.model import TaskId
from engine.session.edits import Edit
from gui.board.chart import BoardChart
from gui.board.drag import BoardDrag
from gui.board.dragging import BoardDragging, Trial
from gui.board.gestures import gesture_for
from gui.board.layout import BoardLayout
from gui.canvas.shapes import Point
from gui.gantt.edge_scroll import EdgeScroll, pace
from gui.gantt.selection import Reach


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a pointer's doings go: the present layout, a trial schedule, an edit made, tasks chosen and the place of
    the one that was pressed.
    """

    layout: Callable[[], BoardLayout | None]
    trial: Trial
    edit: Callable[[Edit], None]
    choose: Callable[[tuple[TaskId, ...], tuple[int, int] | None], None]


class BoardPointer:
    """The mouse over one board. `chosen` are the tasks that are; `changed` is called when there is more to be drawn."""

    def __init__(self, chart: BoardChart, outlet: Outlet) -> None:
        self.chosen: tuple[TaskId, ...] = ()
        self.changed: Callable[[], object] = chart.refresh
        self._chart, self._out = chart, outlet
        self._dragging: BoardDragging | None = None
        self._press_at: Point = (0.0, 0.0)
        self._edge = EdgeScroll(self._scroll, chart)
        chart.pressed.connect(self._press)
        chart.moved.connect(self._move)
        chart.released.connect(self._release)

    @property
    def drag(self) -> BoardDrag | None:
        """The drag in progress, as the scene shows it."""
        return None if self._dragging is None else self._dragging.shown()

    def follow(self) -> None:
        """Rows or time moved under the mouse."""
        layout = self._out.layout()
        if self._dragging is not None and layout is not None:
            self._dragging.follow(layout)

    def drop(self) -> None:
        """Lets go of what is dragged; nothing comes of it."""
        self._dragging = None
        self._edge.stop()
        self.changed()

    def _press(self, at: Point, reach: Reach) -> None:
        layout = self._out.layout()
        bar = None if layout is None else layout.bar_at(at)
        if layout is None or bar is None:
            if reach is Reach.ALONE:
                self._out.choose((), None)
            return
        task, place = bar.slot.task.id, layout.place(bar)
        if reach is not Reach.ALONE:
            others = tuple(each for each in self.chosen if each != task)
            self._out.choose(others if task in self.chosen else (task, *others), place)
            return
        # One of several that are chosen is perhaps dragged with all of them: the release tells.
        self._out.choose(self.chosen if task in self.chosen else (task,), place)
        gesture = gesture_for(layout, bar, at, self.chosen)
        self._dragging = BoardDragging(gesture, bar, layout.state, self._out.trial)
        self._dragging.at = self._press_at = at

    def _move(self, at: Point, is_free: bool) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        if self._dragging is not None:
            self._dragging.move(layout, at, is_free)
            size = (float(self._chart.width()), float(self._chart.chart_height))
            across, down = pace(at, self._press_at, size)
            self._edge.go((across, down if self._dragging.is_upright else 0.0))
            self.changed()
            return
        bar = layout.bar_at(at)
        is_edge = bar is not None and layout.end_at(bar, at[0]) != 0
        self._chart.setCursor(Qt.CursorShape.SizeHorCursor if is_edge else Qt.CursorShape.ArrowCursor)

    def _scroll(self, right: float, down: float) -> None:
        """What is held is near an edge: time and rows go on under it."""
        if right:
            self._chart.pan(-right)
        if down:
            self._chart.wheel_turned.emit(round(down))

    def _release(self, at: Point, is_free: bool) -> None:
        dragging, layout = self._dragging, self._out.layout()
        if dragging is None or layout is None:
            return
        dragging.move(layout, at, is_free)
        edit = dragging.release()
        self.drop()
        if edit is not None:
            self._out.edit(edit)
        elif len(self.chosen) > 1:
            self._out.choose((dragging.bar.slot.task.id,), layout.place(dragging.bar))
