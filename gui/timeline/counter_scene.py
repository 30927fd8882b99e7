"""A counter as shapes: steps over the stretches of time that its samples are true for. It never joins two samples."""

from __future__ import annotations

from collections import defaultdict

from engine.trace.counters import Track
from gui.canvas.shapes import Boxes, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS
from gui.timeline.rows import Row

_COLOR = "host:60"
_LEAST_PX = 1.0


def steps(track: Track, scale: TimeScale, row: Row, top: float) -> list[Shape]:
    """The samples that can be seen, each as high as its value: a share of 100 %, else of the largest value so far.

    Zero is a line of one pixel: something was sampled there. Where nothing was, nothing is drawn.
    """
    room = row.h - METRICS.grid_px
    levels: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for sample in track.between(scale.origin_ticks, scale.end_ticks):
        level = max(1, round(room * min(sample.value / track.top, 1.0))) if track.top else 1
        left = max(scale.x(sample.start_ns), 0.0)
        right = min(scale.x(sample.end_ns), scale.width_px)
        found = levels[level]
        if found and left - found[-1][1] < _LEAST_PX / 2:
            found[-1] = (found[-1][0], right)
        else:
            found.append((left, max(right, left + _LEAST_PX)))
    base = top + row.h
    return [Boxes(tuple(spans), base - level, level, _COLOR) for level, spans in sorted(levels.items())]
