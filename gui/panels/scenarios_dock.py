"""ScenariosDock: the branches and what they differ in, in a dock of their own, and what they ask for.

It never compares, and never selects a task: whoever does is told of one.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine.session.state import State
from gui.bridge import Bridge
from gui.menus import Actions
from gui.panels.docked import Docked, follow
from gui.panels.refresh import Refresh
from gui.panels.scenarios_panel import ScenariosPanel

_HEIGHT_PX = 260


class ScenariosDock(Docked):
    """`task_chosen` carries the id of a task that was gone to."""

    task_chosen = Signal(int)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._bridge: Bridge | None = None
        self.panel = ScenariosPanel()
        self.dock = QDockWidget(self.tr("Scenarios"), window)
        self.dock.setObjectName("scenarios")
        self.dock.setWidget(self.panel)
        self.panel.task_chosen.connect(self.task_chosen)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Ask the bridge for what is looked at, hand it what a person asks, and follow the action."""
        self._bridge, panel, branching = bridge, self.panel, bridge.branching
        panel.bind(actions)
        branches = Refresh(self.dock, bridge.refreshing, self._show_state)
        bridge.document_opened.connect(branches.now)
        bridge.state_changed.connect(branches.soon)
        figures, changes = (
            Refresh(self.dock, bridge.refreshing, show) for show in (panel.show_figures, panel.show_changes)
        )
        branching.figures.answered.connect(figures.now)
        branching.changes.answered.connect(changes.now)
        branching.changes.failed.connect(lambda sentence: panel.changes.show_entries(sentence, ()))
        panel.chosen.connect(branching.select)
        panel.switch_asked.connect(branching.switch)
        panel.compare_asked.connect(branching.compare)
        follow(self._window, actions["show_scenarios"], self.dock, _HEIGHT_PX)
        self.dock.visibilityChanged.connect(self._look)

    def _look(self, is_shown: bool) -> None:
        """Nothing is found out for who does not look."""
        if self._bridge is not None:
            branching = self._bridge.branching
            branching.figures.want(is_shown)
            branching.changes.want(is_shown)
            branching.select(self.panel.selected if is_shown else None)

    def _show_state(self, state: State | None) -> None:
        self.panel.show_scenarios(None if state is None else state.scenarios)
