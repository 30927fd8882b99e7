"""Dragging: one gesture from press to release, with its trial schedule and the figures on its card.

It never draws, and never changes the plan: what comes out of it is an edit. The trial of a large plan comes later, and
until then bars in sight are shown as a sketch of it has them, or the bar that is held where it is carried to.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import EngineError
from engine.model import Clock
from engine.session.edits import Edit, MoveTask, MoveTasks, RemovePin
from engine.session.shape_edits import ResizeStart
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.bars import Bar, Layout
from gui.gantt.drag import CardLine, Drag, is_moved
from gui.gantt.drag_card import card_lines, is_held_back
from gui.gantt.interactions import Gesture
from gui.gantt.trials import Rehearse, Sketch, Trial, Trials, at_once, unsketched


class Dragging:
    """A gesture in progress. `trial` computes the State an edit would lead to; it may raise an EngineError.

    `rehearse` may have it told later instead: `sketch` says at once where bars in sight would stand, if that is known.
    """

    def __init__(
        self,
        gesture: Gesture[Layout],
        state: State,
        trial: Trial,
        press: Point,
        rehearse: Rehearse = at_once,
        sketch: Sketch = unsketched,
    ) -> None:
        self.gesture = gesture
        self.at = press
        self._press = press
        self._anchor: tuple[int, float] | None = None
        self._is_free = self._is_straight = False
        self._state = state
        self._trials = Trials(trial, rehearse)
        self._sketch = sketch
        self._sketched: tuple[tuple[object, ...], State | None] = (), None
        self._lines: tuple[CardLine, ...] = ()

    def move(self, layout: Layout, at: Point, is_free: bool, is_straight: bool = False) -> None:
        """The mouse is elsewhere; `is_straight` leaves the smaller of the ways across and down out of account."""
        self.at, self._is_free, self._is_straight = at, is_free, is_straight
        self._trials.edit = self.gesture.move(layout, self._straightened(layout), is_free)

    def follow(self, layout: Layout) -> None:
        """Rows or time were scrolled under the mouse."""
        self.move(layout, self.at, self._is_free, self._is_straight)

    def let_go(self) -> Edit | None:
        """The edit that has to be tried before it is known what comes of it; None when that is known."""
        self._trials.edit = self.gesture.release()
        return None if self._trials.is_known else self._trials.edit

    def land(self, state: State, found: State | EngineError) -> Edit | None:
        """As `release`, once it was found out what the edit leads to in the state that is there by then."""
        self._state = state
        self._trials.learn(found)
        return self.release()

    def release(self) -> Edit | None:
        """The edit to execute; None when nothing would come of it. One that is refused is let through, to be told.

        A move to where the task cannot go leaves no pin behind that nothing shows.
        """
        self._trials.edit = edit = self.gesture.release()
        trial = self._trials.settle()
        if edit is None or trial is None:
            return edit
        if isinstance(edit, MoveTask | MoveTasks) and not is_moved(self._state, trial):
            return None
        if is_held_back(trial, edit):
            if isinstance(edit, ResizeStart):
                return None
            if isinstance(edit, MoveTask) and self._has_pin(edit):
                return RemovePin(edit.task)
        return None if trial.plan is self._state.plan else edit

    def shown(self, layout: Layout) -> Drag:
        """What the scene shows of it."""
        trials = self._trials
        is_late = trials.is_late()
        if not is_late:
            self._lines = card_lines(self._state, trials.found, self.gesture, trials.edit, trials.refusal)
        is_same_rows = trials.found is not None and len(trials.found.plan.tasks) == len(self._state.plan.tasks)
        sketch = self._ahead(layout) if is_late else None
        return Drag(
            task=self.gesture.task,
            trial=trials.found if is_same_rows else None,
            at=self.at,
            lines=self._lines,
            rubber=self.gesture.rubber(layout, self.at),
            target=self.gesture.target,
            outline=self.gesture.outline(layout),
            sketch=sketch,
            carried=self._carried(layout) if is_late and sketch is None else None,
        )

    def _ahead(self, layout: Layout) -> State | None:
        """What the present edit would lead to in the rows in sight, while all that it leads to is found out."""
        edit, sight = self._trials.edit, (layout.rows, layout.scroll_px)
        if edit is None:
            return None
        if self._sketched[0] != (edit, *sight):
            self._sketched = (edit, *sight), self._sketch(edit)
        return self._sketched[1]

    def _carried(self, layout: Layout) -> Bar | None:
        """The bar that is held, where it is carried to."""
        bar = None if self.gesture.task is None else layout.bar_of(self.gesture.task)
        span = self.gesture.span()
        if bar is None or span is None:
            return None
        left, right = (layout.scale.x(tick) for tick in span)
        return replace(bar, left=left, right=right)

    def _straightened(self, layout: Layout) -> Point:
        """Where the mouse is, or where it would be if it had gone straight."""
        if self._anchor is None:
            self._anchor = layout.scale.tick(self._press[0]), self._press[1] + layout.scroll_px
        x, y = layout.scale.x(self._anchor[0]), self._anchor[1] - layout.scroll_px
        if not self._is_straight:
            return self.at
        return (self.at[0], y) if abs(self.at[0] - x) >= abs(self.at[1] - y) else (x, self.at[1])

    def _has_pin(self, edit: MoveTask) -> bool:
        """Whether a move would only leave another pin where one is that something else overrules.

        On a device a pin also says in which order operations stand on a stream.
        """
        plan = self._state.plan
        return plan.clock is Clock.CALENDAR and not plan.is_summary(edit.task) and plan.task(edit.task).pin is not None
