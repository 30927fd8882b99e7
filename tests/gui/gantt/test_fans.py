"""Fans of when things are done: where their bands lie in pixels, what was before a drag, and what is said of them."""

from dataclasses import replace

import pytest

from engine.session.state import State
from gui.canvas.shapes import Box, Dash, Label, Line, Shape
from gui.gantt.bars import Layout
from gui.gantt.fan_shapes import COLOR, TOP_PX, fan_at, fan_shapes
from gui.gantt.fan_words import chance_text, finish_sentences
from gui.gantt.fans import Fan, Fans
from gui.gantt.finish_fan import HIGH_PX, finish_shapes, is_finish_at
from gui.gantt.legend import entries
from gui.gantt.scene import over_scene, scene, still_scene
from gui.gantt.tips import tip_at
from gui.theme import METRICS
from tests.gui.gantt.plans import DAY, HOUR, at, layout_of, week
from tests.gui.gantt.sure import answers_of, fans_of
from tests.gui.gantt.test_scene import PLAIN, wide

# The milestone of the week's plan stands in its fourth row, planned for Friday 6 March 17:00.
BUILT, ROW_Y = 4, 3.0 * METRICS.row_px
PLANNED = at(2026, 3, 6, 17)
# Of 99 percents an hour and a bit apart: percent p lies p - 1 hours after this.
FIRST, LAST = at(2026, 3, 6), at(2026, 3, 6) + 98 * HOUR
HOUR_PX = 4.0


def shown(state: State, fans: Fans) -> tuple[Layout, list[Shape]]:
    layout = layout_of(state)
    bars = [layout.bar(row) for row in range(len(layout.rows))]
    return layout, fan_shapes(layout, PLAIN, fans, bars)


def boxes(shapes: list[Shape], fill: str) -> list[tuple[float, float, float, float]]:
    return [(s.x, s.x + s.w, s.y, s.y + s.h) for s in shapes if isinstance(s, Box) and s.fill == fill]


def words(shapes: list[Shape]) -> list[Label]:
    return [shape for shape in shapes if isinstance(shape, Label)]


def test_that_bands_lie_where_their_percents_are() -> None:
    state = week()
    layout, found = shown(state, fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)}))
    left = layout.scale.x(FIRST)
    thin, thick = boxes(found, COLOR)
    assert thin == pytest.approx((left + 9 * HOUR_PX, left + 89 * HOUR_PX, ROW_Y + TOP_PX + 1.5, ROW_Y + TOP_PX + 3.5))
    assert thick == pytest.approx((left + 19 * HOUR_PX, left + 79 * HOUR_PX, ROW_Y + TOP_PX, ROW_Y + TOP_PX + 5))
    gap, post = boxes(found, "panel")[0], boxes(found, "text")[0]
    assert (gap[0] + gap[1]) / 2 == pytest.approx(left + 49 * HOUR_PX)
    assert (post[0] + post[1]) / 2 == pytest.approx(left + 79 * HOUR_PX)


def test_that_a_fan_stays_under_its_bar_and_in_its_row() -> None:
    state = week()
    _, found = shown(state, fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)}))
    every = [box for fill in (COLOR, "text", "panel") for box in boxes(found, fill)]
    bar_end = ROW_Y + METRICS.bar_top_px + METRICS.bar_px
    assert all(bar_end - 1 <= top and bottom <= ROW_Y + METRICS.row_px for _, _, top, bottom in every)


def test_that_the_post_says_its_date_right_of_the_fan_and_of_the_name_above() -> None:
    state = week()
    layout, found = shown(state, fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)}))
    [label] = words(found)
    assert label.text == "P80 9 Mar"
    assert label.x == pytest.approx(layout.scale.x(FIRST) + 89 * HOUR_PX + 4)
    short = (PLANNED, PLANNED + 9 * HOUR)
    layout, found = shown(state, fans_of(state.plan, short, {BUILT: short}))
    [label] = words(found)
    assert label.text == "P80 7 Mar 00:15"  # a day would say too little of so short a fan
    name = next(s for s in scene(layout, PLAIN) if isinstance(s, Label) and s.text == "Built")
    assert label.x >= name.x + name.w


