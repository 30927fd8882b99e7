"""Fence: the line up to which a plan is frozen, as it is drawn. It never keeps a task from crossing it.

What is said of it stands in fence_words.py.
"""

from __future__ import annotations

import numpy as np

from engine.model import Clock, Plan
from gui.canvas.shapes import Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

FENCE_COLOR = "warning"
_BARB_PX = 5.0


def fence_shapes(plan: Plan, scale: TimeScale, height_px: float) -> list[Shape]:
    """An upright line with barbs toward what is frozen; nothing where that is out of sight, or nothing is."""
    x = fence_x(plan, scale)
    if x is None or not 0 <= x <= scale.width_px:
        return []
    return fence_line(x, height_px, METRICS.row_px)


def fence_line(x: float, height_px: float, apart_px: float) -> list[Shape]:
    """The line at a place, with a barb so many pixels apart."""
    tops = np.arange(apart_px / 2, height_px, apart_px)
    barbs = [Line(((x - _BARB_PX, y + _BARB_PX), (x, y)), FENCE_COLOR, 1.5) for y in tops.tolist()]
    return [Line(((x, 0.0), (x, height_px)), FENCE_COLOR, 1.5), *barbs]


def fence_x(plan: Plan, scale: TimeScale) -> float | None:
    """Where the fence stands; None where nothing is frozen."""
    at = plan.settings.frozen_until
    return None if at is None or plan.clock is Clock.DEVICE else scale.x(at)
