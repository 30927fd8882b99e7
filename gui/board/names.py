"""RowTitles: the board's left column, which names the resources and says what is wrong. It never scrolls by itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QPoint, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from engine.model import Resource, ResourceKind
from engine.schedule.leveling_load import ResourceLoad
from gui.board.rows import BoardRow
from gui.board.scene import PAD_PX
from gui.canvas.painter import draw
from gui.canvas.shapes import Label, Shape
from gui.canvas.time_chart import wheel_px
from gui.theme import LIGHT, METRICS, Theme


class RowTitles(QWidget):
    """`drawing` gives the shapes below METRICS.header_px for a width; `wheel_turned` carries pixels to scroll down,
    `menu_wanted` the QPoint where the right button was pressed.
    """

    wheel_turned = Signal(int)
    menu_wanted = Signal(QPoint)

    def __init__(self, drawing: Callable[[float], list[Shape]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self._theme = LIGHT
        self.setMinimumWidth(METRICS.left_width_px // 4)
        self.setAccessibleName(self.tr("Resources"))

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.panel)
        title = Label(PAD_PX, METRICS.tier_px, self.width(), self.tr("Resource"), "muted", h=METRICS.tier_px)
        draw(painter, [title], self._theme)
        painter.setClipRect(0, METRICS.header_px, self.width(), self.height() - METRICS.header_px)
        painter.translate(0, METRICS.header_px)
        draw(painter, self._drawing(float(self.width())), self._theme)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.pos())
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.wheel_turned.emit(wheel_px(event.angleDelta().y()))
        event.accept()


def row_words(row: BoardRow, load: ResourceLoad | None) -> tuple[str, str]:
    """A row's title, and what is said of it: overloads before anything else."""
    if row.resource is None:
        return _tr("Nobody yet"), _tr("drag a bar to who does it")
    count = 0 if load is None else len(load.overloads)
    if count:
        said = _tr("overloaded once") if count == 1 else _tr("overloaded {count:,} times").format(count=count)
        return row.resource.name, f"\N{WARNING SIGN} {said}"
    return row.resource.name, _kind(row.resource)


def _kind(resource: Resource) -> str:
    kinds = {
        ResourceKind.WORK: "",
        ResourceKind.MACHINE: _tr("machine"),
        ResourceKind.STREAM: _tr("stream"),
        ResourceKind.MATERIAL: _tr("material"),
    }
    several = _tr("{capacity:g} at once").format(capacity=resource.capacity) if resource.capacity != 1 else ""
    return ", ".join(filter(None, (kinds[resource.kind], several)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Board", text)
