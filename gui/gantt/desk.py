"""Desk: how a person looks at the rows of the table: sorted, filtered, grouped, found. It never changes a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.model import Plan, TaskId
from engine.session.state import State
from gui.gantt.arranging import Arrangement, Filter, Marks, Trait, arrange, passing
from gui.gantt.branch_bar import BranchBar
from gui.gantt.changes import Changes
from gui.gantt.column_words import title
from gui.gantt.columns import Column
from gui.gantt.figures import figures_of
from gui.gantt.filter_bar import FilterBar
from gui.gantt.find_bar import FindBar
from gui.gantt.finding import find_rows
from gui.gantt.frame import Frame
from gui.gantt.grouping import Grouping
from gui.gantt.outline import Flags, outline_of
from gui.gantt.rows import Order, Rows
from gui.gantt.selection import Reach
from gui.gantt.task_table import TaskTable
from gui.theme import METRICS

_SURE = (Column.SURE_FINISH, Column.CRITICALITY)


class Seat(Protocol):
    """The view whose rows are looked at."""

    table: TaskTable
    frame: Frame

    @property
    def selection(self) -> tuple[TaskId, ...]: ...

    def rearrange(self, folded: frozenset[TaskId] = frozenset()) -> None: ...

    def choose_row(self, row: int, reach: Reach = Reach.ALONE) -> None: ...

    def setFocus(self) -> None: ...


class Desk(QObject):
    """The arrangement of one view, and the bars above it. `overloads_wanted`: whether it must be known whose resources
    have more to do than they can. `told` carries a sentence on what an edit made that is not in sight."""

    overloads_wanted = Signal(bool)
    told = Signal(str)

    def __init__(self, seat: Seat, parent: QWidget) -> None:
        super().__init__(parent)
        self._seat = seat
        self.arrangement = Arrangement()
        self.finder, self.filters, self.branches = FindBar(parent), FilterBar(parent), BranchBar(parent)
        self._marks = Marks()
        self._state: State | None = None
        self._edited: State | None = None
        self._kept: tuple[Mapping[TaskId, int], Rows] | None = None
        self._unfolds = False
        self.bars = QWidget(parent)
        down = QVBoxLayout(self.bars)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.finder)
        down.addWidget(self.filters)
        down.addWidget(self.branches)
        seat.table.header.sort_asked.connect(self.sort)
        self.filters.filter_changed.connect(self.set_filter)
        self.filters.grouping_changed.connect(self.group)
        self.filters.left.connect(self.clear)
        self.finder.wanted.connect(self._find)
        self.finder.left.connect(self._leave_finder)

    # What is shown

    def take(self, state: State, *, is_other: bool) -> None:
        """Another state; another document is shown as it is."""
        before, self._state = self._state, state
        if is_other:
            self.arrangement, self._marks = Arrangement(), Marks()
            self.filters.clear()
            self.filters.hide()
            self._seat.table.changes = {}
            self._mark_sorting()
        elif before is not None and before.branch != state.branch:  # a switch is no edit: it changed nothing
            self._marks = replace(self._marks, changed=None)
            self._seat.table.changes = {}
        elif before is not None and before.plan is not state.plan:
            self._edited = before
            changes = Changes(before, state)
            self._marks = replace(self._marks, changed=changes[Column.START] | changes[Column.FINISH])
            self._seat.table.changes = changes
        if is_other or before is None or before.plan.resources is not state.plan.resources:
            self.filters.show_plan(state.plan.clock, state.plan.resources)

    def rows(self, state: State, folded: frozenset[TaskId]) -> Rows:
        """The rows of a state as they are arranged."""
        kept, edited, self._edited = self._kept, self._edited, None
        if kept is not None and not self.arrangement and kept[0] is state.plan.rows and kept[1].collapsed == folded:
            return kept[1].in_state(state)  # most edits leave rows alone
        figures, outline = figures_of(state), outline_of(state.plan)
        if self._unfolds:
            self._unfolds = False
            inside = outline.gather(passing(figures, self.arrangement.filter, self._marks))
            folded = frozenset(task for task in folded if task < 0 or not inside[state.plan.rows[task]])
        found = arrange(figures, outline, self.arrangement, self._marks, folded)
        if self.arrangement:
            self._tell_count(found.matched, len(state.plan.tasks))
        rows = Rows.of(state, folded, Order(found.plan_rows, found.depths, found.headings))
        self._kept = None if self.arrangement else (state.plan.rows, rows)
        if edited is not None and self.arrangement.filter:
            self._tell_hidden(edited, state, rows)
        return rows

    @property
    def moved(self) -> Flags | None:
        """The rows of the plan whose bars the last edit moved."""
        return self._marks.changed

    # What a person asks for

    def sort(self, column: Column | None, is_falling: bool = False) -> None:
        """Sorts by a column within each summary; by None as the plan has it."""
        self._arrange(replace(self.arrangement, sort=column, is_falling=is_falling))
        self._mark_sorting()

    def set_filter(self, wanted: Filter) -> None:
        """Shows what passes alone."""
        self._unfolds = bool(wanted)
        self.overloads_wanted.emit(Trait.OVERLOADED in wanted.traits)
        self._arrange(replace(self.arrangement, filter=wanted))

    def group(self, grouping: Grouping | None) -> None:
        """Has rows stand together, under a title each."""
        self._arrange(replace(self.arrangement, grouping=grouping))

    def clear(self) -> None:
        """Every row again, in the plan's own order."""
        self.filters.clear()
        self.filters.hide()
        self._arrange(Arrangement())
        self._mark_sorting()
        self._seat.table.setFocus()

    def open_filter(self) -> None:
        """Offers what to filter by. What every letter is looked for in is made before the first is typed."""
        if self._state is not None:
            _ = figures_of(self._state).sought
        self._tell()
        self.filters.open()

    def open_find(self) -> None:
        """Offers a text to find."""
        self.finder.open()
        self._find(self.finder.text.text(), 0)

    def show_overloads(self, tasks: frozenset[TaskId]) -> None:
        """Whose resources have more to do than they can, as it was found out meanwhile."""
        self._marks = replace(self._marks, overloaded=tasks)
        if Trait.OVERLOADED in self.arrangement.filter.traits:
            self._unfolds = True
            self._seat.rearrange()

    def show_sureness(self, plan: Plan) -> None:
        """What samples say of a plan, as it was found out meanwhile."""
        if self._state is None or self._state.plan is not plan:
            return
        if self.arrangement.sort in _SURE:
            self._seat.rearrange()
        elif any(column in _SURE for column in self._seat.table.header.shown):
            self._seat.table.viewport().update()

    def reveal(self, task: TaskId) -> None:
        """Selects a task and brings it in sight: unfolds what holds it, and shows all where it is filtered away."""
        rows, state = self._seat.table.task_model.rows, self._state
        if rows is None or state is None or task not in state.plan.rows:
            return
        around = set()
        above = state.plan.task(task).parent
        while above is not None:
            around.add(above)
            above = state.plan.task(above).parent
        if closed := frozenset(around & rows.collapsed):
            self._seat.rearrange(closed)
        elif task not in rows.row_of and (heading := rows.heading_of(state.plan.rows[task])) is not None:
            self._seat.rearrange(frozenset({heading}))
        shown = self._seat.table.task_model.rows
        if shown is not None and task not in shown.row_of:
            self.clear()
            shown = self._seat.table.task_model.rows
        if shown is not None and task in shown.row_of:
            self._seat.choose_row(shown.row_of[task])

    def _find(self, text: str, step: int) -> None:
        """Goes on from the chosen row in the order of the rows, around the end; for another text, from that row itself.

        Rows that are filtered away are not looked at, folded ones are.
        """
        state = self._state
        if state is None:
            return
        figures, outline = figures_of(state), outline_of(state.plan)
        rows = arrange(figures, outline, self.arrangement, self._marks, frozenset()).task_rows
        found = np.flatnonzero(np.isin(rows, find_rows(figures, text)))
        if not len(found):
            self.finder.show_place(0, 0)
            return
        chosen = state.plan.rows.get(self._seat.selection[0], -1) if self._seat.selection else -1
        here = int(np.flatnonzero(rows == chosen)[0]) if (rows == chosen).any() else -1
        if step > 0:
            place = int(np.searchsorted(found, here, side="right"))
        elif step < 0:
            place = int(np.searchsorted(found, here, side="left")) - 1
        else:
            place = int(np.searchsorted(found, max(here, 0), side="left"))
        place %= len(found)
        self.finder.show_place(place + 1, len(found))
        self.reveal(state.plan.tasks[int(rows[found[place]])].id)

    def _leave_finder(self) -> None:
        self.finder.hide()
        self._seat.table.setFocus()

    def _arrange(self, arrangement: Arrangement) -> None:
        if arrangement != self.arrangement:
            rows, is_other = self._seat.table.task_model.rows, arrangement.grouping is not self.arrangement.grouping
            self.arrangement = arrangement
            closed = frozenset() if rows is None or not is_other else rows.collapsed - rows.row_of.keys()
            frame, table = self._seat.frame, self._seat.table
            place = (frame.scroll_px, table.viewport().height(), self._seat.selection)
            seen = iter(()) if rows is None else _around(rows, *place)
            self._seat.rearrange(frozenset(each for each in closed if each < 0))
            self._keep_in_sight(seen)
            self._tell()

    def _keep_in_sight(self, seen: Iterator[tuple[TaskId, int]]) -> None:
        """Leaves what a person looked at where it stood, or else what of it is nearest and still has a row."""
        rows = self._seat.table.task_model.rows
        found = next(((task, px) for task, px in seen if rows is not None and task in rows.row_of), None)
        if rows is not None and found is not None:
            self._seat.frame.place(rows.row_of[found[0]], found[1])

    def _mark_sorting(self) -> None:
        header, sort = self._seat.table.header, self.arrangement.sort
        header.sort_mark = None if sort is None else (sort, self.arrangement.is_falling)
        header.viewport().update()
        self._seat.table.fit_columns()
        if sort is not None:
            self._tell()

    def _tell(self) -> None:
        """How many rows there are where nothing is arranged; else they were counted as they were."""
        if self._state is not None and not self.arrangement:
            self.filters.show_count(self._rows_words(len(self._state.plan.tasks)))

    def _tell_count(self, matched: int, count: int) -> None:
        words = self._rows_words(count)
        if self.arrangement.filter:
            words = self.tr("{matched} of {rows}, filtered").format(matched=f"{matched:,}", rows=words)
        if self.arrangement.sort is not None:
            words += self.tr(", sorted by {column}").format(column=title(self.arrangement.sort))
        if self.arrangement.grouping is not None:
            words += self.tr(", grouped")
        self.filters.show_count(words)
        if self.arrangement.filter or self.arrangement.grouping is not None:
            self.filters.show()

    def _rows_words(self, count: int) -> str:
        return self.tr("1 row") if count == 1 else self.tr("{count} rows").format(count=f"{count:,}")

    def _tell_hidden(self, before: State, after: State, rows: Rows) -> None:
        """Which tasks an edit made or changed that the filter does not let pass, once the edit is shown everywhere."""
        shown = self._seat.table.task_model.rows
        chosen = [] if shown is None else [task for task in self._seat.selection if task in shown.row_of]
        touched = (*range(before.plan.next_task_id, after.plan.next_task_id), *chosen)
        hidden = [task for task in touched if task in after.plan.rows and task not in rows.row_of]
        if hidden:
            one = self.tr("The filter hides “{name}”: View ▸ Table ▸ Show every row brings it in sight.")
            many = self.tr(
                "The filter hides {count} tasks of this edit: View ▸ Table ▸ Show every row brings them in sight."
            )
            words = (one if len(hidden) == 1 else many).format(
                name=after.plan.title_of(hidden[0]), count=f"{len(hidden):,}"
            )
            QTimer.singleShot(0, self, lambda: self.told.emit(words))


def _around(rows: Rows, scrolled: int, high: int, selection: tuple[TaskId, ...]) -> Iterator[tuple[TaskId, int]]:
    """Tasks with their pixels below the top: the chosen one where it is seen, those that are, then all the rest."""
    first, last = -(-scrolled // METRICS.row_px), min((scrolled + high) // METRICS.row_px, len(rows))
    chosen = [rows.row_of[task] for task in selection[:1] if task in rows.row_of]
    seen = [row for row in chosen if first <= row < last] + list(range(first, last))
    yield from ((rows.tasks[row].id, row * METRICS.row_px - scrolled) for row in seen)
    yield from ((rows.tasks[row].id, 0) for row in (*range(last, len(rows)), *range(first - 1, -1, -1)))
