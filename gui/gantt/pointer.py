"""Pointer: what the mouse has hold of in the chart: a drag, a band, a link, a pin, or the bar under it.

It never draws and never changes the plan: it hands on edits and choices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt

from engine.errors import EngineError
from engine.model import Dependency, TaskId
from engine.session.edits import Edit, RemoveLink, RemovePin
from engine.session.state import State
from gui.bridge.making import Wish
from gui.canvas.shapes import Point
from gui.gantt import handles, links
from gui.gantt.bars import BarKind, Layout
from gui.gantt.chart import GanttChart
from gui.gantt.drag import CardLine, Drag
from gui.gantt.dragging import Dragging
from gui.gantt.edge_scroll import EdgeScroll, pace
from gui.gantt.hit import Hit, Part, hit_at, link_at
from gui.gantt.interactions import Gesture, ReconnectGesture, gesture_for
from gui.gantt.interactions.band import Band
from gui.gantt.interactions.drawing import DrawGesture
from gui.gantt.interactions.splitting import SplitGesture, cut_at
from gui.gantt.keyboard import Grip
from gui.gantt.pin_offer import PinOffer
from gui.gantt.selection import Reach, Selection
from gui.gantt.trials import Afterwards, Rehearse, Settle, Sketches, Tell, Trial, no_rows, now, settled_at_once
from gui.gantt.words import instant_text
from gui.theme import METRICS

_CURSORS = {
    Part.START_EDGE: Qt.CursorShape.SizeHorCursor,
    Part.FINISH_EDGE: Qt.CursorShape.SizeHorCursor,
    Part.PROGRESS: Qt.CursorShape.SplitHCursor,
    Part.START_DOT: Qt.CursorShape.CrossCursor,
    Part.FINISH_DOT: Qt.CursorShape.CrossCursor,
    Part.PIN: Qt.CursorShape.PointingHandCursor,
}


class Tool(Enum):
    """What the next drag does instead of what it would mean."""

    NONE = "none"
    SPLIT = "split"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a pointer's doings go: the present layout, a trial schedule, an edit made, a task chosen (or none).

    `rehearse` tells of a trial later. `select` takes what is chosen from now on, `chosen` gives what is.
    """

    layout: Callable[[], Layout | None]
    trial: Trial
    rehearse: Rehearse
    edit: Callable[[Wish], None]
    choose: Callable[[TaskId | None, Reach], None]
    select: Callable[[Selection], None]
    chosen: Callable[[], Selection]


