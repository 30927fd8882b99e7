"""The critical path and the chosen gap as shapes over the bars. They never look for either.

A strip under each bar of the path, and a thread from the end of one to the start of the next: color is never alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.trace.columns import Int64
from gui.canvas.shapes import Box, Boxes, Dash, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.timeline.rows import Row, RowKind
from gui.timeline.scene import Picture

_STRIP_PX = 3.0
# More threads than this would be a carpet.
_MOST_THREADS = 300


def path_scene(picture: Picture, scale: TimeScale, path: tuple[int, ...]) -> list[Shape]:
    """The critical path, its spans given as rows of the timeline in the order of time."""
    timeline, chain = picture.timeline, np.array(path, np.int64)
    seen = chain[(timeline.end_ns[chain] >= scale.origin_ticks) & (timeline.start_ns[chain] <= scale.end_ticks)]
    shapes: list[Shape] = []
    for row in picture.rows:
        if row.kind in (RowKind.STREAM, RowKind.ENGINE):
            mine = seen[(timeline.stream if row.kind is RowKind.STREAM else timeline.engine)[seen] == row.index]
            lanes = np.minimum(timeline.lanes(row.kind.value).lane[mine], row.lanes - 1)
            for lane in np.unique(lanes).tolist():
                band = row.band(lane)
                y = row.y - picture.scroll_px + band.top + band.h - _STRIP_PX
                shapes.append(Boxes(tuple(_edges(picture, scale, mine[lanes == lane])), y, _STRIP_PX, "critical"))
    if len(seen) <= _MOST_THREADS:
        shapes += _threads(picture, scale, seen)
    return shapes


def gap_scene(picture: Picture, scale: TimeScale, row: Row, start_ns: int, end_ns: int) -> list[Shape]:
    """The outline of a gap of a row."""
    left, right = scale.x(start_ns), scale.x(end_ns)
    y = row.y - picture.scroll_px + 2
    return [Box(left, y, max(right - left, 2.0), row.h - 4, "accent:15", "accent", dash=Dash.DASHED, width=1.5)]


def _edges(picture: Picture, scale: TimeScale, spans: Int64) -> Iterator[tuple[float, float]]:
    timeline = picture.timeline
    for start, end in zip(timeline.start_ns[spans].tolist(), timeline.end_ns[spans].tolist(), strict=True):
        left = scale.x(start)
        yield left, max(scale.x(end), left + 1)


def _threads(picture: Picture, scale: TimeScale, chain: Int64) -> list[Shape]:
    """From each bar to the next one on another stream row."""
    timeline = picture.timeline
    middle = {row.index: row.y - picture.scroll_px + row.h - _STRIP_PX / 2 for row in picture.rows
              if row.kind is RowKind.STREAM}  # fmt: skip
    shapes: list[Shape] = []
    for before, after in zip(chain[:-1].tolist(), chain[1:].tolist(), strict=True):
        from_y, to_y = (middle[int(timeline.stream[span])] for span in (before, after))
        end, start = scale.x(int(timeline.end_ns[before])), scale.x(int(timeline.start_ns[after]))
        if from_y != to_y or start - end > 1:
            shapes.append(Line(((end, from_y), (end, to_y), (start, to_y)), "critical", width=1.5))
    return shapes
