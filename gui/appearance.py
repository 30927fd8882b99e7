"""The application as Qt sees it: its name, and its theme as palette, style sheet and font, by the system or by choice.

It never holds a color of its own; those are the theme's.
"""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QApplication

from gui.theme import DARK, FONT_FAMILIES, LIGHT, METRICS, Theme, style_sheet

NAME = "Warploom"
SYSTEM = "system"
CHOICES = (SYSTEM, LIGHT.name, DARK.name)
_ICON_PX = 256
_THEME = "theme"
# These platforms have no system's clipboard; the one of Qt that stands in for it is torn down after Python.
_OWN_CLIPBOARD = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs")


def make_application(version: str) -> QApplication:
    """The application, named as its desktop entry names it; it lives on when its last window is closed."""
    app = QApplication(sys.argv[:1])
    app.setApplicationName(NAME)
    app.setOrganizationName(NAME)
    app.setApplicationVersion(version)
    app.setDesktopFileName(NAME.lower())
    app.setQuitOnLastWindowClosed(False)
    with resources.as_file(resources.files("resources.icons") / "warploom.svg") as path:
        # Read at once, for the file may be a temporary one.
        app.setWindowIcon(QIcon(QIcon(str(path)).pixmap(_ICON_PX, _ICON_PX)))
    return app


def leave_application() -> None:
    """Let go of what would end after Python: a clipboard that is Qt's own calls into what Python has put there.

    A system's clipboard keeps what was copied.
    """
    if QGuiApplication.platformName() in _OWN_CLIPBOARD:
        QGuiApplication.clipboard().clear()


class Appearance(QObject):
    """Applies the chosen theme to the application; follows the system while the choice is "system".

    Without a `choice` it is the one this person made last, and what is chosen is kept.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication, choice: str = "") -> None:
        super().__init__(app)
        self._app = app
        self._is_kept = not choice
        self.theme = LIGHT
        self.choice = SYSTEM
        app.setStyle("Fusion")
        app.setFont(_font())
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.choose(choice or str(QSettings().value(_THEME, SYSTEM)))

    def choose(self, choice: str) -> None:
        """Wear "light", "dark", or what the system wears."""
        self.choice = choice if choice in CHOICES else SYSTEM
        if self._is_kept:
            QSettings().setValue(_THEME, self.choice)
        hints = self._app.styleHints()
        if self.choice == SYSTEM:
            hints.unsetColorScheme()
        else:
            # So that what the platform draws itself (window frames, its file dialog) goes along.
            hints.setColorScheme(Qt.ColorScheme.Dark if self.choice == DARK.name else Qt.ColorScheme.Light)
        self._wear(self._wanted())

    def _system_changed(self) -> None:
        self._wear(self._wanted())

    def _wanted(self) -> Theme:
        if self.choice != SYSTEM:
            return DARK if self.choice == DARK.name else LIGHT
        return DARK if self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT

    def _wear(self, theme: Theme) -> None:
        if theme is self.theme and self._app.styleSheet():
            return
        self.theme = theme
        self._app.setPalette(palette(theme))
        self._app.setStyleSheet(style_sheet(theme) + _marks(theme))
        self.changed.emit(theme)


def palette(theme: Theme) -> QPalette:
    """The theme in Qt's roles, for what a style sheet does not reach."""
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.ground,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.stripe,
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.critical,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.PlaceholderText: theme.muted,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.Light: theme.panel,
        role.Midlight: theme.line,
        role.Mid: theme.baseline,
        role.Dark: theme.baseline,
        role.Shadow: theme.line,
    }
    made = QPalette()
    for each, color in colors.items():
        made.setColor(each, QColor(color))
    for each in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.muted))
    return made


def _font() -> QFont:
    font = QFont(list(FONT_FAMILIES))
    font.setPixelSize(METRICS.text_px)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _marks(theme: Theme) -> str:
    """The arrow of combo boxes and the marks in boxes to check: a style sheet that changes their edges draws none."""
    return (
        f"QComboBox::down-arrow {{ image: {_icon('arrow', theme)}; width: 8px; height: 8px; }}\n"
        f"{_of_boxes('checked')} {{ image: {_icon('tick', theme)}; }}\n"
        f"{_of_boxes('indeterminate')} {{ image: {_icon('dash', theme)}; }}\n"
    )


def _of_boxes(state: str) -> str:
    """Whatever has a box to check, in a state."""
    views = ("QCheckBox", "QGroupBox", "QTreeView", "QListView", "QTableView")
    boxes = [f"{view}::indicator:{state}" for view in views]
    return ", ".join([*boxes, f"QMenu::indicator:non-exclusive:{state}"])


def _icon(name: str, theme: Theme) -> str:
    path = Path(str(resources.files("resources.icons") / f"{name}-{theme.name}.svg")).as_posix()
    return f'url("{path}")'
