"""What lies under the mouse, in numbers."""

from dataclasses import replace

import pytest

from engine.model import Dependency
from gui.gantt.hit import Hit, Part, hit_at, is_finish_end, link_at, part_at
from gui.gantt.links import routes
from gui.theme import METRICS
from tests.gui.gantt.plans import US, frames, layout_of, week


@pytest.mark.parametrize(
    ("from_left", "part"),
    [
        (-18, None),
        (-17, Part.START_DOT),
        (-7, Part.START_DOT),
        (-6, Part.START_EDGE),
        (5, Part.START_EDGE),
        (6, Part.MIDDLE),
        (50, Part.MIDDLE),
    ],
)
def test_that_the_left_end_of_a_bar_has_an_edge_and_a_dot(from_left: int, part: Part | None) -> None:
    bar = layout_of(frames()).bar(1)
    assert part_at(bar, bar.left + from_left) is part


@pytest.mark.parametrize(
    ("from_right", "part"),
    [
        (-7, Part.MIDDLE),
        (-6, Part.MIDDLE),
        (-5, Part.FINISH_EDGE),
        (6, Part.FINISH_EDGE),
        (7, Part.FINISH_DOT),
        (17, Part.FINISH_DOT),
        (18, None),
    ],
)
def test_that_the_right_end_of_a_bar_has_an_edge_and_a_dot(from_right: int, part: Part | None) -> None:
    bar = layout_of(frames()).bar(1)
    assert part_at(bar, bar.right + from_right) is part


def test_that_a_bar_of_nine_pixels_can_still_be_held_in_its_middle() -> None:
    bar = replace(layout_of(frames()).bar(1), left=100.0, right=109.0)
    assert [part_at(bar, x) for x in (101, 104, 108)] == [Part.START_EDGE, Part.MIDDLE, Part.FINISH_EDGE]


def test_that_a_milestone_and_a_summary_are_moved_never_resized() -> None:
    layout = layout_of(week())
    milestone, summary = layout.bar(3), layout.bar(0)
    assert part_at(milestone, milestone.right + 5) is Part.MIDDLE
    assert part_at(summary, summary.right - 1) is Part.MIDDLE
    assert part_at(milestone, milestone.left - 14) is Part.START_DOT


def test_that_a_row_is_found_under_a_scroll() -> None:
    layout = layout_of(frames(), scroll_px=METRICS.row_px)
    bar = layout.bar(2)
    assert bar.y == METRICS.row_px
    assert hit_at(layout, (bar.left + 20, 30)) == Hit(3, Part.MIDDLE)
    assert hit_at(layout, (bar.left + 20, 4 * METRICS.row_px)) is None


def test_that_the_pin_before_a_bar_is_found_at_its_head() -> None:
    layout = layout_of(frames(pin=600 * US))
    bar = layout.bar(4)
    assert hit_at(layout, (bar.left - 3, bar.y + 3)) == Hit(5, Part.PIN)
    assert hit_at(layout, (bar.left - 3, bar.y + 12)) == Hit(5, Part.START_EDGE)


def test_that_a_link_is_found_on_its_way_and_not_beside_it() -> None:
    layout = layout_of(week())
    (way,) = [found.points for found in routes(layout, 0, 4) if found.link.dependency == Dependency(2, 3)]
    (x, y), (_, tip) = way[-2], way[-1]
    assert link_at(layout, 200, (x + 3, (y + tip) / 2)) == Dependency(2, 3)
    assert link_at(layout, 200, (x + 30, (y + tip) / 2)) is None


def test_that_a_link_of_a_stream_cannot_be_picked() -> None:
    layout = layout_of(frames())
    for found in routes(layout, 0, 4):
        for point in found.points:
            assert link_at(layout, 200, point) in {None, Dependency(2, 3)}


def test_that_the_last_third_of_a_bar_means_its_finish() -> None:
    bar = replace(layout_of(frames()).bar(1), left=100.0, right=130.0)
    assert [is_finish_end(bar, x) for x in (90, 101, 119, 121, 140)] == [False, False, False, True, True]


@pytest.mark.parametrize(("y", "is_hit"), [(1, False), (2, True), (11, True), (20, True), (21, False)])
def test_that_a_bar_is_held_by_its_own_height_and_links_run_free_between(y: int, is_hit: bool) -> None:
    layout = layout_of(frames())
    bar = layout.bar(1)
    assert (hit_at(layout, (bar.left + 20, bar.y + y)) is not None) is is_hit
    assert hit_at(layout, (bar.left + 20, bar.y + y), METRICS.row_px) is not None
