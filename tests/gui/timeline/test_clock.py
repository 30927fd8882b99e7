"""What time it is in a run between two batches of spans."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gui.timeline.clock import RunClock


def test_that_nothing_is_known_before_the_first_span() -> None:
    assert RunClock(is_real=True).now(5) is None


def test_that_a_real_clock_goes_on_between_spans() -> None:
    clock = RunClock(is_real=True)
    clock.saw(end_ns=100, at_ns=1_000)
    assert [clock.now(at) for at in (1_000, 1_050, 1_200)] == [100, 150, 300]


def test_that_a_real_clock_goes_on_in_a_pause_and_does_not_jump_after_it() -> None:
    clock = RunClock(is_real=True)
    clock.saw(end_ns=100, at_ns=1_000)
    assert [clock.now(at) for at in range(2_000, 9_000, 1_000)] == [*range(1_100, 8_100, 1_000)]
    clock.saw(end_ns=8_050, at_ns=9_000)  # the first part after the pause, a little late
    assert [clock.now(at) for at in (9_000, 9_016)] == [8_100, 8_116]


def test_that_a_batch_that_came_sooner_moves_now_forward_and_a_late_one_does_not_move_it_back() -> None:
    clock = RunClock(is_real=True)
    clock.saw(end_ns=100, at_ns=1_000)
    clock.saw(end_ns=190, at_ns=1_050)
    assert clock.now(1_050) == 190
    clock.saw(end_ns=200, at_ns=1_500)
    assert clock.now(1_500) == 640


def test_that_simulated_time_glides_to_the_last_end_and_rests_there() -> None:
    clock = RunClock(is_real=False)
    clock.saw(end_ns=1_000_000, at_ns=0)
    seen = [clock.now(at) for at in range(60)]
    assert seen[0] == 250_000
    assert seen == sorted(seen)
    assert seen[-1] == 1_000_000
    assert clock.now(10**12) == 1_000_000


@given(st.booleans(), st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=20))
def test_that_now_never_goes_back(is_real: bool, batches: list[tuple[int, int]]) -> None:
    clock, at, last = RunClock(is_real), 0, 0
    for end, step in batches:
        at += step
        clock.saw(end, at)
        now = clock.now(at)
        assert now is not None
        assert now >= last
        last = now
