"""Hatching: a box with slanting lines, told apart without its color. It never knows what it stands for."""

from __future__ import annotations

from gui.canvas.shapes import Box, Line, Shape

_APART_PX = 5.0


def hatched(box: tuple[float, float, float, float], color: str, percent: int = 45) -> list[Shape]:
    """A box (left, right, top, bottom) filled with so many percent of a color and hatched in it."""
    left, right, top, bottom = box
    height = bottom - top
    shapes: list[Shape] = [Box(left, top, right - left, height, f"{color}:{percent}", color)]
    x = left + _APART_PX
    while x < right + height:
        low, high = (x - height, bottom), (x, top)
        if low[0] < left:
            low = (left, top + (x - left))
        if high[0] > right:
            high = (right, top + (x - right))
        if high[0] > low[0]:
            shapes.append(Line((low, high), color, 1.0))
        x += _APART_PX
    return shapes
