"""Pages: what stands in the middle of the window: the welcome, or the chart of the open plan. It never opens a plan."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from gui.gantt.view import GanttView
from gui.welcome import Welcome


class Pages(QStackedWidget):
    """One page at a time."""

    def __init__(self, welcome: Welcome, gantt: GanttView) -> None:
        super().__init__()
        self._welcome, self._gantt = welcome, gantt
        for page in (welcome, gantt):
            self.addWidget(page)

    def show_plan(self, is_open: bool) -> None:
        """The plan that is open, or the welcome where none is."""
        self.setCurrentWidget(self._gantt if is_open else self._welcome)
