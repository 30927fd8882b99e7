"""Going: closer and farther, to a typed date, to either end of the plan, to a bar. It never changes the plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.model import Clock
from engine.session.typed_times import read_goal
from gui.dialogs.goal_dialog import GoalDialog
from gui.gantt.sight import NEAR
from gui.gantt.view import GanttView
from gui.habits import habits
from gui.plan_words import instant_text

_ZOOM = 1.5


class Going(QObject):
    """Bound to one view in one window."""

    def __init__(self, view: GanttView, window: QWidget) -> None:
        super().__init__(view)
        self._view, self._window = view, window

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        zoom = self._view.chart.zoom
        return {
            "zoom_in": partial(zoom, _ZOOM),
            "zoom_out": partial(zoom, 1 / _ZOOM),
            "fit": self._view.fit,
            "go_to": self.ask,
            "go_start": self._to_start,
            "go_finish": self._to_finish,
            "go_task": self._to_task,
        }

    def ask(self) -> None:
        """Ask for a date. A sum, as “+2w”, counts from where the last date that was gone to stands."""
        state, scale = self._view.state, self._view.time_scale
        if state is None:
            return
        plan = state.plan
        is_calendar = plan.clock is Clock.CALENDAR
        question = self.tr("Which date? 3 Mar, 2026-03-03, mon, today, or +2w from here")
        if not is_calendar:
            question = self.tr("When in the run? 3 ms, 250 us, or +1 ms from here")
        here = scale.snapped(scale.tick(scale.width_px * NEAR), is_calendar)
        read = partial(read_goal, plan, near=here, habits=habits())
        GoalDialog(question, read, partial(instant_text, plan), self._view.sight.go, self._window).open()

    def _to_start(self) -> None:
        if (state := self._view.state) is not None:
            self._view.sight.go(state.schedule.project_start)

    def _to_finish(self) -> None:
        if (state := self._view.state) is not None:
            self._view.sight.go(state.schedule.project_finish, 1 - NEAR)

    def _to_task(self) -> None:
        view, state = self._view, self._view.state
        if state is not None and view.selection and view.selection[0] in state.plan.rows:
            task = view.selection[0]
            view.desk.reveal(task)
            view.sight.go(state.schedule.start_of(task))
