"""The load of one resource over time as shapes: what is used, what there is, and where that is too little.

It never computes a load, and never changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.model import Resource
from engine.schedule.leveling_load import ResourceLoad
from gui.canvas.axis import TextWidth
from gui.canvas.hatching import hatched
from gui.canvas.shapes import Box, Dash, Label, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

_TOP_PX = 26.0
_BOTTOM_PX = 4.0
_LABEL_PX = 16.0
_SLACK = 1e-3  # as the engine counts: a thousandth of a unit too much is none

Units = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Steps:
    """From pixel `edges[k]` to `edges[k + 1]` at most `used[k]`, and where that is too much, of `capacity[k]`."""

    edges: list[float]
    used: list[float]
    capacity: list[float]


def scene(
    resource: Resource,
    load: ResourceLoad,
    scale: TimeScale,
    height_px: float,
    text_width: TextWidth,
    top_px: float = 0.0,
) -> list[Shape]:
    """One resource, `top_px` under the time axis. Too much is in the critical color, and hatched."""
    steps = _seen(load, scale)
    most = max(resource.capacity, *(step.units for step in resource.steps), float(load.used.max(initial=0.0)))
    zero = top_px + height_px - _BOTTOM_PX
    unit_px = max(height_px - _BOTTOM_PX - _TOP_PX, 1.0) / most

    def y(units: float) -> float:
        return zero - units * unit_px

    shapes: list[Shape] = [Line(((0.0, zero), (scale.width_px, zero)), "line")]
    for (left, right), used, capacity in zip(pairwise(steps.edges), steps.used, steps.capacity, strict=True):
        fits = min(used, capacity) if used > capacity + _SLACK else used
        if fits:
            shapes.append(Box(left, y(fits), right - left, zero - y(fits), "accent:45"))
        if used > capacity + _SLACK:
            shapes += hatched((left, right, y(used), y(fits)), "critical")  # told apart without its color
    shapes += _capacity(resource, scale, y)
    said = f"{resource.capacity:g}"
    at = y(resource.capacity) - _LABEL_PX
    wide = text_width(said, METRICS.label_px, False)
    shapes.append(Label(scale.width_px - wide - 6, at, wide, said, "text", px=METRICS.label_px, h=_LABEL_PX))
    return shapes


def _capacity(resource: Resource, scale: TimeScale, y: Callable[[float], float]) -> list[Shape]:
    edges = sorted({scale.origin_ticks, scale.end_ticks, *(t for s in resource.steps for t in (s.first, s.last))})
    points = []
    for first, last in pairwise(edge for edge in edges if scale.origin_ticks <= edge <= scale.end_ticks):
        units = next((s.units for s in reversed(resource.steps) if s.first <= first < s.last), resource.capacity)
        points += [(scale.x(first), y(units)), (scale.x(last), y(units))]
    return [Line(tuple(points), "text", 1.0, Dash.DASHED)] if points else []


def _seen(load: ResourceLoad, scale: TimeScale) -> _Steps:
    """The steps in sight; where there are more of them than pixels, the worst of each pixel."""
    if not len(load.used):
        return _Steps([0.0], [], [])
    first = max(int(np.searchsorted(load.at, scale.origin_ticks, side="right")) - 1, 0)
    last = min(int(np.searchsorted(load.at, scale.end_ticks)), len(load.used))
    if last <= first:
        return _Steps([0.0], [], [])
    at, used, capacity = load.at[first : last + 1], load.used[first:last], load.capacity[first:last]
    if len(used) > scale.width_px:
        return _by_pixel(at, used, capacity, scale)
    edges = [min(max(scale.x(int(tick)), -1.0), scale.width_px + 1) for tick in at]
    return _Steps(edges, used.tolist(), capacity.tolist())


def _by_pixel(at: NDArray[np.int64], used: Units, capacity: Units, scale: TimeScale) -> _Steps:
    pixels = np.arange(int(scale.width_px) + 1)
    ticks = scale.origin_ticks + np.round(pixels * scale.ticks_per_px).astype(np.int64)
    lows = np.searchsorted(at, ticks[:-1], side="right") - 1
    highs = np.searchsorted(at, ticks[1:], side="left")
    edges, most, least = [0.0], [], []
    excess = used - capacity
    for pixel, (low, high) in enumerate(zip(np.maximum(lows, 0).tolist(), highs.tolist(), strict=True)):
        low, high = min(low, len(used)), min(high, len(used))
        worst = low + int(np.argmax(excess[low:high])) if high > low else -1
        is_over = worst >= 0 and excess[worst] > _SLACK
        edges.append(float(pixel + 1))
        most.append(float(used[worst]) if is_over else float(used[low:high].max(initial=0.0)))
        least.append(float(capacity[worst]) if is_over else most[-1])
    return _Steps(edges, most, least)
