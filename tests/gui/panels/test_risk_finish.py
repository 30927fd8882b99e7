"""When something may be done, as shapes: numbers, without a window."""

import numpy as np
import pytest

from engine.model import DAY
from engine.session.risking import CostAnswers, Outlook
from gui.canvas.shapes import Box, Dash, Label, Line, Shape
from gui.panels.risk_cost import Joint, joint_scale, joint_shapes
from gui.panels.risk_finish import Finish, Place, finish_shapes, percents, place_of
from gui.panels.risk_tornado import tornado_shapes

START = 20_000 * DAY
WIDTH, HEIGHT = 600.0, 200.0
NAMES = ("planned", "due", "by", "then")


def width_of(text: str, _px: int, _is_bold: bool) -> float:
    return 6.0 * len(text)


def outlook(shift: int = 0) -> Outlook:
    """A thousand samples, evenly over ten days."""
    ordered = START + shift + np.arange(1000, dtype=np.int64) * 864
    return Outlook(None, START + DAY, 1000, ordered, is_whole=True, mean=int(ordered.mean()))


def finish(before: Outlook | None = None, deadline: int | None = None, confidence: float = 0.8) -> Finish:
    return Finish(outlook(), before, deadline, confidence, True, lambda at: f"day {(at - START) // DAY}", *NAMES)


def drawn(each: Finish) -> tuple[Place, list[Shape]]:
    place = place_of(each, WIDTH, HEIGHT)
    return place, finish_shapes(each, place, width_of)


def uprights(shapes: list[Shape], color: str) -> list[Line]:
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.color == color]
    return [line for line in lines if len(line.points) == 2 and line.points[0][0] == line.points[1][0]]


def standing(place: Place, shapes: list[Shape]) -> list[Box]:
    """The bars of the picture: what stands on its zero."""
    return [shape for shape in shapes if isinstance(shape, Box) and shape.y + shape.h == pytest.approx(place.zero)]


def words(shapes: list[Shape]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Label)]


def test_that_each_percent_has_its_line_at_its_instant_and_says_when() -> None:
    each = finish()
    place, shapes = drawn(each)
    at = [line.points[0][0] for line in uprights(shapes, "accent")]
    assert at == pytest.approx([place.x(each.outlook.at(percent / 100).value) for percent in (10, 50, 80, 90)])
    assert {"P10 day 0", "P50 day 4", "P80 day 7", "P90 day 8"} <= set(words(shapes))


def test_that_the_picked_percent_stands_out_and_another_one_has_a_line_too() -> None:
    _, shapes = drawn(finish(confidence=0.65))
    assert percents(0.65) == (10, 50, 65, 80, 90)
    assert [line.width for line in uprights(shapes, "accent")] == [1.0, 1.0, 2.0, 1.0, 1.0]
    assert next(each for each in shapes if isinstance(each, Label) and each.is_bold).text == "P65 day 6"


def test_that_bars_are_darker_up_to_what_is_picked() -> None:
    place, shapes = drawn(finish())
    bars, picked = standing(place, shapes), place.x(outlook().at(0.8).value)
    assert {bar.fill for bar in bars} == {"accent:40", "accent:18"}
    assert all((bar.fill == "accent:40") is (bar.x < picked) for bar in bars)


def test_that_bars_go_by_a_scale_of_their_own_that_says_how_often_and_is_nearly_filled() -> None:
    """A tenth of the samples ends on each day: at 12 % at the top a bar of 10 % is 10/12 of the height."""
    place, shapes = drawn(finish())
    days = [bar.h / (place.zero - place.top) for bar in standing(place, shapes)][1:-1]
    assert days == pytest.approx([10 / 12] * 9)
    labels = [shape for shape in shapes if isinstance(shape, Label) and shape.text.endswith(" %")]
    right = place.left + place.scale.width_px
    by_side = {is_right: [each.text for each in labels if (each.x > right) is is_right] for is_right in (False, True)}
    assert by_side[False] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert by_side[True] == ["0 %", "3 %", "6 %", "9 %", "12 %"]


def test_that_each_scale_is_named_where_there_is_room() -> None:
    place, shapes = drawn(finish())
    curve, bars = (next(each for each in shapes if isinstance(each, Label) and each.text == name) for name in NAMES[2:])
    assert curve.x < place.left + 20
    assert place.left + place.scale.width_px - 30 < bars.x + bars.w < place.left + place.scale.width_px
    narrow = place_of(finish(), 150.0, HEIGHT)
    assert set(words(finish_shapes(finish(), narrow, width_of))) & set(NAMES[2:]) == {"by"}


