"""ToolBar: name, menus, Run and its neighbors, the device, and which plan is open. It never does anything itself."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from gui.actions import BY_ID, GO_ON
from gui.canvas.elided_label import ElidedLabel
from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Polygon
from gui.menus import Actions
from gui.theme import METRICS, Theme

_ICON_PX = 12
_SHARP = 3
_NARROW_PX = 1000
_SPACING_PX = 8
# Run stands at this share of the window's width, whatever the words beside it are: nothing a person aims at moves.
_RUN_AT = 0.37


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
        self.optimizer_button = self._button(actions, "show_optimizer")
        self.optimizer_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._optimizes = actions["show_optimizer"]
        self._optimizes.changed.connect(self._show_optimizer)
        self.plan_label = ElidedLabel()
        self.plan_label.setProperty("role", "muted")
        self.plan_label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.plan_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        brand = QLabel(QCoreApplication.applicationName())
        brand.setProperty("role", "brand")
        menus = actions.menu_bar(self)
        menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        menus.setMinimumWidth(menus.sizeHint().width())
        self._gap = QWidget()
        self._menus = menus
        self._is_paused = self._is_narrow = False
        self._device = ""
        self._paused_icon = self._going_icon = self._shown_icon = QIcon()
        buttons = (self.run_button, self.pause_button, self.cancel_button, self.device_button)
        self._brand = self.addWidget(brand)
        for widget in (menus, self._gap, *buttons):
            self.addWidget(widget)
        self._chip = self.addWidget(self.optimizer_button)
        self.addWidget(self.plan_label)
        self._show_optimizer()

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colors of a theme."""
        self.run_button.defaultAction().setIcon(_icon("on_accent", theme, *_PLAY))
        self._going_icon, self._paused_icon = _icon("text", theme, *_BARS), _icon("text", theme, *_PLAY)
        self.show_paused(self._is_paused)
        self.cancel_button.defaultAction().setIcon(_icon("text", theme, *_STOP))

    def show_paused(self, is_paused: bool) -> None:
        """Draw what the button does: pause the run, or go on."""
        self._is_paused = is_paused
        icon = self._paused_icon if is_paused else self._going_icon
        if icon is not self._shown_icon:  # or the whole bar would be laid out anew
            self.pause_button.defaultAction().setIcon(icon)
            self._shown_icon = icon

    def show_device(self, kind: str, repeat: int) -> None:
        """Say which device runs the plan, and how often when it is more than once."""
        name = QCoreApplication.translate("Actions", BY_ID[f"device_{kind}"].text).replace("&", "")
        times = f" \N{MULTIPLICATION SIGN} {repeat}" if repeat > 1 else ""
        self._device = f"{name}{times}"
        self._show_device()

    def show_plan(self, name: str, is_dirty: bool, path: str) -> None:
        """Say which plan of which file is open, with a mark while it holds what is not saved."""
        self.plan_label.setText(f"● {name}" if is_dirty else name)
        where = path or (self.tr("This plan has no file yet") if name else "")
        unsaved = self.tr("There are changes that are not saved") if is_dirty else ""
        self.plan_label.setToolTip("\n".join(filter(None, (where, unsaved))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave Run where it is; in a narrow window Pause and Cancel keep their pictures only, the device its name.

        Our own name makes room for theirs there.
        """
        style = Qt.ToolButtonStyle
        is_narrow = self._is_narrow = event.size().width() < _NARROW_PX
        self._show_device()
        for button in (self.pause_button, self.cancel_button):
            button.setToolButtonStyle(style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon)
        self.pause_button.setMinimumWidth(0 if is_narrow else _widest(self.pause_button, BY_ID["pause"].text, GO_ON))
        self._brand.setVisible(not is_narrow)
        self._show_optimizer()
        left = (self._menus,) if is_narrow else (self.widgetForAction(self._brand), self._menus)
        left_px = sum(widget.sizeHint().width() for widget in left) + 2 * (METRICS.grid_px + _SPACING_PX)
        self._gap.setFixedWidth(max(METRICS.grid_px, round(_RUN_AT * event.size().width()) - left_px))
        super().resizeEvent(event)

    def _show_optimizer(self) -> None:
        """What is offered, where there is room and a plan that can be optimized."""
        self._chip.setVisible(self._optimizes.isEnabled() and not self._is_narrow)

    def _show_device(self) -> None:
        words = self.tr("{name} ▾") if self._is_narrow else self.tr("Device: {name} ▾")
        self.device_button.setText(words.format(name=self._device))

    def _button(self, actions: Actions, name: str, is_primary: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(actions[name])
        # What is white on the button would be lost in a menu.
        actions[name].setIconVisibleInMenu(False)
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
    draw(painter, (shape._replace(fill=color) for shape in shapes), theme)
    painter.end()
    return QIcon(picture)


def _widest(button: QToolButton, *texts: object) -> int:
    """How wide a button is with the longest of its texts."""
    words = [QCoreApplication.translate("Actions", str(text)).replace("&", "") for text in texts]
    now = button.fontMetrics().horizontalAdvance(button.text().replace("&", ""))
    return button.sizeHint().width() - now + max(map(button.fontMetrics().horizontalAdvance, words))


_PLAY = (Polygon(((2, 1), (11, 6), (2, 11))),)
_BARS = (Box(2, 1, 3, 10), Box(7, 1, 3, 10))
_STOP = (Box(2, 2, 8, 8),)
