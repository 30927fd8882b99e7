"""Vector drawing: shapes as lines and letters of any size, for paper. It never rounds to pixels."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen, QPolygonF

from gui.canvas.painter import color, font, in_one_line, text_width
from gui.canvas.shapes import Align, Box, Boxes, Dash, Elbows, Label, Labels, Line, Polygon, RoundBoxes, Shape
from gui.theme import Theme

_DASHES = {Dash.DASHED: [4.0, 2.0], Dash.DOTTED: [1.0, 1.5]}
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)


def draw_vector(painter: QPainter, shapes: Iterable[Shape], theme: Theme) -> None:
    """Draws shapes in their order, under any transform."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for shape in shapes:
        if isinstance(shape, Box):
            _box(painter, shape, theme)
        elif isinstance(shape, RoundBoxes):
            for box in shape.boxes():
                _box(painter, box, theme)
        elif isinstance(shape, Boxes):
            painter.setPen(_NO_PEN)
            painter.setBrush(color(theme, shape.fill))
            painter.drawRects([QRectF(left, shape.y, right - left, shape.h) for left, right in shape.spans])
        elif isinstance(shape, Line | Elbows):
            for line in shape.lines() if isinstance(shape, Elbows) else (shape,):
                painter.setPen(_pen(theme, line.color, line.width, line.dash))
                painter.drawPolyline([QPointF(x, y) for x, y in line.points])
        elif isinstance(shape, Polygon):
            _polygon(painter, shape, theme)
        else:
            for label in shape.labels() if isinstance(shape, Labels) else (shape,):
                _label(painter, label, theme)


def _box(painter: QPainter, box: Box, theme: Theme) -> None:
    rect = QRectF(box.x, box.y, box.w, box.h)
    painter.setPen(_NO_PEN)
    painter.setBrush(color(theme, box.fill) if box.fill else _NO_BRUSH)
    if box.outline:
        half = min(box.width, box.w, box.h) / 2
        painter.setPen(_pen(theme, box.outline, box.width, box.dash))
        rect = rect.adjusted(half, half, -half, -half)
    radius = min(box.radius, rect.width() / 2, rect.height() / 2)
    if radius > 0:
        painter.drawRoundedRect(rect, radius, radius)
    else:
        painter.drawRect(rect)


def _polygon(painter: QPainter, polygon: Polygon, theme: Theme) -> None:
    painter.setPen(_pen(theme, polygon.outline, polygon.width, Dash.SOLID) if polygon.outline else _NO_PEN)
    painter.setBrush(color(theme, polygon.fill) if polygon.fill else _NO_BRUSH)
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in polygon.points]))


def _label(painter: QPainter, label: Label, theme: Theme) -> None:
    chosen = font(label.px, label.is_bold, label.is_italic)
    metrics = QFontMetricsF(chosen)
    room = 0.0 if label.align is Align.LEFT else label.w - text_width(label.text, label.px, label.is_bold)
    x = label.x + (room / 2 if label.align is Align.CENTER else room)
    painter.setFont(chosen)
    painter.setPen(color(theme, label.color))
    painter.drawText(
        QPointF(x, label.y + label.h / 2 + (metrics.ascent() - metrics.descent()) / 2), in_one_line(label.text)
    )


def _pen(theme: Theme, token: str, width: float, dash: Dash) -> QPen:
    made = QPen(color(theme, token), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash is not Dash.SOLID:
        made.setDashPattern(_DASHES[dash])
    return made
