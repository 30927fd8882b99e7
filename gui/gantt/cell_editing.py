"""CellEditing: cells of the task table typed over in place, by keys as in a spreadsheet.

It never changes a plan: edits leave by the view's `edit_made`. A text that means nothing stays, with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.edits import Edit
from engine.session.plan_edits import Together
from engine.session.state import State
from engine.session.typed_cells import Cell, cell_text, typed
from engine.session.typed_doubts import all_the_same, check_finish
from gui.bridge.rehearsing import is_large
from gui.gantt.cell_editor import CellEditor, Leaving
from gui.gantt.column_words import title
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.selection import Reach
from gui.gantt.trials import Trial
from gui.gantt.view import GanttView
from gui.habits import habits

_CELLS = {Column(cell.value): cell for cell in Cell}
_NONE, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL, _LAST = Qt.KeyboardModifier.ControlModifier, 1 << 40
_ENDS = {Qt.Key.Key_Home, Qt.Key.Key_End}
_OPENING = {Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter}


class CellEditing(QObject):
    """Bound to one view. `told` carries a sentence on what an entry did beside what it says.

    `trial` makes a trial of an edit, which is not made twice then; without it the edit is tried on the plan alone.
    """

    told = Signal(str)

    def __init__(self, view: GanttView, trial: Trial | None = None) -> None:
        super().__init__(view)
        self._view, self._table, self._trial = view, view.table, trial
        self._place: tuple[TaskId, Column] | None = None
        self._before = ""
        self._back: QWidget | None = None  # where the keyboard goes back to, if a cell was opened from elsewhere
        self.editor = CellEditor(self._table.viewport())
        self.editor.entered.connect(self._enter)
        self.editor.dropped.connect(self._drop)
        table = self._table
        table.uses_key, table.wants_key = self._press, self._wants
        table.cell_opened.connect(self._open)
        for moved in (table.verticalScrollBar().valueChanged, table.horizontalScrollBar().valueChanged):
            moved.connect(self._follow)
        table.header.sectionResized.connect(self._follow)
        for changed in (table.task_model.modelReset, table.task_model.dataChanged):
            changed.connect(self._follow)

    @property
    def state(self) -> State | None:
        """What is shown."""
        return self._table.task_model.state

    def cell_of(self, column: Column) -> Cell | None:
        """What is typed into a column; None where it is computed."""
        return _CELLS.get(column)

    def type_over(self, task: TaskId, column: Column) -> bool:
        """Have a cell typed over, and the keyboard go back to where it is now; False where no row of it is shown."""
        rows, back = self._table.task_model.rows, self._view.window().focusWidget()
        if rows is None or task not in rows.row_of or not self._table.isVisible():
            return False
        self._table.go_to(column)
        self._view.frame.reveal(rows.row_of[task])
        self._open(rows.row_of[task], column)
        self._back = None if back is self._table or self._place is None else back
        return True

    # Keys

    def _wants(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return (modifiers == _NONE and event.key() in _OPENING) or _is_typing(event)

    def _press(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key, row = event.key(), self._table.currentIndex().row()
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right} and modifiers in {_NONE, _SHIFT}:
            return self._sideways(1 if key == Qt.Key.Key_Right else -1, is_further=modifiers == _SHIFT)
        if key in _ENDS and modifiers & ~(_SHIFT | _CONTROL) == _NONE:
            self._to_end(modifiers, is_first=key == Qt.Key.Key_Home)
        elif key == Qt.Key.Key_Space and modifiers == _SHIFT:
            self._table.choose_whole()
        elif row < 0:
            return False
        elif modifiers == _NONE and key in _OPENING:
            self._open(row, self._table.column)
        elif _is_typing(event):
            self._open(row, self._table.column, event.text())
        else:
            return False
        return True

    def _sideways(self, step: int, *, is_further: bool) -> bool:
        """Through the cells; on a name a summary is folded and unfolded first, which the view does."""
        rows, row = self._table.task_model.rows, self._table.currentIndex().row()
        if rows is not None and row >= 0 and self._table.column is Column.TASK and not is_further:
            task = rows.tasks[row].id
            if task in rows.summaries and (task in rows.collapsed) is (step > 0):
                return False
        self._table.step_column(step, is_further=is_further)
        return True

    def _to_end(self, modifiers: Qt.KeyboardModifier, *, is_first: bool) -> None:
        """To the first or last cell of a row, with Control of the table; with Shift all between is chosen."""
        is_further = bool(modifiers & _SHIFT)
        if modifiers & _CONTROL:
            self._view.choose_row(0 if is_first else _LAST, Reach.UP_TO if is_further else Reach.ALONE)
        shown = self._table.header.shown
        self._table.go_to(shown[0] if is_first else shown[-1], is_further=is_further)
        if is_first:
            self._table.horizontalScrollBar().setValue(0)

    # Typing

    def _open(self, row: int, column: Column, begun: str = "") -> None:
        state, rows, cell = self.state, self._table.task_model.rows, self.cell_of(column)
        if state is None or rows is None or not 0 <= row < len(rows) or row in rows.headings:
            return
        if self._place is not None:
            self._enter(self.editor.text(), Leaving.STAY)
            if self._place is not None:
                return
        if cell is None:
            self.told.emit(self.tr("“{column}” follows from the plan: it is not typed.").format(column=title(column)))
            return
        task = rows.tasks[row]
        if task.id not in self._view.selection:
            self._view.choose_row(row)
        self._place, self._before = (task.id, column), cell_text(state, task.id, cell)
        name = self.tr("{column} of {task}").format(column=title(column), task=task.name)
        self._follow()
        self.editor.open(begun or self._before, name, is_fresh=bool(begun))

    def _follow(self) -> None:
        """Cells moved under the editor."""
        rows = self._table.task_model.rows
        if self._place is None:
            return
        task, column = self._place
        if rows is None or task not in rows.row_of:
            self._close()
            return
        self.editor.place(
            self._table.visualRect(self._table.task_model.index(rows.row_of[task], COLUMNS.index(column)))
        )

    def _drop(self) -> None:
        self._close()
        self._take_back()

    def _close(self) -> None:
        self._place = None
        self.editor.close_up()

    def _enter(self, text: str, leaving: Leaving) -> None:
        """Takes a text, or says why not and leaves it where it is."""
        if self._place is None or self.state is None:
            return
        tasks = tuple(self._view.selection) if leaving is Leaving.ALL else (self._place[0],)
        if text.strip() != self._before.strip() or leaving is Leaving.ALL:
            try:
                self._make(self.state, tasks, self._place, text)
            except EngineError as error:
                self.editor.refuse(error.sentence)
                return
        else:
            self._close()
        self._leave(leaving)

    def _make(self, state: State, tasks: tuple[TaskId, ...], place: tuple[TaskId, Column], text: str) -> None:
        """Raises EngineError for a text that cannot be; of a large plan what is more than the text is told later."""
        cell, writes = _CELLS[place[1]], habits()
        if len(tasks) > 1:
            words = self.tr("Fill {column} of {count} tasks").format(column=title(place[1]), count=f"{len(tasks):,}")
            made = partial(_filled, words, tasks, lambda state, task: typed(state, task, cell, text, writes).edit)
            if is_large(state):
                typed(state, tasks[0], cell, text, writes)
                self._close()
                self._view.edit_made.emit(made)
            else:
                self._hand_on(state, made(state), "")
            return
        found = typed(state, tasks[0], cell, text, writes)
        check_finish(state, found.edit, text)
        if self._view.pointer.settle(found.edit, partial(self._settled, place, text, found.note)):
            self._close()
        else:
            self._hand_on(state, found.edit, found.note)

    def _hand_on(self, state: State, edit: Edit, note: str) -> None:
        if self._trial is None:
            edit.apply(state.plan, state.schedule)
        else:
            self._trial(edit)
        self._close()
        self._view.edit_made.emit(edit)
        if self.state is not None:
            self._note(self.state, edit, note)

    def _note(self, after: State, edit: Edit, note: str) -> None:
        if note := f"{note} {all_the_same(after, edit)}".strip():
            self.told.emit(note)

    def _settled(
        self, place: tuple[TaskId, Column], text: str, note: str, edit: Edit, found: State | EngineError | None
    ) -> None:
        """It is known what a text leads to: where that cannot be it is shown again, unless something else is typed."""
        rows, is_free = self._table.task_model.rows, self._place is None
        if isinstance(found, State):
            self._view.edit_made.emit(edit)
            self._note(found, edit, note)
        elif isinstance(found, EngineError) and is_free and rows is not None and place[0] in rows.row_of:
            self._open(rows.row_of[place[0]], place[1], text)
            self.editor.refuse(found.sentence)
        elif isinstance(found, EngineError):
            self.told.emit(found.sentence)

    def _leave(self, leaving: Leaving) -> None:
        if leaving is Leaving.STAY:
            return
        if self._take_back():
            return
        if leaving in {Leaving.UP, Leaving.DOWN}:
            self._view.step_row(1 if leaving is Leaving.DOWN else -1)
        elif leaving in {Leaving.LEFT, Leaving.RIGHT}:
            self._table.step_column(1 if leaving is Leaving.RIGHT else -1)

    def _take_back(self) -> bool:
        """Where the keyboard goes; whether that is elsewhere than the table."""
        back, self._back = self._back, None
        (back or self._table).setFocus()
        return back is not None


def _filled(words: str, tasks: tuple[TaskId, ...], edit: Callable[[State, TaskId], Edit], state: State) -> Together:
    return Together(words, tuple(edit(state, task) for task in tasks))


def _is_typing(event: QKeyEvent) -> bool:
    """Whether a key begins a text."""
    held = event.modifiers() & ~(_SHIFT | Qt.KeyboardModifier.KeypadModifier)
    return held == _NONE and bool(event.text().strip()) and event.text().isprintable()
