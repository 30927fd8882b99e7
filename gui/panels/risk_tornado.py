"""Tornado: draws how far one thing moves the end, as a bar to both sides of the mean. It never computes it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Line, Shape
from gui.panels.risk_table import DRAWN
from gui.theme import LIGHT, METRICS

Index = QModelIndex | QPersistentModelIndex
_PAD_PX = 8.0


def tornado_shapes(low: float, high: float, place: tuple[float, float, float, float]) -> list[Shape]:
    """A bar from `low` to `high`, each -1 to 1 of the room: earlier in one color to the left, later in another to the
    right of an upright. `place` is left, top, width and height.
    """
    left, top, width, height = place
    middle, half = left + width / 2, max(width / 2 - _PAD_PX, 1.0)
    y, h = top + (height - METRICS.bar_px) / 2, float(METRICS.bar_px)
    first, last = min(low, high), max(low, high)
    shapes: list[Shape] = []
    if first < 0:
        end = middle + min(last, 0.0) * half
        shapes.append(Box(middle + first * half, y, max(end - middle - first * half, 1.0), h, "good"))
    if last > 0:
        begin = middle + max(first, 0.0) * half
        shapes.append(Box(begin, y, max(middle + last * half - begin, 1.0), h, "copy_out"))
    shapes.append(Line(((middle, top), (middle, top + height)), "muted"))
    return shapes


class TornadoDelegate(QStyledItemDelegate):
    """Draws the bar over the ground of its row."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        ends = index.data(DRAWN)
        if isinstance(ends, tuple):
            low, high = ends
            rect = option.rect
            painter.save()
            place = (float(rect.x()), float(rect.y()), float(rect.width()), float(rect.height()))
            draw(painter, tornado_shapes(low, high, place), self.theme)
            painter.restore()
