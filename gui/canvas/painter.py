"""Painter: draws shapes with Qt. The only place that makes colors, pens and fonts; it never decides what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray
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

from gui.canvas.shapes import Align, Box, Boxes, Dash, Elbows, Label, Labels, Line, Polygon, RoundBoxes, Shape
from gui.theme import FONT_FAMILIES, METRICS, Theme

# In units of the pen's width.
_DASH = {Dash.DASHED: [4.0, 2.0], Dash.DOTTED: [1.0, 1.0]}
_BREAKS = re.compile(r"\s*[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
# Boxes up to this many device pixels wide are kept whole.
_KEPT_PX = 192
_SMOOTH = QPainter.RenderHint.Antialiasing
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
    ratio = painter.device().devicePixelRatioF()
    # Plain rectangles are on whole device pixels; smoothed, a rounding error at 150 % would leave a seam.
    painter.setRenderHint(_SMOOTH, False)
    for shape in shapes:
        if isinstance(shape, Box):
            _draw_box(painter, shape, theme, ratio)
        elif isinstance(shape, Boxes):
            _draw_boxes(painter, shape, theme, ratio)
        elif isinstance(shape, RoundBoxes):
            _draw_round_boxes(painter, shape, theme, ratio)
        elif isinstance(shape, Label):
            _draw_label(painter, shape, theme)
        elif isinstance(shape, Labels):
            _draw_labels(painter, shape, theme)
        elif isinstance(shape, Line):
            _draw_line(painter, shape, theme, ratio)
        elif isinstance(shape, Elbows):
            _draw_elbows(painter, shape, theme, ratio)
        else:
            _draw_polygon(painter, shape, theme)


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


def _draw_box(painter: QPainter, box: Box, theme: Theme, ratio: float) -> None:
    left, top = round(box.x * ratio) / ratio, round(box.y * ratio) / ratio
    right, bottom = round((box.x + box.w) * ratio) / ratio, round((box.y + box.h) * ratio) / ratio
    rect = QRectF(left, top, max(right - left, 1 / ratio), max(bottom - top, 1 / ratio))
    if not box.outline and not box.radius:
        painter.fillRect(rect, _brush(theme, box.fill))
    elif box.dash is Dash.SOLID and rect.width() > 2 * _cap_px(box):
        _draw_stretched(painter, box, rect, theme, ratio)
    else:
        _draw_frame(painter, box, rect, theme)


def _draw_boxes(painter: QPainter, boxes: Boxes, theme: Theme, ratio: float) -> None:
    top, least = round(boxes.y * ratio) / ratio, 1 / ratio
    high = max(round((boxes.y + boxes.h) * ratio) / ratio - top, least)
    edges = ((round(left * ratio) / ratio, round(right * ratio) / ratio) for left, right in boxes.spans)
    painter.setPen(_NO_PEN)
    painter.setBrush(_brush(theme, boxes.fill))
    painter.drawRects([QRectF(left, top, max(right - left, least), high) for left, right in edges])


def _draw_round_boxes(painter: QPainter, boxes: RoundBoxes, theme: Theme, ratio: float) -> None:
    """Each as one picture that is kept of its look and size; what is too wide for that, or all edge, on its own."""
    least = 2 * ratio + 1
    left, right, top = boxes.edges.T
    radius = np.minimum(METRICS.radius_px, np.maximum(right - left, 0) // 4)
    device = np.round(np.column_stack((left, top, right, top + boxes.h)) * ratio).astype(np.int64)
    size = np.maximum(device[:, 2:] - device[:, :2], 1)
    columns = (device[:, 0], device[:, 1], boxes.look_of, radius.astype(np.int64), size[:, 0], size[:, 1])
    known: dict[tuple[int, ...], QPixmap] = {}
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    for x, y, *kind in zip(*(each.tolist() for each in columns), strict=True):
        look, corner, wide, high = kind
        if wide > _KEPT_PX or (wide < least and boxes.looks[look][1]):
            painter.scale(ratio, ratio)
            fill, outline = boxes.looks[look]
            box = Box(x / ratio, y / ratio, wide / ratio, high / ratio, fill, outline, corner, boxes.dash)
            _draw_box(painter, box, theme, ratio)
            painter.scale(1 / ratio, 1 / ratio)
            continue
        picture = known.get(key := (look, corner, wide, high))
        if picture is None:
            picture = known[key] = _whole(theme, (*boxes.looks[look], corner, boxes.dash), (wide, high), ratio)
        painter.drawPixmap(x, y, picture)
    painter.restore()


@lru_cache(maxsize=2048)
def _whole(theme: Theme, look: tuple[str, str, int, Dash], size: tuple[int, int], ratio: float) -> QPixmap:
    """A box in device pixels; `look` is fill, outline, radius and dash."""
    picture = QPixmap(*size)
    picture.fill(Qt.GlobalColor.transparent)
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    box = Box(0, 0, size[0] / ratio, size[1] / ratio, *look)
    _draw_frame(painter, box, QRectF(0, 0, box.w, box.h), theme)
    painter.end()
    picture.setDevicePixelRatio(1.0)
    return picture


def _draw_frame(painter: QPainter, box: Box, rect: QRectF, theme: Theme) -> None:
    painter.setRenderHint(_SMOOTH, True)
    painter.setPen(_NO_PEN)
    painter.setBrush(_brush(theme, box.fill) if box.fill else _NO_BRUSH)
    radius = min(box.radius, rect.width() / 2, rect.height() / 2)
    if box.outline:
        half = box.width / 2
        painter.setPen(_pen(theme, box.outline, box.width, box.dash))
        rect = rect.adjusted(half, half, -half, -half)
    if radius > 0:
        painter.drawRoundedRect(rect, radius, radius)
    else:
        painter.drawRect(rect)
    painter.setRenderHint(_SMOOTH, False)


def _draw_stretched(painter: QPainter, box: Box, rect: QRectF, theme: Theme, ratio: float) -> None:
    """Both ends from a picture kept, the middle as plain rectangles: ten times as fast as a rounded rectangle."""
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
    _draw_frame(painter, box, QRectF(0, 0, size, height), theme)
    painter.end()
    return picture


@lru_cache(maxsize=64)
def _dots(theme: Theme, token: str, ratio: float) -> QBrush:
    """A brush of dots one logical pixel wide and one apart."""
    side = max(round(ratio), 1)
    picture = QPixmap(2 * side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.fillRect(0, 0, side, side, color(theme, token))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return QBrush(picture)


def _draw_line(painter: QPainter, line: Line, theme: Theme, ratio: float) -> None:
    points = line.points
    if (
        len(points) == 2
        and line.dash is not Dash.DASHED
        and (points[0][0] == points[1][0] or points[0][1] == points[1][1])
    ):
        is_dotted = line.dash is Dash.DOTTED
        painter.fillRect(_bar(line, ratio), _dots(theme, line.color, ratio) if is_dotted else _brush(theme, line.color))
        return
    painter.setPen(_pen(theme, line.color, line.width, line.dash))
    if all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points)):
        # A line of n device pixels is sharp when its middle lies on (n odd) half or (n even) whole device pixels.
        shift = 0.5 if round(line.width * ratio) % 2 else 0.0
        points = tuple(
            ((round(x * ratio - shift) + shift) / ratio, (round(y * ratio - shift) + shift) / ratio) for x, y in points
        )
    painter.setRenderHint(_SMOOTH, True)
    painter.drawPolyline([QPointF(x, y) for x, y in points])
    painter.setRenderHint(_SMOOTH, False)


def _draw_elbows(painter: QPainter, elbows: Elbows, theme: Theme, ratio: float) -> None:
    painter.setPen(_NO_PEN)
    painter.setBrush(_brush(theme, elbows.color))
    painter.drawRects([QRectF(*each) for each in (_segments(elbows, ratio) / ratio).tolist()])


def _segments(elbows: Elbows, ratio: float) -> NDArray[np.float64]:
    """(left, top, width, height) of each segment in whole device pixels; each leaves out the corner where it starts."""
    thick = max(round(elbows.width * ratio), 1)
    shift, half = 0.5 if thick % 2 else 0.0, thick / 2
    places = np.round(elbows.points * ratio - shift) + shift
    along = np.sign(np.diff(places, axis=1))
    is_seen = along.any(axis=2)
    is_later = np.cumsum(is_seen, axis=1) > 1
    along, later = along[is_seen], is_later[is_seen][:, None]
    start = places[:, :-1][is_seen] + np.where(later, half, -half) * along
    end, across = places[:, 1:][is_seen] + half * along, half * (along == 0)
    first = np.minimum(start, end) - across
    return np.hstack((first, np.maximum(start, end) + across - first))


def _bar(line: Line, ratio: float) -> QRectF:
    """A level or upright line as the rectangle of whole device pixels that it covers."""
    (x0, y0), (x1, y1) = line.points
    thick = max(round(line.width * ratio), 1)
    x0, x1, y0, y1 = min(x0, x1) * ratio, max(x0, x1) * ratio, min(y0, y1) * ratio, max(y0, y1) * ratio
    if y0 == y1:
        left, top, right = round(x0), round(y0 - thick / 2), round(x1)
        return QRectF(left / ratio, top / ratio, (right - left) / ratio, thick / ratio)
    left, top, bottom = round(x0 - thick / 2), round(y0), round(y1)
    return QRectF(left / ratio, top / ratio, thick / ratio, (bottom - top) / ratio)


def _draw_polygon(painter: QPainter, polygon: Polygon, theme: Theme) -> None:
    painter.setBrush(_brush(theme, polygon.fill) if polygon.fill else _NO_BRUSH)
    outline = _pen(theme, polygon.outline, polygon.width, Dash.SOLID) if polygon.outline else _NO_PEN
    painter.setPen(outline)
    painter.setRenderHint(_SMOOTH, True)
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in polygon.points]))
    painter.setRenderHint(_SMOOTH, False)


def _draw_labels(painter: QPainter, labels: Labels, theme: Theme) -> None:
    px, metrics = labels.px, _font_metrics(labels.px, False)
    painter.setFont(font(px))
    painter.setPen(_pen(theme, labels.color, 1.0, Dash.SOLID))
    down = labels.h / 2 + _middle(px, False)
    ascent = metrics.ascent()
    for x, y, text in labels.texts:
        if text.isascii():
            painter.drawStaticText(QPointF(x, y + down - ascent), _set(text, px, False, False))
        else:
            painter.drawText(QPointF(x, y + down), in_one_line(text))


def _draw_label(painter: QPainter, label: Label, theme: Theme) -> None:
    painter.setFont(font(label.px, label.is_bold, label.is_italic))
    painter.setPen(_pen(theme, label.color, 1.0, Dash.SOLID))
    room = 0.0 if label.align is Align.LEFT else label.w - text_width(label.text, label.px, label.is_bold)
    x = label.x + (room / 2 if label.align is Align.CENTER else room)
    baseline = label.y + label.h / 2 + _middle(label.px, label.is_bold)
    if label.text.isascii():
        top = baseline - _font_metrics(label.px, label.is_bold).ascent()
        painter.drawStaticText(QPointF(x, top), _set(label.text, label.px, label.is_bold, label.is_italic))
    else:  # letters of another font may be higher, and a static text stands by its upper edge
        painter.drawText(QPointF(x, baseline), in_one_line(label.text))


@lru_cache(maxsize=4096)
def _set(text: str, px: int, is_bold: bool, is_italic: bool) -> QStaticText:
    """A text with the places of its letters found: they are drawn twice as fast again."""
    made = QStaticText(in_one_line(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(QTransform(), font(px, is_bold, is_italic))
    return made


@lru_cache(maxsize=16)
def _middle(px: int, is_bold: bool) -> float:
    """How far the baseline lies under the middle of a line."""
    metrics = _font_metrics(px, is_bold)
    return (metrics.ascent() - metrics.descent()) / 2
