"""Metrics and gaps against sums done by hand, and against a counter of single nanoseconds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.overlap import Gap, measure_timeline, pauses_after
from engine.trace.timeline import ENGINES, Timeline

IN, COMPUTE, OUT, HOST = range(4)
Operation = tuple[int, int, int, int, int]  # task, stream, engine, start, end


def timeline_of(*operations: Operation, streams: int = 3, iteration: int = 0) -> Timeline:
    timeline = Timeline(tuple(f"Stream {index + 1}" for index in range(streams)), {})
    rows = [(task, iteration, 0, 1, stream, engine, s, e) for task, stream, engine, s, e in operations]
    timeline.extend(np.array(rows, np.int64).reshape(-1, 8))
    return timeline


def gaps_of(
    timeline: Timeline, row: str, links: dict[int, tuple[int, ...]] | None = None, launch: int = 5
) -> list[Gap]:
    return [gap for gap in measure_timeline(timeline, links or {}, None, launch).gaps if gap.row == row]


def test_that_the_figures_of_a_small_pipeline_are_those_done_by_hand() -> None:
    # in [0,10) and [10,20); compute [10,30); out [30,36); host [0,4)
    timeline = timeline_of(
        (1, 0, IN, 0, 10), (2, 1, IN, 10, 20), (3, 0, COMPUTE, 10, 30), (4, 0, OUT, 30, 36), (5, 2, HOST, 0, 4)
    )
    metrics = measure_timeline(timeline, {}, 30)
    assert (metrics.span_ns, metrics.busy_ns, metrics.serial_ns, metrics.bound_ns) == (36, 36, 50, 30)
    assert metrics.hidden_copy_pct == 100 * 10 / 26
    assert metrics.hidden_in_pct == 50
    assert metrics.hidden_out_pct == 0
    assert metrics.speed_up == 50 / 36
    assert metrics.busy_pct == 100
    assert metrics.concurrency_ns == (0, 22, 14)


def test_that_a_pause_is_taken_out_of_every_figure_but_the_span() -> None:
    # a copy [0,10); a kernel of two parts [10,20) and [120,130), paused between; a copy out [130,140)
    timeline = timeline_of((1, 0, IN, 0, 10), (3, 0, OUT, 130, 140))
    timeline.extend(np.array([[2, 0, 0, 2, 0, COMPUTE, 10, 20], [2, 0, 1, 2, 0, COMPUTE, 120, 130]], np.int64))
    metrics = measure_timeline(timeline, {}, None, pauses=pauses_after(timeline, [20]))
    assert (metrics.span_ns, metrics.paused_ns, metrics.busy_ns, metrics.serial_ns) == (140, 100, 40, 40)
    assert (metrics.busy_pct, metrics.speed_up) == (100, 1)
    assert metrics.concurrency_ns == (0, 40)
    assert pauses_after(timeline, [15, 140]) == ()


def test_that_host_work_does_not_keep_the_device_busy() -> None:
    metrics = measure_timeline(timeline_of((1, 0, HOST, 0, 30), (2, 0, COMPUTE, 30, 40)), {}, None)
    assert (metrics.span_ns, metrics.busy_ns, metrics.serial_ns) == (40, 10, 40)
    assert metrics.busy_pct == 25


def test_that_a_quotient_without_a_denominator_is_none() -> None:
    nothing = measure_timeline(timeline_of(), {}, None)
    assert (nothing.span_ns, nothing.busy_ns, nothing.serial_ns) == (0, 0, 0)
    assert nothing.hidden_copy_pct is nothing.speed_up is nothing.busy_pct is nothing.bound_ns is None
    assert nothing.gaps == nothing.concurrency_ns == ()
    only_in = measure_timeline(timeline_of((1, 0, IN, 0, 10)), {}, None)
    assert (only_in.hidden_copy_pct, only_in.hidden_out_pct) == (0, None)


def test_that_a_gap_until_a_predecessor_ends_names_it() -> None:
    timeline = timeline_of((1, 0, IN, 0, 100), (2, 1, COMPUTE, 102, 200))
    assert gaps_of(timeline, "compute", {2: (1,)}) == [Gap("compute", 0, 102, "dependency", 1, 0, True)]
    assert gaps_of(timeline, "Stream 2", {2: (1,)}) == [Gap("Stream 2", 0, 102, "dependency", 1)]


def test_that_the_predecessor_of_the_same_iteration_is_named() -> None:
    timeline = timeline_of((1, 0, IN, 0, 50), (2, 1, COMPUTE, 50, 60))
    timeline.extend(np.array([[1, 1, 0, 1, 0, IN, 50, 100], [2, 1, 0, 1, 1, COMPUTE, 100, 110]]))
    assert gaps_of(timeline, "compute", {2: (1,)}) == [
        Gap("compute", 0, 50, "dependency", 1, 0, True),
        Gap("compute", 60, 100, "dependency", 1, 1, True),
    ]


def test_that_an_engine_waits_for_what_runs_before_on_the_stream_though_no_link_says_so() -> None:
    timeline = timeline_of((1, 0, IN, 0, 100), (2, 0, COMPUTE, 100, 200))
    assert gaps_of(timeline, "compute") == [Gap("compute", 0, 100, "dependency", 1, 0, True)]


def test_that_a_stream_behind_a_busy_engine_names_the_operation_that_held_it() -> None:
    timeline = timeline_of((1, 0, IN, 0, 40), (2, 1, IN, 40, 100), (3, 2, IN, 101, 150))
    assert gaps_of(timeline, "Stream 3") == [Gap("Stream 3", 0, 101, "engine_busy", 2)]


def test_that_the_longest_wait_is_the_cause() -> None:
    # Waits for task 1 until 30, then stands behind task 2 until 100.
    timeline = timeline_of((1, 0, IN, 0, 30), (2, 0, COMPUTE, 30, 100), (3, 1, COMPUTE, 100, 110))
    assert gaps_of(timeline, "Stream 2", {3: (1,)}) == [Gap("Stream 2", 0, 100, "engine_busy", 2)]
    timeline = timeline_of((1, 0, IN, 0, 70), (2, 0, COMPUTE, 70, 100), (3, 1, COMPUTE, 100, 110))
    assert gaps_of(timeline, "Stream 2", {3: (1,)}) == [Gap("Stream 2", 0, 100, "dependency", 1)]


def test_that_a_short_gap_is_the_launch_and_its_threshold_can_be_set() -> None:
    timeline = timeline_of((1, 0, COMPUTE, 0, 10), (2, 0, COMPUTE, 15, 20))
    assert gaps_of(timeline, "compute", launch=5) == [Gap("compute", 10, 15, "launch", 2, 0, True)]
    assert gaps_of(timeline, "compute", launch=4) == [Gap("compute", 10, 15, "host_late", 2, 0, True)]


def test_that_a_late_operation_is_the_hosts_fault_only_when_the_whole_device_was_idle() -> None:
    idle = timeline_of((1, 0, COMPUTE, 0, 10), (2, 0, COMPUTE, 50, 60), (9, 1, HOST, 10, 50))
    assert gaps_of(idle, "compute") == [Gap("compute", 10, 50, "host_late", 2, 0, True)]
    beside = timeline_of((1, 0, COMPUTE, 0, 10), (2, 0, COMPUTE, 50, 60), (3, 1, OUT, 20, 30))
    assert gaps_of(beside, "compute") == [Gap("compute", 10, 50, "stall", 2, 0, True)]


def test_that_a_row_that_is_through_has_no_work() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 1, COMPUTE, 10, 40))
    assert gaps_of(timeline, "copy_in") == [Gap("copy_in", 10, 40, "no_work", None, 0, True)]
    assert gaps_of(timeline, "Stream 3") == []


def test_that_only_the_longest_gaps_are_kept_when_asked_and_in_the_order_of_time() -> None:
    timeline = timeline_of((1, 0, IN, 0, 10), (2, 0, IN, 20, 30), (3, 0, IN, 33, 40), (4, 0, IN, 90, 99))
    kept = measure_timeline(timeline, {}, None, most_gaps=4).gaps
    assert [(gap.row, gap.start_ns, gap.end_ns) for gap in kept] == [
        ("Stream 1", 10, 20), ("copy_in", 10, 20), ("Stream 1", 40, 90), ("copy_in", 40, 90),
    ]  # fmt: skip


operation = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 50), st.integers(0, 20))


@given(st.lists(operation, max_size=12))
def test_that_every_figure_equals_a_count_of_single_nanoseconds(found: list[tuple[int, int, int, int]]) -> None:
    operations = [(task, stream, engine, s, s + n) for task, (stream, engine, s, n) in enumerate(found)]
    timeline = timeline_of(*operations)
    links = {task: tuple(range(max(0, task - 2), task)) for task in range(len(found))}
    metrics = measure_timeline(timeline, links, None, launch_ns=3)

    def running(t: int, *engines: int) -> list[Operation]:
        return [op for op in operations if op[2] in engines and op[3] <= t < op[4]]

    begin = min((op[3] for op in operations), default=0)
    clock = range(begin, max((op[4] for op in operations), default=0))
    assert metrics.span_ns == len(clock)
    assert metrics.busy_ns == sum(bool(running(t, IN, COMPUTE, OUT)) for t in clock)
    assert metrics.serial_ns == sum(len(running(t, IN, COMPUTE, OUT, HOST)) for t in clock)
    copying = [t for t in clock if running(t, IN, OUT)]
    hidden = sum(bool(running(t, COMPUTE)) for t in copying)
    assert metrics.hidden_copy_pct == (100 * hidden / len(copying) if copying else None)
    counts = [len(running(t, IN, COMPUTE, OUT, HOST)) for t in clock]
    assert metrics.concurrency_ns == tuple(counts.count(k) for k in range(max(counts, default=-1) + 1))

    rows = [(name, False, [op for op in operations if op[1] == i]) for i, name in enumerate(timeline.streams)]
    rows += [(name, True, [op for op in operations if op[2] == i]) for i, name in enumerate(ENGINES)]
    for name, is_engine, mine in rows:
        mine = [op for op in mine if op[4] > op[3]]
        idle = {t for t in clock if not any(op[3] <= t < op[4] for op in mine)} if mine else set()
        gaps = [gap for gap in metrics.gaps if (gap.row, gap.is_engine) == (name, is_engine)]
        assert {t for gap in gaps for t in range(gap.start_ns, gap.end_ns)} == idle
        assert sum(gap.duration_ns for gap in gaps) == len(idle)
        last = max((op[4] for op in mine), default=0)
        assert all((gap.cause == "no_work") == (gap.start_ns >= last) for gap in gaps)
