"""Clipping: cells and rows of the task table to the clipboard and back, as spreadsheets know them.

It never changes a plan: edits leave by the view's `edit_made`.
"""

from __future__ import annotations

from functools import partial
from html import escape
from itertools import islice

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from engine.errors import EngineError
from engine.model import TaskId
from engine.session.duplicating import DuplicateTasks, place_below
from engine.session.edits import Edit
from engine.session.pasting import Grid, Slot, paste_cells, paste_rows, read_grid, write_grid
from engine.session.row_edits import MoveRows
from engine.session.state import State
from engine.session.typed_cells import Cell, cell_text
from gui.bridge.making import Wish
from gui.bridge.rehearsing import is_large
from gui.gantt.column_words import title
from gui.gantt.columns import Column
from gui.gantt.figures import figures_of
from gui.gantt.trials import Trial
from gui.gantt.view import GanttView
from gui.habits import habits

_CELLS = {Column(cell.value): cell for cell in Cell}


class Clipping(QObject):
    """Bound to one view. `told` carries what was done beside an edit, `refused` a sentence and the tasks it concerns.

    Rows are copied as a whole from the chart, by their number, or after Shift+Space; cells else.
    """

    told = Signal(str)
    refused = Signal(str, object)

    def __init__(self, view: GanttView, trial: Trial) -> None:
        super().__init__(view)
        self._view, self._table, self._trial = view, view.table, trial
        self._copied: tuple[str, tuple[TaskId, ...], bool] | None = None

    @property
    def _state(self) -> State | None:
        return self._table.task_model.state

    @property
    def _chosen(self) -> list[TaskId]:
        """The chosen tasks that are shown, from above."""
        rows = self._table.task_model.rows
        row_of = {} if rows is None else rows.row_of
        return sorted((task for task in self._view.selection if task in row_of), key=row_of.__getitem__)

    @property
    def _is_in_cells(self) -> bool:
        return self._table.hasFocus() and not self._table.is_whole

    def forget(self) -> None:
        """Another plan is open: what was copied was none of it."""
        self._copied = None

    def copy(self, *, is_cut: bool = False) -> None:
        """Copies the chosen cells, or the chosen rows with the titles of their columns."""
        state, tasks = self._state, self._chosen
        if state is None or not tasks:
            return
        columns = self._table.block
        grid = [[self._text(state, task, column) for column in columns] for task in tasks]
        if self._is_in_cells:
            self._copied = None
            self._to_clipboard(grid)
        else:
            text = self._to_clipboard(
                [[title(column) for column in self._table.header.shown], *self._rows(state, tasks)]
            )
            self._copied = (text, tuple(tasks), is_cut)
            self.told.emit(self._words_of_rows(len(tasks), is_cut=is_cut))

    def cut(self) -> None:
        """Copies cells and empties them; rows move to where they are pasted."""
        self.copy(is_cut=True)
        if self._is_in_cells and self._chosen:
            empty = tuple(("",) * len(self._table.block) for _ in self._chosen)
            self._paste_into(self._chosen, self._table.block, empty)

    def paste(self) -> None:
        """Rows that were copied here as tasks, anything else into cells; into new tasks where no cell is chosen."""
        text = QGuiApplication.clipboard().text()
        if self._copied is not None and self._copied[0] == text:
            self._paste_tasks(self._copied[1], is_cut=self._copied[2])
        elif self._is_in_cells and self._chosen:
            self._paste_block(text)
        else:
            self.paste_as_rows()

    def paste_as_rows(self) -> None:
        """Each line of the clipboard as a new task below the chosen one."""
        state, chosen = self._state, self._chosen
        if state is None:
            return
        columns = self._table.header.shown
        first = columns.index(Column.TASK)
        try:
            grid = read_grid(QGuiApplication.clipboard().text())
            slots = _all_slots([_slot(column) for column in columns[first:]])
            after, writes = chosen[-1] if chosen else None, habits()

            def made(state: State) -> Edit:
                return paste_rows(state, self._trial, after, slots, grid, writes).edit

            wish = made if is_large(state) else made(state)
        except EngineError as error:
            self.refused.emit(error.sentence, error.ids)
            return
        self._make(wish, state)

    def fill_down(self) -> None:
        """The chosen cells of the first row into those of the others."""
        state, tasks = self._state, self._chosen
        if state is None or len(tasks) < 2:
            self.told.emit(self.tr("Choose the row to fill from, and with Shift those below it."))
            return
        columns = tuple(column for column in self._table.block if column in _CELLS)
        if self._table.is_whole or not columns:
            self.told.emit(self.tr("Choose the cells to fill, not rows as a whole."))
            return
        line = tuple(cell_text(state, tasks[0], _CELLS[column]) for column in columns)
        self._paste_into(tasks[1:], columns, (line,) * (len(tasks) - 1))

    def _paste_block(self, text: str) -> None:
        rows, chosen = self._table.task_model.rows, self._chosen
        if rows is None:
            return
        try:
            grid = read_grid(text)
        except EngineError as error:
            self.refused.emit(error.sentence, error.ids)
            return
        shown, block = self._table.header.shown, self._table.block
        if len(grid) == 1 and len(grid[0]) == 1:
            self._paste_into(chosen, block, (grid[0] * len(block),) * len(chosen))
            return
        first, left = rows.row_of[chosen[0]], shown.index(block[0])
        below = (rows.tasks[row].id for row in range(first, len(rows)) if row not in rows.headings)
        tasks = list(islice(below, len(grid)))
        width = max((len(row) for row in grid), default=0)
        if len(tasks) < len(grid) or width > len(shown) - left:
            sentence = self.tr(
                "There is room for {rows} rows and {columns} columns from here: {lines} by {width} do not fit. "
                "“Paste as new tasks” makes a task of each row."
            )
            fits = {"rows": len(tasks), "columns": len(shown) - left, "lines": len(grid), "width": width}
            self.refused.emit(sentence.format(**fits), ())
            return
        self._paste_into(tasks, shown[left : left + width], grid)

    def _paste_into(self, tasks: list[TaskId], columns: tuple[Column, ...], grid: Grid) -> None:
        state = self._state
        if state is None:
            return
        slots, writes, left_out = [_slot(column) for column in columns], habits(), list[str]()

        def made(state: State) -> Edit:
            found = paste_cells(state, tasks, slots, grid, writes)
            left_out.extend(found.left_out)
            return found.edit

        if is_large(state):
            self._view.edit_made.emit(made)
        else:
            try:
                edit = made(state)
                edit.apply(state.plan, state.schedule)
            except EngineError as error:
                self.refused.emit(error.sentence, error.ids)
                return
            self._view.edit_made.emit(edit)
        self._view.pointer.afterwards(lambda: self._tell_left_out(left_out))

    def _tell_left_out(self, left_out: list[str]) -> None:
        if left_out:
            names = ", ".join(f"“{name}”" for name in left_out)
            self.told.emit(self.tr("Left out, for they follow from the plan: {names}.").format(names=names))

    def _paste_tasks(self, tasks: tuple[TaskId, ...], *, is_cut: bool) -> None:
        state, chosen = self._state, self._chosen
        if state is None:
            return
        known = tuple(task for task in tasks if task in state.plan.rows)
        if not known:
            self._copied = None
            self.paste_as_rows()
            return
        after = chosen[-1] if chosen else None
        edit: Edit = DuplicateTasks(known, after)
        try:
            if is_cut:
                parent, before = (None, None) if after is None else place_below(state.plan, after)
                edit = MoveRows(known, parent, None if before in known else before)
            if not is_large(state):
                edit.apply(state.plan, state.schedule)
        except EngineError as error:
            self.refused.emit(error.sentence, error.ids)
            return
        if is_cut:
            self._copied = None
        self._make(edit, state)

    def _make(self, edit: Wish, before: State) -> None:
        """Makes an edit, and chooses the tasks that it made."""
        first = before.plan.next_task_id
        self._view.edit_made.emit(edit)
        self._view.pointer.afterwards(partial(self._choose_from, first, before))

    def _choose_from(self, first: TaskId, before: State) -> None:
        state = self._state
        if state is not None and state is not before:
            self._view.select(task.id for task in state.plan.tasks if task.id >= first)

    def _text(self, state: State, task: TaskId, column: Column) -> str:
        cell = _CELLS.get(column)
        return figures_of(state).text(state.plan.rows[task], column) if cell is None else cell_text(state, task, cell)

    def _rows(self, state: State, tasks: list[TaskId]) -> list[list[str]]:
        return [[self._text(state, task, column) for column in self._table.header.shown] for task in tasks]

    def _words_of_rows(self, count: int, *, is_cut: bool) -> str:
        one, many = self.tr("1 row copied."), self.tr("{count} rows copied.")
        if is_cut:
            one = self.tr("1 row moves to below the one where you paste it.")
            many = self.tr("{count} rows move to below the one where you paste them.")
        return one if count == 1 else many.format(count=f"{count:,}")

    @staticmethod
    def _to_clipboard(grid: list[list[str]]) -> str:
        text = write_grid(grid)
        lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in grid)
        data = QMimeData()
        data.setText(text)
        data.setHtml(f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
        QGuiApplication.clipboard().setMimeData(data)
        return text


def _slot(column: Column) -> Slot:
    return Slot(title(column), _CELLS.get(column), column is Column.NUMBER)


def _all_slots(shown: list[Slot]) -> list[Slot]:
    """Those that are shown, in their order, and the others, which a line of titles may name."""
    known = {slot.title for slot in shown}
    return [*shown, *(slot for slot in map(_slot, Column) if slot.title not in known)]
