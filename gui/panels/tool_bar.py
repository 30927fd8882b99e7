"""ToolBar: name, menus, Run and its neighbors, the device, and which plan is open. It never does anything itself."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from gui.actions import BY_ID, Actions
from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Polygon
from gui.theme import Theme

_ICON_PX = 12
_SHARP = 3
_NAME_PX = 160
_NARROW_PX = 1000


class ToolBar(QToolBar):
    """One row: the menus stand in it, so that the chart has the height."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tool_bar")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.run_button = self._button(actions, "run", is_primary=True)
        self.pause_button = self._button(actions, "pause")
        self.cancel_button = self._button(actions, "cancel")
        self.device_button = self._device_button(actions)
        self.plan_label = QLabel()
        self.plan_label.setProperty("role", "muted")
        # As wide as most names: then nothing beside it moves when the mark comes and goes.
        self.plan_label.setMinimumWidth(_NAME_PX)
        self.plan_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        brand = QLabel(QCoreApplication.applicationName())
        brand.setProperty("role", "brand")
        menus = actions.menu_bar(self)
        menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        menus.setMinimumWidth(menus.sizeHint().width())
        buttons = (self.run_button, self.pause_button, self.cancel_button, self.device_button)
        for widget in (brand, menus, _spacer(), *buttons, _spacer(), self.plan_label):
            self.addWidget(widget)

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colors of a theme."""
        self.run_button.defaultAction().setIcon(_icon("on_accent", theme, *_PLAY))
        self.pause_button.defaultAction().setIcon(_icon("text", theme, *_BARS))
        self.cancel_button.defaultAction().setIcon(_icon("text", theme, *_STOP))

    def show_device(self, kind: str, repeat: int) -> None:
        """Say which device runs the plan, and how often when it is more than once."""
        name = QCoreApplication.translate("Actions", BY_ID[f"device_{kind}"].text).replace("&", "")
        times = f" \N{MULTIPLICATION SIGN} {repeat}" if repeat > 1 else ""
        self.device_button.setText(self.tr("Device: {name}{times} ▾").format(name=name, times=times))

    def show_plan(self, name: str, is_dirty: bool) -> None:
        """Say which plan is open, with a mark while it holds what is not saved."""
        self.plan_label.setText(f"● {name}" if is_dirty else name)
        self.plan_label.setToolTip(self.tr("There are changes that are not saved") if is_dirty else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window Pause and Cancel keep their pictures only."""
        style = Qt.ToolButtonStyle
        is_narrow = event.size().width() < _NARROW_PX
        for button in (self.pause_button, self.cancel_button):
            button.setToolButtonStyle(style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon)
        super().resizeEvent(event)

    def _button(self, actions: Actions, name: str, is_primary: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(actions[name])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setProperty("primary", is_primary)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _device_button(self, actions: Actions) -> QToolButton:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for name in ("device_cpu", "device_simulated", "device_cuda"):
            menu.addAction(actions[name])
        button = QToolButton(self)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(self.tr("The device that Run uses"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button


def _icon(color: str, theme: Theme, *shapes: Box | Polygon) -> QIcon:
    """A small picture in one color of the theme, sharp at every scale."""
    picture = QPixmap(_ICON_PX * _SHARP, _ICON_PX * _SHARP)
    picture.setDevicePixelRatio(_SHARP)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    draw(painter, (replace(shape, fill=color) for shape in shapes), theme)
    painter.end()
    return QIcon(picture)


def _spacer() -> QWidget:
    spacer = QWidget()
    spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return spacer


_PLAY = (Polygon(((2, 1), (11, 6), (2, 11))),)
_BARS = (Box(2, 1, 3, 10), Box(7, 1, 3, 10))
_STOP = (Box(2, 2, 8, 8),)
