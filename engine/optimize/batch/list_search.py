"""ListSearch: activity lists bred on the processor and decoded in batches, for cumulative resources. It loads numba.

It never decodes for others: what it hands over is measured by the pool, as everything is. The best of parents and
children are the next parents, and no list is there twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.activity import nest_for
from engine.optimize.batch.lists import Lists
from engine.optimize.breeding import Nest, cross, cross_inside, move_one, random_list
from engine.optimize.chance import below
from engine.optimize.problem import Ints, Longs, Problem, Solution
from engine.optimize.rules import best_modes
from engine.optimize.tables import Column

_PARENTS = 256
_RANDOM = 64  # one child of so many is a list of its own
_MOVES = 4  # operations of a child that are moved, fewer than this


class Decoder(Protocol):
    """What lists are worth, on a device or on the processor."""

    def decode(self, lists: Lists) -> Longs:
        """The worth of each list, uint16[b, n]: int64[b], the least the best."""

    def starts(self, candidate: int) -> Ints:
        """Slots in which the operations of a list of the last call start: int32[n]."""


class ListSearch:
    """Children of the best lists, batch by batch; only for what `is_plain` says yes to. The seed decides what it finds
    on any decoder.
    """

    def __init__(self, problem: Problem, seed: int, starts: Sequence[Solution], decoder: Decoder, most: int) -> None:
        """A search whose first parents are these solutions; a batch has no more than `most` lists."""
        self._nest = nest_for(problem, seed)
        self._scratch = np.zeros((3, problem.operation_count), np.int64)
        self._modes = best_modes(problem, problem.duration)
        self._decoder, self._most = decoder, most
        self._parents: Lists = np.zeros((0, problem.operation_count), np.uint16)
        self._worth = np.zeros(0, np.int64)
        self._waiting = [solution.order for solution in starts]
        self._solution: Solution | None = None
        self._best: int | None = None
        self._is_stopped = False

    @property
    def is_done(self) -> bool:
        """Never: it cannot prove anything."""
        return False

    @property
    def solution(self) -> Solution | None:
        """The best one so far."""
        return self._solution

    def adopt(self, solution: Solution) -> None:
        """Takes in what another engine found: it is in the next batch."""
        self._waiting.append(solution.order)

    def stop(self) -> None:
        """Ends the slice that goes on, after its batch; nothing more is asked of it."""
        self._is_stopped = True

    def advance(self, iterations: int) -> int:
        """Breeds and decodes so many lists."""
        made = 0
        while made < iterations and not self._is_stopped:
            made += self._batch(min(iterations - made, self._most))
        return made

    def _batch(self, size: int) -> int:
        lists: Lists = np.zeros((size, self._parents.shape[1]), np.uint16)
        given, self._waiting = self._waiting[:size], self._waiting[size:]
        for row, order in enumerate(given):
            lists[row] = order
        _breed(self._nest, self._scratch, self._parents, lists[len(given) :])
        worth = self._decoder.decode(lists)
        best = int(worth.argmin())
        if self._best is None or worth[best] < self._best:
            self._best = int(worth[best])
            by_start = np.argsort(self._decoder.starts(best)[lists[best]], kind="stable")
            self._solution = Solution(self._modes.astype(np.int32), lists[best][by_start].astype(np.int32))
        self._select(lists, worth)
        return size

    def _select(self, lists: Lists, worth: Longs) -> None:
        everyone, worths = np.concatenate((self._parents, lists)), np.concatenate((self._worth, worth))
        seen: set[bytes] = set()
        chosen: list[int] = []
        for row in np.argsort(worths, kind="stable").tolist():
            if len(chosen) == _PARENTS:
                break
            name = everyone[row].tobytes()
            if name not in seen:
                seen.add(name)
                chosen.append(row)
        self._parents, self._worth = everyone[chosen], worths[chosen]


@njit_bare
def _breed(nest: Nest, scratch: Longs, parents: Lists, children: Lists) -> None:
    """Fill children: lists of their own, or crossed from two parents, with an operation moved now and then."""
    child, mother, father = scratch[0], scratch[1], scratch[2]
    count = len(child)
    for row in range(len(children)):
        if len(parents) < 2 or below(nest.chance, _RANDOM) == 0:
            random_list(nest, child)
        else:
            _take(parents, min(below(nest.chance, len(parents)), below(nest.chance, len(parents))), mother)
            _take(parents, below(nest.chance, len(parents)), father)
            low = below(nest.chance, count)
            window = (low, low + 1 + below(nest.chance, count - low))
            if below(nest.chance, 2) == 0:
                cross(nest, mother, father, window, child)
            else:
                cross_inside(nest, mother, father, window, child)
            for _ in range(below(nest.chance, _MOVES)):
                move_one(nest, child)
        for place in range(count):
            children[row, place] = child[place]


@njit_bare
def _take(parents: Lists, row: int, into: Column) -> None:
    for place in range(len(into)):
        into[place] = parents[row, place]
