"""Where bars of one row stand when they overlap: no two of a lane do, and none ever moves."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.lanes import MOST_LANES
from engine.trace.overlap import concurrency
from engine.trace.timeline import ENGINES, Timeline

COMPUTE = ENGINES.index("compute")
Row = tuple[int, ...]


def kernel(task: int, start: int, end: int, part: int = 0, parts: int = 1) -> Row:
    """A part of a kernel on a stream of its own."""
    return (task, 0, part, parts, task, COMPUTE, start, end)


def timeline_of(*rows: Row, like: Timeline | None = None) -> Timeline:
    timeline = Timeline(("Stream 1", "Stream 2", "Stream 3"), {})
    timeline.like = like
    timeline.extend(np.array(rows, np.int64).reshape(-1, 8))
    return timeline


def lanes(timeline: Timeline, by: str = "engine") -> list[int]:
    return timeline.lanes(by).lane.tolist()


def test_that_a_row_without_overlap_has_one_lane() -> None:
    timeline = timeline_of(kernel(1, 0, 10), kernel(2, 10, 20), kernel(3, 25, 30))
    assert lanes(timeline) == [0, 0, 0]
    assert timeline.lanes("engine").count(COMPUTE) == timeline.lanes("engine").count(0) == 1
    assert lanes(timeline, "stream") == [0, 0, 0]


def test_that_a_bar_takes_a_lane_that_is_free() -> None:
    timeline = timeline_of(kernel(1, 0, 10), kernel(2, 5, 15), kernel(3, 8, 20), kernel(4, 10, 12), kernel(5, 13, 30))
    assert lanes(timeline) == [0, 1, 2, 0, 0]
    assert timeline.lanes("engine").count(COMPUTE) == 3
    assert not timeline.lanes("engine").is_shared(COMPUTE)


def test_that_a_kernel_keeps_its_lane_to_itself_until_its_last_part() -> None:
    timeline = timeline_of(kernel(1, 0, 10, 0, 2))
    timeline.extend(np.array([kernel(2, 11, 12)]))
    assert lanes(timeline) == [0, 1]
    timeline.extend(np.array([kernel(1, 10, 20, 1, 2), kernel(3, 19, 25), kernel(4, 25, 30)]))
    assert lanes(timeline) == [0, 1, 1, 1]


def test_that_what_finds_no_lane_free_shares_the_last() -> None:
    timeline = timeline_of(*(kernel(task, task, 100 + task) for task in range(6)), kernel(6, 102, 200))
    assert lanes(timeline) == [0, 1, 2, 3, 3, 3, 2]
    assert timeline.lanes("engine").count(COMPUTE) == MOST_LANES
    assert timeline.lanes("engine").is_shared(COMPUTE)
    assert not timeline.lanes("engine").is_shared(0)


def test_that_a_bar_stands_where_it_was_expected_if_there_is_room() -> None:
    expected = timeline_of(kernel(1, 0, 10), kernel(2, 0, 10), kernel(3, 10, 20), kernel(4, 10, 20))
    assert lanes(expected) == [0, 1, 0, 1]
    # The second is the first to end, and the fourth comes while the second's lane is still taken.
    actual = timeline_of(kernel(2, 0, 9), kernel(1, 0, 12), kernel(4, 8, 20), kernel(3, 12, 22), like=expected)
    assert lanes(actual) == [1, 0, 2, 0]
    assert lanes(timeline_of(kernel(2, 0, 9), like=expected)) == [1]
    assert lanes(timeline_of(kernel(7, 0, 9), like=expected)) == [0], "nothing was expected of it"


def test_that_a_window_says_in_which_lane_a_bar_stands_and_merges_only_within_it() -> None:
    rows = [kernel(1, 0, 100), *(kernel(task, 4 * task, 4 * task + 3) for task in range(2, 10))]
    window = timeline_of(*rows).window(0, 200, 64, "engine")
    assert window.row.tolist() == [COMPUTE, COMPUTE]
    assert window.lane.tolist() == [0, 1]
    assert window.count.tolist() == [1, 8]


operation = st.tuples(st.integers(0, 200), st.lists(st.integers(1, 40), min_size=1, max_size=3))


@st.composite
def runs(draw: st.DrawFn) -> list[Row]:
    """Kernels in one to three parts, as their parts end."""
    rows = []
    for task, (start, lengths) in enumerate(draw(st.lists(operation, max_size=14))):
        for part, length in enumerate(lengths):
            rows.append(kernel(task, start, start + length, part, len(lengths)))
            start += length
    return sorted(rows, key=lambda row: (row[7], row[0]))


def check_lanes(timeline: Timeline) -> None:
    found, starts, ends = lanes(timeline), timeline.start_ns.tolist(), timeline.end_ns.tolist()
    count, is_shared = timeline.lanes("engine").count(COMPUTE), timeline.lanes("engine").is_shared(COMPUTE)
    assert count == max(found, default=0) + 1
    for one, other in combinations(range(len(found)), 2):
        if found[one] == found[other] and not (is_shared and found[one] == MOST_LANES - 1):
            assert ends[one] <= starts[other] or ends[other] <= starts[one]


@given(runs(), st.lists(st.integers(0, 40), max_size=5))
def test_that_no_bars_of_a_lane_overlap_and_none_moves_whenever_one_looks(rows: list[Row], cuts: list[int]) -> None:
    timeline, seen = timeline_of(), list[int]()
    edges = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    for first, last in pairwise(edges):
        timeline.extend(np.array(rows[first:last], np.int64).reshape(-1, 8))
        found = lanes(timeline)
        assert found[: len(seen)] == seen
        seen = found
    check_lanes(timeline)
    assert seen == lanes(timeline_of(*rows))


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(1, 40)), min_size=1, max_size=20))
def test_that_a_prediction_needs_as_many_lanes_as_operations_go_on_at_once(operations: list[tuple[int, int]]) -> None:
    rows = [kernel(task, start, start + length) for task, (start, length) in enumerate(sorted(operations))]
    timeline = timeline_of(*rows)
    check_lanes(timeline)
    most = int(concurrency(timeline.start_ns, timeline.end_ns)[1].max())
    assert timeline.lanes("engine").count(COMPUTE) == min(most, MOST_LANES)
    assert timeline.lanes("engine").is_shared(COMPUTE) == (most > MOST_LANES)


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(1, 40)), min_size=1, max_size=20))
def test_that_a_run_needs_as_many_lanes_as_operations_go_on_at_once(operations: list[tuple[int, int]]) -> None:
    ends = sorted((start + length, start) for start, length in operations)
    timeline = timeline_of(*(kernel(task, start, end) for task, (end, start) in enumerate(ends)))
    check_lanes(timeline)
    most = int(concurrency(timeline.start_ns, timeline.end_ns)[1].max())
    assert timeline.lanes("engine").count(COMPUTE) == min(most, MOST_LANES)
