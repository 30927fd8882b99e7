"""ShopActs: the dialogs about a shop floor: how a task may be done, and what machines change over. They never draw."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.model import Clock
from gui.bridge import Bridge
from gui.dialogs.ways_dialog import WaysDialog
from gui.gantt.view import GanttView


class ShopActs(QObject):
    """Bound to one view in one window."""

    def __init__(self, window: QWidget, bridge: Bridge, view: GanttView) -> None:
        super().__init__(window)
        self._window, self._bridge, self._view = window, bridge, view

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        return {"ways": self.ask_ways}

    def ask_ways(self) -> None:
        """How else the selected task may be done."""
        state, selected = self._bridge.state, self._view.selection
        if state is not None and len(selected) == 1 and state.plan.clock is Clock.CALENDAR:
            WaysDialog(self._bridge, state.plan, state.plan.task(selected[0]), self._window).open()
