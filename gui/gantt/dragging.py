"""Dragging: one gesture from press to release, with its trial schedule and the figures on its card.

It never draws, and never changes the plan: what comes out of it is an edit. The trial is computed when it is shown, so
that a mouse that moves faster than the window draws costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from engine.errors import EngineError
from engine.model import DependencyKind
from engine.schedule.cpm import working_time
from engine.session.edits import AddLink, Edit
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.drag import CardLine, Drag, is_moved
from gui.gantt.interactions import Gesture, LinkGesture
from gui.gantt.stream_places import order_change
from gui.gantt.words import change_text, duration_text, full_name, instant_text

Trial = Callable[[Edit], State]


class Dragging:
    """A gesture in progress. `trial` computes the State an edit would lead to; it may raise an EngineError."""

    def __init__(self, gesture: Gesture, state: State, trial: Trial, press: Point) -> None:
        self.gesture = gesture
        self.at = press
        self._is_free = False
        self._state = state
        self._compute = trial
        self._edit: Edit | None = None
        self._computed: Edit | None = None
        self._trial: State | None = None
        self._refusal = ""

    def move(self, layout: Layout, at: Point, is_free: bool) -> None:
        """The mouse is elsewhere."""
        self.at, self._is_free = at, is_free
        self._edit = self.gesture.move(layout, at, is_free)

    def follow(self, layout: Layout) -> None:
        """Rows or time were scrolled under the mouse."""
        self.move(layout, self.at, self._is_free)

    def release(self) -> Edit | None:
        """The edit to execute; None when nothing would come of it. One that is refused is let through, to be told."""
        self._edit = self.gesture.release()
        self._update()
        if self._edit is None or self._refusal or isinstance(self._edit, AddLink):
            return self._edit
        return self._edit if self._trial is not None and is_moved(self._state, self._trial) else None

    def shown(self, layout: Layout) -> Drag:
        """What the scene shows of it."""
        self._update()
        is_link = isinstance(self.gesture, LinkGesture)
        return Drag(
            task=self.gesture.task,
            trial=self._trial,
            at=self.at,
            lines=tuple(self._link_lines() if is_link else self._date_lines()),
            rubber=self.gesture.rubber(layout, self.at) if isinstance(self.gesture, LinkGesture) else None,
            target=self.gesture.target if isinstance(self.gesture, LinkGesture) else None,
        )

    def _update(self) -> None:
        if self._edit == self._computed:
            return
        self._computed, self._trial, self._refusal = self._edit, None, ""
        if self._edit is not None:
            try:
                self._trial = self._compute(self._edit)
            except EngineError as error:
                self._refusal = error.sentence

    def _date_lines(self) -> list[CardLine]:
        if self._edit is None:
            return []
        plan, task = self._state.plan, self._state.plan.task(self.gesture.task)
        lines = [CardLine(full_name(plan, task.id, " · "), "text", True)]
        if self._trial is None:
            return [*lines, CardLine(self._refusal, "critical")]
        old, new = self._state.schedule, self._trial.schedule
        start, finish = new.start_of(task.id), new.finish_of(task.id)
        time = working_time(plan)
        before, after = time.between(old.start_of(task.id), old.finish_of(task.id)), time.between(start, finish)
        start_change = time.between(old.start_of(task.id), start)
        finish_change = time.between(old.finish_of(task.id), finish)
        lines.append(self._line(_tr("start {value}"), instant_text(plan, start), start_change))
        lines.append(self._line(_tr("finish {value}"), instant_text(plan, finish), finish_change))
        lines.append(self._line(_tr("duration {value}"), duration_text(plan, after), after - before))
        if moved := order_change(self._state, self._trial, task.id):
            lines.append(CardLine(moved, "text"))
        return [*lines, self._plan_line()]

    def _link_lines(self) -> list[CardLine]:
        if not isinstance(self._edit, AddLink):
            return [CardLine(_tr("Let go on a bar to link it: its first part for its start, its last for its finish."))]
        link = self._edit.dependency
        plan = self._state.plan
        names = {"first": full_name(plan, link.predecessor), "second": full_name(plan, link.successor)}
        lines = [CardLine(_link_sentence(link.kind).format(**names), "text", True)]
        return [*lines, CardLine(self._refusal, "critical") if self._trial is None else self._plan_line()]

    def _plan_line(self) -> CardLine:
        if self._trial is None:
            return CardLine("")
        old, new = self._state.schedule.project_finish, self._trial.schedule.project_finish
        change = working_time(self._state.plan).between(old, new)
        line = self._line(_tr("plan finish {value}"), instant_text(self._state.plan, new), change)
        return CardLine(line.text, "critical" if new > old else "muted")

    def _line(self, pattern: str, value: str, change: int) -> CardLine:
        difference = change_text(self._state.plan, change)
        return CardLine(pattern.format(value=value) + (f"  ({difference})" if difference else ""))


def _link_sentence(kind: DependencyKind) -> str:
    return {
        DependencyKind.FS: _tr("{second} starts after {first} finishes"),
        DependencyKind.SS: _tr("{second} starts after {first} starts"),
        DependencyKind.FF: _tr("{second} finishes after {first} finishes"),
        DependencyKind.SF: _tr("{second} finishes after {first} starts"),
    }[kind]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dragging", text)
