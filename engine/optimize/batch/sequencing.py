"""Sequences of a job shop in batches, on the processor: the twin of decode.cu and vary.cu. It loads numba.

It never uses more than the thread that calls it, and lets the interpreter go on meanwhile.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.aim import Aim
from engine.optimize.batch.sequences import MOST_EXCHANGES, SPAN, Jobs, Sequences, hashed, jobs_of
from engine.optimize.batch.worth import worth_of
from engine.optimize.chance import Chance, below
from engine.optimize.problem import Longs, Problem

_COUNTERS = 64  # random numbers of a child, at the most


class CpuSequences:
    """Sequences one after another."""

    def __init__(self, problem: Problem, aim: Aim) -> None:
        self._jobs = jobs_of(problem, worth_of(problem, aim))
        _, jobs, machines, _ = self._jobs.sizes.tolist()
        self._state = np.zeros(2 * jobs + machines, np.int64)

    def decode(self, sequences: Sequences) -> Longs:
        """What each sequence, uint16[b, n], is worth: int64[b]."""
        worth = np.zeros(len(sequences), np.int64)
        starts = np.zeros((0, 0), np.int64)
        _decode(self._jobs, sequences, self._state, starts, worth)
        return worth

    def vary(self, parents: Sequences, seed: int, first: int, size: int) -> Longs:
        """What `size` children of parents, uint16[p, n], are worth; the seed's numbers `first` and on, int64[size]."""
        return self.decode(children_of(parents, seed, first, size))

    def starts(self, sequence: Sequences) -> Longs:
        """When each operation starts, int64[n], in ticks from the problem's start."""
        starts = np.zeros((1, len(sequence)), np.int64)
        _decode(self._jobs, sequence[np.newaxis], self._state, starts, np.zeros(1, np.int64))
        ticks: Longs = starts[0] * self._jobs.weights[1]
        return ticks


def children_of(parents: Sequences, seed: int, first: int, size: int, since: int = 0) -> Sequences:
    """Those numbered `since` and on of `size` children, as vary.cu makes them: uint16[size - since, n]."""
    children = np.zeros((size - since, parents.shape[1]), np.uint16)
    chance = np.array([hashed(seed) % (1 << 64), 0], np.uint64)
    _vary(parents, children, chance, np.array([first, since, size, MOST_EXCHANGES, SPAN], np.int64))
    return children


@njit_bare
def _decode(jobs: Jobs, sequences: Sequences, state: Longs, starts: Longs, worth: Longs) -> None:
    count, width = int(jobs.sizes[1]), int(jobs.sizes[3])
    for candidate in range(len(sequences)):
        for each in range(count):
            state[each], state[count + each] = jobs.release[each], each * width
        state[2 * count :] = 0
        end = total = 0
        for place in range(sequences.shape[1]):
            job = np.int64(sequences[candidate, place])  # int() stays unsigned there
            at = state[count + job]
            machine = 2 * count + jobs.machine[at]
            since = max(state[job], state[machine])
            until = since + jobs.slots[at]
            state[job] = state[machine] = until
            state[count + job] = at + 1
            end = max(end, until)
            if jobs.weights[2]:
                total += max(0, until * jobs.weights[1] - jobs.goals[at, 0]) * jobs.goals[at, 1]
                total += abs(since * jobs.weights[1] - jobs.goals[at, 2]) * jobs.goals[at, 3]
            if len(starts):
                starts[candidate, jobs.operation[at]] = since
        worth[candidate] = total + end * jobs.weights[0]


@njit_bare
def _vary(parents: Sequences, children: Sequences, chance: Chance, rules: Longs) -> None:
    length, (first, since, size, most, span) = children.shape[1], rules
    for row in range(len(children)):
        child, own = since + row, children[row]
        parent = parents[child * len(parents) // size]
        for place in range(length):
            own[place] = parent[place]
        chance[1] = np.uint64((first + child) * _COUNTERS)
        exchanges = 0 if length < 2 else 1 + below(chance, most)
        for _ in range(exchanges):
            one = below(chance, length)
            other = one + 1 + below(chance, span)
            if other >= length:
                other = one - 1 if one > 0 else 1
            own[one], own[other] = own[other], own[one]
