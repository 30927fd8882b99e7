"""UncertaintyActs: the dialogs about what is not certain: of tasks, and of the plan as a whole. They never draw."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.model import Clock, TaskId
from gui.bridge import Bridge
from gui.dialogs.risks_dialog import RisksDialog
from gui.dialogs.uncertainty_dialog import UncertaintyDialog
from gui.gantt.view import GanttView


class UncertaintyActs(QObject):
    """Bound to one view in one window."""

    def __init__(self, window: QWidget, bridge: Bridge, view: GanttView) -> None:
        super().__init__(window)
        self._window, self._bridge, self._view = window, bridge, view

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        return {"uncertainty": self.ask_uncertainty, "risks": self.ask_risks}

    def ask_uncertainty(self) -> None:
        """How long the selected tasks may take."""
        state, selected = self._bridge.state, self._selected()
        if state is not None and selected and state.plan.clock is Clock.CALENDAR:
            UncertaintyDialog(self._bridge, state, selected, self._window).open()

    def ask_risks(self) -> None:
        """What of the plan as a whole is not certain."""
        if (state := self._bridge.state) is not None and state.plan.clock is Clock.CALENDAR:
            RisksDialog(self._bridge, state.plan, self._selected(), self._window).open()

    def _selected(self) -> tuple[TaskId, ...]:
        """The selected tasks of the plan that is open."""
        state = self._bridge.state
        return () if state is None else tuple(task for task in self._view.selection if task in state.plan.rows)
