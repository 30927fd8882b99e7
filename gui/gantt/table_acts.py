"""TableActs: what the actions of the task table do, as calls on the view and its desk. It never draws."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from engine.session.state import State
from gui.bridge import Bridge
from gui.bridge.risking import Risk
from gui.gantt.cell_editing import CellEditing
from gui.gantt.clipping import Clipping
from gui.gantt.column_memory import ColumnMemory
from gui.gantt.new_row import NewRow
from gui.gantt.sureness import keep
from gui.gantt.view import GanttView


class TableActs(QObject):
    """Bound to one bridge and one view."""

    def __init__(self, bridge: Bridge, gantt: GanttView, parent: QObject) -> None:
        super().__init__(parent)
        self._gantt = gantt
        self._columns = ColumnMemory(gantt.table.header)
        self.editing = CellEditing(gantt, bridge.trial)
        self.editing.told.connect(bridge.message)
        self.new_row = NewRow(gantt, bridge.trial)
        self.new_row.refused.connect(lambda sentence: bridge.failed.emit(sentence, ()))
        self.clipping = Clipping(gantt, bridge.trial)
        self.clipping.told.connect(bridge.message)
        self.clipping.refused.connect(bridge.failed)
        bridge.document_opened.connect(self._take_up_columns)
        for part in (gantt.desk, gantt.row_dragging):
            part.told.connect(bridge.message)
        bridge.risking.changed.connect(self._show_risk)
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
            "widen": gantt.frame.widen,
            "columns": lambda: gantt.table.header.popup_menu(gantt.table.column),
        }

    def _show_risk(self, risk: Risk | None) -> None:
        """What is known of the open plan; what a drag would lead to is no matter of the table."""
        state = self._gantt.state if risk is None else risk.state
        if state is not None and (risk is None or not risk.is_trial):
            keep(state.plan, None if risk is None else risk.answers)
            self._gantt.desk.show_sureness(state.plan)

    def _take_up_columns(self, state: State | None) -> None:
        self.clipping.forget()
        if state is not None:
            self._columns.take_up(state.plan.clock)
            self._gantt.table.fit_columns()
