"""TimelineView: a run's streams and engines, live beside what was planned. It never holds a span, it pulls them.

While a run is live and the view can be seen, it draws at the frame rate and follows the run's end until a person
scrolls, pans or zooms; the key L, or the toggle, takes that up again. Nothing moves when no run is live.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter_ns

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from engine.model import TaskId
from gui.canvas.film import Take
from gui.canvas.painter import text_width
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import LIGHT, METRICS, Theme
from gui.timeline.body import TimelineBody
from gui.timeline.clock import RunClock
from gui.timeline.explaining import Explaining
from gui.timeline.extent import extent, is_apart, last_iteration
from gui.timeline.filming import Filming
from gui.timeline.following import followed, has_moved, lap_ns
from gui.timeline.header import TimelineHeader
from gui.timeline.laying import rows_of_run
from gui.timeline.pointing import Pointing
from gui.timeline.run_view import RunView
from gui.timeline.scene import Picture, scene
from gui.timeline.words import counter_text, status_text

translate = QCoreApplication.translate

FRAME_MS = 16
_ZOOM_STEP = 1.25
_LESSON = QT_TRANSLATE_NOOP(
    "TimelineView",
    "Run a device plan, and each of its streams and engines gets a row here: what happens over what was planned.",
)
_PAN_PX = 80.0


class TimelineView(QWidget):
    """`time_scale_changed` carries the TimeScale when this view moved it, `task_selected` the task of a clicked bar;
    `is_apart` says that the run has an axis of its own, `lesson` what is seen here once there is something."""

    time_scale_changed = Signal(object)
    task_selected = Signal(int)
    following_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None, *, lesson: str = "") -> None:
        super().__init__(parent)
        self._run: RunView | None = None
        self._clock: RunClock | None = None
        self._now_ns: int | None = None
        self._drawn_ns: int | None = None
        self._selected: TaskId | None = None
        self._filming = Filming(text_width)
        self._has_scale = self._is_fitted = self._is_stale = self.is_apart = self.has_counters = False
        self._is_axis_asked = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.header = TimelineHeader()
        self.body = TimelineBody(self._shapes, self._take)
        self.chart = self.body.chart
        self.chart.setFocusProxy(self)
        self.explaining = Explaining(self.chart, self._picture, self)
        self._pointing = Pointing(self.chart, self._picture, self.explaining.words, self)
        self._frames = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._lay_out(lesson or translate("TimelineView", str(_LESSON)))
        self._connect()
        self.set_theme(LIGHT)
        self.show_run(None)

    def show_run(self, run: RunView | None) -> None:
        """Shows a run, live or over; None shows what a run would show. A new live run is followed."""
        if run is not self._run:
            self._run, self._clock, self._now_ns = run, None, None
            self.explaining.show_run(run)
            if run is not None and run.outcome is None:
                self.set_following(True)
        self._pages.setCurrentIndex(0 if run is None else 1)
        self._lay_rows()
        is_new = self._stand_apart(run is not None and is_apart(run))
        if run is not None and (is_new or not self._has_scale):
            self.fit()
        self._tell()
        self._keep_pace()
        self.chart.refresh()

    def spans_arrived(self, run: int, _count: int) -> None:
        """More spans of a run lie in its timeline; the next frame pulls what can be seen of them."""
        if self._run is None or self._run.number != run:
            return
        if self._clock is None:
            device = self._run.device
            self._clock = RunClock(is_real=device is None or device.stamps != "simulated")
        self._clock.saw(self._run.timeline.end_ns_max, perf_counter_ns(), is_last=self._run.progress >= 1)
        self._is_stale = True
        self._lay_rows()
        self._keep_pace()

    @property
    def time_scale(self) -> TimeScale:
        """What can be seen."""
        return self.chart.time_scale

    def set_time_scale(self, scale: TimeScale, is_by_hand: bool = True) -> None:
        """Shows the stretch of time that another chart shows, unless its run stands apart.

        Tells nobody; ends following when it is another stretch, and `is_by_hand`.
        """
        if self.is_apart:
            return
        mine = self.time_scale
        self._has_scale = True
        self._is_fitted = False
        if (scale.origin_ticks, scale.ticks_per_px) != (mine.origin_ticks, mine.ticks_per_px):
            self.set_following(self.is_following and not is_by_hand)
            self.chart.set_time_scale(scale)

    def fit(self) -> None:
        """Shows the whole run and what was planned of it, and does so again when the window's size changes."""
        if self._run is not None:
            start, end = extent(self._run)
            self._move(TimeScale.fitted(start, end, self.time_scale.width_px))
            self._is_fitted = True

    @property
    def is_following(self) -> bool:
        """Whether a live run's end is kept in sight."""
        return self.header.follow.isChecked()

    def set_following(self, is_following: bool) -> None:
        """Takes up following, or leaves it."""
        self.header.set_following(is_following)

    def set_theme(self, theme: Theme) -> None:
        """Wears a theme."""
        self.body.set_theme(theme)
        self.header.set_theme(theme)

    def set_left_width(self, width_px: int) -> None:
        """Makes the names as wide as the table above them."""
        self.body.names.setFixedWidth(width_px)

    def set_titles(self, titles: Mapping[TaskId, str]) -> None:
        """What tooltips call the tasks; see Titles."""
        self.explaining.titles = titles

    def select_task(self, task: TaskId | None) -> None:
        """Marks the bars of a task."""
        self._selected = task
        self.chart.refresh()

    def show_axis(self, is_shown: bool) -> None:
        """Shows the time axis, or leaves it to the chart above that shares it while no run stands apart."""
        self._is_axis_asked = is_shown
        self.chart.show_axis(is_shown or self.is_apart)

    def _stand_apart(self, is_apart: bool) -> bool:
        """Takes up an axis of its own, or gives it up; whether that is new."""
        is_new = is_apart is not self.is_apart
        self.is_apart = is_apart
        if is_new:
            self.show_axis(self._is_axis_asked)
        return is_new

    def show_counters(self, is_shown: bool) -> None:
        """Unfolds or folds the rows of counters."""
        self.has_counters = is_shown
        self._lay_rows()
        self.chart.refresh()

    def set_side(self, widget: QWidget) -> None:
        """Puts a card to the right of the rows."""
        self._side.setContentsMargins(*(3 * METRICS.grid_px, 2 * METRICS.grid_px) * 2)
        self._side.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_L:
            self.set_following(True)
        elif key in _KEYS:
            self._leave_following()
            _KEYS[key](self)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()
        self._keep_pace()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._frames.stop()

    def _lay_out(self, lesson: str) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(_empty_page(lesson))
        self._pages.addWidget(self.body)
        self._side = QHBoxLayout()
        _stack(self, self.header, self._pages, self._side)

    def _connect(self) -> None:
        self.header.follow_toggled.connect(self._following_toggled)
        self.header.fit_asked.connect(self._leave_following)
        self.header.fit_asked.connect(self.fit)
        self.chart.touched.connect(self._leave_following)
        self.chart.scale_changed.connect(self._scale_moved)
        self.chart.resized.connect(self._resized)
        self._pointing.picked.connect(self._picked)
        for act in (self._leave_following, self._move):
            self.explaining.left.connect(act)
        self._frames.timeout.connect(self._frame)

    def _shapes(self) -> list[Shape]:
        picture, scale = self._picture(), self.time_scale
        shapes = [] if picture is None else scene(picture, scale, self.chart.chart_height, text_width)
        return [*shapes, *self.explaining.overlay(picture, scale)]

    def _take(self) -> Take | None:
        return self._filming.take(self._picture(), self.time_scale, self.chart.chart_height)

    def _picture(self) -> Picture | None:
        run = self._run
        if run is None:
            return None
        now_ns, failed = self._now_ns if run.outcome is None else None, run.failed_task
        rows, scroll_px = self.body.rows, self.body.scroll_px
        last, counters = last_iteration(run), run.counter_tracks
        return Picture(run.timeline, run.predicted, rows, now_ns, self._selected, failed, scroll_px, last, counters)

    def _frame(self) -> None:
        if self._clock is not None:
            self._now_ns = self._clock.now(perf_counter_ns())
        self._follow()
        self._tell()
        self._keep_pace()
        is_due = self._is_stale or has_moved(self._drawn_ns, self._now_ns, self.time_scale)
        if not self._frames.isActive() or (self.chart.is_rested and is_due):
            self._is_stale, self._drawn_ns = False, self._now_ns
            self.chart.refresh()

    def _follow(self) -> None:
        if self._run is not None and self._now_ns is not None and self.is_following:
            scale = followed(self.time_scale, self._now_ns, lap_ns(self._run))
            if scale != self.time_scale:
                self._move(scale)

    def _keep_pace(self) -> None:
        """Frames come only while there is something that moves and somebody who could see it."""
        is_moving = self._run is not None and self._run.outcome is None and self.isVisible()
        if is_moving is not self._frames.isActive():
            (self._frames.start if is_moving else self._frames.stop)()

    def _move(self, scale: TimeScale) -> None:
        self.chart.set_time_scale(scale)
        self._scale_moved(self.time_scale)

    def _scale_moved(self, scale: TimeScale) -> None:
        self._has_scale, self._is_fitted = True, False
        if not self.is_apart:
            self.time_scale_changed.emit(scale)

    def _lay_rows(self) -> None:
        if self._run is not None:
            self.chart.bounds = extent(self._run)
            self.body.names.show_values(tuple(map(counter_text, self._run.counter_tracks)))
            self.body.show_rows(rows_of_run(self._run, has_counters=self.has_counters))

    def _resized(self) -> None:
        if self._is_fitted:
            self.fit()

    def _leave_following(self) -> None:
        self._is_fitted = False
        self.set_following(False)

    def _following_toggled(self, is_following: bool) -> None:
        self._follow()
        self.following_changed.emit(is_following)

    def _tell(self) -> None:
        run = self._run
        text, error = ("", "") if run is None else (status_text(run), run.error)
        self.header.show_status(text, error, is_live=run is not None and run.outcome is None)

    def _picked(self, task: TaskId | None) -> None:
        self.select_task(task)
        if task is not None:
            self.task_selected.emit(task)


