"""CauseBar: how long engines stood idle, by cause, as one bar with its words beneath. It never measures."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Shape
from gui.gap_words import cause_names, duration_figure
from gui.theme import LIGHT, METRICS, Theme

# Causes differ in how dark they are, and in their order: nobody has to tell colors apart.
_COLORS = {
    "dependency": "accent",
    "engine_busy": "accent:55",
    "host_late": "critical",
    "launch": "copy_out",
    "stall": "critical:55",
    "no_work": "baseline",
}


class CauseBar(QWidget):
    """One piece a cause, in the order of CAUSES, as wide as its share."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._totals: Mapping[str, int] = {}
        self.setFixedHeight(2 * METRICS.grid_px)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_totals(self, totals: Mapping[str, int]) -> None:
        """Shows idle nanoseconds by cause."""
        self._totals = dict(totals)
        names = cause_names()
        self.setToolTip("\n".join(f"{names[cause]}: {duration_figure(ns)}" for cause, ns in totals.items()))
        self.setAccessibleName(self.words())
        self.update()

    def words(self) -> str:
        """The three largest shares: "waiting 62 %, engine busy 20 %, no work 12 %"."""
        names, whole = cause_names(), sum(self._totals.values())
        largest = sorted(self._totals.items(), key=lambda found: -found[1])[:3]
        return ", ".join(f"{names[cause]} {100 * ns / whole:.0f} %" for cause, ns in largest)

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self._theme = theme
        self.update()

    def shapes(self) -> list[Shape]:
        """The pieces, from left to right."""
        whole, left, found = sum(self._totals.values()), 0.0, list[Shape]()
        for cause, ns in self._totals.items():
            width = self.width() * ns / whole
            found.append(Box(left, 0, max(width - 1, 1), self.height(), _COLORS[cause]))
            left += width
        return found

    def sizeHint(self) -> QSize:
        return QSize(20 * METRICS.grid_px, 2 * METRICS.grid_px)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw(painter, self.shapes(), self._theme)
