"""LegendBar: the legend below the chart, in as many lines as it needs. It never says what is in sight."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Label
from gui.gantt.legend import HEIGHT_PX, WIDTH_PX, Entry
from gui.theme import LIGHT, METRICS, Theme

_WAIT_MS = 100
_PAD_PX = 3 * METRICS.grid_px
_GAP_PX = 6
_BETWEEN_PX = 20
_LINE_PX = 22

Find = Callable[[], tuple[Entry, ...]]


class LegendBar(QWidget):
    """`find` gives what is in sight. It is asked a little after the chart was drawn, while the legend is shown."""

    def __init__(self, find: Find, parent: QWidget) -> None:
        super().__init__(parent)
        self._find, self._theme = find, LIGHT
        self.entries: tuple[Entry, ...] = ()
        self._places: list[tuple[int, int]] = []
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self.refresh)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self._theme = theme
        self.update()

    def set_shown(self, is_shown: bool) -> None:
        """Shows the legend, or hides it."""
        self.setVisible(is_shown)
        if is_shown:
            self.refresh()

    def follow(self) -> None:
        """The chart was drawn: something else may be in sight, which is found out once it rests."""
        if not self.isHidden() and not self._wait.isActive():
            self._wait.start()

    def refresh(self) -> None:
        """Says what is in sight now."""
        found = self._find()
        if found != self.entries:
            self.entries = found
            said = ", ".join(entry.words for entry in found)
            self.setAccessibleName(self.tr("Legend: {words}").format(words=said))
            self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(1, self._places[-1][1] + _LINE_PX if self._places else 0)

    def _arrange(self) -> None:
        """One after the other, in the next line where there is no room."""
        x, y, places = _PAD_PX, _PAD_PX // 2, []
        for entry in self.entries:
            width = WIDTH_PX + _GAP_PX + math.ceil(text_width(entry.words, METRICS.label_px, False))
            if x > _PAD_PX and x + width > self.width() - _PAD_PX:
                x, y = _PAD_PX, y + _LINE_PX
            places.append((x, y))
            x += width + _BETWEEN_PX
        self._places = places
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._arrange()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.panel)
        painter.fillRect(0, 0, self.width(), 1, self._theme.line)
        for entry, (x, y) in zip(self.entries, self._places, strict=True):
            painter.save()
            painter.translate(x, y)
            words = Label(WIDTH_PX + _GAP_PX, 0, 0, entry.words, "text", px=METRICS.label_px, h=HEIGHT_PX)
            draw(painter, [*entry.picture, words], self._theme)
            painter.restore()
        painter.end()
