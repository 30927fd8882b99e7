"""Ground: what lies under the bars: rows, the lines of time, what is not worked, what the last edit moved.

It never draws a task.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.model import Clock
from engine.schedule.working_time import WorkingTime
from gui.canvas.shapes import Box, Boxes, Elbows, Point, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Bar, BarKind, Layout
from gui.gantt.extras import Extras
from gui.theme import METRICS

_DAY = 86_400
_SHADE_PX = 3.0
_NIGHT_PX = 96.0
_TINT_PX = 4.0
SHADE = "muted:9"
HEADING_GROUND = "muted:16"
_SPAN_PX = 3.0


def ground_shapes(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    """Everything under the bars of these rows."""
    rows = [*_rows(layout, extras, bars), *_headings(layout, bars)]
    return [*rows, *_shading(layout, extras, bars), *_tints(layout, extras, bars)]


def _rows(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    width = layout.scale.width_px
    shapes: list[Shape] = []
    framed: list[tuple[Point, Point]] = []
    for bar in bars:
        y, is_selected = bar.y, bar.task.id in extras.selection
        if bar.kind is BarKind.HEADING:
            shapes.append(Box(0, y, width, METRICS.row_px, HEADING_GROUND))
        elif is_selected or bar.row % 2:
            shapes.append(Box(0, y, width, METRICS.row_px, "selection" if is_selected else "stripe"))
        if is_selected and extras.is_focused:
            framed += [((0.0, each - 0.5), (width, each - 0.5)) for each in (y, y + METRICS.row_px)]
    edges = [((0.0, bar.y + METRICS.row_px - 0.5), (width, bar.y + METRICS.row_px - 0.5)) for bar in bars]
    shapes += [Elbows(np.array(edges), "line")] if edges else []
    shapes += [Elbows(np.array(framed), "accent")] if framed else []
    bottom = bars[-1].y + METRICS.row_px if bars else 0.0
    upper = layout.scale.tiers(layout.state.plan.clock is Clock.CALENDAR)[-2]
    places = tuple((x - 0.5, x + 0.5) for x in (layout.scale.x(tick) for tick, _ in upper))
    return [*shapes, Boxes(places, 0.0, bottom, "line:70")]


def _shading(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    """What is not worked, by the calendar of each row, and by the plan's under the last."""
    if extras.working_time is None:
        return []
    shapes: list[Shape] = []
    known: dict[int, tuple[tuple[float, float], ...]] = {}
    for time, top, bottom in _bands(layout, extras, bars, extras.working_time):
        if id(time) not in known:
            known[id(time)] = rests(layout.scale, time)
        if known[id(time)]:
            shapes.append(Boxes(known[id(time)], top, bottom - top, SHADE))
    return shapes


def _bands(
    layout: Layout, extras: Extras, bars: list[Bar], own: WorkingTime
) -> Iterator[tuple[WorkingTime, float, float]]:
    """(working time, upper and lower edge) of rows that follow each other and are worked alike."""
    dates, top, before = layout.state.schedule, 0.0, None
    for bar in bars:
        # A summary is worked by nobody: it lies on the plan's own ground.
        time = own if bar.kind in (BarKind.SUMMARY, BarKind.HEADING) else dates.working_time_of(bar.task.id)
        if before is not None and time is not before:
            yield before, top, bar.y
            top = bar.y
        before = time
    bottom = bars[-1].y + METRICS.row_px if bars else 0.0
    if before is not None and before is not own:
        yield before, top, bottom
        top = bottom
    if top < extras.height_px:
        yield own, top, extras.height_px


def rests(scale: TimeScale, time: WorkingTime) -> tuple[tuple[float, float], ...]:
    """What is not worked, from pixel to pixel, where it is wide enough to be seen; nights only where a day has room."""
    least = _SHADE_PX * scale.ticks_per_px
    if least > 7 * _DAY:
        return ()
    if _DAY / scale.ticks_per_px < _NIGHT_PX:
        least = max(least, _DAY)
    first, last = scale.origin_ticks - 7 * _DAY, scale.end_ticks + 7 * _DAY
    starts, ends = time.intervals(first, last)
    gap_starts, gap_ends = np.append(first, ends), np.append(starts, last)
    wide = np.flatnonzero(gap_ends - gap_starts >= least)
    edges = zip(gap_starts[wide].tolist(), gap_ends[wide].tolist(), strict=True)
    cut = ((max(scale.x(start), 0.0), min(scale.x(end), scale.width_px)) for start, end in edges)
    return tuple((left, right) for left, right in cut if right > left)


def _tints(layout: Layout, extras: Extras, bars: list[Bar]) -> list[Shape]:
    """A patch behind each bar that the last edit moved."""
    if extras.moved is None or len(extras.moved) != len(layout.state.plan.tasks):
        return []
    shapes: list[Shape] = []
    for bar in bars:
        if extras.moved[bar.plan_row] and bar.kind is not BarKind.HEADING:
            left, right = max(bar.left - _TINT_PX, 0.0), min(bar.right + _TINT_PX, layout.scale.width_px)
            if right > left:
                high = METRICS.row_px - 1.0
                shapes.append(Box(left, bar.y, right - left, high, "changed", radius=METRICS.radius_px))
    return shapes


def _headings(layout: Layout, bars: list[Bar]) -> list[Shape]:
    """From the first start to the last finish of each group, in its heading's row."""
    shapes: list[Shape] = []
    for bar in bars:
        left, right = max(bar.left, 0.0), min(bar.right, layout.scale.width_px)
        if bar.kind is BarKind.HEADING and right > left:
            y = bar.y + (METRICS.row_px - _SPAN_PX) / 2
            shapes.append(Box(left, y, right - left, _SPAN_PX, "muted", radius=_SPAN_PX / 2))
    return shapes
