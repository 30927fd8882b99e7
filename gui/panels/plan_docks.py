"""PlanDocks: the inspector and the comparison, each in a dock of its own, and what they ask for.

It never computes either, and never selects a task: whoever does is told of one.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine.session.comparing import Comparison
from gui.bridge import Bridge
from gui.bridge.findings import Found
from gui.menus import Actions
from gui.panels.compare import ComparePanel
from gui.panels.docked import follow, put_below
from gui.panels.inspector import Inspector
from gui.panels.refresh import Refresh
from gui.theme import Theme

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_INSPECTOR_PX, _COMPARE_PX = 320, 240


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
        self.compare = ComparePanel()
        self.compare_dock = QDockWidget(self.tr("Compare"), window)
        self.compare_dock.setObjectName("compare")
        self.compare_dock.setWidget(self.compare)
        self._bridge: Bridge | None = None
        for panel in (self.inspector, self.compare):
            panel.task_chosen.connect(self.task_chosen)

    def connect_to(self, bridge: Bridge, actions: Actions) -> None:
        """Ask the bridge for what is looked at, hand it what a person asks, and follow the actions."""
        self._bridge, inspector, compare, comparing = bridge, self.inspector, self.compare, bridge.comparing
        inspects = Refresh(self.inspector_dock, bridge.refreshing, lambda _: inspector.show_task())
        inspector.refresh, inspector.afterwards = inspects.soon, bridge.making.do
        bridge.state_changed.connect(inspector.set_state)
        bridge.document_opened.connect(inspector.set_state)
        bridge.document_opened.connect(inspects.now)
        bridge.findings.found.connect(self._show_found)
        inspector.edit_made.connect(bridge.execute)
        self.compare_dock.visibilityChanged.connect(comparing.answer.want)
        others, compares = (
            Refresh(self.compare_dock, bridge.refreshing, show) for show in (self._list_others, self._compare)
        )
        bridge.state_changed.connect(others.soon)
        comparing.chosen.connect(others.now)
        comparing.chosen.connect(lambda _: compares.now())
        for told in (comparing.answer.answered, comparing.answer.failed):
            told.connect(compares.now)
        compare.other_chosen.connect(comparing.choose)
        compare.baselines.clicked.connect(actions["baselines"].trigger)
        compare.file.clicked.connect(actions["compare_file"].trigger)
        comparing.chosen.connect(lambda other: self._show_file(actions["show_compare"], other))
        follow(self._window, actions["show_compare"], self.compare_dock, _COMPARE_PX)
        follow(self._window, actions["show_inspector"], self.inspector_dock, _INSPECTOR_PX)

    def restore(self) -> None:
        """Each at its place, and out of sight."""
        self.inspector_dock.setFloating(False)
        self._window.addDockWidget(_RIGHT, self.inspector_dock)
        put_below(self._window, self.compare_dock)
        self.hide()

    def hide(self) -> None:
        """Out of sight until they are asked for."""
        self.inspector_dock.setVisible(False)
        self.compare_dock.setVisible(False)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colors of a theme from now on."""
        self.inspector.set_theme(theme)
        self.compare.set_theme(theme)

    def _list_others(self, _: object) -> None:
        if self._bridge is not None:
            self.compare.show_others(self._bridge.state, self._bridge.comparing.other)

    def _compare(self, found: Comparison | str | None) -> None:
        """What was found, or why nothing was."""
        if isinstance(found, str):
            self.compare.show_failure(found)
        else:
            self.compare.show_comparison(None if self._bridge is None else self._bridge.state, found)

    @staticmethod
    def _show_file(action: QAction, other: object) -> None:
        """Who asked to compare with a file wants to see what differs."""
        if isinstance(other, str):
            action.setChecked(True)

    def _show_found(self, found: Found | None) -> None:
        self.inspector.set_conflicts(() if found is None else found.problems)
