"""BoardPointer: what the mouse has hold of on the board. It never draws and never changes the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.edits import Edit
from engine.session.state import State
from gui.board.band import BoardBand, ShownBand
from gui.board.chart import BoardChart
from gui.board.drag import BoardDrag
from gui.board.dragging import BoardDragging
from gui.board.gestures import gesture_for
from gui.board.layout import BoardLayout
from gui.canvas.shapes import Point
from gui.gantt.edge_scroll import EdgeScroll, pace
from gui.gantt.selection import Reach
from gui.gantt.trials import Rehearse, Settle, Tell, Trial, settled_at_once
from gui.theme import METRICS


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a pointer's doings go: the present layout, a trial schedule, at once or told later, an edit made, tasks
    chosen and the place of the one that was pressed.
    """

    layout: Callable[[], BoardLayout | None]
    trial: Trial
    rehearse: Rehearse
    edit: Callable[[Edit], None]
    choose: Callable[[tuple[TaskId, ...], tuple[int, int] | None], None]


class BoardPointer:
    """The mouse over one board. `chosen` are the tasks that are; `changed` is called when there is more to be drawn.

    `settle` says what a drop does, later where the plan is large: what was dragged stays in sight until then.
    """

    def __init__(self, chart: BoardChart, outlet: Outlet) -> None:
        self.chosen: tuple[TaskId, ...] = ()
        self.changed: Callable[[], object] = chart.refresh
        self.settle: Settle = settled_at_once
        self._chart, self._out = chart, outlet
        self._dragging: BoardDragging | None = None
        self._dropped: BoardDragging | None = None
        self._band: BoardBand | None = None
        self._reach = Reach.ALONE
        self._press_at = self._at = (0.0, 0.0)
        self._edge = EdgeScroll(self._scroll, chart)
        chart.pressed.connect(self._press)
        chart.moved.connect(self._move)
        chart.released.connect(self._release)

    @property
    def drag(self) -> BoardDrag | None:
        """The drag in progress, as the scene shows it."""
        dragging = self._dragging or self._dropped
        return None if dragging is None else dragging.shown()

    @property
    def is_held(self) -> bool:
        """Whether the mouse holds a bar or a band."""
        return self._dragging is not None or self._band is not None

    @property
    def held(self) -> TaskId | None:
        """The task that is carried about, once it is."""
        dragging = self._dragging
        far = max(abs(now - then) for now, then in zip(self._at, self._press_at, strict=True))
        is_carried = dragging is not None and dragging.is_upright and far >= METRICS.drag_px
        return dragging.bar.slot.task.id if dragging is not None and is_carried else None

    @property
    def band(self) -> ShownBand | None:
        """The band in progress, once it is one."""
        layout = self._out.layout()
        if self._band is None or layout is None or not self._band.is_drag(layout, self._at):
            return None
        count = len(self._band.tasks(layout, self._at))
        words = _tr("1 task") if count == 1 else _tr("{count} tasks").format(count=f"{count:,}")
        return ShownBand(self._band.corners(layout, self._at), self._at, words)

    def follow(self) -> None:
        """Rows or time moved under the mouse."""
        layout = self._out.layout()
        if self._dragging is not None and layout is not None:
            self._dragging.follow(layout)

    def drop(self) -> None:
        """Lets go of what is dragged; nothing comes of it."""
        self._dragging = self._dropped = self._band = None
        self._edge.stop()
        self.changed()

    def _press(self, at: Point, reach: Reach) -> None:
        layout = self._out.layout()
        self._press_at = self._at = at
        self._reach = reach
        if layout is None:
            return
        bar = layout.bar_at(at)
        if bar is None:
            self._band = BoardBand(layout, at)
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
        self._dragging = BoardDragging(gesture, bar, layout.state, self._out.trial, self._rehearse)
        self._dragging.at = at

    def _rehearse(self, edit: Edit, tell: Tell) -> bool:
        def told(edit: Edit, found: State | EngineError) -> None:
            tell(edit, found)
            self.changed()

        return self._out.rehearse(edit, told)

    def _move(self, at: Point, is_free: bool) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        self._at = at
        if self._dragging is not None or self._band is not None:
            if self._dragging is not None:
                self._dragging.move(layout, at, is_free)
            size = (float(self._chart.width()), float(self._chart.chart_height))
            across, down = pace(at, self._press_at, size)
            self._edge.go((across, down if self._dragging is None or self._dragging.is_upright else 0.0))
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
        dragging, band, layout = self._dragging, self._band, self._out.layout()
        if band is not None and layout is not None:
            self._choose_in(band, layout, at)
        if dragging is None or layout is None:
            return
        dragging.move(layout, at, is_free)
        edit = dragging.let_go()
        if edit is not None and self.settle(edit, partial(self._land, dragging)):
            self.drop()
            self._dropped = dragging
            return
        edit = dragging.release()
        self.drop()
        self._make_of(dragging, edit, layout)

    def _land(self, dragging: BoardDragging, _: Edit, found: State | EngineError | None) -> None:
        """It is known what a drop leads to, or it was taken back."""
        layout = self._out.layout()
        self._dropped = None if self._dropped is dragging else self._dropped
        self.changed()
        if layout is not None and found is not None:
            self._make_of(dragging, dragging.land(layout.state, found), layout)

    def _make_of(self, dragging: BoardDragging, edit: Edit | None, layout: BoardLayout) -> None:
        """Nothing that comes of a drag may still be a choice."""
        if edit is not None:
            self._out.edit(edit)
        elif len(self.chosen) > 1:
            self._out.choose((dragging.bar.slot.task.id,), layout.place(dragging.bar))

    def _choose_in(self, band: BoardBand, layout: BoardLayout, at: Point) -> None:
        """What the band touches is chosen, with what was where a key says so."""
        self.drop()
        if band.is_drag(layout, at):
            found = band.tasks(layout, at)
            kept = () if self._reach is Reach.ALONE else self.chosen
            self._out.choose(tuple(dict.fromkeys((*found, *kept))), None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Board", text)
