"""KeptPicture: what stays of a picture while something on top of it changes. It never knows what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from gui.canvas.painter import draw
from gui.canvas.shapes import Shape
from gui.theme import Theme

Shapes = Callable[[], list[Shape]]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """`still` is the same as long as `subject` is; `over` is drawn on top of it, and never kept.

    The parts of subjects are compared by value, arrays by identity.
    """

    subject: tuple[object, ...]
    still: Shapes
    over: Shapes

    def shapes(self) -> list[Shape]:
        """All of it, from back to front."""
        return [*self.still(), *self.over()]


class KeptPicture:
    """The last picture of one chart, kept once its subject is drawn a second time: one that scrolls is not copied."""

    def __init__(self) -> None:
        self._kept: QPixmap | None = None
        self._frame: tuple[object, ...] = ()

    def paint(self, painter: QPainter, picture: Picture, size: QSize, theme: Theme) -> None:
        """Draws a picture of this size in logical pixels."""
        ratio = painter.device().devicePixelRatioF()
        frame = (*picture.subject, size.width(), size.height(), theme.name, ratio)
        if not _are_same(frame, self._frame):
            self._frame, self._kept = frame, None
            draw(painter, picture.still(), theme)
        else:
            self._kept = self._kept or _drawn(picture.still(), size, theme, ratio)
            painter.drawPixmap(0, 0, self._kept)
        draw(painter, picture.over(), theme)


def _drawn(shapes: list[Shape], size: QSize, theme: Theme, ratio: float) -> QPixmap:
    made = QPixmap(ceil(size.width() * ratio), ceil(size.height() * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(theme.ground))
    painter = QPainter(made)
    draw(painter, shapes, theme)
    painter.end()
    return made


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(_is_same, one, other))


def _is_same(one: object, other: object) -> bool:
    if one is other:
        return True
    return type(one) is type(other) and not isinstance(one, np.ndarray) and one == other