def test_that_a_date_that_has_no_room_to_the_right_stands_to_the_left_or_nowhere() -> None:
    state = week()
    fans = fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)})
    layout = layout_of(state)
    right = layout.scale.x(FIRST) + 89 * HOUR_PX
    for width, is_said in ((right + 20.0, True), (right - 60.0, False)):
        narrow = replace(layout, scale=layout.scale.resized(width), ways={}, _bars={})
        [bar] = [narrow.bar(row) for row in range(len(narrow.rows)) if narrow.bar(row).task.id == BUILT]
        found = words(fan_shapes(narrow, PLAIN, fans, [bar]))
        assert bool(found) is is_said
        assert all(label.x + label.w <= narrow.scale.x(FIRST) + 9 * HOUR_PX for label in found)


def test_that_a_date_does_not_stand_on_its_own_milestone() -> None:
    state = week()
    late = (PLANNED - 4 * HOUR, PLANNED + 94 * HOUR)
    fans = fans_of(state.plan, late, {BUILT: late})
    layout = layout_of(state)
    bar = next(layout.bar(row) for row in range(len(layout.rows)) if layout.bar(row).task.id == BUILT)
    narrow = replace(layout, scale=layout.scale.resized(layout.scale.x(late[1])), ways={}, _bars={})
    assert words(fan_shapes(layout, PLAIN, fans, [bar]))
    assert not words(fan_shapes(narrow, PLAIN, fans, [bar]))


def test_that_what_is_certain_or_out_of_sight_has_no_fan() -> None:
    state = week()
    assert not shown(state, fans_of(state.plan, (FIRST, LAST), {BUILT: (PLANNED, PLANNED)}))[1]
    far = (FIRST + 900 * DAY, LAST + 900 * DAY)
    assert not shown(state, fans_of(state.plan, far, {BUILT: far}))[1]
    certain = fans_of(state.plan, (PLANNED, PLANNED))
    assert not finish_shapes(state.plan, certain, layout_of(state).scale, 300.0, wide)


def test_that_a_fan_of_a_few_pixels_is_its_post_alone() -> None:
    state = week()
    short = (PLANNED, PLANNED + HOUR // 2)
    _, found = shown(state, fans_of(state.plan, short, {BUILT: short}))
    assert not boxes(found, COLOR)
    assert boxes(found, "text")


def test_that_a_summary_has_a_fan_without_words() -> None:
    state = week()
    _, found = shown(state, fans_of(state.plan, (FIRST, LAST), {1: (FIRST, LAST)}))
    assert boxes(found, COLOR)
    assert not words(found)


def test_that_what_was_before_a_drag_is_a_faint_outline_where_it_differs() -> None:
    state = week()
    before = answers_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)})
    later = (FIRST + DAY, LAST + DAY)
    after = answers_of(state.plan, later, {BUILT: later})
    layout, found = shown(state, Fans(after, before))
    [frame] = [s for s in found if isinstance(s, Box) and s.outline]
    left = layout.scale.x(FIRST)
    assert (frame.x, frame.x + frame.w, frame.fill) == (left + 9 * HOUR_PX, left + 89 * HOUR_PX, "")
    [post] = [s for s in found if isinstance(s, Line)]
    assert (post.points[0][0], post.dash) == (left + 79 * HOUR_PX, Dash.DOTTED)
    assert boxes(found, COLOR)[0][0] == left + 24 * HOUR_PX + 9 * HOUR_PX
    _, same = shown(state, Fans(before, before))
    assert not [s for s in same if isinstance(s, Box) and s.outline]


def test_that_the_end_of_the_plan_has_a_fan_under_the_axis_and_its_post_through_all_rows() -> None:
    state = week()
    scale = layout_of(state).scale
    found = finish_shapes(state.plan, fans_of(state.plan, (FIRST, LAST)), scale, 300.0, wide)
    left = scale.x(FIRST)
    assert [box[:2] for box in boxes(found, COLOR)] == [
        (left + 9 * HOUR_PX, left + 89 * HOUR_PX),
        (left + 19 * HOUR_PX, left + 79 * HOUR_PX),
    ]
    [line] = [s for s in found if isinstance(s, Line)]
    assert line.points == ((left + 79 * HOUR_PX, 0.0), (left + 79 * HOUR_PX, 300.0))
    assert [label.text for label in words(found)] == ["P80 9 Mar", "P50 8 Mar"]


