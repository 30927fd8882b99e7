"""Walks of tabu search through a job shop in batches, on a device: what walk.cu is handed. Their twin is walking.py.

It never takes a shop with operations of no duration, or aims at anything but the makespan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.optimize.aim import Aim
from engine.optimize.batch import WALK
from engine.optimize.batch.sequences import Jobs, hashed, is_job_shop, jobs_of
from engine.optimize.batch.worth import worth_of
from engine.optimize.problem import NONE, Ints, Longs, Objective, Problem
from engine.program.launcher import Grid, Launcher

Places = NDArray[np.uint16]

MEMORY = 1024  # pairs that a walk keeps in mind, a power of two
ITERATION, VALUE, BEST, BEST_AT = range(4)  # columns of a tally
NOTHING_YET = 1 << 40
_MOST_OPERATIONS, _MOST_SLOTS = 1 << 14, 1 << 22
_WARP, _WARPS = 32, 2
_IS_FIRST, _IS_LAST = 1 << 23, 1 << 22
_EASY_BYTES = 48 << 10


@dataclass(frozen=True, slots=True)
class Rules:
    """How walks go: the seed, the number of the first walk, how long a move stays forbidden at the least, and what is
    good enough, in slots.
    """

    seed: int
    first: int = 0
    tenure: int = 12
    goal: int = 0

    def scalars(self) -> tuple[int, int, int, int]:
        """As the sources take them: goal, tenure, seed, number."""
        return self.goal, self.tenure, hashed(self.seed), self.first


class Walks(Protocol):
    """Walks that go on where they stand. Sequences are uint16[w, n]: steps of Jobs, those of a machine together."""

    def begin(self, sequences: Places) -> None:
        """Set walks to these sequences, with nothing remembered."""

    def go_on(self, iterations: int) -> Longs:
        """Tallies after so many iterations of each: int64[w, 4], in slots; fewer where a walk has ended."""

    def best(self) -> Places:
        """The best sequence of each walk."""


def are_walkable(problem: Problem, aim: Aim) -> bool:
    """Whether walks may be asked to better a problem under an aim."""
    if not is_job_shop(problem):
        return False
    jobs = jobs_of(problem, worth_of(problem, aim))
    return bool(
        np.flatnonzero(aim.levels[1]).tolist() == [Objective.MAKESPAN]
        and jobs.slots[jobs.operation != NONE].min() > 0
        and jobs.slots.sum() + jobs.release.max() < _MOST_SLOTS
        and len(jobs.operation) <= _MOST_OPERATIONS
    )


def sequence_by(jobs: Jobs, order: Ints) -> Places:
    """An activity list as the sequences of all machines, one after another: uint16[n]."""
    step = np.zeros(len(order), np.uint16)
    is_one = jobs.operation != NONE
    step[jobs.operation[is_one]] = np.flatnonzero(is_one)
    steps: Places = step[order]
    by_machine = np.argsort(jobs.machine[steps], kind="stable")
    return steps[by_machine]


def ends_of(jobs: Jobs) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which steps are the first and the last of their jobs."""
    width = int(jobs.sizes[3])
    number = np.arange(len(jobs.operation)) % width
    return number == 0, number == np.repeat(jobs.length, width) - 1


class DeviceWalks:
    """Walks on a device, a warp each."""

    def __init__(self, jobs: Jobs, launcher: Launcher, walks: int, rules: Rules) -> None:
        """Puts the shop there once, and makes room."""
        self._launcher, self._rules, self._walks = launcher, rules, walks
        count, table = int(jobs.sizes[0]), len(jobs.operation)
        is_first, is_last = ends_of(jobs)
        steps = jobs.machine << 24 | is_first * _IS_FIRST | is_last * _IS_LAST | jobs.slots
        release = np.repeat(jobs.release, int(jobs.sizes[3]))
        self._tables = launcher.put(steps.astype(np.uint32)), launcher.put(release.astype(np.uint32))
        self.sequences = launcher.room((walks, count), np.uint16)
        self._best = launcher.room((walks, count), np.uint16)
        self._memory = launcher.room((walks, MEMORY), np.uint32)
        self._tally = launcher.room((walks, 4), np.int64)
        self._sizes = count, table, walks, MEMORY, words_for(jobs)

    def begin(self, sequences: Places) -> None:
        """Set walks to these sequences, with nothing remembered."""
        self._launcher.refill(self.sequences, sequences)
        self.forget()

    def forget(self) -> None:
        """Walks begin where their sequences stand, with nothing remembered."""
        self._launcher.refill(self._memory, np.zeros((self._walks, MEMORY), np.uint32))
        self._launcher.refill(self._tally, np.tile([0, 0, NOTHING_YET, 0], (self._walks, 1)))

    def go_on(self, iterations: int) -> Longs:
        """Tallies after so many iterations of each: int64[w, 4]."""
        warps = max(1, min(_WARPS, _EASY_BYTES // (4 * self._sizes[-1])))
        grid = Grid(-(-self._walks // warps), _WARP * warps, 4 * self._sizes[-1] * warps)
        arrays = (*self._tables, self.sequences, self._best, self._memory, self._tally)
        self._launcher.launch(WALK, grid, arrays, (*self._sizes, iterations, *self._rules.scalars()))
        found: Longs = self._launcher.get(self._tally)
        return found

    def best(self) -> Places:
        """The best sequence of each walk."""
        found: Places = self._launcher.get(self._best)
        return found


def words_for(jobs: Jobs) -> int:
    """Words of four bytes that a walk needs of shared memory, an even number."""
    count, table = int(jobs.sizes[0]), len(jobs.operation)
    shorts = 2 * table + 3 * count
    return (2 * table + MEMORY + (shorts + 1) // 2 + 1) // 2 * 2
