"""BoardDragging: one gesture on the board from press to release, its trial schedule, and the figures on its card.

It never draws, and never changes the plan.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.errors import EngineError
from engine.session.edits import Edit
from engine.session.state import State
from gui.board.drag import BoardDrag
from gui.board.gestures import BoardGesture, PlaceGesture
from gui.board.layout import BoardBar, BoardLayout
from gui.canvas.shapes import Point
from gui.gantt.fence_words import crossing_words
from gui.gantt.trials import Rehearse, Trial, Trials, at_once
from gui.plan_words import change_text, exact_text, full_name, instant_text


class BoardDragging:
    """`trial` computes the State that an edit would lead to, when that is shown; it may raise an EngineError.

    `rehearse` may have it told later instead: until then the bar that is held is shown where it is carried to.
    """

    def __init__(
        self, gesture: BoardGesture, bar: BoardBar, state: State, trial: Trial, rehearse: Rehearse = at_once
    ) -> None:
        self.bar = bar
        self.at: Point = (bar.left, bar.top)
        self._gesture = gesture
        self._is_free = False
        self._state, self._trials = state, Trials(trial, rehearse)
        self._figures: list[tuple[str, str]] = []

    @property
    def is_upright(self) -> bool:
        """Whether it matters how high the mouse is."""
        return self._gesture.height_counts

    def move(self, layout: BoardLayout, at: Point, is_free: bool) -> None:
        """The mouse is elsewhere."""
        self.at, self._is_free = at, is_free
        self._trials.edit = self._gesture.move(layout, at, is_free)

    def follow(self, layout: BoardLayout) -> None:
        """Rows or time were scrolled under the mouse."""
        self.move(layout, self.at, self._is_free)

    def let_go(self) -> Edit | None:
        """The edit that has to be tried before it is known what comes of it; None when that is known."""
        return None if self._trials.is_known else self._trials.edit

    def land(self, state: State, found: State | EngineError) -> Edit | None:
        """As `release`, once it was found out what the edit leads to in the state that is there by then."""
        self._state = state
        self._trials.learn(found)
        return self.release()

    def release(self) -> Edit | None:
        """The edit to execute, None when nothing would come of it; one that is refused is let through, to be told."""
        trial = self._trials.settle()
        return None if trial is not None and trial.plan is self._state.plan else self._trials.edit

    def shown(self) -> BoardDrag:
        """What the scene shows of it."""
        is_late = self._trials.is_late()
        if not is_late:
            self._figures = self._known_lines()
        eligible, named = frozenset[int](), frozenset[int]()
        if isinstance(self._gesture, PlaceGesture):
            eligible, named = self._gesture.eligible, self._gesture.named
        return BoardDrag(
            self.bar,
            self.at,
            self._trials.found,
            (*self._head(), *self._figures),
            self._resource,
            eligible,
            named,
            self._gesture.span() if is_late else None,
        )

    @property
    def _resource(self) -> int | None:
        """Who would do the task."""
        return self._gesture.resource if isinstance(self._gesture, PlaceGesture) else None

    def _head(self) -> list[tuple[str, str]]:
        """What is known before any date is: the task, and who would do it."""
        if self._trials.edit is None:
            return []
        plan = self._state.plan
        lines = [(full_name(plan, self.bar.slot.task.id, " · "), "text")]
        if self._resource is not None:
            names = {resource.id: resource.name for resource in plan.resources}
            lines.append((_tr("done by {name}").format(name=names[self._resource]), "accent"))
            if isinstance(self._gesture, PlaceGesture) and self._gesture.is_foreign:
                lines.append((_tr("not one of its alternatives"), "alarm"))
        return lines

    def _known_lines(self) -> list[tuple[str, str]]:
        """What the trial says, or why there is none."""
        plan, task, trial = self._state.plan, self.bar.slot.task.id, self._trials.found
        if self._trials.edit is None or trial is None:
            return [] if self._trials.edit is None else [(self._trials.refusal, "alarm")]
        lines = []
        if busy := self._busy(trial):
            lines.append((_tr("busy then with {name}, which stays").format(name=busy), "alarm"))
        if said := crossing_words(self._state, trial, task):
            lines.append((said, "alarm"))
        old, new = self._state.schedule, trial.schedule
        time = new.working_time_of(task)
        start, finish = new.start_of(task), new.finish_of(task)
        lines.append(self._line(_tr("start {value}"), start, time.between(old.start_of(task), start)))
        lines.append(self._line(_tr("finish {value}"), finish, time.between(old.finish_of(task), finish)))
        length = exact_text(plan, time.between(start, finish))
        lines.append((_tr("duration {value}").format(value=length), "muted"))
        change = time.between(old.project_finish, new.project_finish)
        text, _ = self._line(_tr("plan finish {value}"), new.project_finish, change)
        return [*lines, (text, "alarm" if new.project_finish > old.project_finish else "muted")]

    def _busy(self, trial: State) -> str:
        """What else the resource does at the time, if it can do one thing at once."""
        task = self.bar.slot.task.id
        target = self._gesture.whose if isinstance(self._gesture, PlaceGesture) else None
        plan, dates = trial.plan, trial.schedule
        if not any(each.id == target and each.capacity == 1 for each in plan.resources):
            return ""
        start, finish = dates.start_of(task), dates.finish_of(task)
        others = (each.task for each in plan.assignments if each.resource == target and each.task != task)
        found = (each for each in others if dates.start_of(each) < finish and start < dates.finish_of(each))
        return next((full_name(plan, each, " · ") for each in found), "")

    def _line(self, pattern: str, instant: int, change: int) -> tuple[str, str]:
        difference = change_text(self._state.plan, change)
        said = pattern.format(value=instant_text(self._state.plan, instant))
        return (f"{said}  ({difference})" if difference else said, "muted")


def _tr(text: str) -> str:
    return QCoreApplication.translate("BoardDragging", text)
