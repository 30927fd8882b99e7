"""How long something may take, as a small picture: its marks, without a window."""

import pytest

from engine.session.spread_facts import SpreadFacts
from gui.canvas.shapes import Label, Line
from gui.dialogs.spread_picture import Pictured, density_shapes

WORDS = ("planned 10 d", "mean 10.2 d", "80 % within 10.4 d")


def width_of(text: str, _px: int, _is_bold: bool) -> float:
    return 6.0 * len(text)


def shown(planned: float, mean: float, sure: float) -> Pictured:
    """A range of 0 to 100, with its marks where they are wanted."""
    curve = ((0.0, 0.0), (50.0, 1.0), (100.0, 0.0))
    return Pictured(SpreadFacts(mean, (sure,), curve), planned, str)


@pytest.mark.parametrize("wide", [300.0, 200.0])
@pytest.mark.parametrize("marks", [(90, 92, 94), (94, 92, 90), (10, 92, 94), (50, 50, 50), (99, 1, 50), (96, 97, 99)])
def test_that_no_mark_strikes_words_through(marks: tuple[float, float, float], wide: float) -> None:
    shapes = density_shapes(shown(*marks), (wide, 168.0), WORDS, width_of)
    labels = [shape for shape in shapes if isinstance(shape, Label) and shape.text in WORDS]
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.points[0][0] == shape.points[-1][0]]
    assert len(labels) == 3
    for line in lines:
        (x, top), (_, bottom) = line.points
        crossed = [each for each in labels if each.x < x < each.x + each.w]
        assert [each.text for each in crossed if top < each.y + each.h and bottom > each.y] == []


def test_that_each_mark_goes_from_its_words_down_to_the_axis() -> None:
    shapes = density_shapes(shown(90, 92, 94), (300.0, 168.0), WORDS, width_of)
    uprights: dict[float, list[tuple[float, float]]] = {}
    for shape in shapes:
        if isinstance(shape, Line) and shape.points[0][0] == shape.points[-1][0]:
            uprights.setdefault(shape.points[0][0], []).append((shape.points[0][1], shape.points[1][1]))
    assert len(uprights) == 3
    assert {spans[-1][1] for spans in uprights.values()} == {168.0 - 12 - 16}
