"""WorkloadDocks: the load of resources and the preview of leveling, each in a dock of its own, and what they ask for.

It never computes either, and never draws on the chart: whoever does is told of a preview.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine.session.leveling_preview import Preview
from engine.session.state import State
from gui.bridge import Bridge
from gui.panels.docked import Roll, bring, leave, put_below
from gui.panels.leveling_panel import LevelingPanel
from gui.panels.load_panel import LoadPanel
from gui.theme import Theme

_LOAD_PX, _LEVELING_PX = 220, 260


class WorkloadDocks(QObject):
    """`previewed` carries the State that leveling would lead to, None while there is none; `task_chosen` a task id."""

    previewed = Signal(object)
    task_chosen = Signal(int)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.load, self.leveling = LoadPanel(), LevelingPanel()
        self.load_dock = QDockWidget(self.tr("Load"), window)
        self.load_dock.setObjectName("load")
        self.load_dock.setWidget(self.load)
        self.leveling_dock = QDockWidget(self.tr("Level resources"), window)
        self.leveling_dock.setObjectName("leveling")
        self.leveling_dock.setWidget(Roll(self.leveling))
        for panel in (self.load, self.leveling):
            panel.task_chosen.connect(self.task_chosen)
        self.leveling.discarded.connect(self.leveling_dock.close)
        for dock in (self.load_dock, self.leveling_dock):
            dock.visibilityChanged.connect(partial(self._leave, dock))

    def connect_to(self, bridge: Bridge) -> None:
        """Ask the bridge for what is looked at, and hand it what a person applies."""
        work, panel = bridge.workload, self.leveling
        self.load_dock.visibilityChanged.connect(work.load.want)
        self.leveling_dock.visibilityChanged.connect(work.leveling.want)
        bridge.document_opened.connect(self._opened)
        work.load.answered.connect(self.load.show_answer)
        work.users.answered.connect(self.load.show_users)
        self.load.looked_at.connect(work.look_at)
        work.leveling.answered.connect(self._show_preview)
        work.leveling.progressed.connect(panel.show_progress)
        work.leveling.failed.connect(panel.show_failure)
        panel.options_changed.connect(work.set_options)
        panel.canceled.connect(work.leveling.give_up)
        panel.again.connect(work.leveling.ask_again)
        panel.applied.connect(bridge.execute)

    def restore(self) -> None:
        """Both below the chart, and out of sight."""
        put_below(self._window, self.load_dock, self.leveling_dock)
        self.hide()

    def hide(self) -> None:
        """Out of sight until they are asked for."""
        self.load_dock.setVisible(False)
        self.leveling_dock.setVisible(False)

    def show_leveling(self) -> None:
        """Bring the preview to the front, with the keyboard in its options."""
        bring(self._window, self.leveling_dock, _LEVELING_PX)

    def show_load(self, is_shown: bool) -> None:
        """Show the load with the keyboard in its list, or hide it."""
        if is_shown:
            bring(self._window, self.load_dock, _LOAD_PX)
        else:
            self.load_dock.setVisible(False)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.load.set_theme(theme)

    def _leave(self, dock: QDockWidget, _: bool) -> None:
        leave(self._window, dock)

    def _opened(self, _: State | None) -> None:
        self.leveling_dock.setVisible(False)
        self.load.clear()

    def _show_preview(self, preview: Preview | None) -> None:
        self.leveling.show_preview(preview)
        self.previewed.emit(None if preview is None or preview.edit is None else preview.leveled)
