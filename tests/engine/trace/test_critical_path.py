"""The chain that decided a run's end, against cases done by hand and what must hold of every run."""

from __future__ import annotations

import itertools

from engine.program.hazards import waits_of
from engine.program.predict import predict
from engine.trace.critical_path import critical_path
from engine.trace.obstacles import find_obstacles
from engine.trace.timeline import Timeline
from engine.trace.waits import Waits
from tests.engine.program.test_idle_time import H200, random_program
from tests.engine.trace.test_overlap import COMPUTE, IN, OUT, timeline_of


def tasks(timeline: Timeline, waits: Waits) -> list[int]:
    return [timeline.span_at(row).task for row in critical_path(timeline, find_obstacles(timeline, waits)).spans]


def test_that_it_follows_links_streams_and_engines_back_from_the_end() -> None:
    # 1 and 2 share the copy engine, 3 waits for 2 by a link, 4 follows 3 on its stream; 5 has time to spare.
    timeline = timeline_of(
        (1, 0, IN, 0, 40), (2, 1, IN, 40, 90), (3, 2, COMPUTE, 92, 100), (4, 2, OUT, 100, 130), (5, 0, COMPUTE, 40, 60)
    )
    waits = Waits([(2, 3, 0), (1, 5, 0)])
    path = critical_path(timeline, find_obstacles(timeline, waits))
    assert tasks(timeline, waits) == [1, 2, 3, 4]
    assert (path.work_ns, path.span_ns) == (40 + 50 + 8 + 30, 130)
    assert path.share_pct == 100 * 128 / 130


def test_that_an_engine_with_lanes_to_spare_decides_nothing() -> None:
    timeline = timeline_of((1, 0, COMPUTE, 0, 40), (2, 1, COMPUTE, 41, 90))
    assert tasks(timeline, Waits()) == [1, 2]
    assert tasks(timeline, Waits(engines=[("compute", 2)])) == [2]


def test_that_it_goes_on_in_the_iteration_before() -> None:
    timeline = timeline_of((1, 0, IN, 0, 40), (2, 1, COMPUTE, 40, 90))
    timeline.extend([[1, 1, 0, 1, 0, IN, 90, 130]])  # type: ignore[arg-type]
    assert tasks(timeline, Waits([(1, 2, 0), (2, 1, 1)])) == [1, 2, 1]


def test_that_nothing_has_no_path() -> None:
    path = critical_path(timeline_of(), find_obstacles(timeline_of(), Waits()))
    assert (path.spans, path.share_pct) == ((), None)


def test_that_operations_of_no_length_and_untrue_links_end_it() -> None:
    timeline = timeline_of((1, 0, IN, 10, 10), (2, 1, IN, 10, 10))
    assert len(tasks(timeline, Waits([(1, 2, 0), (2, 1, 0)]))) <= 2
    assert tasks(timeline_of((1, 0, IN, 0, 40), (2, 1, COMPUTE, 20, 60)), Waits([(1, 2, 0)])) == [2]


def test_that_in_a_prediction_it_fills_the_whole_span_without_a_wait() -> None:
    for seed in range(200):
        one = random_program(seed)
        timeline = predict(one, H200, 1 + seed % 3)
        path = critical_path(timeline, find_obstacles(timeline, waits_of(one)))
        assert path.work_ns == path.span_ns == timeline.end_ns_max
        spans = [timeline.span_at(row) for row in path.spans]
        assert all(before.end_ns == after.start_ns for before, after in itertools.pairwise(spans))