def test_that_what_the_fan_of_the_end_says_has_room_beside_it_or_below() -> None:
    state = week()
    fans, scale = fans_of(state.plan, (FIRST, LAST)), layout_of(state).scale
    left, right = scale.x(FIRST) + 9 * HOUR_PX, scale.x(FIRST) + 89 * HOUR_PX
    for origin, width, is_beside in (
        (0.0, 1000.0, True),
        (0.0, right + 5, True),
        (left - 10, right - left + 15, False),
    ):
        narrow = replace(scale, origin_ticks=scale.tick(origin)).resized(width)
        post, half = words(finish_shapes(state.plan, fans, narrow, 300.0, wide))
        assert post.x >= 0
        assert half.x + wide(half.text, half.px, False) <= width
        beside = post.x >= right - origin or half.x + wide(half.text, half.px, False) <= left - origin
        assert (beside, post.y == 0) == (is_beside, is_beside)


def test_that_a_post_out_of_sight_is_said_only_while_something_is_held_with_an_arrow_to_it() -> None:
    state = week()
    here, held = fans_of(state.plan, (FIRST, LAST)), Fans(*2 * (answers_of(state.plan, (FIRST, LAST)),))
    scale = layout_of(state).scale
    for origin, arrows in ((LAST + DAY, "\N{LEFTWARDS ARROW} P80"), (FIRST - 900 * DAY, "\N{RIGHTWARDS ARROW}")):
        away = replace(scale, origin_ticks=origin)
        assert not finish_shapes(state.plan, here, away, 300.0, wide)
        post, more = words(finish_shapes(state.plan, held, away, 300.0, wide))
        assert arrows in f"{post.text} {more.text}"
        assert post.x >= 0
        assert more.x + wide(more.text, more.px, False) <= away.width_px


def test_that_a_drag_says_by_how_much_working_time_the_post_of_the_end_moved() -> None:
    state = week()
    friday, monday = at(2026, 3, 6, 16), at(2026, 3, 9, 9)
    before = answers_of(state.plan, (friday, friday + 1))
    for after, said in ((monday, "+2 h"), (friday - HOUR, "\N{MINUS SIGN}1 h")):
        fans = Fans(answers_of(state.plan, (after, after + 1)), before)
        found = finish_shapes(state.plan, fans, layout_of(state).scale, 300.0, wide)
        assert [label.text.split(" Mar")[0] for label in words(found)][-1] == said


def test_that_the_window_copies_what_is_under_fans_and_draws_the_fans_alone() -> None:
    """A new answer leaves the picture that is kept as it is."""
    state = week()
    layout = layout_of(state)
    one = replace(PLAIN, fans=fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)}))
    other = replace(PLAIN, fans=fans_of(state.plan, (FIRST, LAST + DAY), {BUILT: (FIRST, LAST + DAY)}))
    assert one.still == other.still
    assert still_scene(layout, one) == still_scene(layout, other) == still_scene(layout, PLAIN)
    assert over_scene(layout, one) != over_scene(layout, other)


def test_that_a_fan_is_found_under_the_mouse_and_the_bar_above_it_is_not_in_its_way() -> None:
    state = week()
    fans = fans_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)})
    layout = layout_of(state)
    x = layout.scale.x(FIRST) + 49 * HOUR_PX
    assert fan_at(layout, fans, (x, ROW_Y + 20)) is fans.items[BUILT]
    assert fan_at(layout, fans, (x, ROW_Y + 10)) is None
    assert fan_at(layout, fans, (layout.scale.x(FIRST), ROW_Y + 20)) is None
    assert fan_at(layout, fans, (x, ROW_Y + METRICS.row_px + 20)) is None
    assert fan_at(layout, fans, (x, 1_000.0)) is None


