"""RightButton: what the right button, or the menu key, is pressed on on the board. It never says what is offered.

A bar that is pressed is chosen first, unless it is among those that are: a menu is about what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from engine.model import TaskId
from gui.actions.places import Place
from gui.board.chart import BoardChart
from gui.board.layout import BAR_PX, BoardBar, BoardLayout
from gui.board.names import RowTitles
from gui.canvas.shapes import Point
from gui.theme import METRICS

_IN_PX = 12


class Pressed(Protocol):
    """The board whose parts are pressed. `present` is the bar at which the keyboard is."""

    chart: BoardChart
    names: RowTitles

    def present(self) -> BoardBar | None: ...

    def choose(self, tasks: tuple[TaskId, ...], place: tuple[int, int] | None) -> None: ...

    def drop_drag(self) -> None: ...


class RightButton(QObject):
    """`asked` carries a Place, and the point of the screen where its menu belongs."""

    asked = Signal(object, QPoint)

    def __init__(
        self,
        view: Pressed,
        layout: Callable[[], BoardLayout | None],
        chosen: Callable[[], tuple[TaskId, ...]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view, self._layout, self._chosen = view, layout, chosen
        view.chart.menu_wanted.connect(self._on_chart)
        view.names.menu_wanted.connect(lambda at: self.asked.emit(Place.BOARD_ROW, view.names.mapToGlobal(at)))

    def _on_chart(self, at: Point | None) -> None:
        layout, chart = self._layout(), self._view.chart
        if layout is None:
            return
        self._view.drop_drag()
        bar = self._view.present() if at is None else layout.bar_at(at)
        if at is not None and at[1] < 0:
            self._ask(Place.AXIS, chart, at)
        elif bar is not None:
            task = bar.slot.task.id
            if task not in self._chosen():
                self._view.choose((task,), layout.place(bar))
            self._ask(Place.BOARD_BAR, chart, at or self._near(layout, bar))
        else:
            self._ask(Place.BOARD_GROUND, chart, at or (layout.scale.width_px / 2, chart.chart_height / 2))

    def _near(self, layout: BoardLayout, bar: BoardBar) -> Point:
        x = max(bar.left, 0.0) + min(_IN_PX, (bar.right - bar.left) / 2)
        y = bar.top + BAR_PX / 2
        return min(max(x, 0.0), layout.scale.width_px), min(max(y, 0.0), float(self._view.chart.chart_height))

    def _ask(self, place: Place, part: QWidget, at: Point) -> None:
        self.asked.emit(place, part.mapToGlobal(QPoint(round(at[0]), round(at[1]) + METRICS.header_px)))
