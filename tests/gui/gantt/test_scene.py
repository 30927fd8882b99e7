"""The scene of the chart: shapes, with numbers."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from engine.model import Dependency
from engine.schedule.cpm import working_time
from engine.session.edits import MoveTask
from gui.canvas.shapes import Box, Boxes, Dash, Elbows, Label, Line, Polygon, Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.drag import CardLine, Drag, is_moved
from gui.gantt.drag_shapes import is_other
from gui.gantt.scene import Extras, scene
from gui.theme import METRICS
from tests.gui.gantt.plans import COSTS, DAY, US, at, frames, layout_of, state_of, tried, week

Kind = TypeVar("Kind", bound=Shape)


def wide(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


PLAIN = Extras(height_px=300.0, text_width=wide)


def of(kind: type[Kind], shapes: list[Shape], test: Callable[[Kind], bool] = lambda _: True) -> list[Kind]:
    return [shape for shape in one_by_one(shapes) if isinstance(shape, kind) and test(shape)]


def one_by_one(shapes: list[Shape]) -> list[Shape]:
    """Shapes, with the links that are drawn together each on its own."""
    return [each for shape in shapes for each in (shape.lines() if isinstance(shape, Elbows) else (shape,))]


def threads(shapes: list[Shape]) -> list[Line]:
    return of(Line, shapes, lambda line: line.dash is Dash.DOTTED and line.color == "muted")


def bars(shapes: list[Shape]) -> list[Box]:
    return of(Box, shapes, lambda box: box.h == METRICS.bar_px and box.dash is Dash.SOLID)


def test_that_a_bar_stands_where_its_task_is_in_the_color_of_its_operation() -> None:
    found = bars(scene(layout_of(frames()), PLAIN))
    assert [(box.x, box.w, box.y, box.fill) for box in found] == [
        (10.0, 100.0, 24 + 5, "copy_in"),
        (110.0, 200.0, 48 + 5, "compute"),
        (310.0, 50.0, 72 + 5, "copy_out"),
        (10.0, 80.0, 96 + 5, "copy_in"),
    ]
    assert {box.radius for box in found} == {METRICS.radius_px}


def test_that_calendar_bars_take_the_accent() -> None:
    assert {box.fill for box in bars(scene(layout_of(week()), PLAIN))} == {"accent"}


def test_that_critical_bars_are_framed_with_a_gap_and_others_have_a_dotted_float() -> None:
    shapes = scene(layout_of(frames()), PLAIN)
    frames_around = of(Box, shapes, lambda box: box.outline == "critical")
    assert [(box.x, box.y, box.w, box.h) for box in frames_around] == [
        (8.0, 24 + 3, 104.0, 16),
        (108.0, 48 + 3, 204.0, 16),
        (308.0, 72 + 3, 54.0, 16),
    ]
    (thread,) = threads(shapes)
    assert thread.points == ((90.0, 96 + 11), (360.0, 96 + 11))


def test_that_a_failed_task_is_framed_more_heavily() -> None:
    shapes = scene(layout_of(frames()), replace(PLAIN, failed=frozenset({5})))
    assert [(box.y, box.width) for box in of(Box, shapes, lambda box: box.outline == "critical")][-1] == (96 + 3, 2.0)


def test_that_only_rows_in_sight_are_drawn() -> None:
    layout = layout_of(frames(), scroll_px=2 * METRICS.row_px)
    shapes = scene(layout, replace(PLAIN, height_px=float(METRICS.row_px) - 1))
    assert [(box.fill, box.y) for box in bars(shapes)] == [("compute", 5)]


def test_that_bars_far_out_of_sight_cost_nothing_and_long_ones_are_cut() -> None:
    near = layout_of(frames(), TimeScale(600 * US, 10.0, 800))
    found = bars(scene(near, PLAIN))
    assert all(box.x >= -61 and box.x + box.w <= 861 for box in found)
    away = layout_of(frames(), TimeScale(10**9, 10.0, 800))
    assert bars(scene(away, PLAIN)) == []


def test_that_a_milestone_is_a_diamond_and_a_summary_a_bracket() -> None:
    layout = layout_of(week())
    shapes = scene(layout, PLAIN)
    x = layout.bar(3).left
    diamond, ring = of(Polygon, shapes, lambda shape: len(shape.points) == 4)
    assert diamond.points == ((x - 6, 83), (x, 77), (x + 6, 83), (x, 89))
    assert (ring.points[0], ring.outline, ring.fill) == ((x - 9.5, 83), "critical", "")
    feet = of(Polygon, shapes, lambda shape: shape.fill == "summary")
    (beam,) = of(Box, shapes, lambda box: box.fill == "summary")
    assert len(feet) == 2
    assert (beam.x, beam.x + beam.w) == (layout.bar(0).left, layout.bar(0).right)


def test_that_a_name_stands_inside_where_it_fits_and_beside_where_it_does_not() -> None:
    labels = {label.text: label for label in of(Label, scene(layout_of(frames()), PLAIN))}
    assert (labels["Copy in"].x, labels["Copy in"].color) == (10 + 5, "on_bright")
    assert labels["Blur"].color == "on_bar"
    assert (labels["Copy out"].x, labels["Copy out"].color) == (360 + 16, "text")
    assert "Frame" not in labels


def test_that_a_name_beside_interrupts_a_long_float_and_stands_over_one_that_ends_under_it() -> None:
    """The float of Copy 2 is 270 px long, from 90 to 360. Beside the bar a letter is 6.6 px wide."""
    state = frames()
    for letters, start, y in ((20, 106 + 20 * 6.6 + 5, 11.0), (36, 106 + 36 * 6.6 + 5, 11.0), (37, 90.0, 17.5)):
        named = replace(state.plan.task(5), name="x" * letters)
        layout = layout_of(replace(state, plan=state.plan.with_tasks([named])))
        shapes = scene(layout, PLAIN)
        assert of(Label, shapes)[-1].x == 106
        (thread,) = threads(shapes)
        row = layout.bar(4).y
        assert thread.points == ((pytest.approx(start), row + y), (360, row + y))


def test_that_a_name_stays_beside_its_bar_at_every_zoom() -> None:
    state = frames()
    named = replace(state.plan.task(5), name="x" * 20)
    state = replace(state, plan=state.plan.with_tasks([named]))
    for ticks_per_px in range(8_000, 30_000, 100):
        layout = layout_of(state, TimeScale(0, float(ticks_per_px), 1500))
        label = next(each for each in of(Label, scene(layout, PLAIN)) if each.text == named.name)
        assert label.x == pytest.approx(layout.bar(4).right + 16)


@pytest.mark.parametrize(("due_us", "x"), [(950, 114.0), (1_800, 199.0), (3_000, 106.0)])
def test_that_a_name_stands_behind_the_arrow_of_a_deadline_that_it_would_lie_under(due_us: int, x: float) -> None:
    """Copy 2 ends at 90 px; the arrow reaches 4 px to both sides, ten microseconds are a pixel."""
    due = replace(frames().plan.task(5), deadline=due_us * US, name="x" * 20)
    plan = frames().plan.with_tasks([due])
    layout = layout_of(state_of(plan, COSTS))
    label = next(each for each in of(Label, scene(layout, PLAIN)) if each.text == due.name)
    assert label.x == pytest.approx(x)
    arrow = layout.scale.x(due_us * US)
    assert label.x >= arrow + 4 or label.x + label.w <= arrow - 4


@pytest.mark.parametrize("origin", range(-3_000, 5_000, 97))
def test_that_no_name_is_ever_cut_by_the_edge(origin: int) -> None:
    layout = layout_of(frames(), TimeScale(origin * US, 10_000.0, 250))
    for label in of(Label, scene(layout, PLAIN)):
        assert label.x >= 0
        assert label.x + label.w <= 250


def test_that_what_happened_is_drawn_under_what_was_planned() -> None:
    shapes = scene(layout_of(frames()), replace(PLAIN, actuals={2: (50 * US, 1100 * US)}))
    (actual,) = of(Box, shapes, lambda box: box.h == METRICS.actual_px)
    assert (actual.x, actual.w, actual.y, actual.fill) == (15.0, 105.0, 24 + 20, "copy_in:60")


def test_that_stored_links_have_an_arrow_and_those_of_a_stream_are_dotted() -> None:
    shapes = scene(layout_of(frames()), PLAIN)
    arrows = of(Polygon, shapes, lambda shape: shape.fill == "link")
    assert [arrow.points[0] for arrow in arrows] == [(114.0, 51.0)]
    links = of(Line, shapes, lambda line: line.color == "link")
    assert [line.dash for line in links] == [Dash.DOTTED, Dash.SOLID]


def test_that_the_chosen_link_stands_out() -> None:
    shapes = scene(layout_of(frames()), replace(PLAIN, link=Dependency(2, 3)))
    assert [line.width for line in of(Line, shapes, lambda line: line.color == "accent")] == [2.0]


def test_that_a_chosen_row_is_tinted_and_framed_where_the_keyboard_is() -> None:
    shapes = scene(layout_of(frames()), replace(PLAIN, selection=frozenset({3})))
    (band,) = of(Box, shapes, lambda box: box.fill == "selection")
    assert (band.y, band.h) == (48, 24)
    focused = scene(layout_of(frames()), replace(PLAIN, selection=frozenset({3}), is_focused=True))
    assert len(of(Line, focused, lambda line: line.color == "accent" and len(line.points) == 2)) == 2


def test_that_a_pin_is_shown_and_pales_where_it_holds_nothing() -> None:
    for pin, color in ((600 * US, "accent"), (0, "accent")):
        heads = of(Box, scene(layout_of(frames(pin)), PLAIN), lambda box: box.w == 5)
        assert [(head.x, head.fill) for head in heads] == [(pin / 10_000 + 10 - 5.5, color)]
    idle = tried(frames(), MoveTask(3, 200 * US), COSTS)
    assert [head.fill for head in of(Box, scene(layout_of(idle), PLAIN), lambda box: box.w == 5)] == ["muted"]


def shades(layout: Layout) -> list[tuple[float, float]]:
    extras = replace(PLAIN, working_time=working_time(layout.state.plan))
    found = of(Boxes, scene(layout, extras), lambda boxes: boxes.fill == "muted:9")
    return [(round(left, 1), round(right, 1)) for boxes in found for left, right in boxes.spans]


def test_that_weekends_are_shaded_and_nights_only_where_a_day_is_wide() -> None:
    monday = at(2026, 3, 2)
    days = layout_of(week(), TimeScale(monday, DAY / 40, 400))
    assert shades(days) == [(0, 13.3), (188.3, 293.3)]
    hours = layout_of(week(), TimeScale(monday, DAY / 240, 240))
    assert shades(hours) == [(0, 80), (120, 130), (170, 240)]


def test_that_nothing_is_shaded_where_a_week_is_narrower_than_a_pixel_or_the_clock_never_rests() -> None:
    assert shades(layout_of(week(), TimeScale(at(2026, 3, 2), 7.0 * DAY, 400))) == []
    assert of(Boxes, scene(layout_of(frames()), PLAIN), lambda boxes: boxes.fill == "muted:9") == []


def test_that_today_is_a_line_on_a_calendar_plan_alone() -> None:
    now = at(2026, 3, 3, 12)
    calendar, device = layout_of(week()), layout_of(frames())
    (line,) = of(Line, scene(calendar, replace(PLAIN, now=now)), lambda line: line.color == "critical")
    assert line.points[0] == (calendar.scale.x(now), 0)
    assert of(Line, scene(device, replace(PLAIN, now=now)), lambda line: line.color == "critical") == []


def test_that_everything_that_would_move_has_a_ghost_and_nothing_else() -> None:
    state = frames()
    drag = Drag(2, tried(state, MoveTask(2, 300 * US), COSTS), (100.0, 30.0))
    shapes = scene(layout_of(state), replace(PLAIN, drag=drag))
    ghosts = of(Box, shapes, lambda box: box.dash is Dash.DASHED and box.h == METRICS.bar_px)
    moved = {(box.y - 5) // 24: (box.x, box.x + box.w) for box in ghosts}
    trial = layout_of(drag.trial)
    assert moved.keys() == {1, 2, 3}
    assert all(moved[row] == (trial.bar(int(row)).left, trial.bar(int(row)).right) for row in moved)
    assert bars(shapes) == bars(scene(layout_of(state), PLAIN))


def test_that_two_states_with_the_same_dates_have_not_moved() -> None:
    state = frames()
    assert not is_moved(state, tried(state, MoveTask(3, 200 * US), COSTS))
    assert is_moved(state, tried(state, MoveTask(5, 200 * US), COSTS))


@pytest.mark.parametrize("at_px", [(0.0, 0.0), (990.0, 20.0), (500.0, 290.0), (995.0, 295.0)])
def test_that_the_card_stays_inside_the_chart(at_px: tuple[float, float]) -> None:
    lines = (CardLine("Copy in · Frame", "text", True), CardLine("plan finish 13.7 ms  (+500 µs)", "critical"))
    shapes = scene(layout_of(frames()), replace(PLAIN, drag=Drag(2, None, at_px, lines)))
    card = of(Box, shapes, lambda box: box.fill == "panel")[-1]
    assert card.x >= 0
    assert card.x + card.w <= 1000
    assert card.y >= 0
    assert card.y + card.h <= 300
    words = of(Label, shapes)[-2:]
    assert all(card.x < label.x and label.x + wide(label.text, label.px, True) <= card.x + card.w for label in words)


def test_that_a_long_refusal_takes_several_lines_of_the_card() -> None:
    refusal = "This link would make a cycle: " + " → ".join(f"“Frame number {number}”" for number in range(20))
    shapes = scene(
        layout_of(frames()), replace(PLAIN, drag=Drag(2, None, (300.0, 60.0), (CardLine(refusal, "critical"),)))
    )
    card = of(Box, shapes, lambda box: box.fill == "panel")[-1]
    words = of(Label, shapes, lambda label: label.color == "critical")
    assert " ".join(label.text for label in words) == refusal
    assert len({label.y for label in words}) == len(words) > 1
    assert card.w < 500
    assert card.y + card.h >= words[-1].y + words[-1].h


def test_that_a_link_being_drawn_is_a_dashed_line_to_a_framed_target() -> None:
    drag = Drag(2, None, (200.0, 60.0), rubber=((110.0, 35.0), (200.0, 60.0)), target=3)
    shapes = scene(layout_of(frames()), replace(PLAIN, drag=drag))
    assert of(Line, shapes, lambda line: line.dash is Dash.DASHED)[0].points == drag.rubber
    (frame,) = of(Box, shapes, lambda box: box.outline == "accent")
    assert (frame.x, frame.w) == (108.0, 204.0)


def test_that_the_bar_under_the_mouse_has_a_dot_at_each_end() -> None:
    shapes = scene(layout_of(frames()), replace(PLAIN, hover=2))
    dots = of(Box, shapes, lambda box: box.fill == "panel")
    assert [dot.x + dot.w / 2 for dot in dots] == [10 - 11, 110 + 11]


@pytest.mark.parametrize(("make", "named"), [(frames, "Copy out"), (week, "Built")])
def test_that_no_dot_stands_on_a_name_beside_a_bar_or_a_milestone(make: Callable[[], object], named: str) -> None:
    layout, beside = layout_of(make()), []
    for row in range(len(layout.rows)):
        bar = layout.bar(row)
        shapes = scene(layout, replace(PLAIN, hover=bar.task.id))
        dots = of(Box, shapes, lambda box: box.fill == "panel" and box.w == 8.0)
        names = [label for label in of(Label, shapes) if label.text == bar.task.name and label.x > bar.right]
        assert len(dots) == 2
        assert all(dot.x + dot.w < name.x for dot in dots for name in names)
        beside += [name.text for name in names]
    assert named in beside


@pytest.mark.parametrize("row", [1, 2, 3, 4])
@pytest.mark.parametrize("steps", [1, 4, 20, 60])
def test_that_the_card_hides_neither_what_is_held_nor_a_ghost_nor_what_it_is_linked_to(row: int, steps: int) -> None:
    state = frames()
    layout = layout_of(state)
    held = layout.bar(row)
    edit = MoveTask(held.task.id, state.schedule.start_of(held.task.id) + steps * 100 * US)
    trial = tried(state, edit, COSTS)
    at_px = (held.left + 10.0 + 10.0 * steps, held.y + 11)
    drag = Drag(held.task.id, trial, at_px, (CardLine("Copy in · Frame"),) * 5)
    shapes = scene(layout, replace(PLAIN, drag=drag))
    card = of(Box, shapes, lambda box: box.fill == "panel")[-1]
    linked = {row, *(end for link in layout.rows.links_at(row, row) for end in (link.first, link.second))}
    free = [layout.bar(each) for each in linked] + [
        ghost for each in range(5) if is_other(layout.bar(each), ghost := layout_of(trial).bar(each))
    ]
    for bar in free:
        is_hidden = (
            card.x < bar.right and bar.left < card.x + card.w and card.y < bar.y + 17 and bar.y + 5 < card.y + card.h
        )
        assert not is_hidden, (card, bar)


@pytest.mark.parametrize(("width", "radius"), [(2, 0), (4, 1), (7, 1), (8, 2), (12, 3), (400, 3)])
def test_that_corners_shrink_with_a_bar(width: int, radius: int) -> None:
    layout = layout_of(frames(), TimeScale(0, 2_000_000 / width))
    assert [box.radius for box in bars(scene(layout, PLAIN)) if box.fill == "compute"] == [radius]


def test_that_a_name_without_room_anywhere_is_shortened_by_whole_letters() -> None:
    state = frames()
    task = replace(state.plan.task(5), name="Copy in of the second frame, which has a very long name")
    named = replace(state, plan=state.plan.with_task(task))
    shapes = scene(layout_of(named, TimeScale(0, 10_000.0, 250.0)), PLAIN)
    (label,) = of(Label, shapes, lambda label: label.text.startswith("Copy in of"))
    assert label.text.endswith("…")
    assert label.x >= 0
    assert label.x + wide(label.text, label.px, False) <= 250


def test_that_the_card_leaves_a_milestone_in_sight_that_comes_next() -> None:
    state = week()
    layout = layout_of(state)
    held, milestone = layout.bar(2), layout.bar(3)
    drag = Drag(held.task.id, None, (milestone.left - 30, held.y + 11), (CardLine("Roof · Build"),) * 5)
    card = of(Box, scene(layout, replace(PLAIN, drag=drag)), lambda box: box.fill == "panel")[-1]
    is_beside = card.x > milestone.left + 6 or card.x + card.w < milestone.left - 6
    assert is_beside or card.y >= milestone.y + 24 or card.y + card.h <= milestone.y


def test_that_the_links_of_a_chosen_task_stand_out_from_the_others() -> None:
    """Roof waits for Frame, and Built for Roof."""
    layout = layout_of(week())
    for chosen, count in ((2, 1), (3, 2), (5, 0)):
        shapes = scene(layout, replace(PLAIN, selection=frozenset({chosen})))
        assert len(of(Line, shapes, lambda line: line.color == "accent" and line.width == 1.5)) == count
        assert len(of(Line, shapes, lambda line: line.color == "link")) == 2 - count
