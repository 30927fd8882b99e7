"""Spans, parts and the levels of detail of a timeline, against sums done by hand and a merge written plainly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.timeline import ENGINES, NOT_KNOWN, Timeline

NAMES = {1: "copy in", 2: "denoise", 3: "copy out"}


def timeline_of(*rows: tuple[int, ...]) -> Timeline:
    timeline = Timeline(("Stream 1", "Stream 2", "Stream 3"), NAMES)
    timeline.extend(np.array(rows, np.int64).reshape(-1, 8))
    return timeline


def test_that_a_span_goes_from_its_first_part_to_its_last_in_any_order_of_arrival() -> None:
    timeline = timeline_of((2, 0, 2, 3, 1, 1, 70, 90), (1, 0, 0, 1, 0, 0, 0, 10))
    first = timeline.span(2)
    assert first is not None
    assert (first.start_ns, first.end_ns, first.is_done) == (70, 90, False)
    timeline.extend(np.array([[2, 0, 0, 3, 1, 1, 12, 30]]))
    timeline.extend(np.array([[2, 0, 1, 3, 1, 1, 35, 60]]))
    span = timeline.span(2)
    assert span is not None
    assert (span.start_ns, span.end_ns, span.duration_ns, span.is_done) == (12, 90, 78, True)
    assert (span.name, span.stream, span.engine) == ("denoise", 1, "compute")
    assert timeline.parts(2, 0) == ((0, 12, 30), (1, 35, 60), (2, 70, 90))
    assert timeline.count == 2
    assert timeline.end_ns_max == 90


def test_that_a_span_was_launched_when_its_first_part_was() -> None:
    timeline = timeline_of((1, 0, 0, 1, 0, 0, 0, 10))
    timeline.extend(np.array([[2, 0, 0, 2, 1, 1, 12, 30, 5], [2, 0, 1, 2, 1, 1, 30, 60, 13]]))
    assert timeline.launch_ns.tolist() == [NOT_KNOWN, 5]
    assert [span.launch_ns for span in timeline.spans()] == [NOT_KNOWN, 5]


def test_that_the_latest_iteration_is_found_whatever_arrived_last() -> None:
    timeline = timeline_of((1, 1, 0, 1, 0, 0, 50, 60), (1, 0, 0, 1, 0, 0, 0, 10))
    latest, first = timeline.span(1), timeline.span(1, 0)
    assert latest is not None
    assert first is not None
    assert (latest.iteration, latest.start_ns, first.start_ns) == (1, 50, 0)
    assert timeline.span(3) is None
    assert timeline.span(1, 2) is None
    assert timeline.parts(3, 0) == ()


def test_that_spans_are_ordered_by_start_then_task() -> None:
    timeline = timeline_of((3, 0, 0, 1, 2, 2, 5, 9), (2, 0, 0, 1, 1, 1, 5, 6), (1, 0, 0, 1, 0, 0, 1, 2))
    assert [span.task for span in timeline.spans()] == [1, 2, 3]


def test_that_columns_cannot_be_written_from_outside() -> None:
    timeline = timeline_of((1, 0, 0, 1, 0, 0, 0, 10))
    with pytest.raises(ValueError, match="read-only"):
        timeline.start_ns[0] = 5


def test_that_rows_are_copied_because_a_ring_is_used_again() -> None:
    rows = np.array([[1, 0, 0, 1, 0, 0, 0, 10]])
    timeline = Timeline(("Stream 1",), NAMES)
    timeline.extend(rows)
    rows[:] = 99
    assert (timeline.task.tolist(), timeline.end_ns.tolist()) == ([1], [10])


def test_that_rows_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="9 columns"):
        timeline_of().extend(np.zeros((3, 7), np.int64))


def test_that_no_rows_change_nothing() -> None:
    timeline = timeline_of()
    assert (timeline.count, timeline.end_ns_max, timeline.spans()) == (0, 0, [])
    assert timeline.window(0, 100, 1).row.tolist() == []


def test_that_short_bars_of_one_cell_become_one_that_shows_the_longest() -> None:
    timeline = timeline_of(
        (1, 0, 0, 1, 0, 0, 0, 3), (2, 0, 0, 1, 0, 1, 4, 8), (3, 0, 0, 1, 0, 2, 17, 20), (1, 1, 0, 1, 0, 0, 32, 64)
    )
    window = timeline.window(0, 100, 16)
    assert window.start.tolist() == [0, 17, 32]
    assert window.end.tolist() == [8, 20, 64]
    assert window.count.tolist() == [2, 1, 1]
    assert window.task.tolist() == [2, 3, 1]
    assert [ENGINES[engine] for engine in window.engine] == ["compute", "copy_out", "copy_in"]
    assert timeline.window(0, 100, 1).count.tolist() == [1, 1, 1, 1]


def test_that_rows_of_a_window_are_engines_when_asked_by_engine() -> None:
    timeline = timeline_of((1, 0, 0, 1, 2, 0, 0, 3), (2, 0, 0, 1, 2, 1, 4, 8))
    assert timeline.window(0, 10, 1, by="stream").row.tolist() == [2, 2]
    assert timeline.window(0, 10, 1, by="engine").row.tolist() == [0, 1]


def test_that_a_bar_that_only_touches_the_windows_edge_is_left_out() -> None:
    timeline = timeline_of((1, 0, 0, 1, 0, 0, 0, 10), (2, 0, 0, 1, 0, 1, 20, 30), (3, 0, 0, 1, 0, 2, 10, 10))
    assert timeline.window(10, 20, 1).task.tolist() == [3]


part = st.tuples(
    st.integers(0, 5), st.integers(0, 3), st.integers(1, 3), st.integers(0, 2), st.integers(0, 3),
    st.integers(0, 300), st.lists(st.integers(0, 40), min_size=6, max_size=6),
)  # fmt: skip


@st.composite
def batches(draw: st.DrawFn) -> list[list[tuple[int, ...]]]:
    """Operations cut into parts, their parts shuffled and dealt out in batches; the last batch may be missing."""
    rows = []
    for task, iteration, parts, stream, engine, start, steps in draw(
        st.lists(part, max_size=14, unique_by=lambda operation: operation[:2])
    ):
        for index in range(parts):
            end = start + steps[2 * index]
            rows.append((task, iteration, index, parts, stream, engine, start, end))
            start = end + steps[2 * index + 1]
    rows = draw(st.permutations(rows))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    return [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def naive_bars(timeline: Timeline, by: str, cell: int) -> list[tuple[int, ...]]:
    """(start, end, row, lane, count, length of the longest) of every bar, one span at a time."""
    groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    lanes = timeline.lanes(by).lane.tolist()
    for index in range(timeline.count):
        start, end = int(timeline.start_ns[index]), int(timeline.end_ns[index])
        row = int(getattr(timeline, by)[index])
        key = (row, lanes[index], start // cell) if end - start < cell else (row, lanes[index], start // cell, index)
        groups.setdefault(key, []).append((start, end))
    return sorted(
        (min(s for s, _ in group), max(e for _, e in group), *key[:2], len(group), max(e - s for s, e in group))
        for key, group in groups.items()
    )


def touches(start: int, end: int, t0: int, t1: int) -> bool:
    return start < t1 and (end > t0 or start == end >= t0)


@given(
    batches(), st.lists(st.tuples(st.integers(0, 8), st.integers(-5, 400), st.integers(0, 200)), min_size=1, max_size=4)
)
def test_that_a_window_equals_a_plain_merge_at_every_level_while_the_timeline_grows(
    grown: list[list[tuple[int, ...]]], asked: list[tuple[int, int, int]]
) -> None:
    timeline = timeline_of()
    for batch in grown:
        timeline.extend(np.array(batch, np.int64).reshape(-1, 8))
        for k, t0, length in asked:
            for by in ("stream", "engine"):
                window = timeline.window(t0, t0 + length, 1 << k, by)
                longest = timeline.end_ns[window.span] - timeline.start_ns[window.span]
                columns = (window.start, window.end, window.row, window.lane, window.count, longest)
                found = sorted(zip(*(column.tolist() for column in columns), strict=True))
                bars = naive_bars(timeline, by, 1 << k)
                assert found == [bar for bar in bars if touches(bar[0], bar[1], t0, t0 + length)]
                assert window.start.tolist() == sorted(window.start.tolist())
                assert window.task.tolist() == timeline.task[window.span].tolist()


@given(batches())
def test_that_batches_make_the_same_spans_as_all_rows_at_once(grown: list[list[tuple[int, ...]]]) -> None:
    timeline = timeline_of()
    for batch in grown:
        timeline.extend(np.array(batch, np.int64).reshape(-1, 8))
    at_once = timeline_of(*[row for batch in grown for row in batch])
    assert timeline.spans() == at_once.spans()
    assert timeline.end_ns_max == at_once.end_ns_max


@given(batches())
def test_that_a_timeline_read_from_its_columns_is_the_same(grown: list[list[tuple[int, ...]]]) -> None:
    timeline = timeline_of(*[row for batch in grown for row in batch])
    again = Timeline.from_columns(timeline.streams, timeline.names, timeline.to_columns())
    assert again.spans() == timeline.spans()
    assert all(again.parts(s.task, s.iteration) == timeline.parts(s.task, s.iteration) for s in timeline.spans())


def test_that_the_rows_of_many_spans_are_found_at_once() -> None:
    timeline = timeline_of((2, 1, 0, 1, 0, 0, 0, 9), (1, 0, 0, 1, 0, 0, 9, 10), (2, 0, 0, 1, 0, 0, 10, 12))
    tasks, iterations = np.array([2, 1, 2, 3, 1, 2]), np.array([0, 0, 1, 0, -1, 7])
    assert timeline.rows_of(tasks, iterations).tolist() == [2, 1, 0, -1, -1, -1]
    assert timeline_of().rows_of(tasks, iterations).tolist() == [-1] * 6
