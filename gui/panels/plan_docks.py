"""PlanDocks: the inspector and the comparison, each in a dock of its own, and what they ask for.

It never computes either, and never selects a task: whoever does is told of one.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.bridge import Bridge
from gui.bridge.findings import Found
from gui.menus import Actions
from gui.panels.inspector import Inspector
from gui.theme import Theme

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_INSPECTOR_PX = 320


class PlanDocks(QObject):
    """`task_chosen` carries the id of a task that was gone to."""

    task_chosen = Signal(int)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.inspector = Inspector()
        self.inspector_dock = QDockWidget(self.tr("Inspector"), window)
        self.inspector_dock.setObjectName("inspector")
        self.inspector_dock.setWidget(self.inspector)
        self.inspector.task_chosen.connect(self.task_chosen)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Ask the bridge for what is looked at, hand it what a person asks, and follow the actions."""
        inspector = self.inspector
        bridge.document_opened.connect(inspector.set_state)
        bridge.state_changed.connect(inspector.set_state)
        bridge.findings.found.connect(self._show_found)
        inspector.edit_made.connect(bridge.execute)
        self.inspector_dock.visibilityChanged.connect(inspector.refresh)
        self._follow(actions["show_inspector"], self.inspector_dock, _INSPECTOR_PX)

    def restore(self) -> None:
        """Each at its place, and out of sight."""
        self.inspector_dock.setFloating(False)
        self._window.addDockWidget(_RIGHT, self.inspector_dock)
        self.hide()

    def hide(self) -> None:
        """Out of sight until they are asked for."""
        self.inspector_dock.setVisible(False)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.inspector.set_theme(theme)

    def _follow(self, action: QAction, dock: QDockWidget, size_px: int) -> None:
        """Have an action show and hide a dock, and be checked by what is shown."""

        def show(is_shown: bool) -> None:
            dock.setVisible(is_shown)
            if is_shown:
                dock.raise_()
                across = self._window.dockWidgetArea(dock) is _RIGHT
                self._window.resizeDocks(
                    [dock], [size_px], Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical
                )
                dock.widget().setFocus()

        def check(_: bool) -> None:
            with QSignalBlocker(action):
                action.setChecked(not dock.isHidden())

        action.toggled.connect(show)
        dock.visibilityChanged.connect(check)

    def _show_found(self, found: Found | None) -> None:
        self.inspector.set_conflicts(() if found is None else found.problems)
