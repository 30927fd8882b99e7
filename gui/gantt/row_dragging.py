"""RowDragging: rows of the table carried up, down, in and out with the mouse. It never knows what a cell says.

It listens to what the mouse does on the table, which does as ever with presses that become no drag.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from engine.model import TaskId
from engine.session.edits import Edit
from engine.session.state import State
from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Line
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.edge_scroll import EdgeScroll, pace
from gui.gantt.row_drops import RowDrop, drop_between, steps_aside
from gui.gantt.task_table import TaskTable
from gui.theme import LIGHT, METRICS

_DRAG_PX = 6
_LINE_PX = 8
_KNOB_PX = 6.0


class Carried(Protocol):
    """What rows are carried in: the table, the plan, and where an edit goes."""

    table: TaskTable

    @property
    def state(self) -> State | None: ...

    @property
    def selection(self) -> tuple[TaskId, ...]: ...

    def make(self, edit: Edit) -> None: ...


class RowDragging(QObject):
    """The mouse over the rows of one table. `told` carries why rows that were dragged went nowhere."""

    told = Signal(str)

    def __init__(self, view: Carried, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._press: QMouseEvent | None = None
        self._tasks: tuple[TaskId, ...] = ()
        self._is_dragging = self._is_sending = False
        self._drop: RowDrop | None = None
        viewport = view.table.viewport()
        self.mark = DropMark(viewport)
        self._at = QPoint()
        self._edge = EdgeScroll(lambda _right, down: self._scroll(round(down)), self)
        viewport.installEventFilter(self)
        view.table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes what belongs to a drag, and leaves the rest to the table."""
        if isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and event.type() is QEvent.Type.KeyPress:
                return self.let_go()
            return self._is_dragging  # what is carried is not typed over meanwhile
        if self._is_sending or not isinstance(event, QMouseEvent) or watched is self._view.table:
            return False
        act: dict[QEvent.Type, Callable[[QMouseEvent], bool]] = {
            QEvent.Type.MouseButtonPress: self._pressed,
            QEvent.Type.MouseMove: self._moved,
            QEvent.Type.MouseButtonRelease: self._released,
        }
        return act[event.type()](event) if event.type() in act else False

    @property
    def is_held(self) -> bool:
        """Whether rows are carried."""
        return self._is_dragging

    def let_go(self) -> bool:
        """Drops what is dragged; nothing comes of it."""
        was = self._is_dragging
        self._press, self._is_dragging, self._drop = None, False, None
        self._edge.stop()
        self.mark.hide()
        self._view.table.viewport().unsetCursor()
        return was

    def _pressed(self, event: QMouseEvent) -> bool:
        row = self._view.table.indexAt(event.position().toPoint()).row()
        rows = self._view.table.task_model.rows
        is_plain = event.button() is Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if row < 0 or rows is None or not is_plain or row in rows.headings:
            return False
        task = rows.tasks[row].id
        several = self._view.selection if len(self._view.selection) > 1 and task in self._view.selection else ()
        self._press, self._tasks = event.clone(), tuple(several) or (task,)
        # Several that are chosen stay so while they are carried: a press that becomes no drag is made up for.
        return bool(several)

    def _moved(self, event: QMouseEvent) -> bool:
        if self._press is None:
            return False
        at, start = event.position().toPoint(), self._press.position().toPoint()
        far = at - start
        if not self._is_dragging and abs(far.y()) < _DRAG_PX and not steps_aside(far.x(), self._is_by_name(start)):
            return len(self._tasks) > 1
        self._is_dragging, self._at = True, at
        self._show(at)
        size = (float(self._view.table.viewport().width()), float(self._view.table.viewport().height()))
        down = pace((at.x(), at.y()), (start.x(), start.y()), size)[1]
        self._edge.go((0.0, down))
        return True

    def _released(self, event: QMouseEvent) -> bool:
        press, is_dragging = self._press, self._is_dragging
        if press is None:
            return False
        if is_dragging:
            self._show(event.position().toPoint())
        drop = self._drop
        self.let_go()
        if is_dragging:
            is_inside = self._is_inside(event.position().toPoint())
            if drop is not None and is_inside:
                self._view.make(drop.edit())
            elif is_inside:
                self.told.emit(
                    self.tr(
                        "Rows that are sorted or grouped stay where they are: View ▸ Table ▸ Show every row ends that."
                    )
                )
            return True
        if len(self._tasks) > 1:
            self._is_sending = True
            QApplication.sendEvent(self._view.table.viewport(), press)
            self._is_sending = False
        return False

    def _scroll(self, down: int) -> None:
        self._view.table.wheel_turned.emit(down)
        self._show(self._at)

    def _show(self, at: QPoint) -> None:
        """Where rows would go if they were let go here."""
        table, state, rows = self._view.table, self._view.state, self._view.table.task_model.rows
        if self._press is None or state is None or rows is None or self._tasks[0] not in rows.row_of:
            return
        start = self._press.position().toPoint()
        aside = steps_aside(at.x() - start.x(), self._is_by_name(start))
        scroll = table.verticalScrollBar().value()
        gap = min(max(round((at.y() + scroll) / METRICS.row_px), 0), len(rows))
        depth = int(rows.depths[rows.row_of[self._tasks[0]]]) + aside
        self._drop = drop_between(state.plan, rows, self._tasks, gap, max(depth, 0), is_aside=aside > 0)
        if self._drop is None:
            table.viewport().setCursor(Qt.CursorShape.ForbiddenCursor)
            return
        table.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        left = 0 if table.frozen_px else table.columnViewportPosition(COLUMNS.index(Column.TASK))
        left += self._drop.depth * METRICS.indent_px
        self.mark.stand(left, self._drop.gap * METRICS.row_px - scroll)

    def _is_by_name(self, at: QPoint) -> bool:
        """Whether a press holds a row by its name, where the outline is."""
        return self._view.table.indexAt(at).column() == COLUMNS.index(Column.TASK)

    def _is_inside(self, at: QPoint) -> bool:
        """Whether the mouse is over the table, or off it by no more than a row."""
        far = METRICS.row_px
        return self._view.table.viewport().rect().adjusted(-far, -far, far, far).contains(at)


class DropMark(QWidget):
    """A line between two rows, from the depth at which rows would lie."""

    theme = LIGHT

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def stand(self, left: int, y: int) -> None:
        """Shows it there."""
        above = self.parentWidget()
        if above is not None:
            self.setGeometry(left, y - _LINE_PX // 2, max(above.width() - left, 1), _LINE_PX)
            self.show()
            self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        middle = _LINE_PX / 2
        knob = Box(0, middle - _KNOB_PX / 2, _KNOB_PX, _KNOB_PX, "panel", "accent", _KNOB_PX / 2, width=1.5)
        painter = QPainter(self)
        draw(painter, [Line(((_KNOB_PX, middle), (self.width(), middle)), "accent", 2.0), knob], self.theme)
        painter.end()
