"""BranchBar: the branches of a plan side by side above its chart: which is edited, and whose ghosts are whose.

It never switches: who is asked to is told.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QToolButton, QWidget

from engine.session.scenarios import Branch, Scenarios
from gui.canvas.painter import draw
from gui.gantt.ghosts import strip
from gui.theme import LIGHT, METRICS, Theme

_SWATCH = QSize(16, 8)
_STRIP_PX = 3.0
_SHARP = 2


class BranchBar(QWidget):
    """`switch_asked` carries the id of a branch. It is out of sight while there is none but the main plan."""

    switch_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ground")
        self.buttons: list[QToolButton] = []
        self._theme = LIGHT
        self._scenarios: Scenarios | None = None
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(3 * METRICS.grid_px, METRICS.grid_px, 3 * METRICS.grid_px, METRICS.grid_px)
        self._row.setSpacing(METRICS.grid_px)
        label = QLabel(self.tr("Branches"))
        label.setProperty("role", "muted")
        self._row.addWidget(label)
        self._row.addStretch(1)
        self.hide()

    def bind(self, new: QAction) -> None:
        """A button that begins another branch, behind all."""
        button = QToolButton()
        button.setText(self.tr("New…"))
        button.setToolTip(new.toolTip())
        button.clicked.connect(new.trigger)
        self._row.insertWidget(self._row.count() - 1, button)

    def set_theme(self, theme: Theme) -> None:
        """In the colors of a theme from now on."""
        self._theme = theme
        self._dress()

    def show_scenarios(self, held: Scenarios | None) -> None:
        """Which branches there are, and which is active."""
        self._scenarios = held
        branches = () if held is None or len(held.branches) < 2 else held.branches
        while len(self.buttons) > len(branches):
            gone = self.buttons.pop()
            self._group.removeButton(gone)
            self._row.removeWidget(gone)
            gone.deleteLater()
        while len(self.buttons) < len(branches):
            self._add()
        self._dress()
        self.setVisible(bool(branches))

    def _add(self) -> None:
        button = QToolButton()
        button.setCheckable(True)
        button.setIconSize(_SWATCH)
        button.setToolButtonStyle(button.toolButtonStyle().ToolButtonTextBesideIcon)
        button.clicked.connect(partial(self._switch, len(self.buttons)))
        self._group.addButton(button)
        self.buttons.append(button)
        self._row.insertWidget(len(self.buttons), button)

    def _dress(self) -> None:
        held = self._scenarios
        for button, branch in zip(self.buttons, () if held is None else held.branches, strict=False):
            is_active = held is not None and branch.id == held.active_id
            button.setText(self.tr("{letter}  {name}").format(letter=branch.letter, name=branch.name))
            button.setIcon(_swatch(branch, self._theme))
            button.setChecked(is_active)
            tip = self.tr("“{name}” is edited: its bars stand in the chart, the others' under them.")
            if not is_active:
                tip = self.tr("Go on with “{name}”: its bars show as strips of this color, marked {letter}.")
            button.setToolTip(tip.format(name=branch.name, letter=branch.letter))
            button.setAccessibleName(self.tr("Branch {name}").format(name=branch.name))

    def _switch(self, place: int, _: bool = False) -> None:
        if self._scenarios is not None:
            self.switch_asked.emit(self._scenarios.branches[place].id)
            self._dress()


def _swatch(branch: Branch, theme: Theme) -> QIcon:
    """How the strips of a branch look."""
    pixmap = QPixmap(_SWATCH * _SHARP)
    pixmap.setDevicePixelRatio(_SHARP)
    pixmap.fill("transparent")
    painter = QPainter(pixmap)
    draw(painter, [strip(branch, 0.0, float(_SWATCH.width()), (_SWATCH.height() - _STRIP_PX) / 2, _STRIP_PX)], theme)
    painter.end()
    return QIcon(pixmap)
