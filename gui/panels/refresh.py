"""Refresh: has what stands in a dock drawn anew while somebody sees it, and else once somebody does.

It never knows what that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget

from gui.refreshing import Refreshing


class Refresh(QObject):
    """Has a dock show what was told last: in one of the next turns of the loop, or once somebody sees the dock."""

    def __init__(self, dock: QDockWidget, refreshing: Refreshing, show: Callable[[Any], object]) -> None:
        super().__init__(dock)
        self._refreshing, self._show = refreshing, show
        self._told: object = None
        self._is_due = False
        self._is_seen = not dock.visibleRegion().isEmpty()
        dock.visibilityChanged.connect(self.see)  # one behind another is visible, but this says that it is not seen

    def soon(self, told: object = None) -> None:
        """Show this when it is time; nothing that was told before is shown any more."""
        self._told, self._is_due = told, True
        if self._is_seen:
            self._refreshing.soon(self._go_on)

    def now(self, told: object = None) -> None:
        """Show this at once where somebody sees it: it came in a turn of its own, or another plan is open."""
        self.soon(told)
        self._go_on()

    def see(self, is_seen: bool) -> None:
        """Somebody sees the dock from now on, or nobody does."""
        self._is_seen = is_seen
        self._go_on()

    def _go_on(self) -> None:
        if self._is_due and self._is_seen:
            told, self._told, self._is_due = self._told, None, False
            self._show(told)
