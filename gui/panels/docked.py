"""What docks have in common: a place below the chart that leaves it room, and an action that shows them.

They never know what a dock shows.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QScrollArea, QWidget

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_LEAST_PANEL = QSize(240, 96)
_LEAST_CHART_PX = 190  # the axis and some rows


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
    beside = _shares_with(window, dock, size_px) if is_first else None
    if beside is not None:
        window.tabifyDockWidget(beside, dock)
    dock.setVisible(True)
    dock.raise_()
    if is_first and beside is None:
        across = window.dockWidgetArea(dock) is _RIGHT
        window.resizeDocks([dock], [size_px], Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)
    dock.widget().setFocus()


def _shares_with(window: QMainWindow, dock: QDockWidget, size_px: int) -> QDockWidget | None:
    """The dock below the chart whose place is to be shared, None where there is room for one more."""
    if dock.isFloating() or window.dockWidgetArea(dock) is not _BOTTOM:
        return None
    chart = window.centralWidget()
    if chart is None or chart.height() - size_px >= _LEAST_CHART_PX:
        return None
    docks = window.findChildren(QDockWidget)
    seen = [each for each in docks if each is not dock and each.isVisible() and not each.isFloating()]
    return max((each for each in seen if window.dockWidgetArea(each) is _BOTTOM), key=QDockWidget.height, default=None)


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

    action.toggled.connect(show)
    dock.visibilityChanged.connect(check)
