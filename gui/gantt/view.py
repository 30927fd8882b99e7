"""GanttView: task table and Gantt chart side by side, one scroll, one selection, one time scale.

It never changes a plan: edits leave by `edit_made`, and what it shows comes in by `set_state`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.model import Clock, TaskId
from engine.schedule.cpm import working_time
from engine.session.state import State
from gui.canvas.painter import text_width
from gui.canvas.shapes import Align, Label, Point, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.chart import GanttChart
from gui.gantt.dragging import Trial
from gui.gantt.frame import Frame
from gui.gantt.hit import Part, hit_at
from gui.gantt.interactions import nudged
from gui.gantt.keyboard import press_key
from gui.gantt.pointer import Outlet, Pointer
from gui.gantt.rows import Rows
from gui.gantt.scene import Extras, scene
from gui.gantt.task_table import TaskTable
from gui.theme import METRICS, Theme

_ZOOM = 1.5


class GanttView(QWidget):
    """The plan's window part.

    Signals: `edit_made` an Edit to execute; `selection_changed` a tuple of task ids; `time_scale_changed` a TimeScale
    after a person panned, zoomed or fitted; `left_width_changed` the width of the table in pixels.
    """

    edit_made = Signal(object)
    selection_changed = Signal(object)
    time_scale_changed = Signal(object)
    left_width_changed = Signal(int)

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: State | None = None
        self._rows: Rows | None = None
        self._selected: tuple[TaskId, ...] = ()
        self._look = Extras(0.0, text_width)
        self._is_fitted = True
        self.table = TaskTable(self)
        self.chart = GanttChart(self._shapes, self._tip, self)
        self._pointer = Pointer(self.chart, Outlet(self._layout, trial, self.edit_made.emit, self.select))
        self._frame = Frame(self.table, self.chart, self)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self._frame)
        self.setFocusProxy(self.chart)
        self._connect()

    # What is shown

    @property
    def time_scale(self) -> TimeScale:
        """The chart's time scale."""
        return self.chart.time_scale

    @property
    def selection(self) -> tuple[TaskId, ...]:
        """The chosen tasks."""
        return self._selected

    def set_state(self, state: State) -> None:
        """Shows a state; a drag in progress is dropped. Another document is shown unfolded and whole."""
        is_other = self._state is None or _is_other_document(self._state, state)
        self._pointer.keep(state)
        self._state = state
        self.chart.is_calendar = state.plan.clock is Clock.CALENDAR
        collapsed = frozenset() if self._rows is None or is_other else self._rows.collapsed
        self._show_rows(collapsed & frozenset(state.plan.children))
        self.select(task for task in self._selected if task in state.plan.rows and not is_other)
        if is_other:
            self.fit()

    def set_actuals(self, actuals: Mapping[TaskId, tuple[int, int]]) -> None:
        """Start and end in ticks of each task in the latest run, drawn under the plan."""
        self._show(replace(self._look, actuals=actuals))

    def set_failed(self, tasks: Iterable[TaskId]) -> None:
        """Outlines the tasks that an error names."""
        self._show(replace(self._look, failed=frozenset(tasks)))

    def set_now(self, now: int | None) -> None:
        """The present instant, a line on calendar plans."""
        self._show(replace(self._look, now=now))

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self.table.set_theme(theme)
        self.chart.set_theme(theme)

    def set_time_scale(self, scale: TimeScale) -> None:
        """Shows another stretch of time, without telling."""
        self._is_fitted = False
        self.chart.set_time_scale(scale)

    def set_left_width(self, width_px: int) -> None:
        """Gives the table a width, without telling."""
        self._frame.set_left_width(width_px)

    def select(self, tasks: Iterable[TaskId]) -> None:
        """Chooses tasks; tells when others were chosen before."""
        chosen = tuple(tasks)
        is_changed = chosen != self._selected
        self._selected = chosen
        row = None if self._rows is None or not chosen else self._rows.row_of.get(chosen[0])
        self.table.select_row(row)
        self.chart.refresh()
        if is_changed:
            self.selection_changed.emit(chosen)

    def zoom_in(self) -> None:
        """Closer, about the middle."""
        self.chart.zoom(_ZOOM)

    def zoom_out(self) -> None:
        """Farther, about the middle."""
        self.chart.zoom(1 / _ZOOM)

    def fit(self) -> None:
        """The whole plan, from its start to its finish."""
        if self._state is None:
            return
        schedule = self._state.schedule
        width = float(max(self.chart.width(), 1))
        is_calendar = self.chart.is_calendar
        scale = TimeScale.fitted(schedule.project_start, schedule.project_finish, width, is_calendar)
        self.chart.set_time_scale(scale)
        self._is_fitted = True
        self.time_scale_changed.emit(self.chart.time_scale)

    # What keys do

    def step_row(self, rows: int) -> None:
        """Chooses the task so many rows below."""
        current = None if self._rows is None or not self._selected else self._rows.row_of.get(self._selected[0])
        self.choose_row(0 if current is None else current + rows)

    def step_page(self, pages: int) -> None:
        """Chooses the task so many screens below."""
        self.step_row(pages * max(self.chart.chart_height // METRICS.row_px - 1, 1))

    def choose_row(self, row: int) -> None:
        """Chooses the task in a row, the nearest there is, and brings it in sight."""
        if self._rows is not None and len(self._rows):
            row = min(max(row, 0), len(self._rows) - 1)
            self._pointer.forget()
            self.select((self._rows.tasks[row].id,))
            self._reveal(row)

    def fold_chosen(self, is_collapsed: bool) -> None:
        """Folds the chosen summary, or unfolds it."""
        if self._rows is not None and self._selected:
            task = self._selected[0]
            if task in self._rows.summaries and (task in self._rows.collapsed) is not is_collapsed:
                self._fold(task)

    def nudge(self, steps: int) -> None:
        """Moves the chosen task to the next visible tick, or the one before."""
        if self._state is not None and self._selected:
            edit = nudged(self._state, self.chart.time_scale, self._selected[0], steps)
            if edit is not None:
                self.edit_made.emit(edit)

    def delete_chosen(self) -> bool:
        """Takes the chosen link or pin away; False when there is none."""
        return self._pointer.delete()

    def drop_drag(self) -> None:
        """Lets go of what is dragged."""
        self._pointer.drop()

    # Set-up

    def _connect(self) -> None:
        self._frame.scrolled.connect(self._follow)
        self._frame.left_width_changed.connect(self.left_width_changed)
        self.table.folded.connect(self._fold)
        self.table.row_chosen.connect(self.choose_row)
        self.chart.scale_changed.connect(self._tell_scale)
        self.chart.resized.connect(self._refit)

    # Drawing

    def _show(self, look: Extras) -> None:
        self._look = look
        self.chart.refresh()

    def _layout(self) -> Layout | None:
        if self._state is None or self._rows is None:
            return None
        return Layout(self._state, self._rows, self.chart.time_scale, self._frame.scroll_px)

    def _shapes(self) -> list[Shape]:
        layout = self._layout()
        if layout is None or not len(layout.rows):
            return self._teaching()
        plan = layout.state.plan
        extras = replace(
            self._look,
            height_px=float(self.chart.chart_height),
            working_time=working_time(plan) if plan.clock is Clock.CALENDAR else None,
            selection=frozenset(self._selected),
            link=self._pointer.link,
            pin=self._pointer.pin,
            hover=self._pointer.hovered,
            is_focused=self.chart.hasFocus(),
            drag=self._pointer.drag(layout),
        )
        return scene(layout, extras)

    def _teaching(self) -> list[Shape]:
        width, middle = self.chart.time_scale.width_px, self.chart.chart_height / 2
        title = self.tr("Nothing is planned yet")
        hint = self.tr("Tasks stand here as bars over time. Press Ins to add the first one.")
        return [
            Label(0, middle - 24, width, title, "text", Align.CENTER, is_bold=True, px=METRICS.title_px),
            Label(0, middle, width, hint, "muted", Align.CENTER),
        ]

    def _tip(self, at: Point) -> str:
        layout = self._layout()
        hit = None if layout is None else hit_at(layout, at)
        if layout is None or hit is None:
            return ""
        if hit.part is Part.PIN:
            return self.tr("This task was moved by hand: it starts no earlier. Click and press Delete to let it go.")
        return self.table.task_model.sentence(layout.rows.row_of[hit.task])

    # Rows, scroll and scale

    def _show_rows(self, collapsed: frozenset[TaskId]) -> None:
        if self._state is not None:
            self._rows = Rows.of(self._state, collapsed)
            self.table.show_rows(self._state, self._rows)
            self._follow()

    def _fold(self, task: TaskId) -> None:
        if self._rows is not None:
            self._show_rows(self._rows.collapsed ^ {task})
            self.select(self._selected)

    def _follow(self) -> None:
        """Rows or time moved under the mouse."""
        self._pointer.follow()
        self.chart.refresh()

    def _tell_scale(self, scale: TimeScale) -> None:
        self._is_fitted = False
        self._follow()
        self.time_scale_changed.emit(scale)

    def _reveal(self, row: int) -> None:
        """Scrolls as little as it takes to see a row, and pans to its bar when that is out of sight."""
        self._frame.reveal(row)
        layout = self._layout()
        if layout is not None:
            bar, width = layout.bar(row), layout.scale.width_px
            if bar.right < 0 or bar.left > width:
                self.chart.pan(width / 4 - bar.left)

    def _refit(self) -> None:
        if self._is_fitted:
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_key(self, event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)):
            event.ignore()


def _is_other_document(before: State, after: State) -> bool:
    """Revisions only grow while one document is open, and stand for one plan each."""
    is_same_revision = after.revision == before.revision
    return after.revision < before.revision or (is_same_revision and after.plan is not before.plan)
