"""Painter: draws shapes with Qt. The only place that makes colors, pens and fonts; it never decides what is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QPolygonF,
    QStaticText,
    QTransform,
)

from gui.canvas.pixels import HIGHEST_PX, Pixels, joined, segments
from gui.canvas.shapes import Align, Box, Boxes, Dash, Elbows, Label, Labels, Line, Point, Polygon, RoundBoxes, Shape
from gui.canvas.surface import Surface
from gui.theme import FONT_FAMILIES, METRICS, Theme

# In units of the pen's width.
_DASH = {Dash.DASHED: [4.0, 2.0], Dash.DOTTED: [1.0, 1.0]}
_BREAKS = re.compile(r"\s*[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
# Boxes up to this many device pixels wide are kept whole.
_KEPT_PX = 192
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)


@lru_cache(maxsize=512)
def color(theme: Theme, token: str) -> QColor:
    """The color of a token such as "accent" or "accent:25"."""
    made = QColor(theme.color(token))
    _, _, opacity = token.partition(":")
    if opacity:
        made.setAlphaF(int(opacity) / 100)
    return made


@lru_cache(maxsize=64)
def font(px: int = METRICS.text_px, is_bold: bool = False, is_italic: bool = False) -> QFont:
    """The window's font, with figures of one width."""
    made = QFont(list(FONT_FAMILIES))
    made.setPixelSize(px)
    made.setBold(is_bold)
    made.setItalic(is_italic)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def in_one_line(text: str) -> str:
    """The text with a space for each line break or tab, which would be drawn as nothing and join two words."""
    return text if text.isprintable() else _BREAKS.sub(" ", text)


@lru_cache(maxsize=16_384)
def text_width(text: str, px: int = METRICS.text_px, is_bold: bool = False) -> float:
    """Width of a text in logical pixels."""
    return _font_metrics(px, is_bold).horizontalAdvance(in_one_line(text))


@lru_cache(maxsize=16_384)
def elided(text: str, width: int, px: int = METRICS.text_px, is_bold: bool = False) -> str:
    """The text, or as many of its letters as fit a width in logical pixels, and "…"."""
    return _font_metrics(px, is_bold).elidedText(in_one_line(text), Qt.TextElideMode.ElideRight, width)


def draw(painter: QPainter, shapes: Iterable[Shape], theme: Theme) -> None:
    """Draws shapes in their order. The painter's transform must be a plain shift by whole device pixels."""
    surface = Surface(painter, theme)
    for shape in shapes:
        _DRAWN[type(shape)](surface, shape)
    surface.smooth(False)


@lru_cache(maxsize=16)
def _font_metrics(px: int, is_bold: bool) -> QFontMetricsF:
    return QFontMetricsF(font(px, is_bold))


@lru_cache(maxsize=512)
def _brush(theme: Theme, token: str) -> QBrush:
    return QBrush(color(theme, token))