class Pointer:
    """The mouse over one chart. `sketch` says at once what a drag does to some rows of the plan, if that is known;
    `settle` what a drop does, later where the plan is large: what was dragged stays in sight until then."""

    def __init__(self, chart: GanttChart, outlet: Outlet) -> None:
        self.sketch: Sketches = no_rows
        self.settle: Settle = settled_at_once
        self.afterwards: Afterwards = now
        self.link: Dependency | None = None
        self.pin: TaskId | None = None
        self.tool = Tool.NONE
        self._hover: Hit | None = None
        self._dragging: Dragging | None = None
        self._dropped: Dragging | None = None
        self._band: Band | None = None
        self._at: Point = (0.0, 0.0)
        self._press_at: Point = (0.0, 0.0)
        self._reach = Reach.ALONE
        self._is_among = False
        self._chart = chart
        self._out = outlet
        self._edge = EdgeScroll(self._scroll, chart)
        self.offer = PinOffer(chart, outlet.layout, outlet.trial, outlet.edit)
        chart.pressed.connect(self._press)
        chart.moved.connect(self._move)
        chart.released.connect(self._release)
        chart.left.connect(lambda: self._set_hover(None))

    @property
    def hovered(self) -> TaskId | None:
        """The task whose bar is under the mouse, while nothing is dragged."""
        return None if self._hover is None or self.is_held else self._hover.task

    @property
    def is_held(self) -> bool:
        """Whether the mouse holds a bar, a link or a band."""
        return self._dragging is not None or self._band is not None

    def drag(self, layout: Layout) -> Drag | None:
        """The drag in progress, as the scene shows it."""
        dragging = self._dragging or self._dropped
        if dragging is not None:
            return dragging.shown(layout)
        if self.tool is Tool.SPLIT and not self.is_held:
            return _cut(layout, self._hover, self._at)
        if self._band is None or not self._band.is_drag(layout, self._at):
            return None
        count = len(self._band.tasks(layout, self._at))
        words = _tr("1 task") if count == 1 else _tr("{count} tasks").format(count=count)
        return Drag(None, None, self._at, (CardLine(words),), band=self._band.corners(layout, self._at))

    def take(self, tool: Tool) -> None:
        """The next drag splits a bar, or draws a new task."""
        self.drop()
        self.tool = tool
        self._show_cursor()

    def follow(self) -> None:
        """Rows or time moved under the mouse."""
        layout = self._out.layout()
        if self._dragging is not None and layout is not None:
            self._dragging.follow(layout)
        self.offer.follow()

    def drop(self) -> None:
        """Lets go of what is dragged, and of a tool; nothing comes of it. A pin that is asked about stays."""
        self._dragging = self._band = None
        self.offer.hide()
        self.tool = Tool.NONE
        self._edge.stop()
        self._show_cursor()
        self._chart.refresh()

    def keep(self, state: State) -> None:
        """Another state is shown: a drag was of the earlier one, and a link or a pin may be gone."""
        self._dragging = self._dropped = self._band = None
        self._edge.stop()
        self.offer.hide()
        if self.link is not None and self.link not in state.plan.dependencies:
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

    def make(self, edit: Edit) -> None:
        """Hands an edit on; where it leaves a pin that nobody asked for, a choice is offered beside it."""
        before = self._out.layout()
        self._out.edit(edit)
        self.afterwards(lambda: self.offer.consider(edit, _state_of(before), _state_of(self._out.layout())))

    def _press(self, at: Point, reach: Reach) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        self._at = self._press_at = at
        self._reach = reach
        gesture = self._link_end(layout, at) or self._on_bar(layout, at) or self._on_ground(layout, at)
        trials = self._out.trial, at, self._rehearse, self._sketch
        self._dragging = None if gesture is None else Dragging(gesture, layout.state, *trials)

    def _rehearse(self, edit: Edit, tell: Tell) -> bool:
        def told(edit: Edit, found: State | EngineError) -> None:
            tell(edit, found)
            self._chart.refresh()

        return self._out.rehearse(edit, told)

    def _sketch(self, edit: Edit) -> State | None:
        layout = self._out.layout()
        if layout is None:
            return None
        first, last = layout.seen(self._chart.chart_height)
        return self.sketch(edit, layout.rows.plan_rows[first : last + 1].tolist())

    def _link_end(self, layout: Layout, at: Point) -> Gesture[Layout] | None:
        """The chosen link, held at one of its ends."""
        points = None if self.link is None else links.way_of(layout, *layout.seen(self._chart.chart_height), self.link)
        end = None if points is None else handles.end_at(points, at)
        self._is_among = False
        return None if end is None or self.link is None else ReconnectGesture(self.link, end == 1)

    def _on_bar(self, layout: Layout, at: Point) -> Gesture[Layout] | None:
        hit = hit_at(layout, at)
        self.link = None if hit is not None else link_at(layout, self._chart.chart_height, at)
        self.pin = hit.task if hit is not None and hit.part is Part.PIN else None
        # One of several that are chosen is perhaps dragged with all of them: the release tells.
        self._is_among = hit is not None and self._reach is Reach.ALONE and hit.task in self._out.chosen().tasks
        if not self._is_among:
            self._out.choose(None if hit is None else hit.task, self._reach)
        if hit is None or self._reach is not Reach.ALONE:
            return None
        if self.tool is Tool.SPLIT and not layout.state.plan.is_summary(hit.task):
            return SplitGesture(layout, hit.task, at)
        return gesture_for(layout, hit, at, self._out.chosen().tasks)

    def _on_ground(self, layout: Layout, at: Point) -> Gesture[Layout] | None:
        """Below the last row a task is drawn; between bars a band chooses, unless a task is to be drawn there too."""
        if self.link is not None or hit_at(layout, at) is not None:
            return None
        if self._reach is Reach.ALONE and (self.tool is Tool.DRAW or layout.row_at(at[1]) is None):
            return DrawGesture(layout, at, _tr("New task"))
        self._band = Band(layout, at)
        return None

    def _move(self, at: Point, grip: Grip) -> None:
        layout = self._out.layout()
        if layout is None:
            return
        self._at = at
        if not self.is_held:
            self._set_hover(hit_at(layout, at))
            if self.tool is not Tool.NONE:
                self._chart.refresh()
            return
        if self._dragging is not None:
            self._dragging.move(layout, at, grip.is_free, grip.is_straight)
        speed = pace(at, self._press_at, (layout.scale.width_px, float(self._chart.chart_height)))
        is_tall = self._dragging is None or self._dragging.gesture.height_counts
        self._edge.go((speed[0], speed[1] if is_tall else 0.0))
        self._chart.refresh()

    def _release(self, at: Point, grip: Grip) -> None:
        dragging, band, layout = self._dragging, self._band, self._out.layout()
        if layout is None or not self.is_held:
            return
        edit = None
        if dragging is not None and not self._is_outside(at):
            dragging.move(layout, at, grip.is_free, grip.is_straight)
            edit = dragging.let_go()
            if edit is not None and self.settle(edit, partial(self._land, dragging, is_among=self._is_among)):
                self.drop()
                self._dropped = dragging
                return
            edit = dragging.release()
        self.drop()
        if dragging is not None:
            self._make_of(dragging, edit, is_among=self._is_among)
        elif band is not None and band.is_drag(layout, at):
            self._out.select(self._out.chosen().with_band(band.tasks(layout, at), self._reach))

    def _land(self, dragging: Dragging, _: Edit, found: State | EngineError | None, *, is_among: bool) -> None:
        """It is known what a drop leads to, or it was taken back."""
        layout = self._out.layout()
        if self._dropped is dragging:
            self._dropped = None
            self._chart.refresh()
        if layout is not None and found is not None:
            self._make_of(dragging, dragging.land(layout.state, found), is_among=is_among)

    def _make_of(self, dragging: Dragging, edit: Edit | None, *, is_among: bool) -> None:
        """Nothing that comes of a drag may still be a choice."""
        if edit is not None:
            self.make(edit)
            self.afterwards(partial(self._choose_made, dragging.gesture))
        elif is_among:
            self._out.choose(dragging.gesture.task, Reach.ALONE)

    def _choose_made(self, gesture: Gesture[Layout]) -> None:
        """The task that was drawn is chosen."""
        layout = self._out.layout()
        if isinstance(gesture, DrawGesture) and layout is not None and gesture.made in layout.rows.row_of:
            self._out.choose(gesture.made, Reach.ALONE)

    def _is_outside(self, at: Point) -> bool:
        """Whether the mouse left the chart by more than a row's height: a drop there drops what is dragged."""
        far, width, height = METRICS.row_px, self._chart.time_scale.width_px, self._chart.chart_height
        return not (-far <= at[0] <= width + far and -far <= at[1] <= height + far)

    def _scroll(self, right: float, down: float) -> None:
        """What is carried in time may go where nothing is yet, or half a chart before the plan; else bars stay seen."""
        is_carried = self._dragging is not None and not self._dragging.gesture.height_counts
        bounds, scale = self._chart.bounds, self._chart.time_scale
        if right < 0 and is_carried and bounds is not None:
            right = max(right, min(scale.x(bounds[0]) - scale.width_px / 2, 0.0))
        self._chart.bounds = None if is_carried else bounds
        if right:
            self._chart.pan(-right)
        self._chart.bounds = bounds
        if down:
            self._chart.wheel_turned.emit(round(down))
        self._chart.refresh()

    def _set_hover(self, hit: Hit | None) -> None:
        if hit != self._hover:
            self._hover = hit
            self._show_cursor()
            self._chart.refresh()

    def _show_cursor(self) -> None:
        arrow = Qt.CursorShape.ArrowCursor
        cursor = arrow if self._hover is None else _CURSORS.get(self._hover.part, arrow)
        if self.tool is Tool.DRAW:
            cursor = Qt.CursorShape.CrossCursor
        elif self.tool is Tool.SPLIT:
            cursor = Qt.CursorShape.SplitHCursor
        self._chart.setCursor(cursor)


def _state_of(layout: Layout | None) -> State | None:
    return None if layout is None else layout.state


def _cut(layout: Layout, hover: Hit | None, at: Point) -> Drag | None:
    """Where the bar under the mouse would be split by a press."""
    bar = None if hover is None else layout.bar_of(hover.task)
    if bar is None or bar.kind is not BarKind.LEAF or not bar.left < at[0] < bar.right:
        return None
    cut = cut_at(layout.state, layout.scale, bar.task.id, layout.scale.tick(at[0]))
    x, words = layout.scale.x(cut), _tr("pauses {date}; drag right as long as it does")
    line = CardLine(words.format(date=instant_text(layout.state.plan, cut)))
    return Drag(bar.task.id, None, at, (line,), rubber=((x, bar.y + 1), (x, bar.y + METRICS.row_px - 1)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("GanttView", text)
