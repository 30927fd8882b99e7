"""FinishView: draws when something may be done, and has a date or a confidence picked on it. It never simulates."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.canvas.axis import axis_shapes
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Box
from gui.panels.risk_finish import Finish, Place, finish_shapes, place_of
from gui.theme import LIGHT, METRICS

_SIZE = (420, 220)
_FEW, _MANY = 0.01, 0.10


class FinishView(QWidget):
    """Nothing while there is no Finish. `picked` carries a confidence, 0 to 1, that was clicked or reached with a key;
    `dated` the instant under a click.
    """

    picked = Signal(float)
    dated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.finish: Finish | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("When it may be done"))
        self.setToolTip(
            self.tr(
                "Curve, with its scale at the left: how surely it is done by then, light as before the change."
                " Bars, with theirs at the right: how often in each stretch of time."
                " A click picks a date, Left and Right a confidence."
            )
        )

    def show_finish(self, finish: Finish | None) -> None:
        """Another outlook, or none."""
        self.finish = finish
        if finish is not None:
            spots = [
                f"P{percent} {finish.words(finish.outlook.at(percent / 100).value)}" for percent in (10, 50, 80, 90)
            ]
            self.setAccessibleDescription(", ".join(spots))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(*_SIZE)

    def minimumSizeHint(self) -> QSize:
        return QSize(_SIZE[0] // 2, _SIZE[1] // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = self._place()
        if self.finish is not None and place is not None:
            draw(painter, finish_shapes(self.finish, place, text_width), self.theme)
            painter.translate(place.left, place.zero)
            draw(painter, axis_shapes(place.scale, self.finish.is_calendar, text_width), self.theme)
            painter.resetTransform()
        if self.hasFocus():
            draw(painter, [Box(0, 0, self.width(), self.height(), "", "accent:60")], self.theme)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pick(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pick(event.position().x())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -_FEW,
            Qt.Key.Key_Right: _FEW,
            Qt.Key.Key_PageDown: -_MANY,
            Qt.Key.Key_PageUp: _MANY,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or self.finish is None:
            event.ignore()
        else:
            self.picked.emit(_whole(self.finish.confidence + step))

    def _pick(self, x: float) -> None:
        place = self._place()
        if self.finish is not None and place is not None:
            instant = place.instant(x)
            self.dated.emit(instant)
            self.picked.emit(_whole(self.finish.outlook.chance_by(instant).value))

    def _place(self) -> Place | None:
        if self.finish is None:
            return None
        return place_of(self.finish, float(self.width()), float(self.height() - METRICS.header_px))


def _whole(confidence: float) -> float:
    """A whole percent of 1 to 99."""
    return min(max(round(100 * confidence), 1), 99) / 100
