"""RightButton: what the right button, or the menu key, is pressed on in table and chart. It never says what is offered.

What is pressed is chosen first, unless it is among what is chosen: a menu is about what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from engine.model import TaskId
from gui.actions.places import Place
from gui.canvas.shapes import Point
from gui.gantt.bars import MIDDLE_PX, Bar, Layout
from gui.gantt.chart import GanttChart
from gui.gantt.columns import COLUMNS
from gui.gantt.hit import Part, hit_at, link_at
from gui.gantt.pointer import Pointer
from gui.gantt.task_table import TaskTable
from gui.theme import METRICS

_IN_PX = 12


class Pressed(Protocol):
    """The view whose parts are pressed."""

    table: TaskTable
    chart: GanttChart
    pointer: Pointer

    @property
    def selection(self) -> tuple[TaskId, ...]: ...

    def select(self, tasks: Iterable[TaskId]) -> None: ...

    def drop_drag(self) -> None: ...


class RightButton(QObject):
    """`asked` carries a Place, and the point of the screen where its menu belongs."""

    asked = Signal(object, QPoint)

    def __init__(self, view: Pressed, layout: Callable[[], Layout | None], parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._layout = view, layout
        view.chart.menu_wanted.connect(self._on_chart)
        view.table.menu_wanted.connect(self._on_table)

    def _on_chart(self, at: Point | None) -> None:
        layout = self._layout()
        if layout is None:
            return
        self._view.drop_drag()
        if at is None:
            self._by_key(layout)
        elif at[1] < 0:
            self._ask(Place.AXIS, self._view.chart, at)
        else:
            self._ask(self._press(layout, at), self._view.chart, at)

    def _press(self, layout: Layout, at: Point) -> Place:
        """Chooses what lies there; where nothing does, what is chosen stays."""
        hit, pointer = hit_at(layout, at), self._view.pointer
        if hit is not None:
            pointer.forget()
            self._choose(hit.task)
            pointer.pin = hit.task if hit.part is Part.PIN else None
            return Place.BAR
        link = link_at(layout, self._view.chart.chart_height, at)
        if link is None:
            return Place.GROUND
        pointer.forget()
        pointer.link = link
        self._view.select(())
        return Place.LINK

    def _by_key(self, layout: Layout) -> None:
        """At the bar that is chosen, as near to it as the chart reaches; at the chosen link, or in the middle."""
        chart = self._view.chart
        bar = layout.bar_of(self._view.selection[0]) if self._view.selection else None
        middle = (layout.scale.width_px / 2, chart.chart_height / 2)
        if bar is not None:
            self._ask(Place.BAR, chart, _near(bar, (layout.scale.width_px, float(chart.chart_height))))
        else:
            self._ask(Place.GROUND if self._view.pointer.link is None else Place.LINK, chart, middle)

    def _on_table(self, at: QPoint | None) -> None:
        table = self._view.table
        index = table.currentIndex() if at is None else table.indexAt(at)
        rows = table.task_model.rows
        place = Place.GROUND
        if rows is not None and index.isValid() and index.row() not in rows.headings:
            self._view.pointer.forget()
            task = rows.tasks[index.row()].id
            if at is not None and task not in self._view.selection:
                table.go_to(COLUMNS[index.column()])
            self._choose(task)
            place = Place.ROW
        point = table.visualRect(index).bottomLeft() + QPoint(_IN_PX, 0) if at is None and index.isValid() else at
        self.asked.emit(place, table.viewport().mapToGlobal(point or table.viewport().rect().center()))

    def _choose(self, task: TaskId) -> None:
        if task not in self._view.selection:
            self._view.select((task,))

    def _ask(self, place: Place, part: QWidget, at: Point) -> None:
        self.asked.emit(place, part.mapToGlobal(QPoint(round(at[0]), round(at[1]) + METRICS.header_px)))


def _near(bar: Bar, size: tuple[float, float]) -> Point:
    """Under a bar's start, inside a chart of this size."""
    x, y = max(bar.left, 0.0) + min(_IN_PX, (bar.right - bar.left) / 2), bar.y + MIDDLE_PX
    return min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])
