"""Editing: what keys and menus do to the chosen tasks, each the keyboard's way of a gesture. It never draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from engine.model import TaskId
from engine.session.edits import Edit, RemoveLink
from engine.session.plan_edits import Together
from engine.session.row_edits import IndentTasks, OutdentTasks
from engine.session.shape_edits import JoinTask
from engine.session.state import State
from gui.bridge.rehearsing import is_large
from gui.canvas.time_scale import TimeScale
from gui.gantt import leading, pins
from gui.gantt.interactions import nudged
from gui.gantt.interactions.progress import progressed
from gui.gantt.interactions.resizing import started, stretched
from gui.gantt.interactions.splitting import halved
from gui.gantt.pointer import Tool
from gui.gantt.row_moves import moved_down, moved_up
from gui.gantt.trials import Trial
from gui.gantt.view import GanttView

Act = Callable[[], object]
_Resize = Callable[[State, TimeScale, TaskId, int], Edit | None]


class Editing(QObject):
    """Bound to one view. `tell` says a sentence."""

    def __init__(self, view: GanttView, trial: Trial, tell: Callable[[str], object]) -> None:
        super().__init__(view)
        self._view, self._trial, self._tell = view, trial, tell

    def acts(self) -> dict[str, Act]:
        """What each action does, by its id."""
        view = self._view
        return {
            "nudge_earlier": partial(self._nudge, -1),
            "nudge_later": partial(self._nudge, 1),
            "shorter": partial(self._resize, stretched, -1),
            "longer": partial(self._resize, stretched, 1),
            "start_earlier": partial(self._resize, started, -1),
            "start_later": partial(self._resize, started, 1),
            "more_done": partial(self._progress, 1),
            "less_done": partial(self._progress, -1),
            "split": partial(view.pointer.take, Tool.SPLIT),
            "split_middle": self._split,
            "join": self._join,
            "draw": partial(view.pointer.take, Tool.DRAW),
            "indent": lambda: self._rows(IndentTasks),
            "outdent": lambda: self._rows(OutdentTasks),
            "row_up": partial(self._move_rows, moved_up),
            "row_down": partial(self._move_rows, moved_down),
            "unlink": self._unlink,
            "pin_to_lag": self._turn_pins,
            "to_predecessor": partial(self._step, leading.predecessor),
            "to_successor": partial(self._step, leading.successor),
            "expand_all": partial(self._fold_all, False),
            "collapse_all": partial(self._fold_all, True),
        }

    def _fold_all(self, is_collapsed: bool) -> None:
        """Folds every summary, or unfolds all."""
        rows = self._view.table.task_model.rows
        if rows is not None:
            self._view.rearrange(rows.collapsed ^ (rows.summaries if is_collapsed else frozenset()))

    def _step(self, find: Callable[[State, TaskId], TaskId | None]) -> None:
        state = self._view.state
        if state is not None and self._chosen:
            found = find(state, self._chosen[0])
            if found is None:
                self._tell(self.tr("No link leads there from “{name}”.").format(name=self._name(state)))
            else:
                self._view.desk.reveal(found)

    def _nudge(self, steps: int) -> None:
        state = self._view.state
        if state is not None and self._chosen:
            self._make(nudged(state, self._view.time_scale, self._chosen, steps))

    def _resize(self, by: _Resize, steps: int) -> None:
        """Each chosen task that can be, by a visible tick; milestones and summaries stay."""
        scale = self._view.time_scale

        def made(state: State) -> list[Edit]:
            edits = (by(state, scale, task, steps) for task in _leaves(state, chosen))
            return [edit for edit in edits if edit is not None]

        chosen = self._chosen
        self._make_all(made, self.tr("Resize {count} tasks"))

    def _progress(self, steps: int) -> None:
        chosen = self._chosen
        words = self.tr("Set the progress of {count} tasks")
        self._make_all(lambda state: list(progressed(state, chosen, steps)), words)

    def _split(self) -> None:
        state = self._view.state
        if state is not None and len(leaves := _leaves(state, self._chosen)) == 1:
            self._make(halved(state, self._view.time_scale, leaves[0]))

    def _join(self) -> None:
        def made(state: State) -> list[Edit]:
            return [JoinTask(task) for task in _leaves(state, chosen) if state.plan.task(task).splits]

        chosen = self._chosen
        self._make_all(made, self.tr("Join {count} tasks"))

    def _rows(self, edit: Callable[[tuple[TaskId, ...]], Edit]) -> None:
        if self._chosen:
            self._make(edit(self._chosen))

    def _move_rows(self, by: Callable[..., Edit | None]) -> None:
        if self._view.state is not None:
            self._make(by(self._view.state.plan, self._chosen))

    def _unlink(self) -> None:
        """The links between the chosen tasks; of one all that lead to it."""

        def made(state: State) -> list[Edit]:
            return [
                RemoveLink(link)
                for link in state.plan.dependencies
                if link.successor in chosen and (len(chosen) == 1 or link.predecessor in chosen)
            ]

        if chosen := set(self._chosen):
            self._make_all(made, self.tr("Remove {count} links"))

    def _turn_pins(self) -> None:
        state = self._view.state
        if state is None:
            return
        leaves = _leaves(state, self._chosen, is_long=False)
        pinned = tuple(task for task in leaves if state.plan.task(task).pin is not None)
        words, none = self.tr("Turn pins into lags"), self.tr("No link leads there that a lag could be given to.")
        if is_large(state):
            self._view.edit_made.emit(pins.wish_for_lags(pinned, words, self._trial, none))
            return
        edit = pins.as_lags(state, pinned, words, self._trial)
        if edit is None:
            self._tell(none)
        self._make(edit)

    def _make_all(self, made: Callable[[State], list[Edit]], words: str) -> None:
        """What is made of each chosen task, as one step; of many of a large plan a worker finds it out."""

        def wish(state: State) -> Edit | None:
            edits = made(state)
            if len(edits) < 2:
                return next(iter(edits), None)
            return Together(words.format(count=f"{len(edits):,}"), tuple(edits))

        state = self._view.state
        if state is not None and len(self._chosen) > 1 and is_large(state):
            self._view.edit_made.emit(wish)
        elif state is not None:
            self._make(wish(state))

    def _make(self, edit: Edit | None) -> None:
        if edit is not None:
            self._view.make(edit)

    @property
    def _chosen(self) -> tuple[TaskId, ...]:
        """The chosen tasks of the plan that is shown."""
        state = self._view.state
        return () if state is None else tuple(task for task in self._view.selection if task in state.plan.rows)

    def _name(self, state: State) -> str:
        return state.plan.title_of(self._chosen[0])


def _leaves(state: State, chosen: tuple[TaskId, ...], *, is_long: bool = True) -> list[TaskId]:
    """The chosen tasks and those in chosen summaries, with or without milestones."""
    found = dict.fromkeys(leaf for task in chosen for leaf in state.plan.leaves(task))
    return [leaf for leaf in found if not (is_long and state.plan.task(leaf).is_milestone)]
