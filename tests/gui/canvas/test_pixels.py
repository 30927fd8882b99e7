"""Rectangles of whole device pixels: joined they cover what they covered, and they are filled at every ratio."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.canvas.pixels import Pixels, fill_pixels, joined, segments

INK = QColor("#204060")


def covered(pixels: Pixels) -> np.ndarray:
    found = np.zeros((80, 80), dtype=np.bool_)
    for left, top, wide, high in pixels.astype(int).tolist():
        found[top : top + high, left : left + wide] = True
    return found


def runs(seed: int, many: int) -> np.ndarray:
    """Runs that go across, down and across again, many of them through the same columns and rows."""
    places = np.random.default_rng(seed).integers(1, 12, (many, 7, 2)) * 6.0
    places[:, 1::2, 1], places[:, 2::2, 0] = places[:, :-1:2, 1], places[:, 1:-1:2, 0]
    return places


@pytest.mark.parametrize("thick", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_that_joined_segments_cover_the_same_pixels(seed: int, thick: int) -> None:
    found = segments(runs(seed, 30), thick)
    fewer = joined(found, thick)
    assert covered(fewer).tolist() == covered(found).tolist()
    assert len(fewer) < len(found) / 2


def test_that_segments_beside_each_other_stay_apart() -> None:
    apart = np.array([(4, 0, 1, 5), (4, 7, 1, 5), (5, 0, 1, 5), (0, 20, 9, 1), (0, 21, 9, 1)], dtype=np.float64)
    assert sorted(joined(apart, 1).tolist()) == sorted(apart.tolist())


def test_that_nothing_is_joined_to_nothing() -> None:
    assert joined(np.empty((0, 4)), 1).shape == (0, 4)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("color", [INK, QColor(32, 64, 96, 60)])
def test_that_rectangles_fill_the_pixels_that_they_name(qtbot: QtBot, ratio: float, color: QColor) -> None:
    image = QImage(80, 80, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    rectangles = np.array([(3, 5, 20, 1), (40, 2, 1, 70), (50, 50, 7, 9)], dtype=np.float64)
    painter = QPainter(image)
    fill_pixels(painter, rectangles, QBrush(color), ratio)
    fill_pixels(painter, np.empty((0, 4)), QBrush(color), ratio)
    painter.end()
    white = QColor("white").rgba()
    found = [[image.pixel(x, y) != white for x in range(80)] for y in range(80)]
    assert found == covered(rectangles).tolist()


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_that_what_is_translucent_and_high_is_blended_once_everywhere(qtbot: QtBot, ratio: float) -> None:
    color, rectangles = QColor(32, 64, 96, 60), [(3, 5, 20, 95), (30, 1, 2, 96), (40, 2, 9, 380), (60, 7, 1, 191)]
    images = [QImage(80, 400, QImage.Format.Format_ARGB32_Premultiplied) for _ in range(2)]
    for image in images:
        image.fill(Qt.GlobalColor.white)
    one, other = images
    plain = QPainter(one)
    for rectangle in rectangles:
        plain.fillRect(*rectangle, color)
    plain.end()
    other.setDevicePixelRatio(ratio)
    painter = QPainter(other)
    fill_pixels(painter, np.array(rectangles, dtype=np.float64), QBrush(color), ratio)
    painter.end()
    other.setDevicePixelRatio(1.0)
    assert one == other
