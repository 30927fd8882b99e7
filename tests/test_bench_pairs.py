"""What the benchmark of gains makes of durations: known gains come out, and noise is said to be noise."""

import random
from collections.abc import Callable
from math import inf

import pytest

from tests.bench._pairs import LEAST_BLOCKS, Measured, measure, median_interval


def noisy(around: float, deviation: float, chance: random.Random) -> Callable[[], float]:
    return lambda: chance.gauss(around, deviation)


def measured(gain: float, deviation: float, seconds: float, seed: int = 0) -> Measured:
    chance = random.Random(seed)
    return measure(noisy(100.0, deviation, chance), noisy(100.0 - gain, deviation, chance), seconds)


def test_that_an_interval_holds_its_median_19_times_of_20() -> None:
    chance = random.Random(1)
    intervals = [median_interval([chance.expovariate(1.0) for _ in range(60)]) for _ in range(2_000)]
    held = sum(each.low <= 0.6931 <= each.high for each in intervals) / len(intervals)
    assert held == pytest.approx(0.95, abs=0.02)


def test_that_too_few_values_say_nothing_of_their_median() -> None:
    assert (median_interval([1.0, 2.0]).low, median_interval([1.0, 2.0]).high) == (-inf, inf)
    assert median_interval([-1.0] * 20).reach == inf


def test_that_a_gain_is_measured_until_it_is_known_and_no_longer() -> None:
    found = measured(gain=20.0, deviation=3.0, seconds=60.0)
    assert found.is_known
    assert found.gain.middle == pytest.approx(20.0, rel=0.06)
    assert found.same.low <= 0.0 <= found.same.high
    assert measured(gain=20.0, deviation=0.01, seconds=60.0).blocks == LEAST_BLOCKS


def test_that_a_gain_that_noise_hides_is_not_known_when_the_time_is_up() -> None:
    found = measured(gain=0.1, deviation=10.0, seconds=0.0)
    assert not found.is_known
    assert found.blocks == LEAST_BLOCKS
    assert found.gain.low < 0.1 < found.gain.high


def test_that_what_drifts_counts_for_both_alike() -> None:
    clock = iter(range(10_000))
    found = measure(lambda: 100.0 + next(clock), lambda: 90.0 + next(clock), 0.0)
    assert found.gain.middle == 10.0
