"""Explaining: what is said of a bar and of a gap, of the one under the mouse or one gone to with the keyboard.

It never measures more often than a run has news, and never moves the picture itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from PySide6.QtCore import QObject, QPointF, Signal

from engine.model import TaskId
from engine.session.measuring import MOST_GAPS
from engine.trace.overlap import Gap, Metrics
from engine.trace.timeline import ENGINES
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.gap_words import idle_sentence
from gui.timeline.chart import TimelineChart
from gui.timeline.path_scene import gap_scene, path_scene
from gui.timeline.pointing import PictureOf
from gui.timeline.rows import Row, RowKind
from gui.timeline.run_view import RunView
from gui.timeline.scene import Hit, Picture
from gui.timeline.words import tooltip


class Explaining(QObject):
    """`explained` carries why a row stood idle, `left` the TimeScale that shows a gap that is out of sight.

    `chosen` is the gap that a person has picked; `titles` what the sentences call the tasks.
    """

    explained = Signal(str)
    left = Signal(object)

    def __init__(self, chart: TimelineChart, picture: PictureOf, parent: QObject) -> None:
        super().__init__(parent)
        self.chosen: Gap | None = None
        self.titles: Mapping[TaskId, str] = {}
        self._chart = chart
        chart.clicked.connect(self.pick)
        self._picture = picture
        self._run: RunView | None = None
        self._known: tuple[int, str | None] = (0, None)
        self._metrics: Metrics | None = None
        self._is_path_shown = False

    def show_run(self, run: RunView | None) -> None:
        """Another run is shown."""
        self._run, self.chosen, self._metrics = run, None, None

    def show_path(self, is_shown: bool) -> None:
        """Shows the critical path of a run that is over, or no longer."""
        self._is_path_shown = is_shown
        self._chart.refresh()

    def go(self, steps: int) -> None:
        """Goes to the next of the longest waits of engines in the order of time, or the one before."""
        metrics = self._measured()
        waits = [] if metrics is None else [g for g in metrics.gaps if g.is_engine and g.cause != "no_work"]
        if not waits:
            self.explained.emit(self.tr("No engine waited between two operations."))
            return
        place = waits.index(self.chosen) + steps if self.chosen in waits else min(0, steps)
        self._choose(waits[place % len(waits)])

    def pick(self, at: QPointF) -> None:
        """The gap at a point below the axis is chosen, or none is any more."""
        self._choose(self._gap_at(at))

    def words(self, found: Hit | None, at: QPointF) -> str:
        """What is said of a bar, and of the gap that it was expected in; of a gap alone on the ground."""
        gap = self._gap_at(at) if found is None or found.is_predicted else None
        why = "" if gap is None else escape(self._sentence(gap))
        if found is None or self._run is None:
            return why
        words = tooltip(found, self._run, self.titles)
        return f"{words}<br>{why}" if why else words

    def overlay(self, picture: Picture | None, scale: TimeScale) -> list[Shape]:
        """What is drawn over the bars: the critical path, and the gap that is chosen."""
        shapes: list[Shape] = []
        if picture is None:
            return shapes
        metrics = self._measured() if self._is_path_shown and self._run and self._run.outcome is not None else None
        if metrics is not None:
            shapes += path_scene(picture, scale, metrics.path.spans)
        if self.chosen is not None and (row := self._row_of(self.chosen, picture.rows)) is not None:
            shapes += gap_scene(picture, scale, row, self.chosen.start_ns, self.chosen.end_ns)
        return shapes

    def _choose(self, gap: Gap | None) -> None:
        self.chosen = gap
        if gap is not None:
            scale = self._chart.time_scale
            if not scale.origin_ticks <= gap.start_ns < scale.end_ticks:
                half = round(scale.width_px * scale.ticks_per_px / 2)
                self.left.emit(replace(scale, origin_ticks=(gap.start_ns + gap.end_ns) // 2 - half))
            self.explained.emit(self._sentence(gap))
        self._chart.refresh()

    def _measured(self) -> Metrics | None:
        """The figures of the run as it is now."""
        run = self._run
        if run is None or not run.timeline.count:
            return None
        news = (run.timeline.count, run.outcome)
        if self._metrics is None or news != self._known:
            self._known, self._metrics = news, run.metrics(MOST_GAPS)
        return self._metrics

    def _gap_at(self, at: QPointF) -> Gap | None:
        picture, metrics = self._picture(), self._measured()
        if picture is None or metrics is None or metrics.explained is None:
            return None
        y = at.y() + picture.scroll_px
        row = next((row for row in picture.rows if row.y <= y < row.y + row.h), None)
        if row is None or row.kind not in (RowKind.STREAM, RowKind.ENGINE):
            return None
        place = row.index + (len(picture.timeline.streams) if row.kind is RowKind.ENGINE else 0)
        return metrics.explained.at(place, self._chart.time_scale.tick(at.x()))

    def _sentence(self, gap: Gap) -> str:
        run = self._run
        if run is None:
            return ""
        return idle_sentence(gap, run.timeline, self.titles, is_cut_off=run.outcome in {"failed", "canceled"})

    def _row_of(self, gap: Gap, rows: tuple[Row, ...]) -> Row | None:
        streams = () if self._run is None else self._run.timeline.streams
        kind = RowKind.ENGINE if gap.is_engine else RowKind.STREAM
        index = ENGINES.index(gap.row) if gap.is_engine else streams.index(gap.row)
        return next((row for row in rows if (row.kind, row.index) == (kind, index)), None)
