"""BoardView: resources as rows, the bars of their tasks over time. An alternative to the Gantt chart.

It never changes a plan: edits leave by `edit_made`, and what it shows comes in by `set_state`. Which tasks are chosen
is the Gantt chart's to keep: what is chosen here is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QSplitter, QVBoxLayout, QWidget

from engine.model import Clock, TaskId
from engine.schedule.leveling_load import ResourceLoad
from engine.session.state import State
from gui.board.chart import BoardChart
from gui.board.gestures import handed_over
from gui.board.holding import Holding
from gui.board.layout import BoardBar, BoardLayout
from gui.board.names import RowTitles, row_words
from gui.board.offered import Offered
from gui.board.pointer import BoardPointer, Outlet
from gui.board.right_button import RightButton
from gui.board.rows import BoardRows
from gui.board.scene import Extras, Lesson, lesson_shapes, names_scene, over_scene, still_scene
from gui.board.tips import tip_at
from gui.board.walking import Place, Step, across, along, place_of
from gui.canvas.kept import Picture
from gui.canvas.painter import text_width
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.coloring import ColorBy
from gui.gantt.interactions import nudged
from gui.gantt.risk_look import RiskLook
from gui.gantt.trials import Rehearse, Trial, at_once
from gui.gantt.trying import Trying
from gui.theme import METRICS, Theme

_LAST = 1 << 40
_STEPS: dict[int, int] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_FAR: dict[int, int] = {Qt.Key.Key_Home: -_LAST, Qt.Key.Key_End: _LAST}


class BoardView(QWidget):
    """`edit_made` carries an Edit to execute, `chosen` a tuple of task ids, `scale_changed` a TimeScale after a person
    panned or zoomed, `left_width_changed` the width of the names in pixels after a person dragged their edge.
    """

    edit_made = Signal(object)
    chosen = Signal(object)
    scale_changed = Signal(object)
    left_width_changed = Signal(int)

    def __init__(self, trial: Trial, parent: QWidget | None = None, rehearse: Rehearse = at_once) -> None:
        super().__init__(parent)
        self.setObjectName("ground")
        self._state: State | None = None
        self._rows: BoardRows | None = None
        self._known: BoardRows | None = None
        self._loads: Mapping[int, ResourceLoad] = {}
        self._selection: tuple[TaskId, ...] = ()
        self._near: Place | None = None
        self._color_by = ColorBy.KIND
        self.risk = RiskLook(self)
        self._placed: BoardLayout | None = None
        self.chart = BoardChart(self._picture, lambda at: tip_at(self._layout(), at, self.risk.fans), self)
        self.names = RowTitles(self._name_shapes, self)
        outlet = Outlet(self._layout, trial, rehearse, self.edit_made.emit, self.choose)
        self.pointer = BoardPointer(self.chart, outlet)
        self.trying = Trying(self)
        self.offered = Offered(self.chart.refresh)
        self.holding = Holding(lambda: self.pointer.held, lambda: self.chart.time_scale, self)
        self.right_button = RightButton(self, self._layout, lambda: self._selection, self)
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.setSingleStep(METRICS.row_px)
        self._sides = _lay_out(self, self.names, self.chart, self._bar)
        self.setFocusProxy(self.chart)
        self._connect()

    # What is shown

    def set_state(self, state: State | None) -> None:
        """Shows a state; a drag in progress is dropped. Rows are laid out once somebody looks."""
        self._known, self._rows = self._rows or self._known, None
        self._state = state
        self.pointer.drop()
        if state is not None:
            self.chart.is_calendar = state.plan.clock is Clock.CALENDAR
            dates = state.schedule
            self.chart.bounds = (dates.project_start, dates.project_finish) if len(dates.start) else None
        if self.isVisible():
            self._match()

    def set_selection(self, tasks: tuple[TaskId, ...]) -> None:
        """These tasks are chosen, the one chosen last at first; one that was chosen elsewhere is brought in sight."""
        self._selection = tasks
        self.pointer.chosen = tasks
        layout = self._layout() if self.isVisible() and not self.chart.hasFocus() else None
        if layout is not None and (place := self._place(layout)) is not None:
            self._reveal(layout, place)
        self.chart.refresh()

    def choose(self, tasks: tuple[TaskId, ...], place: Place | None) -> None:
        """Tells that these tasks are chosen, one of them at a place."""
        self._near = place
        self.chosen.emit(tasks)

    def show_loads(self, answer: tuple[State, Mapping[int, ResourceLoad]] | None) -> None:
        """How loaded the resources are; what was shown stays until that is known."""
        if answer is not None:
            self._loads = answer[1]
            self._refresh()

    def set_color_by(self, color_by: ColorBy) -> None:
        """What the color of bars stands for."""
        self._color_by = color_by
        self.chart.refresh()

    def set_time_scale(self, scale: TimeScale) -> None:
        """Shows another stretch of time, without telling."""
        self.chart.set_time_scale(scale)

    def set_left_width(self, width_px: int) -> None:
        """Gives the names a width, without telling."""
        self._sides.setSizes([width_px, max(self.width() - width_px - self._sides.handleWidth(), 1)])

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colors of a theme from now on."""
        self.names.set_theme(theme)
        self.chart.set_theme(theme)

    # Set-up

    def _connect(self) -> None:
        self._sides.splitterMoved.connect(self.left_width_changed)
        self._bar.valueChanged.connect(self._follow)
        self.chart.wheel_turned.connect(self._scroll_by)
        self.names.wheel_turned.connect(self._scroll_by)
        self.chart.scale_changed.connect(self._scaled)
        self.chart.resized.connect(self._match)
        self.pointer.changed = self._refresh
        self.chart.scale_changed.connect(self.holding.scroll)
        self.holding.changed.connect(self.chart.refresh)
        self.risk.changed.connect(self.chart.refresh)

    # Drawing

    def _layout(self) -> BoardLayout | None:
        if self._state is None:
            return None
        if self._rows is None:
            self._rows = BoardRows.of(self._state, self._known)
        made, known = BoardLayout(self._state, self._rows, self.chart.time_scale, self._bar.value()), self._placed
        if known is None or not known.is_as(made):
            self._placed = known = made
        return known

    def _extras(self) -> Extras:
        return Extras(
            float(self.chart.chart_height),
            text_width,
            frozenset(self._selection),
            self._loads,
            self.chart.hasFocus(),
            self._color_by,
            self.trying.seen(self.pointer.drag),
            self.pointer.band,
            *self.offered.seen,
            self.holding.drops,
            self.holding.words,
            self.risk.fans,
            self.risk.shares(self._color_by),
        )

    def _picture(self) -> Picture:
        layout, extras = self._layout(), self._extras()
        if layout is None or not layout.rows.rows:
            lesson = Lesson(
                self.tr("Nobody does anything yet"),
                self.tr("Each resource stands here as a row with the bars of its tasks. Add one: Ctrl+Alt+R."),
            )
            return Picture((), partial(lesson_shapes, self.chart.time_scale.width_px, extras.height_px, lesson), list)
        seen = layout, extras
        return Picture((layout, *extras.still), partial(still_scene, *seen), partial(over_scene, *seen))

    def _name_shapes(self, width: float) -> list[Shape]:
        layout = self._layout()
        if layout is None:
            return []
        extras = self._extras()
        rows = (layout.rows.rows[number] for number in layout.seen(extras.height_px))
        words = {row.id: row_words(row, self._loads.get(row.id)) for row in rows}
        return names_scene(layout, extras, width, words)

    def _refresh(self) -> None:
        self.holding.look()
        self.chart.refresh()
        self.names.update()

    # Rows, scroll and scale

    def _match(self) -> None:
        layout = self._layout()
        height = self.chart.chart_height
        self._bar.setPageStep(height)
        self._bar.setRange(0, max((0 if layout is None else layout.rows.height) - height, 0))
        self._refresh()

    def _scroll_by(self, pixels: int) -> None:
        self._bar.setValue(self._bar.value() + pixels)

    def _scaled(self, scale: TimeScale) -> None:
        self._follow()
        self.scale_changed.emit(scale)

    def _follow(self) -> None:
        self.pointer.follow()
        self._refresh()

    def _reveal(self, layout: BoardLayout, place: Place) -> None:
        bar, height = layout.bar(*place), self.chart.chart_height
        top = int(bar.top) + self._bar.value()
        self._bar.setValue(min(max(self._bar.value(), top + METRICS.row_px - height), max(top - METRICS.grid_px, 0)))
        if bar.right < 0 or bar.left > layout.scale.width_px:
            self.chart.pan(layout.scale.width_px / 4 - bar.left)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._match()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down another resource's task, left and right another of the same; with Alt the task goes there."""
        steps = _STEPS.get(event.key())
        is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        is_upright = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
        if event.key() == Qt.Key.Key_Escape:
            self.drop_drag()
        elif self.pointer.is_held or (steps is None and event.key() not in _FAR):
            event.ignore()
        elif steps is None:
            self._walk(along, _FAR[event.key()])
        elif is_alt and is_upright:
            self._hand_over(steps)
        elif is_alt:
            self._nudge(steps)
        else:
            self._walk(across if is_upright else along, steps)

    def _walk(self, step: Step, steps: int) -> None:
        """Chooses the task that a step leads to, and brings it in sight."""
        layout = self._layout()
        if layout is None:
            return
        place = step(layout.rows, self._place(layout), steps)
        if place is not None:
            self.choose((layout.task(place),), place)
            self._reveal(layout, place)

    def present(self) -> BoardBar | None:
        """The bar at which the keyboard is."""
        layout = self._layout()
        place = None if layout is None else self._place(layout)
        return None if layout is None or place is None else layout.bar(*place)

    def drop_drag(self) -> None:
        """Lets go of what is dragged."""
        self.pointer.drop()

    def _place(self, layout: BoardLayout) -> Place | None:
        return place_of(layout.rows, self._selection[0] if self._selection else None, self._near)

    def _nudge(self, steps: int) -> None:
        """Moves the chosen tasks to the next visible tick, or the one before."""
        state = self._state
        if state is not None and self._selection:
            edit = nudged(state, self.chart.time_scale, self._selection, steps)
            if edit is not None:
                self.edit_made.emit(edit)

    def _hand_over(self, steps: int) -> None:
        """Gives the chosen task to the nearest resource below that could do it (above: steps -1)."""
        layout = self._layout()
        place = None if layout is None else self._place(layout)
        if layout is None or place is None:
            return
        edit = handed_over(layout, place, steps)
        if edit is not None:
            self.edit_made.emit(edit)


def _lay_out(view: QWidget, names: QWidget, chart: QWidget, bar: QScrollBar) -> QSplitter:
    """Names, chart and scroll bar beside each other, the first two apart; the bar begins under the axis."""
    under_axis = QVBoxLayout()
    under_axis.setContentsMargins(0, METRICS.header_px, 0, 0)
    under_axis.addWidget(bar)
    sides = QSplitter(Qt.Orientation.Horizontal)
    sides.addWidget(names)
    sides.addWidget(chart)
    sides.setHandleWidth(1)
    sides.setChildrenCollapsible(False)
    sides.setStretchFactor(1, 1)
    row = QHBoxLayout(view)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(sides, 1)
    row.addLayout(under_axis)
    return sides
