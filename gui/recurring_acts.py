"""RecurringActs: the dialog about a task that takes place again and again. It never draws."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.model import Clock
from gui.bridge import Bridge
from gui.dialogs.recurring_dialog import RecurringDialog
from gui.gantt.view import GanttView


class RecurringActs(QObject):
    """Bound to one view in one window."""

    def __init__(self, window: QWidget, bridge: Bridge, view: GanttView) -> None:
        super().__init__(window)
        self._window, self._bridge, self._view = window, bridge, view

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        return {"recurring": self.ask}

    def ask(self) -> None:
        """What recurs, below the task that is selected last."""
        state, selected = self._bridge.state, self._view.selection
        if state is not None and state.plan.clock is Clock.CALENDAR:
            after = selected[-1] if selected and selected[-1] in state.plan.rows else None
            dialog, made = RecurringDialog(self._bridge, state, after, self._window), state.plan.next_task_id
            dialog.accepted.connect(lambda: self._view.select((made,)))
            dialog.open()
