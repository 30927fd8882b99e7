"""JobShopSearch: tabu search and path relinking for shops, in slices. Imported late, since it loads numba.

It never measures time: a slice is a number of iterations, and the same seed and slices of any size find the same plans.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.chance import below
from engine.optimize.jobshop import tabu, weighing
from engine.optimize.jobshop.columns import BEST, BEST_AT, GOAL, ITERATION, MODE, ON, STOPPED, TAKES, Column
from engine.optimize.jobshop.elites import Elite, Elites
from engine.optimize.jobshop.relink import STEPS, TRIES, approach
from engine.optimize.jobshop.shop import clock_of, is_plain, shop_of, walk_of
from engine.optimize.problem import NONE, Problem, Solution

PATIENCE = 12_500  # iterations that a walk goes on without a better schedule (Peng, Lü and Cheng 2015)
NEAREST, FARTHEST = 30, 70  # percent of the way to another elite at which a child begins
_STEP = 20  # iterations that take about as long as a step toward the next walk


class JobShopSearch:
    """Walks from new schedules until there are elites, then from schedules between two elites.

    `value` is what the best one found is worth in the shop, int; `solution()` hands it over. `is_done` when nothing
    better can be: the makespan is at its lower bound.
    """

    def __init__(
        self, problem: Problem, aim: Aim, seed: int, starts: Sequence[Solution] = (), patience: int = PATIENCE
    ) -> None:
        """A search that begins with these solutions, and goes on with random ones; walks end after `patience`."""
        self._patience = patience
        self._problem = problem
        self._shop, self._source = shop_of(problem, aim)
        self._walk = walk_of(problem, seed)
        self._is_plain = is_plain(problem, aim)
        self._elites = Elites(self._shop)
        self._starts = list(starts)
        self._adopted: list[Solution] = []
        self._parents: list[tuple[Elite, Elite]] = []
        self._way: tuple[Elite, Column] | None = None  # to where the next walk begins near, and what of it is left
        self._is_walking = False
        machines = max(1, len(np.unique(self._shop.modes[:, ON])))
        self._base = 10 + problem.operation_count // machines**2
        self.value: int | None = None
        self._best: Solution | None = None

    @property
    def is_done(self) -> bool:
        """Whether the best one found cannot be bettered."""
        reached = self.value is not None and self.value <= self._walk.tally[GOAL]
        return bool(reached) or self._problem.operation_count == 0

    @property
    def solution(self) -> Solution | None:
        """The best one found so far: modes, and operations by start."""
        return self._best

    def stop_at(self, makespan: int) -> None:
        """Nothing is less than this: what reaches it is the end of the search."""
        if self._is_plain and clock_of(self._problem) == NONE:
            self._walk.tally[GOAL] = makespan

    def adopt(self, solution: Solution) -> None:
        """Takes in what another engine found: it is among the elites, if it is good enough, from the next walk on."""
        self._adopted.append(solution)

    def stop(self) -> None:
        """Ends the slice that goes on, from any thread; nothing more is asked of it."""
        self._walk.tally[STOPPED] = 1

    def advance(self, iterations: int) -> int:
        """Goes on for so many iterations or a few more; gives how many, fewer only when done or stopped."""
        made = 0
        while made < iterations and not self.is_done and not self._walk.tally[STOPPED]:
            made += max(1, self._go_on(iterations - made)) if self._is_walking else self._come_nearer()
        return made

    def _go_on(self, iterations: int) -> int:
        walk = self._walk
        step = tabu.search if self._is_plain else weighing.search_weighed
        made = step(self._shop, walk, iterations, self._patience, self._base)
        self._note_best()
        if made < iterations or walk.tally[ITERATION] - walk.tally[BEST_AT] >= self._patience:
            self._is_walking = False
            self._elites.offer(self._elite())
        return made

    def _note_best(self) -> None:
        if self.value is None or self._walk.tally[BEST] < self.value:
            self.value = int(self._walk.tally[BEST])
            self._best = self._handed_over()

    def _come_nearer(self) -> int:
        """One step toward the next walk, which takes about as long as so many iterations."""
        if self._way is not None:
            self._go_on_its_way(*self._way)
        elif self._adopted:
            self._place(self._adopted.pop(0))
            self._begin()
            self._elites.offer(self._elite())
        elif self._starts:
            self._place(self._starts.pop(0))
            self._set_out()
        else:
            self._begin_anew()
        return _STEP

    def _begin_anew(self) -> None:
        """From anywhere until there are elites, then from between two of them."""
        elites = self._elites
        if elites.has_collapsed:
            elites.restart()
            self._parents.clear()
        if elites.is_full:
            self._relink()
        else:
            self._scatter()
            self._set_out()

    def _set_out(self) -> None:
        self._begin()
        self._is_walking = True

    def _begin(self) -> None:
        """Lays out what the walk was given, and forgets what it knew."""
        self._walk.tally[ITERATION] = self._walk.tally[BEST_AT] = 0
        begin = tabu.begin if self._is_plain else weighing.begin_weighed
        begin(self._shop, self._walk)
        self._note_best()

    def _place(self, solution: Solution) -> None:
        """Begins where a solution is."""
        own = np.searchsorted(self._source, solution.mode)
        own = np.minimum(own, len(self._source) - 1)
        is_own = self._source[own] == solution.mode
        self._walk.order[:] = solution.order
        self._walk.places[: len(own), MODE] = np.where(is_own, own, self._shop.first_mode[:-1])

    def _scatter(self) -> None:
        """Begins anywhere: a random order, and each operation on the machine that has least to do by then."""
        count, shop, walk = self._problem.operation_count, self._shop, self._walk
        chance = np.array([below(walk.chance, 1 << 30) for _ in range(count)], np.int64)
        walk.order[:] = self._problem.list_by(chance)
        load = np.zeros(len(shop.matrix), np.int64)
        for node in np.argsort(chance).tolist():
            modes = range(shop.first_mode[node], shop.first_mode[node + 1])
            mode = min(modes, key=lambda each: load[shop.modes[each, ON]] + shop.modes[each, TAKES])
            walk.places[node, MODE] = mode
            load[shop.modes[mode, ON]] += shop.modes[mode, TAKES]

    def _relink(self) -> None:
        """Begins between two elites; the other way is the next walk's."""
        walk, kept = self._walk, self._elites.kept
        if not self._parents:
            one = below(walk.chance, len(kept))
            other = (one + 1 + below(walk.chance, len(kept) - 1)) % len(kept)
            self._parents = [(kept[one], kept[other]), (kept[other], kept[one])]
        start, goal = self._parents.pop()
        walk.order[:] = start.order
        walk.places[: len(start.mode), MODE] = start.mode
        percent = NEAREST + below(walk.chance, FARTHEST - NEAREST + 1)
        steps = max(1, self._elites.between(start, goal) * percent // 100)
        self._way = goal, np.array([steps, 8 * len(goal.order) ** 2], np.int64)

    def _go_on_its_way(self, goal: Elite, left: Column) -> None:
        approach(self._shop, self._walk, goal.place, goal.mode, left)
        if left[STEPS] <= 0 or left[TRIES] <= 0:
            self._way = None
            self._set_out()

    def _elite(self) -> Elite:
        """The best of this walk, in an order by heads."""
        walk, count = self._walk, self._problem.operation_count
        value = int(walk.tally[BEST])
        order, mode = self._sorted_best()
        place = np.empty(count, np.int64)
        place[order] = np.arange(count)
        lanes = order[np.argsort(self._shop.modes[mode[order], ON], kind="stable")]
        return Elite(value, order, place, mode, lanes)

    def _sorted_best(self) -> tuple[Column, Column]:
        order, mode, head = self._walk.best
        rank = np.empty(len(order), np.int64)
        rank[order[np.argsort(head[order], kind="stable")]] = np.arange(len(order))
        return self._problem.list_by(rank).astype(np.int64), mode.copy()

    def _handed_over(self) -> Solution:
        order, mode = self._sorted_best()
        return Solution(self._source[mode], order.astype(np.int32))
