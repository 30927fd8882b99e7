"""Schedules between elites: relink.cu, compiled as C++, its twin, and how far children are from both parents."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.batch.relinking import approach, distance
from engine.optimize.batch.relinks import DeviceRelinks, order_by
from engine.optimize.batch.sequences import jobs_of
from engine.optimize.batch.walking import CpuWalks
from engine.optimize.batch.walks import BEST, DeviceWalks, Rules
from engine.optimize.batch.worth import worth_of
from engine.optimize.problem import Objective, Problem
from tests.batches import plain_makespan, random_lists
from tests.cuda_shim import Shim
from tests.engine.optimize.batch.test_sequences import job_shops
from tests.engine.optimize.instances import FT06, random_jobs, shop
from tests.shim_launcher import ShimLauncher

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)


def agree(problem: Problem, launcher: ShimLauncher, percents: list[int], seed: int) -> None:
    """Both make the same children, each as far as told from where it began, and no detour to where it goes."""
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    elites = np.array([order_by(jobs, order) for order in random_lists(problem, 3, seed)])
    ways = [(row % 3, (row + 1) % 3) for row in range(len(percents))]
    apart = [distance(jobs, elites[start], elites[goal]) for start, goal in ways]
    told = [whole * percent // 100 for whole, percent in zip(apart, percents, strict=True)]
    pairs = np.array([(*way, wanted) for way, wanted in zip(ways, told, strict=True)], np.int32)
    children = launcher.room((len(pairs), problem.operation_count), np.uint16)
    DeviceRelinks(jobs, launcher).approach(elites, pairs, seed, 40, children)
    assert children.tolist() == approach(jobs, elites, pairs, seed, 40).tolist()
    for child, (start, goal), whole, wanted in zip(children, ways, apart, told, strict=True):
        assert distance(jobs, elites[start], child) == wanted
        assert distance(jobs, elites[goal], child) == whole - wanted
        assert plain_makespan(jobs, child.tolist()) >= 0  # nothing waits for itself


@pytest.mark.parametrize("problem", [shop(FT06), shop(random_jobs(15, 7, seed=1))], ids=["ft06", "fifteen jobs"])
def test_that_a_warp_makes_the_children_of_its_twin(shim: Shim, problem: Problem) -> None:
    agree(problem, ShimLauncher(shim), [0, 30, 50, 70, 100], seed=8)


@given(problem=job_shops(), percents=st.lists(st.integers(0, 100), min_size=1, max_size=3), seed=st.integers(0, 99))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_children_in_random_shops_are_the_same(
    shim: Shim, problem: Problem, percents: list[int], seed: int
) -> None:
    agree(problem, ShimLauncher(shim), percents, seed)


def test_that_walks_begin_where_children_were_written(shim: Shim) -> None:
    problem, launcher = shop(FT06), ShimLauncher(shim)
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    elites = np.array([order_by(jobs, order) for order in random_lists(problem, 2, seed=9)])
    pairs = np.array([(0, 1, 10), (1, 0, 20)], np.int32)
    device, twin = DeviceWalks(jobs, launcher, 2, Rules(seed=3)), CpuWalks(jobs, 2, Rules(seed=3))
    DeviceRelinks(jobs, launcher).approach(elites, pairs, 3, 0, device.sequences)
    device.forget()
    twin.begin(approach(jobs, elites, pairs, 3, 0))
    assert device.go_on(10)[:, BEST].tolist() == twin.go_on(10)[:, BEST].tolist()
