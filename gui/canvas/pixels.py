"""Pixels: many rectangles of whole device pixels at once, as arrays. It never knows a color, nor what they stand for.

Each is a row of left, top, width and height in device pixels.
"""

from __future__ import annotations

from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from shiboken6 import wrapInstance

Pixels: TypeAlias = NDArray[np.float64]

_NO_PEN = QPen(Qt.PenStyle.NoPen)
# More than a coordinate is ever far from another.
_FAR = 1e7
# Qt hands what is translucent and higher than this to threads of its own, and waits for them: that takes ten times as
# long, and on a busy machine as long as they take to be given a processor.
HIGHEST_PX = 95


def fill_pixels(painter: QPainter, pixels: Pixels, brush: QBrush, ratio: float) -> None:
    """Fills rectangles, at `ratio` device pixels a pixel. Qt reads them where they lie: a list of them takes longer to
    make than to draw."""
    if not len(pixels):
        return
    if not brush.isOpaque():
        pixels = _in_pieces(pixels)
    painter.setPen(_NO_PEN)
    painter.setBrush(brush)
    if ratio == 1.0:  # Qt fills these without a rasterizer
        corners = np.empty((len(pixels), 4), dtype=np.int32)
        corners[:, :2] = pixels[:, :2]
        corners[:, 2:] = pixels[:, :2] + pixels[:, 2:] - 1
        painter.drawRects(cast("QRect", wrapInstance(corners.ctypes.data, QRect)), len(corners))
    else:
        placed = pixels / ratio
        painter.drawRects(cast("QRectF", wrapInstance(placed.ctypes.data, QRectF)), len(placed))


def _in_pieces(pixels: Pixels) -> Pixels:
    """The same pixels in rectangles that are no higher than Qt fills at once."""
    if pixels[:, 3].max() <= HIGHEST_PX:
        return pixels
    many = np.maximum(np.ceil(pixels[:, 3] / HIGHEST_PX), 1).astype(np.intp)
    pieces = np.repeat(pixels, many, axis=0)
    shift = (np.arange(len(pieces)) - np.repeat(np.cumsum(many) - many, many)) * HIGHEST_PX
    pieces[:, 1] += shift
    pieces[:, 3] = np.minimum(pieces[:, 3] - shift, HIGHEST_PX)
    return pieces


def segments(points: NDArray[np.float64], thick: int) -> Pixels:
    """The segments of level and upright runs through (run, point, x or y) in device pixels, so many pixels thick; each
    leaves out the corner where it starts."""
    shift, half = 0.5 if thick % 2 else 0.0, thick / 2
    places = np.round(points - shift) + shift
    along = np.sign(np.diff(places, axis=1))
    is_seen = along.any(axis=2)
    is_later = np.cumsum(is_seen, axis=1) > 1
    along, later = along[is_seen], is_later[is_seen][:, None]
    start = places[:, :-1][is_seen] + np.where(later, half, -half) * along
    end, across = places[:, 1:][is_seen] + half * along, half * (along == 0)
    first = np.minimum(start, end) - across
    return np.hstack((first, np.maximum(start, end) + across - first))


def joined(pixels: Pixels, thick: int) -> Pixels:
    """The same pixels in fewer rectangles, of segments so many pixels thick: those that meet lengthwise are one."""
    is_upright = pixels[:, 2] == thick
    uprights, levels = pixels[is_upright], pixels[~is_upright]
    return np.concatenate((_joined(uprights, 0), _joined(levels, 1)))


def _joined(pixels: Pixels, across: int) -> Pixels:
    """Of segments that run down (`across` 0) or to the side (1)."""
    along = 1 - across
    ranked = pixels[np.lexsort((pixels[:, along], pixels[:, across]))]
    lane = ranked[:, across] * _FAR
    reach = np.maximum.accumulate(lane + ranked[:, along] + ranked[:, along + 2])
    is_first = np.ones(len(ranked), dtype=np.bool_)
    is_first[1:] = lane[1:] + ranked[1:, along] > reach[:-1]
    places = np.flatnonzero(is_first)
    found = ranked[places]
    last = np.append(places[1:], len(ranked)) - 1 if len(places) else places
    found[:, along + 2] = reach[last] - lane[places] - found[:, along]
    return found
