"""What docks have in common: a place below the chart, and an action that shows them and is checked by what is shown."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


def put_below(window: QMainWindow, *docks: QDockWidget) -> None:
    """Place docks below the chart, none of them floating."""
    for dock in docks:
        dock.setFloating(False)
        window.addDockWidget(_BOTTOM, dock, Qt.Orientation.Vertical)


def bring(window: QMainWindow, dock: QDockWidget, size_px: int) -> None:
    """Show a dock with the keyboard in it: so many pixels wide or high if it was out of sight."""
    is_first = not dock.isVisible()
    dock.setVisible(True)
    dock.raise_()
    if is_first:
        across = window.dockWidgetArea(dock) is _RIGHT
        window.resizeDocks([dock], [size_px], Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)
    dock.widget().setFocus()


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
