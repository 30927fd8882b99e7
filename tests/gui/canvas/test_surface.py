"""A surface tells its painter what changes, and nothing is drawn otherwise for that."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.canvas.painter import draw
from gui.canvas.shapes import Box, Boxes, Dash, Elbows, Label, Line, Polygon, RoundBoxes, Shape
from gui.theme import LIGHT

CORNERS = ((10.0, 10.0), (50.0, 14.0), (20.0, 60.0))
SHAPES: list[Shape] = [
    Polygon(CORNERS, "accent", "critical"),
    Boxes(((5, 30), (40, 90)), 20, 100, "muted:9"),
    Polygon(CORNERS, "accent", "critical"),
    Label(10, 30, 100, "Frame", "critical", is_bold=True),
    Box(30, 40, 90, 20, "accent:25", "accent", 4, Dash.DASHED, 1.5),
    Label(12, 50, 100, "Roof", "critical"),
    RoundBoxes(np.array([(8.0, 60.0, 70.0), (20.0, 240.0, 92.0)]), np.array([0, 0]), (("compute", "text"),), 18.0),
    Box(8, 72, 100, 20, "accent", "", 4),
    Line(((4.0, 4.0), (100.0, 50.0), (120.0, 50.0)), "accent", 1.0, Dash.DASHED),
    Box(0, 0, 9.4, 180, "stripe"),
    Elbows(np.array([[(3.0, 5.0), (60.0, 5.0), (60.0, 150.0)]]), "link"),
    Polygon(CORNERS, "", "critical"),
    Line(((100.0, 5.0), (100.0, 190.0)), "muted", dash=Dash.DOTTED),
]


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_that_shapes_look_the_same_drawn_together_and_each_on_its_own(qtbot: QtBot, ratio: float) -> None:
    together, apart = (QImage(400, 400, QImage.Format.Format_RGB32) for _ in range(2))
    for image, runs in ((together, [SHAPES]), (apart, [[shape] for shape in SHAPES])):
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        for run in runs:
            draw(painter, run, LIGHT)
        painter.end()
    assert together == apart
