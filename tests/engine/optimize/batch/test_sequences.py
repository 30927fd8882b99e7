"""Sequences of job shops in batches: decode.cu and vary.cu, compiled as C++, their twin, and the measure of dates."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.batch.sequences import DeviceSequences, Jobs, is_job_shop, jobs_of, sequence_of, threads_for
from engine.optimize.batch.sequencing import CpuSequences, children_of
from engine.optimize.batch.worth import worth_of
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Objective, Problem, Solution
from tests.batches import random_lists
from tests.cuda_shim import Shim
from tests.engine.optimize.batch.test_lists import with_goals
from tests.engine.optimize.instances import FT06, random_jobs, read_jobs, shop
from tests.shim_launcher import ShimLauncher

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)
MIXED = Aim.weighted([1, 3, 2, 0, 0, 5])


@st.composite
def job_shops(draw: st.DrawFn) -> Problem:
    unit, draft = draw(st.sampled_from([1, 60])), Draft(start=draw(st.integers(0, 3)))
    draft.resources = [ResourceDraft() for _ in range(draw(st.integers(1, 4)))]
    for job in range(draw(st.integers(1, 6))):
        release = draw(st.integers(0, 5)) * unit + draft.start
        for place in range(draw(st.integers(1, 5))):
            machine = draw(st.integers(0, len(draft.resources) - 1))
            mode = ModeDraft(draw(st.integers(0, 9)) * unit, uses=((machine, 1),))
            draft.operations.append(OperationDraft(modes=(mode,), release=release * (place == 0), job=job))
            if place:
                here = len(draft.operations) - 1
                draft.links.append(LinkDraft(before=here - 1, after=here))
    return draft.build()


def sequences_of(problem: Problem, size: int, seed: int) -> np.ndarray:
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    return np.array([sequence_of(problem, jobs, order) for order in random_lists(problem, size, seed)], np.uint16)


def measured(problem: Problem, aim: Aim, starts: np.ndarray) -> tuple[int, ...]:
    """The aim's key of dates in ticks from the start."""
    mode = np.arange(problem.operation_count, dtype=np.int32)
    return aim.key(Evaluator(problem).measure(Solution(mode, mode), problem.start + starts).objectives)


def agree(problem: Problem, aim: Aim, launcher: ShimLauncher, size: int) -> None:
    """Both give the same worths for the same sequences, and children for the same seed; dates are worth just that."""
    sequences = sequences_of(problem, size, seed=3)
    device, twin = DeviceSequences(problem, aim, launcher, size + 3), CpuSequences(problem, aim)
    wanted = twin.decode(sequences)
    assert device.decode(sequences).tolist() == wanted.tolist()
    for row in range(min(size, 4)):
        assert measured(problem, aim, twin.starts(sequences[row])) == (0, wanted[row])
    parents = sequences[:3]
    assert device.vary(parents, 17, 1000, size).tolist() == twin.vary(parents, 17, 1000, size).tolist()
    assert launcher.get(device.sequences)[:, :size].T.tolist() == children_of(parents, 17, 1000, size).tolist()


@pytest.mark.parametrize(
    "problem", [shop(FT06), shop(random_jobs(10, 5, seed=1))], ids=["ft06", "ten jobs on five machines"]
)
@pytest.mark.parametrize("aim", [SHORTEST, MIXED], ids=["makespan", "mixed"])
def test_that_threads_give_the_worths_of_the_twin(shim: Shim, problem: Problem, aim: Aim) -> None:
    agree(with_goals(problem, seed=2), aim, ShimLauncher(shim), 100)


def test_that_threads_take_one_candidate_after_another_where_there_are_more(shim: Shim) -> None:
    launcher = ShimLauncher(shim)
    agree(shop(FT06[:2]), SHORTEST, launcher, 3000)
    assert all(grid.blocks * grid.threads < 3000 for grid in launcher.grids)


def test_that_a_block_has_as_many_threads_as_shared_memory_allows(shim: Shim) -> None:
    problem = shop(FT06)
    jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    assert [threads_for(jobs, ShimLauncher(shim, most_shared_bytes=most)) for most in (4000, 2000, 1000)] == [64, 32, 0]


@given(problem=job_shops(), seed=st.integers(0, 99), aim=st.sampled_from([SHORTEST, MIXED]))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_random_job_shops_come_out_the_same(shim: Shim, problem: Problem, seed: int, aim: Aim) -> None:
    assert is_job_shop(problem)
    agree(with_goals(problem, seed), aim, ShimLauncher(shim), 5)


@given(problem=job_shops(), seed=st.integers(0, 99))
@settings(max_examples=20)
def test_that_the_evaluator_never_needs_longer_than_the_sequence(problem: Problem, seed: int) -> None:
    twin, jobs = CpuSequences(problem, SHORTEST), jobs_of(problem, worth_of(problem, SHORTEST))
    mode, evaluator = np.arange(problem.operation_count, dtype=np.int32), Evaluator(problem)
    (order,) = random_lists(problem, 1, seed)
    sequence = sequence_of(problem, jobs, order)
    by_start = problem.list_by(twin.starts(sequence))
    found = evaluator.evaluate(Solution(mode, by_start))
    assert found.objectives[Objective.MAKESPAN] <= twin.decode(sequence[np.newaxis])[0]


def test_that_children_depend_on_seed_and_number_alone() -> None:
    parents = sequences_of(shop(FT06), 2, seed=1)
    whole = children_of(parents, 3, 0, 40)
    assert children_of(parents, 3, 0, 40, since=33).tolist() == whole[33:].tolist()
    assert (np.sort(whole, axis=1) == np.repeat(np.arange(6), 6)).all()
    assert (whole != children_of(parents, 4, 0, 40)).any()
    assert (whole != children_of(parents, 3, 40, 40)).any()


def test_that_more_than_chains_on_machines_is_no_job_shop() -> None:
    one = shop(FT06)
    assert is_job_shop(one)
    assert not is_job_shop(replace(one, capacity=one.capacity + 1))
    assert not is_job_shop(replace(one, link_lag=one.link_lag + 1))
    assert not is_job_shop(replace(one, link_from=np.append(one.link_from[:-1], 0)))
    assert not is_job_shop(replace(one, duration=one.duration * 1_000_003 + one.duration % 2))
    assert not is_job_shop(Draft().build())


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["jsp/ft/ft06.txt", "jsp/la/la01.txt", "jsp/ta/ta41.txt"])
def test_that_shops_of_the_corpus_come_out_the_same(shim: Shim, corpus: Path, name: str) -> None:
    problem = shop(read_jobs(corpus / "instances" / name))
    agree(problem, SHORTEST, ShimLauncher(shim, most_shared_bytes=99 << 10), 40)


def test_that_jobs_are_padded_to_the_longest() -> None:
    problem = shop([[(0, 3), (1, 2), (0, 4)], [(1, 5)]])
    jobs: Jobs = jobs_of(problem, worth_of(problem, SHORTEST))
    assert jobs.operation.tolist() == [0, 1, 2, 3, -1, -1]
    assert jobs.sizes.tolist() == [4, 2, 2, 3]
    assert CpuSequences(problem, SHORTEST).decode(np.array([[0, 1, 0, 0]], np.uint16)).tolist() == [11]
