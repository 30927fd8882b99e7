"""Laying: which rows a run has, and what they are called. It never draws one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.timeline.extent import has_host, lanes_of
from gui.timeline.rows import Row, rows_of, with_counters
from gui.timeline.run_view import RunView
from gui.timeline.words import engine_names

translate = QCoreApplication.translate


def rows_of_run(run: RunView, *, has_counters: bool) -> tuple[Row, ...]:
    """Streams, engines, concurrency, and below them a fold of counters, where the machine has some."""
    strip = translate("TimelineView", "Concurrency")
    headings = (translate("TimelineView", "Streams"), translate("TimelineView", "Engines"))
    rows = rows_of(run.timeline.streams, engine_names(has_host(run)), strip, lanes_of(run), headings)
    if not run.counter_tracks:
        return rows
    words = translate("TimelineView", "▾ Counters") if has_counters else translate("TimelineView", "▸ Counters")
    return with_counters(rows, words, [track.name for track in run.counter_tracks if has_counters])
