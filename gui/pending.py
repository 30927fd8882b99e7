"""Pending: what the window says and offers while an edit of a large plan is being made. It never makes one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gui.bridge import Bridge
from gui.menus import Actions
from gui.pages import Pages
from gui.panels.work_bar import WorkBar


class Pending(QObject):
    """Bound to one window. `update` offers what can be done now; Esc takes back what is told of and not made yet."""

    def __init__(self, window: QWidget, bridge: Bridge, bar: WorkBar, update: Callable[[], object]) -> None:
        super().__init__(window)
        self._bridge, self._bar, self._update = bridge, bar, update
        self._said = ""
        self._was_pending = False
        bar.canceled.connect(self._take_back)
        bridge.making.changed.connect(self._show)

    def bind(self, actions: Actions, pages: Pages) -> None:
        """Have what changes the plan come in its turn, and no state while the mouse holds something of the last."""
        making = self._bridge.making
        actions.in_turn = making.do
        making.is_held = pages.is_held
        for pointer in (pages.board.pointer, pages.gantt.pointer):
            pointer.settle = making.settle
        pages.gantt.pointer.afterwards = making.do
        pages.gantt.pointer.sketch = self._bridge.rehearsing.sketch

    def _show(self) -> None:
        making = self._bridge.making
        said = f"{making.label}…" if making.label else ""
        if said != self._said:
            self._said = said
            self._bar.show_work(said, -1.0)
        if making.is_pending is not self._was_pending:
            self._was_pending = making.is_pending
            self._update()

    def _take_back(self) -> None:
        if self._said and self._bridge.making.take_back():
            self._bridge.message.emit(self.tr("Taken back: nothing was changed."))
