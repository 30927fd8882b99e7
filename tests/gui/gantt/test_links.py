"""The way of a link, in numbers. Rows are 24 px; a bar's middle lies 11 px under the upper edge of its row."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Dependency, DependencyKind, Task
from engine.session.state import State
from gui.canvas.shapes import Point
from gui.gantt.bars import Layout
from gui.gantt.links import cut_to_sight, distance, in_sight, routes, simple, walls_at
from gui.gantt.row_links import RowLink
from gui.gantt.ways import STUB_PX, Ends, Walls, ways
from gui.theme import METRICS
from tests.gui.gantt.plain_ways import End, end_of
from tests.gui.gantt.plain_ways import route as plain_route
from tests.gui.gantt.plans import frames, layout_of, state_of, week

HEIGHT_PX = 500.0
Points = tuple[Point, ...]


def end(x: float, row: int, out: int) -> End:
    return End(x, row * 24.0, out, row * 24.0 + 5, row * 24.0 + 17)


def route(source: End, target: End, blocked: Sequence[tuple[float, float]], has_label: bool = False) -> Points:
    """The way of one link as it is found for many at once."""
    rows, ends = np.zeros(len(blocked), dtype=np.int64), [ends_of(each) for each in (source, target)]
    walls = Walls(blocked, rows, np.array([0]), np.array([1]))
    (found,) = ways(*ends, np.array([has_label]), walls, np.array([0])).points
    assert simple(found.tolist()) == plain_route(source, target, blocked, has_label)
    return simple(found.tolist())


def ends_of(end: End) -> Ends:
    out, lane = np.array([float(end.out)]), np.array([end.lane])
    x, y, top, bottom, inset = (np.array([each]) for each in (end.x, end.y, end.top, end.bottom, end.inset))
    return Ends(x, y, out, top, bottom, inset, lane)


def test_that_a_link_to_the_next_row_goes_across_and_down() -> None:
    assert route(end(100, 0, 1), end(130, 1, -1), []) == ((100, 11), (134, 11), (134, 29))


def test_that_a_link_back_in_time_goes_along_the_gutter() -> None:
    way = route(end(100, 0, 1), end(60, 1, -1), [])
    assert way == ((100, 11), (105, 11), (105, 24), (64, 24), (64, 29))


def test_that_a_link_upward_meets_the_bar_from_below() -> None:
    way = route(end(100, 2, 1), end(115, 0, -1), [])
    assert way == ((100, 59), (119, 59), (119, 17))


def test_that_a_link_from_start_to_start_leaves_to_the_left() -> None:
    way = route(end(100, 0, -1), end(120, 1, -1), [])
    assert way == ((100, 11), (95, 11), (95, 24), (124, 24), (124, 29))


def test_that_a_link_from_finish_to_finish_enters_near_the_finish() -> None:
    way = route(end(100, 0, 1), end(150, 1, 1), [])
    assert way[-1] == (146, 29)


def test_that_a_bar_between_is_passed_at_its_nearer_side() -> None:
    way = route(end(100, 0, 1), end(130, 2, -1), [(120, 300)])
    assert (120, 24) not in way
    assert way == ((100, 11), (105, 11), (105, 48), (134, 48), (134, 53))


def test_that_several_bars_in_one_another_are_passed_together() -> None:
    way = route(end(100, 0, 1), end(130, 3, -1), [(90, 140), (135, 160), (20, 95)])
    assert {x for x, _ in way if x > 105} == {134, 160}


def test_that_a_detour_too_long_to_follow_is_not_taken() -> None:
    assert route(end(100, 0, 1), end(530, 2, -1), [(0, 1000)]) == ((100, 11), (534, 11), (534, 53))


def test_that_a_link_leaves_words_beside_its_bar_alone() -> None:
    way = route(end(100, 0, 1), end(300, 1, -1), [], has_label=True)
    assert way == ((100, 11), (105, 11), (105, 24), (304, 24), (304, 29))


blocks = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 60)).map(lambda w: (w[0], w[0] + w[1])), max_size=5)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 5), st.sampled_from([1, -1]), blocks)
def test_that_every_way_is_level_or_upright_and_ends_at_the_bar(
    x0: int, x1: int, rows: int, out: int, blocked: list[tuple[int, int]]
) -> None:
    way = route(end(x0, 0, out), end(x1, rows, -1), blocked)
    assert way[0] == (x0, 11)
    assert way[-1] == (x1 + 4, rows * 24 + 5)
    assert all(a != b and (a[0] == b[0] or a[1] == b[1]) for a, b in pairwise(way))
    assert all(_crosses_nothing(a, b, rows, blocked) for a, b in pairwise(way))


def _crosses_nothing(a: Point, b: Point, rows: int, blocked: list[tuple[int, int]]) -> bool:
    """No upright part runs through a bar between the rows, where a way round is near."""
    is_between = a[0] == b[0] and min(a[1], b[1]) <= 24 and max(a[1], b[1]) >= rows * 24 and rows > 1
    return not is_between or not any(left < a[0] < right for left, right in blocked) or _is_walled(blocked)


def _is_walled(blocked: list[tuple[int, int]]) -> bool:
    merged = 0
    reach = -1
    for left, right in sorted(blocked):
        merged = right - left if left > reach else merged + max(right - reach, 0)
        reach = max(reach, right)
        if merged > 160:
            return True
    return False


def test_that_a_link_to_a_far_row_goes_down_first_and_then_along_the_gutter() -> None:
    way = route(end(100, 0, 1), end(400, 5, -1), [])
    assert way == ((100, 11), (105, 11), (105, 120), (404, 120), (404, 125))


def test_that_all_far_links_of_one_end_share_one_upright() -> None:
    ways = [route(end(100, 0, 1), end(x, row, -1), [(120, 500)]) for x, row in ((300, 4), (600, 7), (210, 9))]
    assert {way[1] for way in ways} == {(105, 11)}
    assert {way[2][0] for way in ways} == {105}


def test_that_of_two_gaps_the_one_on_the_way_is_taken() -> None:
    """The end of the wall to the left is nearer, that to the right lies on the way to the target."""
    way = route(end(100, 0, 1), end(400, 9, -1), [(60, 180)])
    assert [x for (x, y), (_, below) in pairwise(way) if below - y > 24] == [180]


def test_that_links_that_leave_next_to_each_other_stand_apart() -> None:
    ends = [replace(end(100, row, 1), lane=row) for row in range(3)]
    ways = [route(source, end(400, 9, -1), []) for source in ends]
    assert sorted(way[1][0] for way in ways) == [103, 105, 107]


def test_that_a_link_goes_round_the_words_beside_a_bar_between() -> None:
    """Frame, on its row of its own, is linked to Paint, and Roof between has its name beside it."""
    state = week()
    linked = state_of(state.plan.with_dependencies((Dependency(2, 5),)))
    layout = layout_of(linked)
    stub = layout.bar(1).right + STUB_PX
    (found,) = routes(layout, 0, 4, {2: (stub - 20, stub + 20), 3: (stub - 20, stub + 40)})
    uprights = [a[0] for a, b in pairwise(found.points) if a[0] == b[0] and abs(a[1] - b[1]) > 24]
    assert all(not stub - 20 < x < stub + 40 for x in uprights)


def test_that_a_frame_around_a_bar_is_not_run_into() -> None:
    (found, _) = routes(layout_of(frames()), 0, 4)
    assert found.points[-1] == (114.0, 48 + 5 - METRICS.frame_px)


def test_that_distance_is_that_to_the_nearest_segment() -> None:
    way = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0))
    assert distance(way, 5, 3) == 3
    assert distance(way, 12, 10) == 2
    assert distance(way, 10, 10) == 0


def test_that_a_stream_link_and_a_stored_one_are_both_routed() -> None:
    found = routes(layout_of(frames()), 0, 4)
    assert [(way.link.first, way.link.second, way.link.dependency is None) for way in found] == [
        (1, 2, False),
        (2, 3, True),
    ]


def test_that_links_of_one_end_that_leave_the_chart_look_alike_in_it() -> None:
    one, other = (route(end(100, 0, 1), end(x, row, -1), []) for x, row in ((300, 90), (500, 70)))
    assert in_sight(one, 400) == in_sight(other, 400) == ((100, 11), (105, 11), (105, 424))
    assert in_sight(one, 4_000) == one


def test_that_a_link_that_lies_beside_the_chart_has_no_way() -> None:
    near = layout_of(week())
    assert routes(near, 0, 4)
    assert not routes(layout_of(week(), near.scale.panned(-20_000)), 0, 4)


def hub(count: int, seed: int) -> State:
    """Tasks of any length, links from a few of them to many, up and down."""
    rng = random.Random(seed)
    tasks = tuple(Task(number, f"Task {number}", rng.randint(0, 30) * 8 * 3600) for number in range(1, count + 1))
    ends = {(rng.choice((1, 14, 15, count)), rng.randint(2, count - 1)) for _ in range(4 * count)}
    kinds = tuple(DependencyKind)
    links = tuple(Dependency(a, b, rng.choice(kinds)) for a, b in sorted(ends) if a < b and b - a not in (1, 2))
    return state_of(replace(week().plan, tasks=tasks, dependencies=links, assignments=(), next_task_id=count + 1))


def seen(seed: int) -> tuple[Layout, dict[int, tuple[float, float]], tuple[int, int]]:
    """A chart of many links, with words beside some of its bars."""
    plain = layout_of(hub(60, seed))
    scale = replace(plain.scale, ticks_per_px=(3600.0, 14_400.0)[seed % 2], width_px=9_999.0)
    layout, rng = replace(plain, scale=scale, scroll_px=(7, 250)[seed // 4]), random.Random(seed)
    rows = layout.seen(HEIGHT_PX)
    ends = {
        row: layout.bar(row).right + rng.choice((-90, 9)) for row in range(rows[0], rows[1] + 1) if rng.random() < 0.5
    }
    return layout, {row: (left, left + 60.0) for row, left in ends.items()}, rows


@pytest.mark.parametrize("seed", range(8))
def test_that_links_drawn_as_one_look_as_if_each_were_drawn(seed: int) -> None:
    layout, words, rows = seen(seed)
    drawn = routes(layout, *rows, words)
    each = [alone(layout, link, rows, words) for link in layout.rows.links_at(*rows)]
    assert {in_sight(way.points, HEIGHT_PX) for way in drawn} == {in_sight(way, HEIGHT_PX) for way in each}
    assert len(drawn) + sum(len(way.beyond) for way in drawn) == len(each)
    assert any(way.beyond for way in drawn)


@pytest.mark.parametrize("seed", range(8))
def test_that_many_ways_are_cut_to_what_is_seen_like_each_of_them(seed: int) -> None:
    layout, words, rows = seen(seed)
    drawn = routes(layout, *rows, words)
    cut = cut_to_sight(drawn.points, HEIGHT_PX)
    assert [simple(way) for way in cut.tolist()] == [simple(in_sight(way.points, HEIGHT_PX)) for way in drawn]


def alone(layout: Layout, link: RowLink, rows: tuple[int, int], words: dict[int, tuple[float, float]]) -> Points:
    stands = walls_at(layout, *rows, words)
    upper, lower = sorted((link.first, link.second))
    between = range(max(upper + 1, rows[0]), min(lower, rows[1] + 1))
    source = end_of(layout, layout.bar(link.first), link.kind in {DependencyKind.FS, DependencyKind.FF})
    target = end_of(layout, layout.bar(link.second), link.kind in {DependencyKind.FF, DependencyKind.SF})
    has_label = link.first in words and words[link.first][0] >= layout.bar(link.first).right
    return plain_route(source, target, [span for row in between for span in stands[row]], has_label)
