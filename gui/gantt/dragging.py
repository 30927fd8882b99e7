"""Dragging: one gesture from press to release, with its trial schedule and the figures on its card.

It never draws, and never changes the plan: what comes out of it is an edit. The trial is computed when it is shown, so
that a mouse that moves faster than the window draws costs nothing; that of a large plan comes later, and until then the
bar that is held is shown where it is carried to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

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

Trial = Callable[[Edit], State]
Tell: TypeAlias = Callable[[Edit, State | EngineError], object]
# Has a trial told later; False where it is to be made at once.
Rehearse = Callable[[Edit, Tell], bool]


def at_once(_edit: Edit, _tell: Tell) -> bool:
    """Every trial is made at once."""
    return False


class Dragging:
    """A gesture in progress. `trial` computes the State an edit would lead to; it may raise an EngineError.

    `rehearse` may have it told later instead.
    """

    def __init__(
        self, gesture: Gesture[Layout], state: State, trial: Trial, press: Point, rehearse: Rehearse = at_once
    ) -> None:
        self.gesture = gesture
        self.at = press
        self._press = press
        self._anchor: tuple[int, float] | None = None
        self._is_free = self._is_straight = False
        self._state = state
        self._compute, self._rehearse = trial, rehearse
        self._edit: Edit | None = None
        self._asked: Edit | None = None
        self._computed: Edit | None = None
        self._lines: tuple[CardLine, ...] = ()
        self._trial: State | None = None
        self._refusal = ""

    def move(self, layout: Layout, at: Point, is_free: bool, is_straight: bool = False) -> None:
        """The mouse is elsewhere; `is_straight` leaves the smaller of the ways across and down out of account."""
        self.at, self._is_free, self._is_straight = at, is_free, is_straight
        self._edit = self.gesture.move(layout, self._straightened(layout), is_free)

    def follow(self, layout: Layout) -> None:
        """Rows or time were scrolled under the mouse."""
        self.move(layout, self.at, self._is_free, self._is_straight)

    def release(self) -> Edit | None:
        """The edit to execute; None when nothing would come of it. One that is refused is let through, to be told.

        A move to where the task cannot go leaves no pin behind that nothing shows.
        """
        self._edit = edit = self.gesture.release()
        if edit != self._computed:
            self._compute_now()
        if edit is None or self._trial is None:
            return edit
        if isinstance(edit, MoveTask | MoveTasks) and not is_moved(self._state, self._trial):
            return None
        if is_held_back(self._trial, edit):
            if isinstance(edit, ResizeStart):
                return None
            if isinstance(edit, MoveTask) and self._has_pin(edit):
                return RemovePin(edit.task)
        return None if self._trial.plan is self._state.plan else edit

    def shown(self, layout: Layout) -> Drag:
        """What the scene shows of it."""
        is_late = self._is_late()
        if not is_late:
            self._lines = card_lines(self._state, self._trial, self.gesture, self._edit, self._refusal)
        is_same_rows = self._trial is not None and len(self._trial.plan.tasks) == len(self._state.plan.tasks)
        return Drag(
            task=self.gesture.task,
            trial=self._trial if is_same_rows else None,
            at=self.at,
            lines=self._lines,
            rubber=self.gesture.rubber(layout, self.at),
            target=self.gesture.target,
            outline=self.gesture.outline(layout),
            carried=self._carried(layout) if is_late else None,
        )

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

    def _is_late(self) -> bool:
        """Whether the trial is not there yet. It is asked for once."""
        if self._edit == self._computed:
            return False
        if self._edit is not None and (self._edit == self._asked or self._rehearse(self._edit, self._arrive)):
            self._asked = self._edit
            return True
        self._compute_now()
        return False

    def _arrive(self, edit: Edit, found: State | EngineError) -> None:
        """A trial is there, perhaps of where the mouse was a moment ago; nothing newer was until now."""
        if self._edit is not None and self._edit != self._computed:
            self._take(edit, found)

    def _compute_now(self) -> None:
        self._take(self._edit, None)
        if self._edit is not None:
            try:
                self._trial = self._compute(self._edit)
            except EngineError as error:
                self._refusal = error.sentence

    def _take(self, edit: Edit | None, found: State | EngineError | None) -> None:
        self._computed = edit
        self._trial = found if isinstance(found, State) else None
        self._refusal = found.sentence if isinstance(found, EngineError) else ""