@lru_cache(maxsize=512)
def _pen(theme: Theme, token: str, width: float, dash: Dash) -> QPen:
    made = QPen(color(theme, token), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash is not Dash.SOLID:
        made.setDashPattern(_DASH[dash])
    return made


def _draw_box(surface: Surface, box: Box) -> None:
    ratio = surface.ratio
    left, top = round(box.x * ratio), round(box.y * ratio)
    right, bottom = round((box.x + box.w) * ratio), round((box.y + box.h) * ratio)
    if not box.outline and not box.radius:
        pixels = (left, top, max(right - left, 1), max(bottom - top, 1))
        _fill(surface, pixels, _brush(surface.theme, box.fill))
        return
    x, y, least = left / ratio, top / ratio, 1 / ratio
    rect = QRectF(x, y, max(right / ratio - x, least), max(bottom / ratio - y, least))
    if box.dash is Dash.SOLID and rect.width() > 2 * _cap_px(box):
        _draw_stretched(surface, box, rect)
    else:
        _draw_frame(surface, box, rect)


def _fill(surface: Surface, pixels: tuple[int, int, int, int], brush: QBrush) -> None:
    """A rectangle of whole device pixels: left, top, width, height."""
    surface.smooth(False)  # or a rounding error at 150 % would leave a seam
    if pixels[3] > HIGHEST_PX:
        surface.fill(np.array([pixels], dtype=np.float64), brush)
    elif surface.ratio == 1.0:
        surface.painter.fillRect(*pixels, brush)
    else:
        surface.painter.fillRect(QRectF(*(each / surface.ratio for each in pixels)), brush)


def _draw_boxes(surface: Surface, boxes: Boxes) -> None:
    ratio = surface.ratio
    spans = np.round(np.array(boxes.spans, dtype=np.float64).reshape(-1, 2) * ratio)
    top, bottom = round(boxes.y * ratio), round((boxes.y + boxes.h) * ratio)
    pixels = np.empty((len(spans), 4))
    pixels[:, 0], pixels[:, 1], pixels[:, 3] = spans[:, 0], top, max(bottom - top, 1)
    np.maximum(spans[:, 1] - spans[:, 0], 1.0, out=pixels[:, 2])
    surface.fill(pixels, _brush(surface.theme, boxes.fill))


def _draw_round_boxes(surface: Surface, boxes: RoundBoxes) -> None:
    """Each as one picture that is kept of its look and size; what is too wide for that, or all edge, on its own."""
    painter, ratio = surface.painter, surface.ratio
    least = 2 * ratio + 1
    left, right, top = boxes.edges.T
    radius = np.minimum(METRICS.radius_px, np.maximum(right - left, 0) // 4)
    device = np.round(np.column_stack((left, top, right, top + boxes.h)) * ratio).astype(np.int64)
    size = np.maximum(device[:, 2:] - device[:, :2], 1)
    columns = (device[:, 0], device[:, 1], boxes.look_of, radius.astype(np.int64), size[:, 0], size[:, 1])
    known: dict[tuple[int, ...], QPixmap] = {}
    surface.smooth(False)
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    for x, y, *kind in zip(*(each.tolist() for each in columns), strict=True):
        look, corner, wide, high = kind
        if wide > _KEPT_PX or (wide < least and boxes.looks[look][1]):
            painter.scale(ratio, ratio)
            fill, outline = boxes.looks[look]
            box = Box(x / ratio, y / ratio, wide / ratio, high / ratio, fill, outline, corner, boxes.dash)
            _draw_box(surface, box)
            surface.smooth(False)
            painter.scale(1 / ratio, 1 / ratio)
            continue
        picture = known.get(key := (look, corner, wide, high))
        if picture is None:
            whole = (*boxes.looks[look], corner, boxes.dash)
            picture = known[key] = _whole(surface.theme, whole, (wide, high), ratio)
        painter.drawPixmap(x, y, picture)
    painter.restore()
    surface.forget()


@lru_cache(maxsize=2048)
def _whole(theme: Theme, look: tuple[str, str, int, Dash], size: tuple[int, int], ratio: float) -> QPixmap:
    """A box in device pixels; `look` is fill, outline, radius and dash."""
    picture = QPixmap(*size)
    picture.fill(Qt.GlobalColor.transparent)
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    box = Box(0, 0, size[0] / ratio, size[1] / ratio, *look)
    _draw_frame(Surface(painter, theme), box, QRectF(0, 0, box.w, box.h))
    painter.end()
    picture.setDevicePixelRatio(1.0)
    return picture


def _draw_frame(surface: Surface, box: Box, rect: QRectF) -> None:
    painter, theme = surface.painter, surface.theme
    surface.smooth(True)
    surface.paint(_brush(theme, box.fill) if box.fill else _NO_BRUSH)
    radius = min(box.radius, rect.width() / 2, rect.height() / 2)
    if box.outline:
        half = box.width / 2
        surface.outline(_pen(theme, box.outline, box.width, box.dash))
        rect = rect.adjusted(half, half, -half, -half)
    else:
        surface.outline(_NO_PEN)
    if radius > 0:
        painter.drawRoundedRect(rect, radius, radius)
    else:
        painter.drawRect(rect)


def _draw_stretched(surface: Surface, box: Box, rect: QRectF) -> None:
    """Both ends from a picture kept, the middle as plain rectangles: ten times as fast as a rounded rectangle."""
    painter, theme, ratio = surface.painter, surface.theme, surface.ratio
    surface.smooth(False)
    cap = float(_cap_px(box))
    look = (box.fill, box.outline, box.radius, box.width)
    picture = _caps(theme, look, rect.height(), ratio)
    side = cap * ratio
    high = rect.height() * ratio
    painter.drawPixmap(QRectF(rect.x(), rect.y(), cap, rect.height()), picture, QRectF(0, 0, side, high))
    end = QRectF(rect.right() - cap, rect.y(), cap, rect.height())
    painter.drawPixmap(end, picture, QRectF(side, 0, side, high))
    middle = rect.adjusted(cap, 0, -cap, 0)
    if box.outline:
        edge = _brush(theme, box.outline)
        painter.fillRect(QRectF(middle.x(), middle.y(), middle.width(), box.width), edge)
        painter.fillRect(QRectF(middle.x(), middle.bottom() - box.width, middle.width(), box.width), edge)
        middle.adjust(0, box.width, 0, -box.width)
    if box.fill:
        painter.fillRect(middle, _brush(theme, box.fill))


def _cap_px(box: Box) -> int:
    return ceil(max(box.radius, box.width)) + 1


@lru_cache(maxsize=512)
def _caps(theme: Theme, look: tuple[str, str, float, float], height: float, ratio: float) -> QPixmap:
    """A box of the least width, its two ends side by side. `look` is fill, outline, radius and width of the outline."""
    fill, outline, radius, width = look
    box = Box(0, 0, 0, height, fill, outline, radius, width=width)
    size = 2 * _cap_px(box)
    picture = QPixmap(round(size * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    _draw_frame(Surface(painter, theme), box, QRectF(0, 0, size, height))
    painter.end()
    return picture


@lru_cache(maxsize=64)
def _dots(theme: Theme, token: str, ratio: float, *, is_upright: bool) -> QBrush:
    """A brush of dots one logical pixel wide and one apart, along a level line or an upright one."""
    side = max(round(ratio), 1)
    picture = QPixmap(side, 2 * side) if is_upright else QPixmap(2 * side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.fillRect(0, 0, side, side, color(theme, token))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return QBrush(picture)


def _draw_line(surface: Surface, line: Line) -> None:
    points, theme, ratio = line.points, surface.theme, surface.ratio
    is_straight = len(points) == 2 and (points[0][0] == points[1][0] or points[0][1] == points[1][1])
    if is_straight and line.dash is not Dash.DASHED:
        is_dotted = line.dash is Dash.DOTTED
        is_upright = points[0][0] == points[1][0]
        brush = _dots(theme, line.color, ratio, is_upright=is_upright) if is_dotted else _brush(theme, line.color)
        _fill(surface, _bar(line, ratio), brush)
        return
    surface.outline(_pen(theme, line.color, line.width, line.dash))
    if all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points)):
        # A line of n device pixels is sharp when its middle lies on (n odd) half or (n even) whole device pixels.
        shift = 0.5 if round(line.width * ratio) % 2 else 0.0
        points = tuple(
            ((round(x * ratio - shift) + shift) / ratio, (round(y * ratio - shift) + shift) / ratio) for x, y in points
        )
    surface.smooth(True)
    surface.painter.drawPolyline([QPointF(x, y) for x, y in points])


def _draw_elbows(surface: Surface, elbows: Elbows) -> None:
    surface.fill(_pixels(elbows, surface.ratio), _brush(surface.theme, elbows.color))


@lru_cache(maxsize=8)
def _pixels(elbows: Elbows, ratio: float) -> Pixels:
    """Each segment in whole device pixels; those of an opaque color that cover each other are one."""
    thick = max(round(elbows.width * ratio), 1)
    found = segments(elbows.points * ratio, thick)
    return found if ":" in elbows.color else joined(found, thick)


def _bar(line: Line, ratio: float) -> tuple[int, int, int, int]:
    """A level or upright line as the rectangle of whole device pixels that it covers."""
    (x0, y0), (x1, y1) = line.points
    thick = max(round(line.width * ratio), 1)
    x0, x1, y0, y1 = min(x0, x1) * ratio, max(x0, x1) * ratio, min(y0, y1) * ratio, max(y0, y1) * ratio
    if y0 == y1:
        left, top, right = round(x0), round(y0 - thick / 2), round(x1)
        return left, top, right - left, thick
    left, top, bottom = round(x0 - thick / 2), round(y0), round(y1)
    return left, top, thick, bottom - top


def _draw_polygon(surface: Surface, polygon: Polygon) -> None:
    theme = surface.theme
    surface.paint(_brush(theme, polygon.fill) if polygon.fill else _NO_BRUSH)
    surface.outline(_pen(theme, polygon.outline, polygon.width, Dash.SOLID) if polygon.outline else _NO_PEN)
    surface.smooth(True)
    surface.painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in polygon.points]))


