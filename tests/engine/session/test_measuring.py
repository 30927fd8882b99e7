"""The figures of a run while it grows: few operations are measured where they are asked for, many by a worker."""

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from engine.session import measuring
from engine.session.measuring import AT_ONCE, MOST_GAPS, Measuring
from engine.trace.overlap import Metrics, measure_timeline
from engine.trace.timeline import Timeline
from engine.trace.waits import Waits

SPANS, BATCH = 12_000, 300


def parts(first: int, count: int) -> np.ndarray:
    """Copies in and kernels in turn, each iteration one of both, with a rest between them."""
    rows = []
    for number in range(first, first + count):
        start = number * 100
        rows.append((1 + number % 2, number // 2, 0, 1, number % 2, number % 2, start, start + 70, start - 5))
    return np.array(rows, np.int64)


async def test_that_at_any_length_the_windows_thread_measures_but_few_operations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here: list[int] = []

    def watched(timeline: Timeline, *arguments: object, **options: object) -> Metrics:
        if threading.current_thread() is threading.main_thread():
            here.append(timeline.count)
        return measure_timeline(timeline, *arguments, **options)

    monkeypatch.setattr(measuring, "measure_timeline", watched)
    monkeypatch.setattr(measuring, "EACH_SECONDS", 0.0)
    monkeypatch.setattr(measuring, "SHARE", 1.0)
    timeline, waits, paused = Timeline(("a", "b"), {1: "copy in", 2: "kernel"}), Waits(((1, 2, 0),)), list[int]()
    live = Measuring(timeline, waits, None, paused)
    following = asyncio.create_task(live.follow())
    seen: list[Metrics] = []
    for first in range(0, SPANS, BATCH):
        timeline.extend(parts(first, BATCH))
        seen.append(live.metrics(MOST_GAPS))
        await asyncio.sleep(0.002)
    following.cancel()
    await live.conclude()
    assert all(count <= AT_ONCE for count in here)
    assert honest(seen)
    assert live.metrics(MOST_GAPS) == measure_timeline(timeline, waits, None, MOST_GAPS)


async def test_that_of_a_run_that_is_too_long_the_latest_are_measured_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "MEASURED_AT_MOST", 1_000)
    timeline, waits = Timeline(("a", "b"), {1: "copy in", 2: "kernel"}), Waits(((1, 2, 0),))
    latest = Timeline(timeline.streams, timeline.names)
    timeline.extend(parts(0, 3_000))
    timeline.extend(parts(4_000, 1_000))
    latest.extend(parts(4_000, 1_000))
    live = Measuring(timeline, waits, 7, [parts(2_999, 1)[0, 7]])
    await live.conclude()
    found, wanted = live.metrics(MOST_GAPS), measure_timeline(latest, waits, None, MOST_GAPS)
    assert (found.is_of_latest, found.bound_ns, found.paused_ns) == (True, None, 0)
    assert (found.span_ns, found.busy_ns, found.idle_ns) == (wanted.span_ns, wanted.busy_ns, wanted.idle_ns)
    assert found.path.spans == tuple(3_000 + row for row in wanted.path.spans)


def honest(seen: Sequence[Metrics]) -> bool:
    """Whether the causes sum to no more than three engines could stand idle, and are never of nothing."""
    return all(0 < sum(metrics.idle_ns.values()) <= 3 * metrics.span_ns for metrics in seen)
