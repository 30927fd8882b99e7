"""RiskDock: how sure the plan is, in a dock of its own, and what its panel asks for.

It never simulates, and never changes a plan.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine.model import Ticks
from engine.session.risking import Take
from engine.session.state import State
from engine.session.take_edits import MakeTakes
from gui.bridge import Bridge
from gui.bridge.risking import Risk
from gui.menus import Actions
from gui.panels.docked import Docked, Roll, follow
from gui.panels.refresh import Refresh
from gui.panels.risk_panel import RiskPanel
from gui.theme import Theme

_HEIGHT_PX = 340


class RiskDock(Docked):
    """`task_chosen` carries the id of a task that was gone to."""

    task_chosen = Signal(int)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._bridge: Bridge | None = None
        self.panel = RiskPanel()
        self.dock = QDockWidget(self.tr("Risk"), window)
        self.dock.setObjectName("risk")
        self.dock.setWidget(Roll(self.panel))
        self.panel.task_chosen.connect(self.task_chosen)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Have the bridge simulate and change the plan, and follow the actions."""
        self._bridge, panel, risking = bridge, self.panel, bridge.risking
        simulates, shows = actions["risk"], actions["show_risk"]
        simulates.toggled.connect(risking.turn)
        simulates.toggled.connect(lambda is_on: shows.setChecked(True) if is_on else None)
        shows.toggled.connect(lambda is_shown: simulates.setChecked(True) if is_shown else None)
        panel.started.connect(lambda: simulates.setChecked(True))
        panel.canceled.connect(risking.cancel)
        panel.takes_asked.connect(self._ask_takes)
        panel.takes_made.connect(self._make)
        shown = Refresh(self.dock, bridge.refreshing, self._show)
        shown.soon(risking.risk)
        risking.changed.connect(shown.soon)
        risking.turned.connect(lambda _: shown.now(risking.risk))
        risking.takes_found.connect(panel.show_takes)
        bridge.document_opened.connect(self._opened)
        follow(self._window, shows, self.dock, _HEIGHT_PX)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.panel.set_theme(theme)

    def _show(self, risk: Risk | None) -> None:
        if self._bridge is not None:
            self.panel.show_risk(risk, is_on=self._bridge.risking.is_on)

    def _ask_takes(self, wanted: Ticks, confidence: float) -> None:
        if self._bridge is not None:
            self._bridge.risking.ask_takes(wanted, confidence)

    def _make(self, changes: tuple[Take, ...]) -> None:
        if self._bridge is not None:
            self._bridge.execute(MakeTakes(changes))

    def _opened(self, state: State | None) -> None:
        self.panel.forget()
        if state is None:
            self.hide()
