"""Cost and date together: a point for each sample, and where both are kept with a confidence. It never simulates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.model import Ticks
from engine.session.risking import CostAnswers
from gui.canvas.axis import axis_shapes
from gui.canvas.painter import draw, text_width
from gui.canvas.shapes import Align, Box, Dash, Label, Line, Shape
from gui.canvas.time_scale import TimeScale
from gui.theme import LIGHT, METRICS

MOST_POINTS = 600
_LEFT_PX, _RIGHT_PX, _TOP_PX = 76.0, 12.0, 20.0
_POINT_PX = 3.0
_LINES = 4


@dataclass(frozen=True, slots=True)
class Joint:
    """What is drawn: costs and finishes of samples, and the date and cost that are each kept with a confidence."""

    found: CostAnswers
    at: Ticks
    cost: float
    is_calendar: bool
    words: Callable[[float], str]


def joint_scale(joint: Joint, width: float) -> TimeScale:
    """The time that holds all samples that are drawn."""
    finishes = joint.found.finishes
    first, last = int(finishes.min()), max(int(finishes.max()), int(finishes.min()) + 1)
    return TimeScale.fitted(first, last, max(width - _LEFT_PX - _RIGHT_PX, 1.0), joint.is_calendar)


def joint_shapes(joint: Joint, scale: TimeScale, zero: float) -> list[Shape]:
    """Points, of which those within date and cost are darker; lines of both; costs at the left."""
    found = joint.found
    low, high = float(found.costs.min()), float(found.costs.max())
    span = max(high - low, 1e-9)

    def y(cost: float) -> float:
        return zero - (cost - low) / span * (zero - _TOP_PX) if high > low else (zero + _TOP_PX) / 2

    right = _LEFT_PX + scale.width_px
    shapes: list[Shape] = []
    for cost in np.linspace(low, high, _LINES + 1).tolist() if high > low else [low]:
        shapes.append(Line(((_LEFT_PX, y(cost)), (right, y(cost))), "line"))
        place = (0.0, y(cost) - METRICS.tier_text_px, _LEFT_PX - 6)
        text = joint.words(cost)
        shapes.append(Label(*place, text, "muted", Align.RIGHT, px=METRICS.tier_text_px, h=2.0 * METRICS.tier_text_px))
    half = _POINT_PX / 2
    for at, cost in zip(found.finishes[:MOST_POINTS].tolist(), found.costs[:MOST_POINTS].tolist(), strict=True):
        color = "accent:80" if at <= joint.at and cost <= joint.cost else "muted:55"
        shapes.append(Box(_LEFT_PX + scale.x(at) - half, y(cost) - half, _POINT_PX, _POINT_PX, color))
    x = _LEFT_PX + scale.x(joint.at)
    shapes.append(Line(((x, _TOP_PX), (x, zero)), "accent", 1.0, Dash.DASHED))
    shapes.append(Line(((_LEFT_PX, y(joint.cost)), (right, y(joint.cost))), "accent", 1.0, Dash.DASHED))
    return shapes


class CostPanel(QWidget):
    """A sentence about both together, above their picture."""

    def __init__(self) -> None:
        super().__init__()
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.view = JointView()
        down = QVBoxLayout(self)
        pad = 2 * METRICS.grid_px
        down.setContentsMargins(pad, pad, pad, 0)
        down.addWidget(self.words)
        down.addWidget(self.view, 1)

    def show_joint(self, joint: Joint | None, words: str) -> None:
        """Other samples, or none, and what is said of them."""
        self.words.setText(words)
        self.view.show_joint(joint, words)


class JointView(QWidget):
    """Nothing while there is no Joint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.joint: Joint | None = None
        self.setAccessibleName(self.tr("Cost and date of each sample"))

    def show_joint(self, joint: Joint | None, description: str) -> None:
        """Other samples, or none, said in words too."""
        self.joint = joint
        self.setAccessibleDescription(description)
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 100)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.joint is None:
            return
        painter = QPainter(self)
        scale, zero = joint_scale(self.joint, float(self.width())), float(self.height() - METRICS.header_px)
        draw(painter, joint_shapes(self.joint, scale, zero), self.theme)
        painter.translate(_LEFT_PX, zero)
        draw(painter, axis_shapes(scale, self.joint.is_calendar, text_width), self.theme)
        painter.end()
