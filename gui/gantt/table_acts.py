"""TableActs: what the actions of the task table do, as calls on the view and its desk. It never draws."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from engine.session.state import State
from gui.bridge import Bridge
from gui.gantt.cell_editing import CellEditing
from gui.gantt.clipping import Clipping
from gui.gantt.column_memory import ColumnMemory
from gui.gantt.view import GanttView


class TableActs(QObject):
    """Bound to one bridge and one view."""

    def __init__(self, bridge: Bridge, gantt: GanttView, parent: QObject) -> None:
        super().__init__(parent)
        self._gantt = gantt
        self._columns = ColumnMemory(gantt.table.header)
        self.editing = CellEditing(gantt)
        self.editing.told.connect(bridge.message)
        self.clipping = Clipping(gantt, bridge.trial)
        self.clipping.told.connect(bridge.message)
        self.clipping.refused.connect(bridge.failed)
        bridge.document_opened.connect(self._take_up_columns)
        for part in (gantt.desk, gantt.row_dragging):
            part.told.connect(bridge.message)
        overloads = bridge.workload.overloads
        gantt.desk.overloads_wanted.connect(overloads.want)
        overloads.answered.connect(lambda tasks: gantt.desk.show_overloads(tasks or frozenset()))

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        gantt, desk = self._gantt, self._gantt.desk
        return {
            "cut": self.clipping.cut,
            "copy": self.clipping.copy,
            "paste": self.clipping.paste,
            "paste_rows": self.clipping.paste_as_rows,
            "fill_down": self.clipping.fill_down,
            "find": desk.open_find,
            "filter": desk.open_filter,
            "clear_filter": desk.clear,
            "columns": lambda: gantt.table.header.popup_menu(gantt.table.column),
        }

    def _take_up_columns(self, state: State | None) -> None:
        self.clipping.forget()
        if state is not None:
            self._columns.take_up(state.plan.clock)
            self._gantt.table.fit_columns()
