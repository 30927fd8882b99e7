"""Walks in batches: walk.cu, compiled as C++, its twin, and the measure of the dates that they find."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from engine.optimize.aim import Aim
from engine.optimize.batch.sequences import jobs_of
from engine.optimize.batch.walking import CpuWalks, starts_of
from engine.optimize.batch.walks import BEST, BEST_AT, ITERATION, VALUE, DeviceWalks, Rules, are_walkable, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Objective, Problem, Solution
from tests.batches import random_lists
from tests.cuda_shim import Shim
from tests.engine.optimize.batch.test_sequences import job_shops
from tests.engine.optimize.instances import FT06, random_jobs, read_jobs, shop
from tests.shim_launcher import ShimLauncher

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)


def beginnings(problem: Problem, walks: int, seed: int) -> np.ndarray:
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    return np.array([sequence_by(jobs, order) for order in random_lists(problem, walks, seed)])


def agree(problem: Problem, launcher: ShimLauncher, walks: int, iterations: int) -> np.ndarray:
    """Both go the same ways from the same beginnings, in slices; what they found is what its dates are worth."""
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), Rules(seed=5, first=9)
    device, twin = DeviceWalks(jobs, launcher, walks, rules), CpuWalks(jobs, walks, rules)
    for each in (device, twin):
        each.begin(beginnings(problem, walks, seed=6))
    tally = np.zeros((walks, 4), np.int64)
    for share in (iterations // 3, iterations - iterations // 3):
        tally = twin.go_on(share)
        assert device.go_on(share).tolist() == tally.tolist()
    assert device.best().tolist() == twin.best().tolist()
    assert launcher.get(device.sequences).tolist() == twin.sequences.tolist()
    for sequence, value in zip(twin.best(), tally[:, BEST], strict=True):
        check(problem, starts_of(jobs, sequence) * int(jobs.weights[1]), int(value * jobs.weights[1]))
    return tally


def check(problem: Problem, starts: np.ndarray, makespan: int) -> None:
    mode = np.arange(problem.operation_count, dtype=np.int32)
    found = Evaluator(problem).measure(Solution(mode, problem.list_by(starts)), problem.start + starts)
    assert found.objectives[[Objective.VIOLATIONS, Objective.MAKESPAN]].tolist() == [0, makespan]


def test_that_a_warp_walks_as_its_twin_and_finds_the_optimum_of_ft06(shim: Shim) -> None:
    tally = agree(shop(FT06), ShimLauncher(shim), 3, 120)
    assert tally[:, ITERATION].tolist() == [120] * 3
    assert (tally[:, BEST] <= tally[:, VALUE]).all()
    assert (tally[:, BEST_AT] <= 120).all()
    jobs, rules = jobs_of(shop(FT06), worth_of(shop(FT06), SHORTEST)), Rules(seed=1, goal=55)
    twin = CpuWalks(jobs, 4, rules)
    twin.begin(beginnings(shop(FT06), 4, seed=7))
    ended = twin.go_on(5_000)
    assert ended[:, BEST].min() == 55
    assert ended[ended[:, BEST] == 55, ITERATION].max() < 5_000


def test_that_a_shop_of_ten_jobs_is_walked_alike(shim: Shim) -> None:
    agree(shop(random_jobs(10, 5, seed=1)), ShimLauncher(shim), 2, 60)


def test_that_moves_never_close_a_circle_where_jobs_come_back_to_a_machine(shim: Shim) -> None:
    jobs = [[(0, 3), (0, 2), (1, 4), (0, 5)], [(1, 2), (0, 4), (1, 1)], [(0, 1), (1, 3), (1, 2)]]
    agree(shop(jobs), ShimLauncher(shim), 2, 60)


@given(problem=job_shops())
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_random_shops_are_walked_alike(shim: Shim, problem: Problem) -> None:
    assume(are_walkable(problem, SHORTEST))
    agree(problem, ShimLauncher(shim), 2, 20)


def test_that_what_cannot_be_walked_is_told() -> None:
    assert are_walkable(shop(FT06), SHORTEST)
    assert not are_walkable(shop(FT06), Aim.lexicographic(Objective.TARDINESS))
    assert not are_walkable(shop([[(0, 3), (1, 0)]]), SHORTEST)
    assert not are_walkable(shop([[(0, 3), (1, 1 << 30), (0, 7)]]), SHORTEST)


@pytest.mark.corpus
def test_that_la01_is_walked_alike(shim: Shim, corpus: Path) -> None:
    problem = shop(read_jobs(corpus / "instances" / "jsp" / "la" / "la01.txt"))
    agree(problem, ShimLauncher(shim), 2, 60)
