"""NewRow: a task that is typed as a row of the table, in place. It never changes a plan: edits leave by `edit_made`.

The row is shown from a trial, so that one that is dropped leaves no trace in the history.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.edits import AddTask, Edit
from engine.session.state import State
from gui.gantt.cell_editor import CellEditor, Leaving
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.view import GanttView

_NAMES = COLUMNS.index(Column.TASK)


@dataclass(frozen=True, slots=True)
class _Offered:
    """The edit that would make the row, the id that its task would have, the state before and the one of the trial."""

    edit: AddTask
    task: TaskId
    before: State
    tried: State


class NewRow(QObject):
    """Bound to one view. `made` carries the id of a task that got its name, `refused` why there is none."""

    made = Signal(int)
    refused = Signal(str)

    def __init__(self, view: GanttView, trial: Callable[[Edit], State]) -> None:
        super().__init__(view)
        self._view, self._table, self._trial = view, view.table, trial
        self._offered: _Offered | None = None
        self.editor = CellEditor(self._table.viewport())
        self.editor.setPlaceholderText(self.tr("Name of the new task"))
        self.editor.entered.connect(self._enter)
        self.editor.dropped.connect(self._drop)
        table = self._table
        for moved in (table.verticalScrollBar().valueChanged, table.horizontalScrollBar().valueChanged):
            moved.connect(self._follow)
        table.header.sectionResized.connect(self._follow)
        for changed in (table.task_model.modelReset, table.task_model.dataChanged):
            changed.connect(self._follow)

    def begin(self, after: TaskId | None) -> bool:
        """Open a row below a task, or last of all; False where no row of it can be seen."""
        if not self._table.isVisible():
            return False
        self._table.setFocus()  # what is being typed elsewhere is taken first
        state = self._view.state
        if state is None or self._offered is not None or self._view.window().focusWidget() is not self._table:
            return True
        after = after if after in state.plan.rows else None
        edit = AddTask(self.tr("New task"), after=after)
        try:
            tried = self._trial(edit)
        except EngineError as error:
            self.refused.emit(error.sentence)
            return True
        self._view.set_state(tried, is_trial=True)
        task = state.plan.next_task_id
        if self._row_of(task) is None:  # filtered away, or in a summary that is folded
            self._view.set_state(state)
            return False
        self._offered = _Offered(edit, task, state, tried)
        self._open(task)
        return True

    def _open(self, task: TaskId) -> None:
        row = self._row_of(task)
        if row is not None:
            self._table.go_to(Column.TASK)
            self._view.frame.reveal(row)
            self._follow()
            self.editor.open("", self.tr("Name of the new task"), is_fresh=True)

    def _row_of(self, task: TaskId) -> int | None:
        rows = self._table.task_model.rows
        return None if rows is None else rows.row_of.get(task)

    def _follow(self) -> None:
        """The row moved under the editor. Where the plan became another meanwhile, what was typed is kept."""
        offered = self._offered
        if offered is None:
            return
        row, is_shown = self._row_of(offered.task), self._table.task_model.state is offered.tried
        if is_shown and row is not None:
            self.editor.place(self._table.visualRect(self._table.task_model.index(row, _NAMES)))
            return
        edit = replace(offered.edit, name=self.editor.text())
        self._close()
        if is_shown:  # its row was filtered away, or folded
            QTimer.singleShot(0, self, lambda: self._view.set_state(offered.before))
        elif edit.name.strip() and self._is_same_plan(offered.before):
            QTimer.singleShot(0, self, lambda: self._view.edit_made.emit(edit))

    def _is_same_plan(self, before: State) -> bool:
        """Whether what is shown now is a later state of the same branch of the same document."""
        state = self._table.task_model.state
        return state is not None and (
            state.revision > before.revision
            and (state.path, state.branch, state.plan.name) == (before.path, before.branch, before.plan.name)
        )

    def _enter(self, text: str, leaving: Leaving) -> None:
        """Makes the task. Without a name the row goes; below the last row there is another one at once."""
        if self._offered is None:
            return
        if not text.strip():
            # A press elsewhere is still on its way to the row that it was meant for.
            QTimer.singleShot(0, self, lambda: self._drop(is_left=leaving is Leaving.STAY))
            return
        offered, row = self._offered, self._row_of(self._offered.task)
        is_last = row is not None and row == self._table.task_model.rowCount() - 1
        self._close()
        self._view.edit_made.emit(replace(offered.edit, name=text.strip()))
        self._view.pointer.afterwards(partial(self._follow_up, offered, leaving, is_last=is_last))

    def _follow_up(self, offered: _Offered, leaving: Leaving, *, is_last: bool) -> None:
        state = self._view.state
        if state is None or state.plan.rows.keys() == offered.before.plan.rows.keys():
            return
        self.made.emit(offered.task)
        self._leave(offered.task, leaving, is_last=is_last)

    def _leave(self, task: TaskId, leaving: Leaving, *, is_last: bool) -> None:
        if leaving is Leaving.STAY:
            return
        self._table.setFocus()
        if leaving is Leaving.DOWN and is_last:
            self.begin(task)
        elif leaving is Leaving.UP:
            self._view.step_row(-1)
        elif leaving in {Leaving.LEFT, Leaving.RIGHT}:
            self._table.step_column(1 if leaving is Leaving.RIGHT else -1)

    def _drop(self, *, is_left: bool = False) -> None:
        """Takes the row back; the keyboard stays in the table, unless a person has gone elsewhere."""
        offered = self._offered
        if offered is not None:
            self._close()
            self._view.set_state(offered.before)
        if not is_left:
            self._table.setFocus()

    def _close(self) -> None:
        self._offered = None
        self.editor.close_up()
