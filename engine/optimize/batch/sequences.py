"""Sequences of a job shop in batches, on a device: what decode.cu and vary.cu are handed. Their twin is sequencing.py.

It never takes a problem that is more than jobs, each a chain of operations on machines of their own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.optimize.aim import Aim
from engine.optimize.batch import DECODE, VARY
from engine.optimize.batch.worth import Worth, worth_of
from engine.optimize.chance import chance_for
from engine.optimize.problem import NONE, Ints, LinkKind, Longs, Problem
from engine.program.launcher import Grid, Launcher

Sequences = NDArray[np.uint16]

MOST_EXCHANGES, SPAN = 6, 12  # of a child: pairs exchanged, and how far apart they are, at the most
_THREADS = (64, 32)  # of a block, as many as shared memory allows
_BLOCKS = 32  # blocks that wait for each processor, at the most
_MOST_STEPS, _MOST_MACHINES, _MOST_JOBS, _MOST_SLOTS = 255, 255, 1 << 16, 1 << 24


class Jobs(NamedTuple):
    """A job shop: of job j the steps j * width .. j * width + length[j] - 1, int64 columns.

    operation: of each step, -1 past the job's last; machine, slots: where and how long; release [jobs] in slots.
    sizes: operations, jobs, machines, width. unit: ticks of a slot. goals int64[jobs * width, 4]: as worth.py has it.
    """

    operation: Longs
    machine: Longs
    slots: Longs
    release: Longs
    length: Longs
    goals: Longs
    sizes: Longs
    weights: Longs


def is_job_shop(problem: Problem) -> bool:
    """Whether `jobs_of` may be asked."""
    uses = np.diff(problem.first_use)
    into, out_of = (np.bincount(each, minlength=1) for each in (problem.link_to, problem.link_from))
    if not problem.operation_count or len(problem.duration) != problem.operation_count:
        return False
    return bool(
        (uses == 1).all()
        and (problem.use_units == 1).all()
        and (problem.capacity == 1).all()
        and not len(problem.step_from)
        and (problem.mode_calendar == NONE).all()
        and (problem.resource_matrix == NONE).all()
        and (problem.pinned_start == NONE).all()
        and (problem.link_kind == LinkKind.FS).all()
        and (problem.link_lag == 0).all()
        and not problem.link_is_most.any()
        and not problem.link_is_transported.any()
        and into.max() <= 1
        and out_of.max() <= 1
        and (problem.release[problem.link_to] <= np.maximum(problem.start, problem.release[problem.link_from])).all()
        and _is_small(problem)
    )


def _is_small(problem: Problem) -> bool:
    late = int(np.maximum(0, problem.release - problem.start).max(initial=0))
    chains = chains_of(problem)
    return (
        (late + int(problem.duration.sum())) // _unit(problem) < _MOST_SLOTS
        and problem.resource_count <= _MOST_MACHINES
        and len(chains) <= _MOST_JOBS
        and max(map(len, chains)) <= _MOST_STEPS
    )


def _unit(problem: Problem) -> int:
    late = np.maximum(0, problem.release - problem.start)
    return max(1, int(np.gcd.reduce(np.concatenate((problem.duration, late)))))


def chains_of(problem: Problem) -> list[list[int]]:
    """The operations of each job, in the order of its links."""
    after = np.full(problem.operation_count, NONE)
    after[problem.link_from] = problem.link_to
    chains = [[first] for first in np.setdiff1d(np.arange(problem.operation_count), problem.link_to).tolist()]
    for chain in chains:
        while (following := int(after[chain[-1]])) != NONE:
            chain.append(following)
    return chains


def jobs_of(problem: Problem, worth: Worth) -> Jobs:
    """The job shop."""
    chains, unit = chains_of(problem), _unit(problem)
    width = max(map(len, chains))
    operation = np.full(len(chains) * width, NONE, np.int64)
    for job, chain in enumerate(chains):
        operation[job * width : job * width + len(chain)] = chain
    is_one = operation != NONE
    release = np.maximum(0, problem.release[[chain[0] for chain in chains]] - problem.start)
    return Jobs(
        operation=operation,
        machine=np.where(is_one, problem.use_resource[problem.first_use[:-1]][operation], 0).astype(np.int64),
        slots=np.where(is_one, problem.duration[operation] // unit, 0),
        release=release // unit,
        length=np.array([len(chain) for chain in chains], np.int64),
        goals=np.where(is_one[:, np.newaxis], worth.goals[operation], 0),
        sizes=np.array([problem.operation_count, len(chains), problem.resource_count, width], np.int64),
        weights=np.array([worth.end_weight * unit, unit, worth.has_goals], np.int64),
    )


def sequence_of(problem: Problem, jobs: Jobs, order: Ints) -> Sequences:
    """An activity list as a sequence of jobs, uint16[n]."""
    job = np.zeros(problem.operation_count, np.uint16)
    is_one = jobs.operation != NONE
    job[jobs.operation[is_one]] = np.flatnonzero(is_one) // jobs.sizes[3]
    return job[order]


class DeviceSequences:
    """Up to `most` sequences at once on a device, decoded where they lie: in `sequences`, uint16[n, most] by column."""

    def __init__(self, problem: Problem, aim: Aim, launcher: Launcher, most: int) -> None:
        """Puts the problem there once, and makes room."""
        self._launcher, self._most = launcher, most
        self._jobs = jobs = jobs_of(problem, worth_of(problem, aim))
        steps = (jobs.machine << 24 | jobs.slots).astype(np.uint32)
        self._tables = launcher.put(steps), launcher.put(jobs.release.astype(np.uint32))
        self._goals = launcher.put(jobs.goals)
        self.sequences = launcher.room((problem.operation_count, most), np.uint16)
        self._worth = launcher.room((most,), np.int64)

    def decode(self, sequences: Sequences) -> Longs:
        """What each sequence, uint16[b, n], is worth: int64[b]."""
        columns = np.zeros(self.sequences.shape, np.uint16)
        columns[:, : len(sequences)] = sequences.T
        self._launcher.refill(self.sequences, columns)
        return self._decoded(len(sequences))

    def vary(self, parents: Sequences, seed: int, first: int, size: int) -> Longs:
        """What `size` children of parents, uint16[p, n], are worth; the seed's numbers `first` and on, int64[size]."""
        placed = self._launcher.put(parents)
        threads = _THREADS[0]
        grid = Grid(min(-(-size // threads), _BLOCKS * self._launcher.processors), threads)
        scalars = (*parents.shape[::-1], size, self._most, hashed(seed), first, MOST_EXCHANGES, SPAN)
        self._launcher.launch(VARY, grid, (placed, self.sequences), scalars)
        return self._decoded(size)

    def _decoded(self, size: int) -> Longs:
        count, jobs, machines, width = self._jobs.sizes.tolist()
        threads = threads_for(self._jobs, self._launcher)
        grid = Grid(
            min(-(-size // threads), _BLOCKS * self._launcher.processors), threads, shared_bytes(self._jobs, threads)
        )
        arrays = (*self._tables, self.sequences, self._goals, self._worth)
        scalars = (count, size, self._most, jobs, machines, width, *self._jobs.weights.tolist())
        self._launcher.launch(DECODE, grid, arrays, scalars)
        found: Longs = self._launcher.get(self._worth[:size])
        return found


def hashed(seed: int) -> int:
    """A seed as sources take it, so that seeds near each other have nothing in common."""
    return int(chance_for(seed, 2)[0].astype(np.int64))


def shared_bytes(jobs: Jobs, threads: int) -> int:
    """What a block of so many threads needs of shared memory."""
    _, count, machines, width = jobs.sizes.tolist()
    return int(4 * (count * width + (count + machines) * threads))


def threads_for(jobs: Jobs, launcher: Launcher) -> int:
    """How many threads a block may have; 0 where not even a warp has room."""
    return next((each for each in _THREADS if shared_bytes(jobs, each) <= launcher.most_shared_bytes), 0)