_KEYS: dict[Qt.Key, Callable[[TimelineView], None]] = {
    Qt.Key.Key_F: TimelineView.fit,
    Qt.Key.Key_G: lambda view: view.explaining.go(1),
    Qt.Key.Key_Plus: lambda view: view.chart.zoom(_ZOOM_STEP),
    Qt.Key.Key_Minus: lambda view: view.chart.zoom(1 / _ZOOM_STEP),
    Qt.Key.Key_Left: lambda view: view.chart.pan(_PAN_PX),
    Qt.Key.Key_Right: lambda view: view.chart.pan(-_PAN_PX),
}


def _stack(view: QWidget, header: QWidget, pages: QWidget, side: QHBoxLayout) -> None:
    """The header over the pages and what stands beside them."""
    below = QHBoxLayout()
    below.setSpacing(0)
    below.addWidget(pages, 1)
    below.addLayout(side)
    column = QVBoxLayout(view)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(header)
    column.addLayout(below, 1)


def _empty_page(lesson: str) -> QWidget:
    page, column = QWidget(), QVBoxLayout()
    heading, body = (
        QLabel(translate("TimelineView", "Nothing has run yet.")),
        QLabel(lesson),
    )
    heading.setProperty("role", "title")
    body.setProperty("role", "muted")
    body.setWordWrap(True)
    body.setAlignment(Qt.AlignmentFlag.AlignCenter)
    heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
    column.addStretch()
    column.addWidget(heading)
    column.addWidget(body)
    column.addStretch()
    page.setLayout(column)
    return page
