"""Bars of the board drawn all at once are those that are drawn one by one."""

from dataclasses import replace

import pytest

from engine.model import Progress, Split
from engine.session.state import State
from gui.board.bar_shapes import Look, bar_shapes
from gui.board.bars import bars_shapes
from gui.board.layout import BoardLayout
from gui.canvas.shapes import Box, Boxes, Label, Labels, RoundBoxes, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.coloring import ColorBy
from tests.gui.board.plans import MONDAY, layout_of, many, shop
from tests.gui.gantt.plans import HOUR, WORKDAY, state_of


def text_width(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


def parts(shapes: list[Shape]) -> list[str]:
    """What shapes are made of, one by one, in no order; a label's room is not drawn."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, RoundBoxes):
            found += shape.boxes()
        elif isinstance(shape, Labels):
            found += shape.labels()
        elif isinstance(shape, Boxes):
            found += [Box(left, shape.y, right - left, shape.h, shape.fill) for left, right in shape.spans]
        else:
            found.append(shape)
    return sorted(repr(each._replace(w=0.0) if isinstance(each, Label) else each) for each in found)


def one_by_one(layout: BoardLayout, look: Look) -> list[Shape]:
    return [shape for bar in layout.bars(400) for shape in bar_shapes(layout, bar, look, text_width)]


def mixed() -> State:
    """The shop with tasks that are begun, done, in two pieces, and one that is a milestone; turn lies in a phase."""
    plan = shop().plan
    begun = replace(plan.task(1), progress=Progress(40, MONDAY))
    done = replace(plan.task(4), progress=Progress(100, MONDAY, MONDAY + 9 * HOUR))
    pieces = replace(plan.task(3), splits=(Split(WORKDAY, WORKDAY),), progress=Progress(75, MONDAY))
    milestone = replace(plan.task(2), is_milestone=True, duration=0)
    for task in (begun, done, pieces, milestone):
        plan = plan.with_task(task)
    return state_of(plan)


@pytest.mark.parametrize("color_by", list(ColorBy))
@pytest.mark.parametrize("scale", [(0, 900.0), (30 * HOUR, 120.0), (-90 * HOUR, 9000.0), (20 * HOUR, 33.0)])
def test_that_all_bars_at_once_are_what_each_of_them_is(color_by: ColorBy, scale: tuple[int, float]) -> None:
    for state in (mixed(), many(300, 9)):
        layout = replace(layout_of(state), scale=TimeScale(MONDAY + scale[0], scale[1], 800.0))
        look = Look(color_by)
        assert parts(bars_shapes(layout, layout.sight(400), look, text_width)) == parts(one_by_one(layout, look))
        assert len(layout.sight(400).tasks) == len(layout.bars(400))


def test_that_names_that_stand_in_bars_are_drawn_together() -> None:
    layout = replace(layout_of(many(300, 9)), scale=TimeScale(MONDAY, 60.0, 800.0))
    names = [each for each in bars_shapes(layout, layout.sight(400), Look(), text_width) if isinstance(each, Labels)]
    assert [len(each.texts) for each in names] == [len(layout.bars(400))]
