"""How much of a run is worth showing, with numbers."""

import numpy as np
import pytest

from gui.timeline.extent import extent, is_apart, last_iteration
from gui.timeline.following import LAPS
from tests.gui.timeline.made_up import PLANNED, US, MadeUpRun, add, timeline_of


def long_run(outcome: str | None, happened_us: int = 750) -> MadeUpRun:
    """A hundred repetitions were planned; what happened is the first of them, as far as that."""
    run = MadeUpRun()
    run.repeat, run.outcome = 100, outcome
    run.predicted = timeline_of(())
    for lap in range(100):
        rows = [(t, lap, 0, 1, s, e, (a + 750 * lap) * US, (b + 750 * lap) * US) for t, s, e, a, b in PLANNED]
        run.predicted.extend(np.array(rows, np.int64))
    add(run.timeline, *(op for op in PLANNED if op[4] <= happened_us))
    return run


@pytest.mark.parametrize("outcome", ["canceled", "failed"])
def test_that_a_run_that_ended_early_is_as_long_as_what_happened(outcome: str) -> None:
    assert extent(long_run(outcome)) == (0, 750 * US)
    assert extent(long_run(outcome, happened_us=350)) == (0, 350 * US)


def test_that_where_the_failed_operation_was_expected_is_seen() -> None:
    run = long_run("failed", happened_us=350)
    run.failed_task = 22
    assert extent(run) == (0, 500 * US)


def test_that_a_live_run_begins_with_one_iteration_of_its_plan() -> None:
    assert extent(long_run(None, happened_us=0)) == (0, 750 * US)


def test_that_a_run_canceled_before_anything_happened_shows_one_iteration() -> None:
    assert extent(long_run("canceled", happened_us=0)) == (0, 750 * US)


def test_that_a_run_that_finished_is_seen_beside_all_of_its_plan() -> None:
    assert extent(long_run("finished")) == (0, 75_000 * US)


def test_that_of_a_run_that_ended_early_only_iterations_that_began_are_planned() -> None:
    assert last_iteration(long_run("canceled")) == 0
    assert last_iteration(long_run("finished")) is None
    assert last_iteration(long_run(None)) is None


def test_that_a_run_many_times_as_long_as_its_plan_stands_apart() -> None:
    run = MadeUpRun()
    run.repeat = LAPS
    assert not is_apart(run)
    run.repeat = LAPS + 1
    assert is_apart(run)
