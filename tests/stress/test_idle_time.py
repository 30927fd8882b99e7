"""The idle time of every row is explained to the nanosecond, on thousands of random programs that really ran."""

from __future__ import annotations

from tests.engine.program.test_idle_time import H200, check, random_program, simulated
from tests.programs import Mix, kernels

PROGRAMS = 2_000


def test_that_the_causes_of_simulated_runs_sum_to_their_idle_time() -> None:
    with kernels(Mix()):
        for seed in range(10_000, 10_000 + PROGRAMS):
            one = random_program(seed)
            timeline = simulated(one, H200, 1 + seed % 3)
            check(timeline, one)
