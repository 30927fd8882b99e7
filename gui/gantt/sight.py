"""Sight: which stretch of time the chart shows, and how far it can be scrolled. It never draws."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from engine.model import DAY
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Bar
from gui.gantt.chart import GanttChart

# Where an instant stands that somebody went to, as a share of the width.
NEAR = 0.25
# What is shown of a plan on a calendar before it has a task: weeks, and days in them.
_EMPTY_S = 6 * 7 * DAY


class Sight(QObject):
    """The time scale of one chart. `moved` carries it after a person panned, zoomed or fitted, `refitted` after a plan
    that was seen whole is seen whole in a window of another size.
    """

    moved = Signal(object)
    refitted = Signal(object)

    def __init__(self, chart: GanttChart, parent: QObject) -> None:
        super().__init__(parent)
        self._chart = chart
        self._state: State | None = None
        self._run_end = 0
        self._sure_by: int | None = None
        self._is_fitted = True
        chart.scale_changed.connect(self._person_moved)
        chart.resized.connect(self._refit)

    def set_state(self, state: State) -> None:
        """The plan that is seen. The first task of an empty one leaves the scale as it is."""
        if self._state is not None and not self._state.plan.tasks and state.plan.tasks:
            self._is_fitted = False
        self._state = state
        self._bound()

    def set_run_end(self, ns: int) -> None:
        """How far the latest run reaches on the plan's clock: as far can be scrolled."""
        self._run_end = ns
        self._bound()

    def set_sure_by(self, instant: int | None) -> None:
        """By when the plan is nearly surely done, where that is known: what is seen whole reaches as far."""
        self._sure_by = instant
        self._bound()
        if instant is not None and instant > self._chart.time_scale.end_ticks:
            self._refit()

    def show(self, scale: TimeScale) -> None:
        """Another stretch of time, without telling."""
        self._is_fitted = False
        self._chart.set_time_scale(scale)

    def fit(self) -> None:
        """The whole plan, from its start to its finish; of an empty one the first weeks."""
        if self._state is not None:
            self._fit(self._state)
            self.moved.emit(self._chart.time_scale)

    def reveal(self, bar: Bar) -> None:
        """Pans to a bar that is out of sight."""
        width = self._chart.time_scale.width_px
        if bar.right < 0 or bar.left > width:
            self._chart.pan(width * NEAR - bar.left)

    def go(self, tick: int, share: float = NEAR) -> None:
        """Shows an instant at a share of the width, wherever it is: also where the plan has nothing yet."""
        scale = self._chart.time_scale
        origin = tick - round(scale.width_px * share * scale.ticks_per_px)
        self._chart.set_time_scale(replace(scale, origin_ticks=origin))
        self._person_moved(self._chart.time_scale)

    def whole(self, width_px: int) -> TimeScale | None:
        """The whole plan over another width; None where a person sees a part of it."""
        return self._whole(self._state, width_px) if self._is_fitted and self._state is not None else None

    def _whole(self, state: State, width_px: int) -> TimeScale:
        dates = state.schedule
        is_weeks = self._chart.is_calendar and not state.plan.tasks
        end = dates.project_start + _EMPTY_S if is_weeks else max(dates.project_finish, self._sure_by or 0)
        return TimeScale.fitted(dates.project_start, end, float(max(width_px, 1)), self._chart.is_calendar)

    def _fit(self, state: State) -> None:
        self._chart.set_time_scale(self._whole(state, self._chart.width()))
        self._is_fitted = True

    def _refit(self) -> None:
        if self._is_fitted and self._state is not None:
            self._fit(self._state)
            self.refitted.emit(self._chart.time_scale)

    def _person_moved(self, scale: TimeScale) -> None:
        self._is_fitted = False
        self.moved.emit(scale)

    def _bound(self) -> None:
        """Nobody scrolls where nothing is."""
        if self._state is not None:
            dates = self._state.schedule
            end = max(dates.project_finish, self._sure_by or 0, 0 if self._chart.is_calendar else self._run_end)
            self._chart.bounds = (dates.project_start, end) if len(dates.start) else None
