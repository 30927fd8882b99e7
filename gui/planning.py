"""Planning: the dialogs about the plan as a whole: its settings, calendars, resources and baselines. It never draws."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.bridge import Bridge
from gui.dialogs.baselines_dialog import BaselinesDialog
from gui.dialogs.calendars_dialog import CalendarsDialog
from gui.dialogs.changeovers_dialog import ChangeoversDialog
from gui.dialogs.resources_dialog import ResourcesDialog
from gui.dialogs.settings_dialog import SettingsDialog


class Planning(QObject):
    """Bound to one window. `acts` gives what each action does, by its id."""

    def __init__(self, window: QWidget, bridge: Bridge) -> None:
        super().__init__(window)
        self._window, self._bridge = window, bridge

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does."""
        return {
            "settings": self.ask_settings,
            "calendars": self.ask_calendars,
            "resources": self.ask_resources,
            "changeovers": self.ask_changeovers,
            "baselines": self.ask_baselines,
            "compare_file": self.ask_file,
        }

    def ask_settings(self) -> None:
        """By which choices the plan is scheduled."""
        if (state := self._bridge.state) is not None:
            SettingsDialog(self._bridge, state, self._window).open()

    def ask_calendars(self) -> None:
        """When its calendars work."""
        if (state := self._bridge.state) is not None:
            CalendarsDialog(self._bridge, state.plan, self._window).open()

    def ask_resources(self) -> None:
        """Who and what there is to do it."""
        if (state := self._bridge.state) is not None:
            ResourcesDialog(self._bridge, state.plan, self._window).open()

    def ask_changeovers(self) -> None:
        """What machines change over by, and transport between them."""
        if (state := self._bridge.state) is not None:
            ChangeoversDialog(self._bridge, state.plan, self._window).open()

    def ask_baselines(self) -> None:
        """Which dates it keeps as promises."""
        if self._bridge.state is not None:
            BaselinesDialog(self._bridge, self._window).open()

    def ask_file(self) -> None:
        """Which plan it is compared with."""
        dialog = QFileDialog(self._window, self.tr("Compare with a plan"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._bridge.comparing.choose)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