@pytest.mark.parametrize("most", [0.0004, 0.004, 0.0123, 0.1, 0.34, 0.61, 1.0])
def test_that_the_highest_bar_never_leaves_the_picture(most: float) -> None:
    """So large a share of ten thousand samples on one day, the others evenly on the fifty after it."""
    held = round(10_000 * most)
    spread = START + 2 * DAY + np.arange(10_000 - held, dtype=np.int64) * (50 * DAY) // max(10_000 - held, 1)
    ordered = np.concatenate([np.full(held, START + DAY, dtype=np.int64), spread])
    uneven = Outlook(None, START, 10_000, ordered, is_whole=True, mean=START)
    each = Finish(uneven, None, None, 0.8, True, str, *NAMES)
    place, shapes = drawn(each)
    heights = [bar.h / (place.zero - place.top) for bar in standing(place, shapes)]
    assert 0.5 <= max(heights) <= 1.0 + 1e-9


def test_that_the_curve_rises_from_none_to_all() -> None:
    place, shapes = drawn(finish())
    curve = next(each for each in shapes if isinstance(each, Line) and each.width == 2.0 and len(each.points) > 2)
    ys = [y for _, y in curve.points]
    assert ys == sorted(ys, reverse=True)
    assert ys[0] == pytest.approx(place.zero)
    assert ys[-1] == pytest.approx(place.top)


def test_that_what_was_before_is_a_light_curve_and_a_dashed_line() -> None:
    before = outlook(-3 * DAY)
    place, shapes = drawn(finish(before))
    light = [each for each in shapes if isinstance(each, Line) and each.color == "muted:70"]
    assert [line.dash for line in light] == [Dash.DASHED, Dash.SOLID]
    assert light[0].points[0][0] == pytest.approx(place.x(before.at(0.8).value))


def test_that_a_deadline_nearby_comes_in_sight_and_one_far_off_does_not() -> None:
    near = drawn(finish(deadline=START + 12 * DAY))[1]
    assert len(uprights(near, "critical")) == 1
    assert "due" in words(near)
    assert uprights(drawn(finish(deadline=START + 400 * DAY))[1], "critical") == []


def test_that_words_never_stand_over_each_other() -> None:
    _, shapes = drawn(finish(deadline=START + 9 * DAY))
    labels = [each for each in shapes if isinstance(each, Label) and not each.text.endswith(" %")]
    for one in labels:
        for other in labels:
            if one is not other and one.y == other.y:
                assert one.x + one.w <= other.x or other.x + other.w <= one.x


def test_that_a_pixel_and_its_instant_are_one_another() -> None:
    place = place_of(finish(), WIDTH, HEIGHT)
    for x in (60.0, 200.0, 400.0):
        assert place.x(place.instant(x)) == pytest.approx(x, abs=1)


def test_that_a_plan_with_a_single_end_is_drawn_too() -> None:
    ordered = np.full(100, START, dtype=np.int64)
    certain = Outlook(None, START, 100, ordered, is_whole=True, mean=START)
    each = Finish(certain, None, None, 0.8, True, str, *NAMES)
    assert uprights(drawn(each)[1], "accent")


def test_that_a_swing_reaches_to_both_sides_of_the_mean() -> None:
    earlier, later, middle = tornado_shapes(-0.5, 1.0, (10, 0, 216, 24))
    assert isinstance(earlier, Box)
    assert isinstance(later, Box)
    assert isinstance(middle, Line)
    assert middle.points[0][0] == 118
    assert (earlier.x, earlier.x + earlier.w) == (68, 118)
    assert (later.x, later.x + later.w) == (118, 218)
    assert earlier.fill != later.fill


def test_that_a_swing_of_one_side_leaves_the_other_free() -> None:
    only, _ = tornado_shapes(0.2, 0.8, (0, 0, 216, 24))
    assert isinstance(only, Box)
    assert (only.x, only.x + only.w) == (128, 188)


def test_that_points_within_date_and_cost_are_told_from_the_others() -> None:
    costs, finishes = np.array([10.0, 20.0, 30.0, 40.0]), START + np.array([1, 2, 3, 4], dtype=np.int64) * DAY
    joint = Joint(CostAnswers(costs, finishes), START + 3 * DAY, 25.0, True, "{:.0f}".format)
    shapes = joint_shapes(joint, joint_scale(joint, WIDTH), HEIGHT)
    points = [each.fill for each in shapes if isinstance(each, Box)]
    assert points == ["accent:80", "accent:80", "muted:55", "muted:55"]
