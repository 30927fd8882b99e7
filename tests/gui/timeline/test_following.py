"""What is shown of a live run, with numbers: from its start at first, then at the pace of time."""

from gui.canvas.time_scale import TimeScale
from gui.timeline.following import FOLLOW_AT, LAPS, followed, lap_ns
from tests.gui.timeline.made_up import MadeUpRun

LAP = 1_000_000
# The start of the run stands at 40 of 1000 pixels, the plan ends at 540.
FITTED = TimeScale(-80_000, 2_000.0, 1000.0)


def test_that_nothing_moves_while_now_is_in_sight() -> None:
    for now in (0, LAP, 1_600_000):
        assert followed(FITTED, now, LAP) == FITTED


def test_that_a_run_that_outlasts_its_plan_is_zoomed_out_of_from_its_start() -> None:
    seen = followed(FITTED, 1_700_000, LAP)
    assert seen.ticks_per_px == 2 * FITTED.ticks_per_px
    assert seen.x(0) == FITTED.x(0)
    assert seen.x(1_700_000) <= FOLLOW_AT * 1000
    assert followed(seen, 1_700_000, LAP) == seen


def test_that_a_long_run_scrolls_at_the_pace_of_time_and_keeps_its_scale() -> None:
    scale, scales, edges = FITTED, set(), []
    for now in range(0, 40 * LAP, 10_000):
        scale = followed(scale, now, LAP)
        if scale.x(0) < 0:
            scales.add(scale.ticks_per_px)
            edges.append(round(scale.x(now)))
    assert len(scales) == 1
    assert scales.pop() * 850 >= LAPS * LAP
    assert set(edges) <= {849, 850}


def test_that_who_looks_closely_at_the_end_stays_as_close() -> None:
    close = TimeScale(5 * LAP, 10.0, 1000.0)
    seen = followed(close, 6 * LAP, LAP)
    assert seen.ticks_per_px == 10.0
    assert 849 <= round(seen.x(6 * LAP)) <= 850


def test_that_without_a_plan_a_run_scrolls() -> None:
    assert followed(FITTED, 2_000_000, 0).ticks_per_px == FITTED.ticks_per_px


def test_that_a_lap_is_one_iteration_of_what_was_planned() -> None:
    run = MadeUpRun()
    assert run.predicted is not None
    assert lap_ns(run) == run.predicted.end_ns_max
    run.predicted = None
    assert lap_ns(run) == 0
