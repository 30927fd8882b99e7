"""Metrics against sums done by hand, and against a counter of single nanoseconds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.overlap import measure_timeline, pauses_after
from engine.trace.timeline import Timeline
from engine.trace.waits import Waits

IN, COMPUTE, OUT, HOST = range(4)
Operation = tuple[int, int, int, int, int]  # task, stream, engine, start, end


def timeline_of(*operations: Operation, streams: int = 3, iteration: int = 0) -> Timeline:
    timeline = Timeline(tuple(f"Stream {index + 1}" for index in range(streams)), {})
    rows = [(task, iteration, 0, 1, stream, engine, s, e) for task, stream, engine, s, e in operations]
    timeline.extend(np.array(rows, np.int64).reshape(-1, 8))
    return timeline


def test_that_the_figures_of_a_small_pipeline_are_those_done_by_hand() -> None:
    # in [0,10) and [10,20); compute [10,30); out [30,36); host [0,4)
    timeline = timeline_of(
        (1, 0, IN, 0, 10), (2, 1, IN, 10, 20), (3, 0, COMPUTE, 10, 30), (4, 0, OUT, 30, 36), (5, 2, HOST, 0, 4)
    )
    metrics = measure_timeline(timeline, Waits(), 30)
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
    metrics = measure_timeline(timeline, Waits(), None, pauses=pauses_after(timeline, [20]))
    assert (metrics.span_ns, metrics.paused_ns, metrics.busy_ns, metrics.serial_ns) == (140, 100, 40, 40)
    assert (metrics.busy_pct, metrics.speed_up) == (100, 1)
    assert metrics.concurrency_ns == (0, 40)
    assert pauses_after(timeline, [15, 140]) == ()


def test_that_host_work_does_not_keep_the_device_busy() -> None:
    metrics = measure_timeline(timeline_of((1, 0, HOST, 0, 30), (2, 0, COMPUTE, 30, 40)), Waits(), None)
    assert (metrics.span_ns, metrics.busy_ns, metrics.serial_ns) == (40, 10, 40)
    assert metrics.busy_pct == 25


def test_that_a_quotient_without_a_denominator_is_none() -> None:
    nothing = measure_timeline(timeline_of(), Waits(), None)
    assert (nothing.span_ns, nothing.busy_ns, nothing.serial_ns) == (0, 0, 0)
    assert nothing.hidden_copy_pct is nothing.speed_up is nothing.busy_pct is nothing.bound_ns is None
    assert nothing.gaps == nothing.concurrency_ns == ()
    only_in = measure_timeline(timeline_of((1, 0, IN, 0, 10)), Waits(), None)
    assert (only_in.hidden_copy_pct, only_in.hidden_out_pct) == (0, None)


operation = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 50), st.integers(0, 20))


@given(st.lists(operation, max_size=12))
def test_that_every_figure_equals_a_count_of_single_nanoseconds(found: list[tuple[int, int, int, int]]) -> None:
    operations = [(task, stream, engine, s, s + n) for task, (stream, engine, s, n) in enumerate(found)]
    timeline = timeline_of(*operations)
    metrics = measure_timeline(timeline, Waits(), None)

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
