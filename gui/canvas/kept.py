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
    """The last picture of one chart.

    It is kept once its subject is drawn a second time, for one that scrolls would be copied for nothing; with
    `is_at_once` the first time, where most of what changes is on top of it.
    """

    def __init__(self, *, is_at_once: bool = False) -> None:
        self._is_at_once = is_at_once
        self._kept: QPixmap | None = None
        self._frame: tuple[object, ...] = ()
        self._is_drawn = False

    def paint(self, painter: QPainter, picture: Picture, size: QSize, theme: Theme) -> None:
        """Draws a picture of this size in logical pixels."""
        ratio = painter.device().devicePixelRatioF()
        frame = (*picture.subject, size.width(), size.height(), theme.name, ratio)
        is_same = _are_same(frame, self._frame)
        self._frame, self._is_drawn = frame, self._is_drawn and is_same
        if not (is_same or self._is_at_once):
            draw(painter, picture.still(), theme)
        else:
            if not self._is_drawn:
                self._draw(picture.still(), size, theme, ratio)
            assert self._kept is not None
            painter.drawPixmap(0, 0, self._kept)
        draw(painter, picture.over(), theme)

    def _draw(self, shapes: list[Shape], size: QSize, theme: Theme, ratio: float) -> None:
        wide, high = ceil(size.width() * ratio), ceil(size.height() * ratio)
        if self._kept is None or (self._kept.width(), self._kept.height()) != (wide, high):
            self._kept = QPixmap(wide, high)
        self._kept.setDevicePixelRatio(ratio)
        self._kept.fill(QColor(theme.ground))
        painter = QPainter(self._kept)
        draw(painter, shapes, theme)
        painter.end()
        self._is_drawn = True


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(_is_same, one, other))


def _is_same(one: object, other: object) -> bool:
    if one is other:
        return True
    return type(one) is type(other) and not isinstance(one, np.ndarray) and one == other
