"""What docks have in common: a place below the chart that leaves it room, and an action that shows them.

They never know what a dock shows.
"""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QScrollArea, QWidget

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_LEAST_PANEL = QSize(240, 180)
_LEAST_CHART_PX = 190  # the axis and some rows


class Docked(QObject):
    """What stands in one dock below the chart, out of sight until it is asked for; who inherits makes `dock`."""

    dock: QDockWidget

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window

    def restore(self) -> None:
        """At its place, and out of sight."""
        put_below(self._window, self.dock)
        self.hide()

    def hide(self) -> None:
        """Out of sight until it is asked for."""
        self.dock.setVisible(False)


class Roll(QScrollArea):
    """A panel that asks for more room than a small window has: it is scrolled where it has less."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self._panel = panel
        self.setWidget(panel)
        self.setFocusProxy(panel)

    def minimumSizeHint(self) -> QSize:
        """Less than any window has."""
        return _LEAST_PANEL

    def sizeHint(self) -> QSize:
        """As the panel would like it."""
        return self._panel.sizeHint()


def put_below(window: QMainWindow, *docks: QDockWidget) -> None:
    """Place docks below the chart, none of them floating."""
    for dock in docks:
        dock.setFloating(False)
        window.addDockWidget(_BOTTOM, dock, Qt.Orientation.Vertical)


def bring(window: QMainWindow, dock: QDockWidget, size_px: int) -> None:
    """Show a dock with the keyboard in it: so many pixels wide or high if it was out of sight.

    Where that would leave the chart no room, it shares the place of another one below the chart, as a tab.
    """
    is_first = not dock.isVisible()
    seen = {each: each.height() for each in _below(window, dock)} if is_first else {}
    beside = _shares_with(window, dock, seen, size_px) if is_first else None
    if beside is not None:
        window.tabifyDockWidget(beside, dock)
    dock.setVisible(True)
    dock.raise_()
    if is_first and beside is None:
        across = window.dockWidgetArea(dock) is _RIGHT
        sizes = {dock: size_px} if across else {**seen, dock: size_px}  # the chart makes room, not they
        way = Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical
        window.resizeDocks(list(sizes), list(sizes.values()), way)
    dock.widget().setFocus()


def leave(window: QMainWindow, dock: QDockWidget) -> None:
    """The room of a dock that went out of sight is the chart's, and not that of the others below the chart."""
    seen = {each: each.height() for each in _below(window, dock)} if dock.isHidden() else {}
    if seen and window.dockWidgetArea(dock) is _BOTTOM and not dock.isFloating():
        window.resizeDocks(list(seen), list(seen.values()), Qt.Orientation.Vertical)


def _below(window: QMainWindow, dock: QDockWidget) -> list[QDockWidget]:
    """The other docks in sight below the chart."""
    others = [each for each in window.findChildren(QDockWidget) if each is not dock and not each.isFloating()]
    return [each for each in others if each.isVisible() and window.dockWidgetArea(each) is _BOTTOM]


def _shares_with(
    window: QMainWindow, dock: QDockWidget, seen: Collection[QDockWidget], size_px: int
) -> QDockWidget | None:
    """The dock below the chart whose place is to be shared, None where there is room for one more."""
    chart = window.centralWidget()
    if dock.isFloating() or window.dockWidgetArea(dock) is not _BOTTOM or chart is None:
        return None
    return None if chart.height() - size_px >= _LEAST_CHART_PX else max(seen, key=QDockWidget.height, default=None)


def follow(window: QMainWindow, action: QAction, dock: QDockWidget, size_px: int) -> None:
    """Have an action show and hide a dock, and be checked by what is shown."""

    def show(is_shown: bool) -> None:
        if is_shown:
            bring(window, dock, size_px)
        else:
            dock.setVisible(False)

    def check(_: bool) -> None:
        with QSignalBlocker(action):
            action.setChecked(not dock.isHidden())
        leave(window, dock)

    action.toggled.connect(show)
    dock.visibilityChanged.connect(check)
