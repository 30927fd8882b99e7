"""ShopSearch: walks and relinking of a job shop in batches, all walks of a round at once. It loads numba.

It never decodes for others: what it hands over is measured by the pool, as everything is. Rounds of tabu search from
schedules between elites (Peng, Lü and Cheng 2015), with thousands of walks where a processor has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.batch.relinking import distance
from engine.optimize.batch.relinks import DeviceRelinks, Pairs
from engine.optimize.batch.sequences import Jobs, jobs_of
from engine.optimize.batch.walks import BEST, DeviceWalks, Places, Rules, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.bounds import bounds_of
from engine.optimize.jobshop.search import FARTHEST, NEAREST, PATIENCE
from engine.optimize.problem import Ints, Longs, Objective, Problem, Solution
from engine.program.launcher import Launcher

_SHORTEST = Aim.lexicographic(Objective.MAKESPAN)
_ELITES = 8
_LOOKED_AT = 32  # of the best walks of a round, for new elites
_BEGINNINGS = 64  # schedules that walks begin with before there are elites
_NEAR = 0.01  # elites differ by more than this share of all pairs of a machine


class Ground(Protocol):
    """Where walks are made: a device, or in tests their twins on the processor."""

    @property
    def walks(self) -> int:
        """How many go on at once."""

    def begin(self, sequences: Places) -> None:
        """Set walks to these sequences, uint16[walks, n]."""

    def relink(self, elites: Places, pairs: Pairs, number: int) -> None:
        """Set walks between elites, a pair each; children are numbered from `number` on."""

    def go_on(self, iterations: int) -> Longs:
        """Tallies after so many iterations of each walk: int64[walks, 4]."""

    def best(self) -> Places:
        """The best sequence of each walk: uint16[walks, n]."""


class DeviceGround:
    """Walks and children on a device, which lie where they are made."""

    def __init__(self, jobs: Jobs, launcher: Launcher, walks: int, rules: Rules) -> None:
        self.walks = walks
        self._seed = rules.seed
        self._walks = DeviceWalks(jobs, launcher, walks, rules)
        self._relinks = DeviceRelinks(jobs, launcher)

    def begin(self, sequences: Places) -> None:
        """Set walks to these sequences."""
        self._walks.begin(sequences)

    def relink(self, elites: Places, pairs: Pairs, number: int) -> None:
        """Set walks between elites, a pair each."""
        self._relinks.approach(elites, pairs, self._seed, number, self._walks.sequences)
        self._walks.forget()

    def go_on(self, iterations: int) -> Longs:
        """Tallies after so many iterations of each walk."""
        return self._walks.go_on(iterations)

    def best(self) -> Places:
        """The best sequence of each walk."""
        return self._walks.best()


@dataclass(frozen=True, slots=True, eq=False)
class _Elite:
    """Slots that a schedule takes, and its steps by start, uint16[n]."""

    span: int
    steps: Places


class ShopSearch:
    """Rounds of walks, slice by slice; only for what `are_walkable` says yes to. The seed decides what it finds."""

    def __init__(
        self,
        problem: Problem,
        rules: Rules,
        starts: Sequence[Solution],
        ground: Ground,
        patience: int = PATIENCE,
    ) -> None:
        """A search whose first walks begin with these solutions; a round takes `patience` iterations of each walk."""
        self._problem, self._ground, self._goal, self._patience = problem, ground, rules.goal, patience
        self._jobs = jobs_of(problem, worth_of(problem, _SHORTEST))
        self._starts = list(starts)
        self._adopted: list[Solution] = []
        self._elites: list[_Elite] = []
        self._left, self._children = 0, 0
        self._random = np.random.Generator(np.random.PCG64(rules.seed))
        self._solution: Solution | None = None
        self._span: int | None = None
        self._is_stopped = False

    @property
    def is_done(self) -> bool:
        """Whether the best one found cannot be bettered."""
        return self._span is not None and self._span <= self._goal

    @property
    def solution(self) -> Solution | None:
        """The best one so far."""
        return self._solution

    def adopt(self, solution: Solution) -> None:
        """Takes in what another engine found: it is among the elites, if it is good enough, from the next round on."""
        self._adopted.append(solution)

    def stop(self) -> None:
        """Ends the slice that goes on, after its batch; nothing more is asked of it."""
        self._is_stopped = True

    def advance(self, iterations: int) -> int:
        """Goes on for so many iterations of each walk; gives how many all of them made."""
        made = 0
        while made < iterations and not self.is_done and not self._is_stopped:
            if self._left == 0:
                self._begin_round()
            step = min(iterations - made, self._left)
            made, self._left = made + step, self._left - step
            self._note(self._ground.go_on(step)[:, BEST])
        return made * self._ground.walks

    def _note(self, spans: Longs) -> None:
        """Keep the best of all walks, and at the end of a round what is worth being an elite."""
        first = int(spans.argmin())
        is_better = self._span is None or spans[first] < self._span
        if not is_better and self._left:
            return
        sequences = self._ground.best()
        if is_better:
            self._span = int(spans[first])
            steps, _ = dated(self._jobs, sequences[first])
            self._solution = Solution(self._modes(), self._jobs.operation[steps].astype(np.int32))
        if not self._left:
            self._settle([self._elite(sequences[each]) for each in np.argsort(spans, kind="stable")[:_LOOKED_AT]])

    def _modes(self) -> Ints:
        return np.arange(self._problem.operation_count, dtype=np.int32)

    def _elite(self, sequence: Places) -> _Elite:
        steps, span = dated(self._jobs, sequence)
        return _Elite(span, steps)

    def _settle(self, found: list[_Elite]) -> None:
        """The best that differ become elites."""
        nearest = max(1, int(_NEAR * len(self._jobs.operation) ** 2 / 2 / max(1, int(self._jobs.sizes[2]))))
        kept: list[_Elite] = []
        for each in sorted([*self._elites, *found], key=lambda elite: elite.span):
            if all(distance(self._jobs, each.steps, other.steps) > nearest for other in kept):
                kept.append(each)
            if len(kept) == _ELITES:
                break
        self._elites = kept

    def _begin_round(self) -> None:
        self._left = self._patience
        orders, self._adopted = [each.order for each in self._adopted], []
        if orders:
            self._settle([self._elite(sequence_by(self._jobs, order)) for order in orders])
        if len(self._elites) > 1:
            self._relink()
            return
        # None yet, or they have become one: walks begin anywhere.
        self._elites = []
        orders = [each.order for each in self._starts]
        self._starts = []
        keys = self._random.integers(0, 1 << 30, (_BEGINNINGS, self._problem.operation_count))
        orders += [self._problem.list_by(key) for key in keys]
        sequences = np.array([sequence_by(self._jobs, order) for order in orders])
        self._ground.begin(np.resize(sequences, (self._ground.walks, sequences.shape[1])))

    def _relink(self) -> None:
        """Walks begin between two elites, 30 to 70 percent of the way."""
        elites, walks, random = self._elites, self._ground.walks, self._random
        one = random.integers(0, len(elites), walks)
        other = (one + random.integers(1, len(elites), walks)) % len(elites)
        percent = random.integers(NEAREST, FARTHEST + 1, walks)
        apart = np.zeros((len(elites), len(elites)), np.int64)
        for row, column in set(zip(np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), strict=True)):
            far = distance(self._jobs, elites[row].steps, elites[column].steps)
            apart[row, column] = apart[column, row] = far
        turned = np.maximum(1, apart[one, other] * percent // 100)
        pairs = np.stack((one, other, turned), axis=1).astype(np.int32)
        self._ground.relink(np.array([each.steps for each in elites]), pairs, self._children)
        self._children += walks


def rules_for(problem: Problem, seed: int) -> Rules:
    """Walks end where no schedule can be shorter."""
    jobs = jobs_of(problem, worth_of(problem, _SHORTEST))
    machines = max(1, int(jobs.sizes[2]))
    goal = -(-int(bounds_of(problem)[Objective.MAKESPAN]) // int(jobs.weights[1]))
    return Rules(seed, tenure=10 + problem.operation_count // machines**2, goal=goal)


def dated(jobs: Jobs, sequence: Places) -> tuple[Places, int]:
    """Steps by start, uint16[n], and the slots until the last has ended, of the sequences of all machines."""
    width = int(jobs.sizes[3])
    machine, slots = jobs.machine.tolist(), jobs.slots.tolist()
    waiting: dict[int, list[int]] = {}
    for step in reversed(sequence.tolist()):
        waiting.setdefault(machine[step], []).append(step)
    following = [job * width for job in range(int(jobs.sizes[1]))]
    ready, free = jobs.release.tolist(), dict.fromkeys(waiting, 0)
    start: dict[int, int] = {}
    able = [queue[-1] for queue in waiting.values() if queue[-1] % width == 0]
    while able:
        step = able.pop()
        job, on = step // width, machine[step]
        start[step] = max(ready[job], free[on])
        ready[job] = free[on] = start[step] + slots[step]
        waiting[on].pop()
        following[job] += 1
        after = {following[job]} if step % width + 1 < jobs.length[job] else set()
        after |= set(waiting[on][-1:])
        able += [each for each in after if waiting[machine[each]][-1] == each and following[each // width] == each]
    steps = np.array(sorted(start, key=start.__getitem__), np.uint16)
    return steps, max(start[step] + slots[step] for step in start)
