"""GanttView: task table and Gantt chart side by side, one scroll, one selection, one time scale.

It never changes a plan: edits leave by `edit_made`, and what it shows comes in by `set_state`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.model import Clock, Dependency, TaskId
from engine.schedule.cpm import working_time
from engine.session.edits import Edit
from engine.session.state import State
from gui.canvas.kept import Picture
from gui.canvas.painter import text_width
from gui.canvas.shapes import Point
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.chart import GanttChart
from gui.gantt.desk import Desk
from gui.gantt.frame import Frame
from gui.gantt.keyboard import press_key
from gui.gantt.legend import entries
from gui.gantt.legend_bar import LegendBar
from gui.gantt.looks import Looks
from gui.gantt.pointer import Outlet, Pointer
from gui.gantt.right_button import RightButton
from gui.gantt.row_dragging import RowDragging
from gui.gantt.rows import Rows
from gui.gantt.scene import Extras, over_scene, still_scene
from gui.gantt.selection import Reach, Selection
from gui.gantt.sight import Sight
from gui.gantt.task_table import TaskTable
from gui.gantt.teaching import lesson
from gui.gantt.tips import tip_at
from gui.gantt.trials import Rehearse, Trial, at_once
from gui.gantt.trying import Trying
from gui.refreshing import Refreshing
from gui.theme import METRICS, Theme


class GanttView(QWidget):
    """The plan's window part.

    Signals: `edit_made` an Edit to execute; `selection_changed` a tuple of task ids, also when another link is chosen;
    `time_scale_changed` a TimeScale after a person panned, zoomed or fitted, `refitted` one after the window got
    another size; `left_width_changed` the width of the table in pixels.
    """

    edit_made = Signal(object)
    selection_changed = Signal(object)
    time_scale_changed = Signal(object)
    refitted = Signal(object)
    left_width_changed = Signal(int)

    def __init__(self, trial: Trial, rehearse: Rehearse = at_once, refreshing: Refreshing | None = None) -> None:
        super().__init__()
        self._state: State | None = None
        self._own: State | None = None
        self._rows: Rows | None = None
        self._selection = Selection()
        self._link: Dependency | None = None
        self._look = Extras(0.0, text_width)
        self._placed = lru_cache(maxsize=1)(Layout)
        self.table = TaskTable(refreshing or Refreshing(self), self)
        self.chart = GanttChart(self._picture, self._tip, self)
        self.desk = Desk(self, self)
        self.looks = Looks(self)
        self.looks.changed.connect(self.chart.refresh)
        ask, tell = (self._layout, trial, rehearse), (self.edit_made.emit, self._choose, self._select)
        self.pointer = Pointer(self.chart, Outlet(*ask, *tell, lambda: self._selection))
        self.row_dragging = RowDragging(self, self)
        self.trying = Trying(self)
        self.right_button = RightButton(self, self._layout, self)
        self.sight = Sight(self.chart, self)
        self.looks.risk.sure_by_changed.connect(self.sight.set_sure_by)
        self.frame = Frame(self.table, self.chart, self)
        self._drawn: tuple[Layout, Extras] | None = None
        self.legend = LegendBar(lambda: () if self._drawn is None else entries(*self._drawn), self)
        _stack(self, self.desk.bars, self.frame, self.legend)
        self.setFocusProxy(self.chart)
        self.frame.scrolled.connect(self._follow)
        self.frame.left_width_changed.connect(self.left_width_changed)
        self.table.folded.connect(lambda task: self.rearrange(frozenset({task})))
        self.table.row_chosen.connect(self.choose_row)
        self.sight.moved.connect(self._tell_scale)
        self.sight.refitted.connect(self.refitted)

    # What is shown

    @property
    def time_scale(self) -> TimeScale:
        """The chart's time scale."""
        return self.chart.time_scale

    @property
    def selection(self) -> tuple[TaskId, ...]:
        """The chosen tasks, the one chosen last at first."""
        return self._selection.tasks

    def set_state(self, state: State, *, is_trial: bool = False) -> None:
        """Shows a state, or a trial of it; a drag in progress is dropped. Another document is unfolded and whole."""
        is_other = not is_trial and (self._own is None or _is_other_document(self._own, state))
        self._own = self._own if is_trial else state
        self.pointer.keep(state)
        self._state = state
        self.desk.take(state, is_other=is_other)
        self.looks.take(state, is_other=is_other)
        self.chart.is_calendar = state.plan.clock is Clock.CALENDAR
        before = None if is_other else self._rows
        self._show_rows(frozenset() if before is None else before.folded_in(state.plan))
        ids = () if is_other else state.plan.rows
        self._select(self._selection.kept(ids, before, self._rows or Rows.of(state)))
        self.sight.set_state(state)
        if is_other:
            self.fit()

    @property
    def state(self) -> State | None:
        """The state that is shown."""
        return self._state

    def set_actuals(self, actuals: Mapping[TaskId, tuple[int, int]]) -> None:
        """Start and end in ticks of each task in the latest run, drawn under the plan."""
        if actuals != self._look.actuals:
            self._show(replace(self._look, actuals=actuals))

    def set_failed(self, tasks: Iterable[TaskId]) -> None:
        """Outlines the tasks that an error names."""
        self._show(replace(self._look, failed=frozenset(tasks)))

    def set_preview(self, preview: State | None) -> None:
        """Ghosts of what would move in a state that is offered. Whoever offers it takes it back before edits show."""
        self._show(replace(self._look, preview=preview))

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self.row_dragging.mark.theme = theme
        for part in (self.table, self.chart, self.desk.branches, self.legend):
            part.set_theme(theme)

    def set_time_scale(self, scale: TimeScale) -> None:
        """Shows another stretch of time, without telling."""
        self.sight.show(scale)

    def set_left_width(self, width_px: int) -> None:
        """Gives the table a width, without telling."""
        self.frame.set_left_width(width_px)

    def set_run_end(self, ns: int) -> None:
        """How far the latest run reaches: as far can be scrolled."""
        self.sight.set_run_end(ns)

    def select(self, tasks: Iterable[TaskId]) -> None:
        """Chooses tasks; tells when others were chosen before."""
        self._select(Selection.of(tasks))

    def rearrange(self, folded: frozenset[TaskId] = frozenset()) -> None:
        """Shows the rows anew: sorted or filtered otherwise, or these summaries folded, or unfolded if they were."""
        if self._rows is not None:
            self._show_rows(self._rows.collapsed ^ folded)
            self._select(self._selection)

    def fit(self) -> None:
        """The whole plan, from its start to its finish."""
        self.sight.fit()

    # What keys do

    def step_row(self, rows: int, reach: Reach = Reach.ALONE) -> None:
        """Chooses the task so many rows below."""
        current = None if self._rows is None or not self.selection else self._rows.row_of.get(self.selection[0])
        self.choose_row(0 if current is None else current + rows, reach)

    def step_page(self, pages: int) -> None:
        """Chooses the task so many screens below."""
        self.step_row(pages * max(self.chart.chart_height // METRICS.row_px - 1, 1))

    def choose_row(self, row: int, reach: Reach = Reach.ALONE) -> None:
        """Chooses the task in a row, the nearest there is, and brings it in sight."""
        near = None if self._rows is None else self._rows.near_task(row, self.selection)
        if self._rows is not None and near is not None:
            self.pointer.forget()
            self._select(self._selection.with_row(self._rows, near, reach))
            self.frame.reveal(near)
            if layout := self._layout():
                self.sight.reveal(layout.bar(near))

    def choose_all(self) -> None:
        """Chooses every task in a row."""
        if self._rows is not None:
            self._select(self._selection.with_all(self._rows))

    def fold_chosen(self, is_collapsed: bool) -> None:
        """Folds the chosen summary, or unfolds it."""
        if self._rows is not None and self.selection:
            task = self._rows.folding(self.selection[0])
            if task is not None and (task in self._rows.collapsed) is not is_collapsed:
                self.rearrange(frozenset({task}))

    def make(self, edit: Edit) -> None:
        """Hands an edit on; where it leaves a pin that nobody asked for, a choice is offered beside it."""
        self.pointer.make(edit)

    @property
    def is_held(self) -> bool:
        """Whether the mouse holds something of the plan."""
        return self.pointer.is_held or self.row_dragging.is_held

    def drop_drag(self) -> None:
        """Lets go of what is dragged, and leaves a pin that is asked about where it is."""
        self.row_dragging.let_go()
        self.pointer.drop()

    # Drawing

    def _show(self, look: Extras) -> None:
        self._look = look
        self.chart.refresh()

    def _layout(self) -> Layout | None:
        if self._state is None or self._rows is None:
            return None
        return self._placed(self._state, self._rows, self.chart.time_scale, self.frame.scroll_px, text_width)

    def _picture(self) -> Picture:
        layout = self._layout()
        drag = self.trying.seen(None if layout is None else self.pointer.drag(layout))
        if layout is None or (not len(layout.rows) and drag is None):
            width, middle = self.chart.time_scale.width_px, self.chart.chart_height / 2
            return Picture((), lambda: lesson(width, middle), list)
        plan = layout.state.plan
        extras = replace(
            self.looks.on(self._look, layout.state.schedule, self.selection),
            height_px=float(self.chart.chart_height),
            working_time=working_time(plan) if plan.clock is Clock.CALENDAR else None,
            selection=frozenset(self.selection),
            link=self.pointer.link,
            pin=self.pointer.pin,
            hover=self.pointer.hovered,
            is_focused=self.chart.hasFocus(),
            drag=drag,
            moved=self.desk.moved,
        )
        self._drawn = seen = layout, extras
        self.legend.follow()
        return Picture((layout, *extras.still), partial(still_scene, *seen), partial(over_scene, *seen))

    def _tip(self, at: Point) -> str:
        return tip_at(self._layout(), at, self.table.task_model.tip, self.looks.branches, self.looks.risk.fans)

    # Rows, scroll and scale

    def _show_rows(self, collapsed: frozenset[TaskId]) -> None:
        if self._state is not None:
            self._rows = self.desk.rows(self._state, collapsed)
            self.table.show_rows(self._state, self._rows)
            self._follow()

    def _choose(self, task: TaskId | None, reach: Reach) -> None:
        """A bar was clicked, or the ground beside all."""
        if task is not None and self._rows is not None:
            self._select(self._selection.with_row(self._rows, self._rows.row_of[task], reach))
        elif reach is Reach.ALONE:
            self._select(Selection())

    def _select(self, selection: Selection) -> None:
        is_changed = selection.tasks != self.selection or self.pointer.link != self._link
        self._selection, self._link = selection, self.pointer.link
        rows = {} if self._rows is None else self._rows.row_of
        shown = [rows[task] for task in selection.tasks if task in rows]
        self.table.select_rows(shown)
        self.chart.name(self.table.task_model.sentence(shown[0]) if shown else "")
        self.chart.refresh()
        if is_changed:
            self.selection_changed.emit(selection.tasks)

    def _follow(self) -> None:
        """Rows or time moved under the mouse."""
        self.pointer.follow()
        self.chart.refresh()

    def _tell_scale(self, scale: TimeScale) -> None:
        self._follow()
        self.time_scale_changed.emit(scale)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_key(self, event.key(), event.modifiers()):
            event.ignore()


def _stack(view: QWidget, above: QWidget, middle: QWidget, below: QWidget) -> None:
    """Parts below each other, of which the one in the middle takes what room there is."""
    down = QVBoxLayout(view)
    down.setContentsMargins(0, 0, 0, 0)
    down.setSpacing(0)
    for part in (above, middle, below):
        down.addWidget(part, 1 if part is middle else 0)


def _is_other_document(before: State, after: State) -> bool:
    """Revisions only grow while one document is open, and stand for one plan each."""
    is_same_revision = after.revision == before.revision
    return after.revision < before.revision or (is_same_revision and after.plan is not before.plan)