def test_that_a_fan_says_its_figures_their_intervals_and_the_chance_to_meet_the_deadline() -> None:
    state = week()
    deadline = FIRST + 49 * HOUR
    plan = state.plan.with_task(replace(state.plan.task(BUILT), deadline=deadline))
    fans = fans_of(plan, (FIRST, LAST), {BUILT: (FIRST, LAST)})
    layout = layout_of(replace(state, plan=plan))
    said = tip_at(layout, (layout.scale.x(FIRST) + 60 * HOUR_PX, ROW_Y + 21), lambda _: "row", (), fans)
    assert said.splitlines() == [
        "“Built, Build” is done, in 1,000 samples:",
        "P50: Sun 8 Mar 2026 01:00 (Sun 8 Mar 2026 00:00 to Sun 8 Mar 2026 02:00)",
        "P80: Mon 9 Mar 2026 07:00 (Mon 9 Mar 2026 06:00 to Mon 9 Mar 2026 08:00)",
        "P90: Mon 9 Mar 2026 17:00 (Mon 9 Mar 2026 16:00 to Mon 9 Mar 2026 18:00)",
        "Chance to meet its deadline, Sun 8 Mar 2026 01:00: 50 % ± 3",
    ]


def test_that_the_arrow_of_a_deadline_says_the_chance_to_meet_it() -> None:
    state = week()
    deadline = FIRST + 49 * HOUR
    plan = state.plan.with_task(replace(state.plan.task(BUILT), deadline=deadline))
    layout = layout_of(replace(state, plan=plan))
    place = (layout.scale.x(deadline), ROW_Y + 10)
    known = tip_at(layout, place, lambda _: "row", (), fans_of(plan, (FIRST, LAST), {BUILT: (FIRST, LAST)}))
    assert known.splitlines() == [
        tip_at(layout, place, lambda _: "row"),
        "Chance to meet its deadline, Sun 8 Mar 2026 01:00: 50 % ± 3",
    ]


def test_that_the_fan_of_the_end_says_the_chance_to_be_done_as_planned() -> None:
    state = week()
    fans = fans_of(state.plan, (FIRST, LAST))
    layout = layout_of(state)
    place = (layout.scale.x(FIRST) + 60 * HOUR_PX, HIGH_PX / 2)
    assert is_finish_at(fans, layout.scale, place)
    assert not is_finish_at(fans, layout.scale, (place[0], 40.0))
    assert is_finish_at(fans, layout.scale, (layout.scale.x(FIRST) + 79 * HOUR_PX, 200.0))
    said = finish_sentences(state.plan, fans.answers, fans.answers.project)
    assert said.splitlines()[0] == f"“{state.plan.name}” is done, in 1,000 samples:"
    assert "as planned: 0 % ± 1" in said
    assert tip_at(layout, place, lambda _: "row", (), fans) == said


def test_that_a_chance_is_never_said_without_its_interval() -> None:
    answers = answers_of(week().plan, (0, 999))
    assert chance_text(answers.chance_by(629)) == "63 % ± 3"
    assert chance_text(answers.chance_by(5_000)) == "100 % ± 1"


def test_that_the_legend_explains_a_fan_that_is_in_sight_and_what_was_before() -> None:
    state = week()
    before = answers_of(state.plan, (FIRST, LAST), {BUILT: (FIRST, LAST)})
    explained = {
        fans: [entry.words for entry in entries(layout_of(state), replace(PLAIN, fans=fans))]
        for fans in (None, Fans(before), Fans(before, before))
    }
    counts = [sum("P80" in words or "before" in words for words in found) for found in explained.values()]
    assert counts == [0, 1, 2]
    assert "P80" in explained[next(fans for fans in explained if fans is not None)][0]  # paper has room for a few
    far = fans_of(state.plan, (FIRST + 900 * DAY, LAST + 900 * DAY))
    assert not any("P80" in entry.words for entry in entries(layout_of(state), replace(PLAIN, fans=far)))


def test_that_percents_of_an_answer_become_places() -> None:
    state = week()
    scale = layout_of(state).scale
    found = fans_of(state.plan, (FIRST, LAST)).answers.project
    spots = [found.p10.value, int(found.quantiles[19]), found.p50.value, found.p80.value, found.p90.value]
    assert Fan.of(found, scale) == Fan(*map(scale.x, spots))
