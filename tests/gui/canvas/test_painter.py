"""The painter: colors on whole device pixels, at one and at two device pixels a pixel."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.canvas.painter import color, draw, elided, font, in_one_line, text_width
from gui.canvas.shapes import Align, Box, Dash, Elbows, Label, Labels, Line, Polygon, RoundBoxes, Shape
from gui.theme import DARK, LIGHT

RATIOS = pytest.mark.parametrize("ratio", [1.0, 2.0, 3.0], ids=["100 %", "200 %", "300 %"])


def picture(shapes: list[Shape], ratio: float = 1.0) -> QImage:
    image = QImage(round(60 * ratio), round(40 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    draw(painter, shapes, LIGHT)
    painter.end()
    return image


def columns(image: QImage, y: int) -> list[int]:
    """Pixels of a row that are not white."""
    return [x for x in range(image.width()) if image.pixelColor(x, y) != QColor("white")]


@RATIOS
def test_that_a_box_covers_whole_pixels_in_its_color(qtbot: QtBot, ratio: float) -> None:
    image = picture([Box(10.3, 10.2, 20.4, 5, "copy_in")], ratio)
    middle = round(12 * ratio)
    assert columns(image, middle) == list(range(round(10.3 * ratio), round(30.7 * ratio)))
    assert {image.pixelColor(x, middle).name().upper() for x in columns(image, middle)} == {LIGHT.copy_in}


@RATIOS
@pytest.mark.parametrize("y", [10.0, 10.5, 11.0])
def test_that_a_level_line_is_one_sharp_pixel(qtbot: QtBot, ratio: float, y: float) -> None:
    image = picture([Line(((0, y), (60, y)), "text")], ratio)
    colors = [image.pixelColor(5, row).name().upper() for row in range(image.height())]
    assert colors.count(LIGHT.text) == ratio
    assert set(colors) == {LIGHT.text, "#FFFFFF"}


@RATIOS
def test_that_an_elbow_is_as_sharp_as_a_straight_line(qtbot: QtBot, ratio: float) -> None:
    image = picture([Line(((5, 5.3), (30.2, 5.3), (30.2, 30)), "link")], ratio)
    assert len(columns(image, round(20 * ratio))) == ratio


def runs(seed: int) -> np.ndarray:
    """Runs as links have them: across, down, across and so on, some parts of which go nowhere."""
    steps = np.random.default_rng(seed).integers(0, 3, (4, 7, 2)) * 5.3
    steps[:, ::2, 1] = steps[:, 1::2, 0] = 0.0
    return np.cumsum(steps, axis=1) + 3.2


def covered(points: np.ndarray, thick: int, ratio: float) -> np.ndarray:
    """Which device pixels runs should cover, (y, x): a square pen of so many pixels is led along each."""
    mask = np.zeros((round(40 * ratio), round(60 * ratio)), dtype=np.bool_)
    shift = 0.5 if thick % 2 else 0.0
    places = np.round(points * ratio - shift) + shift - thick / 2
    for before, after in ((run[at], run[at + 1]) for run in places for at in range(len(run) - 1)):
        (left, top), (right, bottom) = np.minimum(before, after).astype(int), np.maximum(before, after).astype(int)
        mask[top : bottom + thick, left : right + thick] |= bool((before != after).any())
    return mask


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("width", [1.0, 1.5])
@pytest.mark.parametrize("color", ["accent", "accent:30"])
def test_that_elbows_cover_each_pixel_of_their_way_once(qtbot: QtBot, ratio: float, width: float, color: str) -> None:
    for run in runs(round(ratio * 4)):
        image = picture([Elbows(run[None], color, width)], ratio)
        found = np.array([[image.pixel(x, y) for x in range(image.width())] for y in range(image.height())])
        expected = covered(run[None], max(round(width * ratio), 1), ratio)
        assert (found[expected] == found[expected][0]).all()
        assert (found != QColor("white").rgba()).astype(bool).tolist() == expected.tolist()


@RATIOS
def test_that_a_rounded_bar_has_round_corners_and_an_even_middle(qtbot: QtBot, ratio: float) -> None:
    """Wide ones are put together of two ends and a middle."""
    look = {"fill": "compute", "outline": "critical", "radius": 3.0}
    wide, plain = picture([Box(5, 5, 40, 12, **look)], ratio), picture([Box(5, 5, 40, 12, "compute")], ratio)
    corner, middle = (round(5 * ratio), round(5 * ratio)), round(20 * ratio)
    assert wide.pixelColor(*corner).name().upper() not in {LIGHT.critical, LIGHT.compute}
    assert wide.pixelColor(middle, round(5 * ratio)).name().upper() == LIGHT.critical
    assert wide.pixelColor(middle, round(10 * ratio)).name().upper() == LIGHT.compute
    assert columns(wide, round(10 * ratio)) == columns(plain, round(10 * ratio))


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0, 3.0])
@pytest.mark.parametrize("x", [5.0, 5.333, 5.8])
def test_that_no_seam_shows_where_a_bar_is_put_together(qtbot: QtBot, ratio: float, x: float) -> None:
    image = picture([Box(x, 5, 40.7, 12, "compute", radius=3.0)], ratio)
    middle = round(11 * ratio)
    assert {image.pixelColor(column, middle).name().upper() for column in columns(image, middle)} == {LIGHT.compute}


def test_that_a_dotted_line_has_gaps(qtbot: QtBot) -> None:
    image = picture([Line(((0, 10.5), (60, 10.5)), "muted", dash=Dash.DOTTED)])
    assert 20 <= len(columns(image, 10)) <= 40


@pytest.mark.parametrize("x", [10.5, 11.5, 12.0])
def test_that_an_upright_dotted_line_has_gaps_wherever_it_stands(qtbot: QtBot, x: float) -> None:
    image = picture([Line(((x, 0), (x, 30)), "muted", dash=Dash.DOTTED)])
    rows = [row for row in range(30) if columns(image, row)]
    assert 10 <= len(rows) <= 20


def test_that_a_dashed_outline_has_gaps(qtbot: QtBot) -> None:
    image = picture([Box(5, 5, 50, 12, "", "accent", 0, Dash.DASHED)])
    assert 15 < len(columns(image, 5)) < 45


def test_that_a_box_of_no_width_can_be_seen(qtbot: QtBot) -> None:
    assert len(columns(picture([Box(10, 10, 0.1, 5, "host")]), 12)) == 1


def test_that_a_polygon_is_filled(qtbot: QtBot) -> None:
    image = picture([Polygon(((10, 5), (30, 5), (30, 30), (10, 30)), "copy_out")])
    assert image.pixelColor(20, 20).name().upper() == LIGHT.copy_out


def test_that_a_label_keeps_to_the_right_where_it_is_told_to(qtbot: QtBot) -> None:
    left, right = picture([Label(0, 5, 60, "1")]), picture([Label(0, 5, 60, "1", align=Align.RIGHT)])
    ink = [[x for y in range(40) for x in columns(image, y)] for image in (left, right)]
    assert max(ink[0]) < 20
    assert min(ink[1]) > 40


def test_that_figures_have_one_width(qtbot: QtBot) -> None:
    assert len({text_width(figure * 4) for figure in "0123456789"}) == 1


def test_that_a_text_that_does_not_fit_ends_in_a_dot_leader(qtbot: QtBot) -> None:
    text = elided("a task with a long name", 60)
    assert text.endswith("…")
    assert text_width(text) <= 60
    assert elided("short", 60) == "short"


def test_that_colors_follow_the_theme_and_carry_an_opacity(qtbot: QtBot) -> None:
    assert color(LIGHT, "accent").name().upper() == LIGHT.accent
    assert color(DARK, "accent").name().upper() == DARK.accent
    assert color(LIGHT, "accent:25").alphaF() == pytest.approx(0.25, abs=0.01)


def test_that_fonts_are_made_in_pixels(qtbot: QtBot) -> None:
    assert font(11).pixelSize() == 11
    assert font(11, is_bold=True).bold()


@pytest.mark.parametrize("text", ["Cut\nsheet", "Cut\r\nsheet", "Cut \n\n sheet", "Cut\tsheet", "Cut\u2028sheet"])
def test_that_words_on_two_lines_are_drawn_as_two_words_on_one(qtbot: QtBot, text: str) -> None:
    assert in_one_line(text) == elided(text, 500) == "Cut sheet"
    assert text_width(text) == text_width("Cut sheet")
    drawn, plain = (picture([Label(0, 4, 60, words, "text")]) for words in (text, "Cut sheet"))
    assert drawn == plain
    assert drawn != picture([Label(0, 4, 60, "Cutsheet", "text")])


@pytest.mark.parametrize("text", ["", "Cut  sheet", "👩\u200d🔧 sets up", "e\u0301"])
def test_that_other_words_are_drawn_as_they_are(text: str) -> None:
    assert in_one_line(text) == text


def pixels(image: QImage) -> np.ndarray:
    """(row, column, channel)."""
    made = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(made.constBits(), np.uint8).reshape(image.height(), -1, 4)[:, : image.width()].astype(int)


@RATIOS
def test_that_many_round_boxes_look_as_each_of_them_alone(qtbot: QtBot, ratio: float) -> None:
    looks = (("accent", ""), ("compute", "critical"), ("critical:28", "critical"), ("panel", ""))
    chance = np.random.default_rng(1)
    left = chance.uniform(-9, 50, 30)
    width = np.concatenate(([0.2, 1.0, 3.4, 4.0, 7.9, 12.0, 400.0], chance.uniform(0, 30, 23)))
    edges = np.column_stack((left, left + width, chance.uniform(-4, 36, 30)))
    many = RoundBoxes(edges, chance.integers(0, len(looks), 30), looks, 16.0)
    together, alone = (pixels(picture(shapes, ratio)) for shapes in ([many], list(many.boxes())))
    assert np.abs(together - alone).max() <= 8  # a corner is rounded once more
    assert (together != 255).any()


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0])
def test_that_many_round_boxes_cover_whole_pixels(qtbot: QtBot, ratio: float) -> None:
    for left in np.arange(0.1, 20.0, 0.7).tolist():
        right = left + left % 5 * 7
        many = RoundBoxes(np.array([[left, right, 10.3]]), np.zeros(1, np.int64), (("accent", ""),), 16.0)
        image, middle = picture([many], ratio), round(18 * ratio)
        first = round(left * ratio)
        assert columns(image, middle) == list(range(first, max(round(right * ratio), first + 1)))
        assert {image.pixelColor(x, middle).name().upper() for x in columns(image, middle)} == {LIGHT.accent}


@RATIOS
def test_that_many_labels_look_as_each_of_them_alone(qtbot: QtBot, ratio: float) -> None:
    many = Labels(((3.0, 2.0, "cut"), (10.4, 17.5, "Säge"), (3.0, 30.0, "two\nlines")), "text", 10, 16.0)
    assert (pixels(picture([many], ratio)) == pixels(picture(list(many.labels()), ratio))).all()
    assert (pixels(picture([many], ratio)) != 255).any()
