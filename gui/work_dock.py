"""WorkDock: when searches and simulations worked behind the window, as streams on a timeline of their own.

It never asks for work. While it is out of sight nothing is laid out or drawn.
"""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.bridge import Bridge
from gui.engine_words import engine_name
from gui.menus import Actions
from gui.panels.docked import Docked, follow
from gui.theme import Theme
from gui.timeline.run_view import KeptRun
from gui.timeline.view import TimelineView

_HEIGHT_PX = 260
LOOK_MS = 500


class WorkDock(Docked):
    """The dock; what came since it last looked is shown twice a second."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._bridge: Bridge | None = None
        self._shown = -1
        self.timeline = TimelineView(
            lesson=self.tr(
                "While the optimizer looks for better plans, or the plan is simulated, each of them gets a row here:"
                " when it worked, by the clock of this machine."
            )
        )
        self.timeline.show_axis(True)
        self.dock = QDockWidget(self.tr("Work behind the window"), window)
        self.dock.setObjectName("work")
        self.dock.setWidget(self.timeline)
        self._looking = QTimer(self, interval=LOOK_MS)
        self._looking.timeout.connect(self.look)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Show the work of this bridge when the action says so."""
        self._bridge = bridge
        follow(self._window, actions["show_work"], self.dock, _HEIGHT_PX)
        self.dock.visibilityChanged.connect(self._turn)

    def look(self) -> None:
        """Show what has come."""
        if self._bridge is None:
            return
        work = self._bridge.optimizing.work
        if work.count == self._shown:
            return
        self._shown, run = work.count, work.run(engine_name, self.tr("other processes"))
        self.timeline.show_run(None if run is None else KeptRun(run))
        self.timeline.fit()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.timeline.set_theme(theme)

    def _turn(self, is_seen: bool) -> None:
        if is_seen:
            self.look()
            self._looking.start()
        else:
            self._looking.stop()
