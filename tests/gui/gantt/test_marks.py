"""Pins, deadlines and the lines of today and the status date, with numbers."""

from dataclasses import replace

import pytest

from engine.model import ConstraintKind, Dependency, PlanSettings, Task
from gui.canvas.shapes import Box, Dash, Label, Line, Polygon, Shape
from gui.gantt.marks import is_deadline_at, is_pin_at, pin_x
from tests.gui.gantt.marked import DAY_PX, MONDAY, PLAIN, held, layout, one, shown
from tests.gui.gantt.plans import DAY, WORKDAY, at, frames, layout_of

K = ConstraintKind
FRIDAY, FRIDAY_EVENING = at(2026, 3, 6, 8), at(2026, 3, 6, 17)
X, EVENING_X = 4 * DAY_PX + 32, 4 * DAY_PX + 68


def balls(shapes: list[Shape]) -> list[Box]:
    return [box for box in shapes if isinstance(box, Box) and (box.w, box.h) == (5, 5)]


def flags(shapes: list[Shape]) -> list[Polygon]:
    return [
        shape for shape in shapes if isinstance(shape, Polygon) and len(shape.points) == 3 and shape.points[0][1] == 1
    ]


def banged(shapes: list[Shape]) -> bool:
    return any(isinstance(label, Label) and label.text == "!" for label in shapes)


def test_that_no_earlier_is_a_ball_filled_for_a_start_and_hollow_for_a_finish() -> None:
    (start,) = balls(shown(held(K.START_NO_EARLIER_THAN, FRIDAY)))
    assert (start.x + 2.5, start.fill, start.radius) == (X - 3, "accent", 2.5)
    (finish,) = balls(shown(held(K.FINISH_NO_EARLIER_THAN, FRIDAY_EVENING)))
    assert (finish.x + 2.5, finish.fill, finish.outline, finish.radius) == (EVENING_X + 3, "panel", "accent", 2.5)


def test_that_no_later_is_a_flag_that_points_back() -> None:
    (start,) = flags(shown(held(K.START_NO_LATER_THAN, FRIDAY)))
    assert (start.points[0][0], start.points[2][0], start.fill) == (X - 3, X - 9, "muted")
    (finish,) = flags(shown(held(K.FINISH_NO_LATER_THAN, FRIDAY_EVENING)))
    assert (finish.points[0][0], finish.points[2][0], finish.fill) == (EVENING_X + 3, EVENING_X - 3, "panel")


def test_that_exactly_then_is_a_square() -> None:
    (start,) = balls(shown(held(K.MUST_START_ON, FRIDAY)))
    assert (start.x + 2.5, start.fill, start.radius) == (X - 3, "accent", 0)
    (finish,) = balls(shown(held(K.MUST_FINISH_ON, FRIDAY_EVENING)))
    assert (finish.x + 2.5, finish.fill, finish.radius) == (EVENING_X + 3, "panel", 0)


def test_that_as_late_as_possible_is_a_flag_that_points_forward_before_the_start() -> None:
    state = held(K.AS_LATE_AS_POSSIBLE, 0)
    (flag,) = flags(shown(state))
    assert flag.points[1][0] == layout(state).bar(0).left - 3
    assert flag.points[0][0] < flag.points[1][0]


@pytest.mark.parametrize(
    ("kind", "when"),
    [
        (K.START_NO_LATER_THAN, FRIDAY),
        (K.FINISH_NO_LATER_THAN, FRIDAY),
        (K.MUST_START_ON, FRIDAY),
        (K.MUST_FINISH_ON, FRIDAY),
    ],
)
def test_that_a_pin_that_its_links_break_is_red_with_a_mark(kind: ConstraintKind, when: int) -> None:
    shapes = shown(held(kind, when, links=(Dependency(2, 1),)))
    assert banged(shapes)
    (pin,) = (line for line in shapes if isinstance(line, Line) and line.points[0][1] == 2)
    assert pin.color == "critical"
    assert not banged(shown(held(kind, at(2026, 3, 20, 8))))


def test_that_an_exact_date_kept_under_its_other_name_is_not_broken() -> None:
    """Friday 17:00 and Monday 08:00 are one instant of work."""
    assert not banged(shown(held(K.MUST_FINISH_ON, at(2026, 3, 9, 8))))


def test_that_the_head_of_a_pin_and_the_arrow_of_a_deadline_can_be_pointed_at() -> None:
    state = one(
        Task(1, "due", 2 * WORKDAY, constraint=K.MUST_START_ON, constraint_at=FRIDAY, deadline=at(2026, 3, 12, 17))
    )
    place = layout(state)
    bar = place.bar(0)
    x = pin_x(place, bar.task)
    assert x == X - 3
    assert is_pin_at(place, bar, (x + 4, 3))
    assert not is_pin_at(place, bar, (x + 4, 12))
    deadline = place.scale.x(at(2026, 3, 12, 17))
    assert is_deadline_at(place, bar, (deadline - 4, 20))
    assert not is_deadline_at(place, bar, (deadline - 9, 20))


def arrows(shapes: list[Shape]) -> list[Polygon]:
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.fill in {"good", "critical"}]


def test_that_a_deadline_is_an_arrow_down_to_it_and_one_that_is_missed_says_so() -> None:
    kept = shown(one(Task(1, "due", 2 * WORKDAY, deadline=FRIDAY)))
    (arrow,) = arrows(kept)
    assert (arrow.points[2], arrow.fill, banged(kept)) == ((X, 17), "good", False)
    missed = shown(one(Task(1, "due", 9 * WORKDAY, deadline=FRIDAY)))
    (arrow,) = arrows(missed)
    assert (arrow.points[2], arrow.fill, banged(missed)) == ((X, 17), "critical", True)


def test_that_a_task_taken_out_has_no_deadline_to_miss() -> None:
    assert arrows(shown(one(Task(1, "due", 9 * WORKDAY, deadline=FRIDAY, is_active=False)))) == []


def upright(shapes: list[Shape], color: str, dash: Dash) -> list[float]:
    return [
        line.points[0][0]
        for line in shapes
        if isinstance(line, Line) and (line.color, line.dash) == (color, dash) and line.points[1][1] == PLAIN.height_px
    ]


def test_that_today_stands_under_a_cap_and_the_status_date_is_dashed() -> None:
    state = one(Task(1, "a", WORKDAY), settings=PlanSettings(status=FRIDAY))
    shapes = shown(state, replace(PLAIN, now=MONDAY + DAY))
    assert upright(shapes, "critical", Dash.SOLID) == [DAY_PX + 32]
    assert upright(shapes, "accent", Dash.DASHED) == [X]
    assert (DAY_PX + 32 - 4, 0) in {shape.points[0] for shape in shapes if isinstance(shape, Polygon)}


def test_that_neither_is_drawn_out_of_sight_or_on_a_device_plan() -> None:
    state = one(Task(1, "a", WORKDAY), settings=PlanSettings(status=at(2030, 1, 1)))
    assert upright(shown(state, replace(PLAIN, now=at(2031, 1, 1))), "critical", Dash.SOLID) == []
    assert upright(shown(state), "accent", Dash.DASHED) == []
    from gui.gantt.scene import scene

    assert upright(scene(layout_of(frames()), replace(PLAIN, now=0)), "critical", Dash.SOLID) == []
