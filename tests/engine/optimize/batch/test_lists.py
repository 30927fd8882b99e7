"""Activity lists in batches: sgs.cu, compiled as C++, its twin, and the evaluator."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.batch.listing import CpuLists
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.evaluate import evaluate
from engine.optimize.plain import plain_of
from engine.optimize.problem import NEVER, NONE, Objective, Problem, Solution
from tests.batches import random_lists
from tests.cuda_shim import Shim
from tests.engine.optimize.instances import FT06, random_project, read_project, shop
from tests.engine.optimize.test_search import plain_problems
from tests.shim_launcher import ShimLauncher

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)
MIXED = Aim.weighted([1, 3, 2, 0, 0, 5])
# A word holds four resources.
FOUR_MACHINES = shop([[each for each in job if each[0] < 4] for job in FT06])


def with_goals(problem: Problem, seed: int) -> Problem:
    """Due dates for some operations, and a plan that some stand in."""
    random, count = np.random.Generator(np.random.PCG64(seed)), problem.operation_count
    longest = max(1, int(problem.duration.max(initial=0)))
    due = problem.start + random.integers(0, 8, count) * longest + 1
    return replace(
        problem,
        due=np.where(random.random(count) < 0.3, NEVER, due),
        weight=random.integers(0, 4, count),
        current_start=np.where(random.random(count) < 0.5, NONE, random.integers(0, 9, count) * longest),
    )


def agree(problem: Problem, aim: Aim, lists: np.ndarray, launcher: ShimLauncher) -> None:
    """Both give the same worths and dates, and these are the evaluator's."""
    device, twin = DeviceLists(problem, aim, launcher, len(lists) + 1), CpuLists(problem, aim)
    wanted = twin.decode(lists)
    assert device.decode(lists).tolist() == wanted.tolist()
    unit, mode = int(plain_of(problem).unit[0]), np.arange(problem.operation_count, dtype=np.int32)
    for candidate, order in enumerate(lists):
        starts = twin.starts(candidate)
        assert device.starts(candidate).tolist() == starts.tolist()
        found = evaluate(problem, Solution(mode, order.astype(np.int32)))
        assert found.starts.tolist() == (problem.start + starts.astype(np.int64) * unit).tolist()
        assert aim.key(found.objectives)[-1] == wanted[candidate]


@pytest.mark.parametrize("most_shared_bytes", [48 << 10, 256], ids=["in shared memory", "in the device's memory"])
@pytest.mark.parametrize("problem", [FOUR_MACHINES, random_project(30, seed=2)], ids=["ft06", "a project"])
def test_that_a_warp_gives_the_dates_of_the_twin_and_the_evaluator(
    shim: Shim, problem: Problem, most_shared_bytes: int
) -> None:
    launcher = ShimLauncher(shim, most_shared_bytes=most_shared_bytes)
    agree(problem, SHORTEST, random_lists(problem, 5, seed=3), launcher)


def test_that_lateness_and_distance_from_the_plan_count_by_weight(shim: Shim) -> None:
    problem = with_goals(random_project(30, seed=2), seed=4)
    agree(problem, MIXED, random_lists(problem, 3, seed=5), ShimLauncher(shim))


def test_that_warps_take_one_list_after_another_where_there_are_more(shim: Shim) -> None:
    problem = shop([[(0, 3), (1, 2)], [(1, 4), (0, 1)]])
    launcher = ShimLauncher(shim)
    agree(problem, SHORTEST, random_lists(problem, 66, seed=6), launcher)
    (grid,) = launcher.grids
    assert grid.blocks * grid.threads // 32 < 66


@given(data=st.data(), seed=st.integers(0, 99), shared=st.sampled_from([64, 48 << 10]))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_random_plain_problems_come_out_the_same(shim: Shim, data: st.DataObject, seed: int, shared: int) -> None:
    problem = with_goals(data.draw(plain_problems()), seed)
    launcher = ShimLauncher(shim, most_shared_bytes=shared)
    agree(problem, data.draw(st.sampled_from([SHORTEST, MIXED])), random_lists(problem, 2, seed), launcher)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["rcpsp/j30/j301_1.rcp", "rcpsp/j30/j3029_2.rcp"])
def test_that_projects_of_the_corpus_come_out_the_same(shim: Shim, corpus: Path, name: str) -> None:
    problem = read_project(corpus / "instances" / name)
    agree(problem, SHORTEST, random_lists(problem, 2, seed=7), ShimLauncher(shim))
