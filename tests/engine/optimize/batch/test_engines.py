"""Searches in batches: the same on a device and on the processor, which of them is taken, and a device that fails."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import DeviceError
from engine.optimize.aim import Aim
from engine.optimize.batch.engines import LISTS, WALKS, OnDevice, device_engine
from engine.optimize.batch.list_search import ListSearch
from engine.optimize.batch.listing import CpuLists
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.batch.relinking import approach
from engine.optimize.batch.relinks import Pairs
from engine.optimize.batch.sequences import Jobs, jobs_of
from engine.optimize.batch.shop_search import DeviceGround, ShopSearch, dated, rules_for
from engine.optimize.batch.walking import CpuWalks
from engine.optimize.batch.walks import Places, Rules, are_walkable, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.evaluate import evaluate
from engine.optimize.pool import Engine
from engine.optimize.problem import Objective, Problem, Solution
from engine.optimize.rules import first_solutions
from tests.batches import plain_makespan, random_lists
from tests.cuda_shim import Shim
from tests.engine.optimize.batch.test_sequences import job_shops
from tests.engine.optimize.instances import FT06, random_jobs, random_project, shop
from tests.shim_launcher import ShimLauncher

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)
PUNCTUAL = Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN)
CHEAPEST = Aim.lexicographic(Objective.COST)


class CpuGround:
    """Walks and children on the processor, by the twins of the sources."""

    def __init__(self, jobs: Jobs, walks: int, rules: Rules) -> None:
        self.walks, self._jobs, self._seed = walks, jobs, rules.seed
        self._walks = CpuWalks(jobs, walks, rules)
        self.relinked = 0

    def begin(self, sequences: Places) -> None:
        self._walks.begin(sequences)

    def relink(self, elites: Places, pairs: Pairs, number: int) -> None:
        self.relinked += 1
        self._walks.begin(approach(self._jobs, elites, pairs, self._seed, number))

    def go_on(self, iterations: int) -> np.ndarray:
        return self._walks.go_on(iterations)

    def best(self) -> Places:
        return self._walks.best()


def worth(problem: Problem, aim: Aim, solution: Solution | None) -> tuple[int, ...]:
    """What the evaluator says of a solution, which breaks no rule."""
    assert solution is not None
    found = evaluate(problem, solution)
    assert found.is_feasible
    return aim.key(found.objectives)


def found_by(search: Engine, slices: list[int]) -> list[list[int]]:
    """The orders that a search had after each slice."""
    orders = []
    for iterations in slices:
        search.advance(iterations)
        assert search.solution is not None
        orders.append(search.solution.order.tolist())
    return orders


@given(problem=job_shops(), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_that_a_schedule_of_machines_is_dated_as_each_waits_for_those_before(problem: Problem, seed: int) -> None:
    if not are_walkable(problem, SHORTEST):
        return
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    for order in random_lists(problem, 3, seed):
        sequence = sequence_by(jobs, order)
        steps, span = dated(jobs, sequence)
        assert span == plain_makespan(jobs, sequence.tolist())
        assert steps[np.argsort(jobs.machine[steps], kind="stable")].tolist() == sequence.tolist()


@pytest.mark.parametrize("problem", [shop(FT06), shop(random_jobs(9, 5, seed=2))], ids=["ft06", "nine jobs"])
def test_that_walks_on_a_device_find_what_their_twins_find(shim: Shim, problem: Problem) -> None:
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), rules_for(problem, seed=5)
    starts, twin = first_solutions(problem), CpuGround(jobs, 6, rules)
    device = ShopSearch(problem, rules, starts, DeviceGround(jobs, ShimLauncher(shim), 6, rules), patience=40)
    cpu = ShopSearch(problem, rules, starts, twin, patience=40)
    slices = [7, 30, 60, 100]
    assert found_by(device, slices) == found_by(cpu, slices)
    assert twin.relinked  # rounds after the first begin between elites


def test_that_the_size_of_slices_does_not_matter() -> None:
    problem = shop(random_jobs(9, 5, seed=3))
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), rules_for(problem, seed=5)
    one, many = (
        ShopSearch(problem, rules, first_solutions(problem), CpuGround(jobs, 4, rules), patience=50) for _ in range(2)
    )
    assert found_by(one, [300])[-1] == found_by(many, [1, 49, 50, 100, 33, 67])[-1]


def test_that_the_least_makespan_is_found_and_known_to_be_the_least() -> None:
    problem = shop(FT06)
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), rules_for(problem, seed=1)
    search = ShopSearch(problem, rules, first_solutions(problem), CpuGround(jobs, 16, rules), patience=200)
    assert search.advance(2_000) > 0
    assert worth(problem, SHORTEST, search.solution) == (0, 55)
    # Two jobs one after another on one machine: nothing is left to find.
    problem = shop([((0, 3),), ((0, 4),)])
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), rules_for(problem, seed=1)
    search = ShopSearch(problem, rules, first_solutions(problem), CpuGround(jobs, 2, rules))
    search.advance(5)
    assert search.is_done
    assert search.advance(5) == 0


def test_that_a_plan_of_another_engine_is_gone_on_from() -> None:
    problem = shop(random_jobs(10, 6, seed=4))
    jobs, rules = jobs_of(problem, worth_of(problem, SHORTEST)), rules_for(problem, seed=2)
    better = ShopSearch(problem, rules, first_solutions(problem), CpuGround(jobs, 8, rules), patience=200)
    better.advance(1_500)
    assert better.solution is not None
    helped = ShopSearch(problem, rules, first_solutions(problem), CpuGround(jobs, 2, rules), patience=5)
    helped.advance(5)
    before = worth(problem, SHORTEST, helped.solution)
    helped.adopt(better.solution)
    helped.advance(200)
    assert worth(problem, SHORTEST, helped.solution) < before


@pytest.mark.parametrize("aim", [SHORTEST, PUNCTUAL], ids=["makespan", "tardiness"])
def test_that_lists_on_a_device_find_what_they_find_on_the_processor(shim: Shim, aim: Aim) -> None:
    problem = random_project(25, seed=6)
    starts = first_solutions(problem)
    device = ListSearch(problem, 3, starts, DeviceLists(problem, aim, ShimLauncher(shim), 40), 40)
    cpu = ListSearch(problem, 3, starts, CpuLists(problem, aim), 40)
    slices = [10, 40, 90, 60]
    assert found_by(device, slices) == found_by(cpu, slices)


def test_that_breeding_betters_the_first_plans() -> None:
    problem = random_project(40, seed=8)
    starts = first_solutions(problem)
    search = ListSearch(problem, 1, starts, CpuLists(problem, SHORTEST), 500)
    assert search.advance(6_000) == 6_000
    assert worth(problem, SHORTEST, search.solution) < min(worth(problem, SHORTEST, each) for each in starts)


@given(seed=st.integers(0, 1 << 40))
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
def test_that_children_are_lists_in_which_links_point_forward(seed: int) -> None:
    problem = random_project(20, seed=8)

    class Watched(CpuLists):
        def decode(self, lists: np.ndarray) -> np.ndarray:
            for each in lists.tolist():
                place = {operation: at for at, operation in enumerate(each)}
                assert len(place) == problem.operation_count
                assert all(place[a] < place[b] for a, b in zip(problem.link_from, problem.link_to, strict=True))
            return super().decode(lists)

    ListSearch(problem, seed, first_solutions(problem), Watched(problem, SHORTEST), 100).advance(250)


def clock_of(*spans: int) -> Callable[[], int]:
    """Nanoseconds: each trial takes the next of these, and later ones the last."""

    def instants() -> Iterator[int]:
        now, following = 0, iter(spans)
        last = spans[-1]
        while True:
            yield now
            now += next(following, last)
            yield now

    return instants().__next__


CPU_SLOW, EQUAL = (1_000_000_000, 10_000_000), (10_000_000,)


@pytest.mark.parametrize(
    ("problem", "name"), [(shop(FT06), WALKS), (random_project(12, seed=9), LISTS)], ids=["shop", "project"]
)
def test_that_a_device_is_taken_where_trying_says_it_pays(shim: Shim, problem: Problem, name: str) -> None:
    starts, launcher = first_solutions(problem), ShimLauncher(shim)
    assert device_engine(problem, SHORTEST, 1, starts, launcher, clock_of(*EQUAL)) is None
    assert device_engine(problem, SHORTEST, 1, starts, launcher, None) is not None  # nobody asks whether it pays
    chosen = device_engine(problem, SHORTEST, 1, starts, launcher, clock_of(*CPU_SLOW))
    assert chosen is not None
    assert chosen[0] == name
    chosen[1].advance(8)
    assert worth(problem, SHORTEST, chosen[1].solution) <= worth(problem, SHORTEST, starts[0])


def test_that_what_no_batch_counts_stays_on_the_processor(shim: Shim) -> None:
    launcher, clock = ShimLauncher(shim), clock_of(*CPU_SLOW)
    for problem in (shop(FT06), random_project(12, seed=9)):
        assert device_engine(problem, CHEAPEST, 1, first_solutions(problem), launcher, clock) is None
    assert not launcher.grids


class FailingLauncher(ShimLauncher):
    """A device that is lost after so many launches."""

    left = 1 << 30

    def launch(self, *told: object) -> None:
        self.left -= 1
        if self.left < 0:
            raise DeviceError("The GPU failed in a search: it is gone.")
        super().launch(*told)  # type: ignore[arg-type]


def test_that_a_device_that_fails_ends_its_engine_and_keeps_what_it_found(shim: Shim) -> None:
    problem, launcher = random_project(12, seed=9), FailingLauncher(shim)
    chosen = device_engine(problem, SHORTEST, 1, first_solutions(problem), launcher, clock_of(*CPU_SLOW))
    assert chosen is not None
    engine: OnDevice = chosen[1]
    engine.advance(4)
    kept, launcher.left = engine.solution, 0
    assert engine.advance(4) == 0
    assert engine.is_done
    assert engine.failure == "The GPU failed in a search: it is gone."
    assert engine.solution is kept is not None