def _draw_labels(surface: Surface, labels: Labels) -> None:
    for x, y, text in labels.texts:
        _write(surface, (x, y + labels.h / 2), text, labels.color, (labels.px, False, False))


def _draw_label(surface: Surface, label: Label) -> None:
    x, y, w, text, token, align, is_bold, is_italic, px, h = label
    if align is not Align.LEFT:
        room = w - text_width(text, px, is_bold)
        x += room / 2 if align is Align.CENTER else room
    _write(surface, (x, y + h / 2), text, token, (px, is_bold, is_italic))


def _write(surface: Surface, at: Point, text: str, token: str, look: tuple[int, bool, bool]) -> None:
    """A text from a place on, in the middle of its height."""
    (x, middle), face = at, _face(*look)
    surface.write(face.font)
    surface.outline(_pen(surface.theme, token, 1.0, Dash.SOLID))
    if text.isascii():
        surface.painter.drawStaticText(QPointF(x, middle + face.middle - face.ascent), _set(text, *look))
    else:  # letters of another font may be higher, and a static text stands by its upper edge
        surface.painter.drawText(QPointF(x, middle + face.middle), in_one_line(text))


@lru_cache(maxsize=4096)
def _set(text: str, px: int, is_bold: bool, is_italic: bool) -> QStaticText:
    """A text with the places of its letters found: they are drawn twice as fast again."""
    made = QStaticText(in_one_line(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(QTransform(), font(px, is_bold, is_italic))
    return made


class _Face(NamedTuple):
    """A font, how far its letters stand above the baseline, and that under the middle of a line."""

    font: QFont
    ascent: float
    middle: float


@lru_cache(maxsize=64)
def _face(px: int, is_bold: bool, is_italic: bool) -> _Face:
    metrics = _font_metrics(px, is_bold)
    return _Face(font(px, is_bold, is_italic), metrics.ascent(), (metrics.ascent() - metrics.descent()) / 2)


# Each is called with a shape of its own kind.
_DRAWN: dict[type[Shape], Callable[[Surface, Any], None]] = {
    Box: _draw_box,
    Boxes: _draw_boxes,
    RoundBoxes: _draw_round_boxes,
    Label: _draw_label,
    Labels: _draw_labels,
    Line: _draw_line,
    Elbows: _draw_elbows,
    Polygon: _draw_polygon,
}
