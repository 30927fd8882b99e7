"""Naming: a new task, and another name of one: typed in the table, or asked in a dialog. It never draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.model import Clock, TaskId
from engine.session.edits import AddTask, RenameTask
from engine.session.state import State
from gui.bridge import Bridge
from gui.dialogs.questions import ask_for_text
from gui.gantt.columns import Column
from gui.gantt.table_acts import TableActs
from gui.gantt.view import GanttView


class Naming(QObject):
    """Bound to one view in one window. `ask_operation` asks what the selected task does on a device."""

    def __init__(
        self, window: QWidget, bridge: Bridge, view: GanttView, table: TableActs, ask_operation: Callable[[], object]
    ) -> None:
        super().__init__(window)
        self._window, self._bridge, self._view, self._row = window, bridge, view, table.new_row
        self._cells, self._ask_operation = table.editing, ask_operation
        self._row.made.connect(self._made)

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its id."""
        return {"add_task": self.add_task, "rename": self.rename}

    def add_task(self) -> None:
        """Have a task typed below the selected one."""
        after = self._selected()
        if not self._row.begin(after):
            add = partial(self._add, after=after)
            self._ask(self.tr("Name of the new task"), self.tr("New task"), add)

    def rename(self) -> None:
        """Have another name of the selected task typed over it in the table, or asked where that is not seen."""
        state, selected = self._bridge.state, self._selected()
        if state is not None and selected is not None and not self._cells.type_over(selected, Column.TASK):
            name = state.plan.task(selected).name
            question = self.tr("Another name for “{name}”").format(name=name)
            self._ask(question, name, lambda text: self._bridge.execute(RenameTask(selected, text)))

    def _ask(self, question: str, text: str, then: Callable[[str], object]) -> None:
        ask_for_text(self._window, question, text, then=then, refuse=self._refuse)

    def _add(self, name: str, after: TaskId | None) -> None:
        state = self._bridge.state
        if state is not None:
            made = state.plan.next_task_id
            self._bridge.execute(AddTask(name, after=after if after in state.plan.rows else None))
            self._bridge.making.do(partial(self._made, made))

    def _made(self, task: TaskId) -> None:
        """A task that was just made is chosen and seen; one of a device plan is told what it still needs."""
        state = self._bridge.state
        if state is None or task not in state.plan.rows:
            return
        self._view.select((task,))
        self._bring_into_view(state, task)
        if state.plan.clock is Clock.DEVICE:
            sentence = self.tr("“{name}” still needs an operation, with its buffers and a stream, to run.")
            self._bridge.message.emit(sentence.format(name=state.plan.task(task).name))
            self._bridge.fix_offered.emit(self.tr("Operation…"), self._ask_operation)

    def _bring_into_view(self, state: State, task: TaskId) -> None:
        """A task that was just made is seen: an empty plan may have shown another time."""
        scale, dates = self._view.time_scale, state.schedule
        if not 0 <= scale.x(dates.start_of(task)) <= scale.x(dates.finish_of(task)) <= scale.width_px:
            self._view.fit()

    def _refuse(self) -> None:
        self._bridge.failed.emit(self.tr("A task needs a name: nothing was changed."), ())

    def _selected(self) -> TaskId | None:
        """The task that was selected last; the view may still hold those of the plan before."""
        state = self._bridge.state
        return None if state is None else next((each for each in self._view.selection if each in state.plan.rows), None)
