"""ActivitySearch: a genetic algorithm on activity lists with forward-backward improvement, for cumulative resources.

It never decides what dates are: all it finds is decoded again by the evaluator before it counts. Valls, Ballestin and
Quintanilla 2008 (peak crossover, justification); islands that start anew where they collapse.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.board import FAR, board_for
from engine.optimize.bounds import energy_of
from engine.optimize.breeding import Nest
from engine.optimize.chance import chance_for
from engine.optimize.evolving import IMPROVED, SCHEDULES, STOPPED, Herd, Shop, adopt, evolve
from engine.optimize.heads import heads_of, shortest
from engine.optimize.mirrored import mirrored
from engine.optimize.plain import Graph, Plain, is_plain, plain_of
from engine.optimize.problem import NONE, Ints, Longs, Objective, Problem, Solution
from engine.optimize.rules import best_modes
from engine.optimize.topology import group

_ISLANDS, _SIZE, _STALE = 4, 40, 6_000


class ActivitySearch:
    """Children of children, slice by slice."""

    def __init__(self, problem: Problem, aim: Aim, seed: int, starts: Sequence[Solution] = ()) -> None:
        """A search whose first individuals are these solutions; a problem without operations is none for it."""
        self._shop = _shop_for(problem)
        self._nest = nest_for(problem, seed)
        self._herd = _herd_for(problem, aim, self._shop)
        self._herd.best_mode[:] = starts[0].mode if starts else best_modes(problem, problem.duration)
        self._waiting = list(starts)
        self._solution: Solution | None = None
        self._improved = 0

    @property
    def is_done(self) -> bool:
        """Never: it cannot prove anything."""
        return False

    @property
    def solution(self) -> Solution | None:
        """The best one so far: modes, and operations by start."""
        return self._solution

    @property
    def schedules(self) -> int:
        """How many schedules were made so far, forward and backward."""
        return int(self._herd.counts[SCHEDULES])

    def adopt(self, solution: Solution) -> None:
        """Take in what another engine found: it settles on the island that is longest without a better one."""
        self._waiting.append(solution)

    def stop(self) -> None:
        """End the slice that goes on, from any thread; nothing more is asked of it."""
        self._herd.counts[STOPPED] = 1

    def advance(self, iterations: int) -> int:
        """Breed so many children, three schedules each."""
        herd, waiting = self._herd, self._waiting[:iterations]
        del self._waiting[:iterations]
        for solution in waiting:
            herd.child[:] = solution.order
            herd.child_mode[:] = solution.mode
            emptiest = np.lexsort((-herd.stale, herd.filled))[0]
            adopt(herd, self._nest, self._shop, int(emptiest))
        evolve(herd, self._nest, self._shop, iterations - len(waiting))
        if self._improved < herd.counts[IMPROVED]:
            self._improved = int(herd.counts[IMPROVED])
            self._solution = Solution(herd.best_mode.astype(np.int32), herd.best.astype(np.int32))
        return iterations


def _shop_for(problem: Problem) -> Shop:
    plain, back = is_plain(problem), mirrored(problem)
    return Shop(
        is_plain=np.array([plain], np.int64),
        plain=plain_of(problem) if plain else _no_plain(),
        tables=problem.tables,
        board=board_for(problem),
        back_tables=back.tables,
        back_board=board_for(back),
    )


def _no_plain() -> Plain:
    nothing, words = np.zeros(0, np.int64), np.zeros(0, np.uint64)
    graph = Graph(nothing, nothing, nothing)
    return Plain(nothing, words, words, nothing, nothing, graph, graph, words, nothing, nothing)


def nest_for(problem: Problem, seed: int) -> Nest:
    """What activity lists of a problem are made with."""
    count, heads = problem.operation_count, heads_of(problem)
    kept = np.flatnonzero(~problem.link_is_most)
    before, after = problem.link_from[kept], problem.link_to[kept]
    pinned = problem.pinned_mode[problem.owner]
    is_free = (pinned == NONE) | (pinned == np.arange(len(pinned)))
    energy = np.zeros(count, np.int64)
    for resource in range(problem.resource_count):
        energy += (
            energy_of(problem, np.arange(problem.resource_count) == resource)
            * 1000
            // max(1, int(problem.most[resource]))
        )
    return Nest(
        into=_links_by(after, before, count),
        out_of=_links_by(before, after, count),
        rank=-heads.tails - shortest(problem),
        energy=energy,
        usable=(problem.is_usable & is_free).astype(np.int64),
        chance=chance_for(seed, 1),
        mark=np.zeros(count, np.int64),
        ready=np.zeros(count + 1, np.int64),
        spare=np.zeros(count, np.int64),
    )


def _links_by(key: Ints, other: Ints, count: int) -> Graph:
    first, links = group(key, count)
    return Graph(first.astype(np.int64), other[links].astype(np.int64), np.zeros(len(links), np.int64))


def _herd_for(problem: Problem, aim: Aim, shop: Shop) -> Herd:
    count, levels, rows = problem.operation_count, len(aim.levels), _ISLANDS * _SIZE

    def row() -> Longs:
        return np.zeros(count, np.int64)

    return Herd(
        lists=np.zeros((rows, count), np.int64),
        modes=np.zeros((rows, count), np.int64),
        starts=np.zeros((rows, count), np.int64),
        keys=np.zeros((rows, levels), np.int64),
        levels=aim.levels,
        stale=np.zeros(_ISLANDS, np.int64),
        filled=np.zeros(_ISLANDS, np.int64),
        limits=np.array([_SIZE, _STALE], np.int64),
        counts=np.zeros(5, np.int64),
        child=row(),
        child_mode=row(),
        child_starts=row(),
        best=row(),
        best_mode=row(),
        back=row(),
        back_starts=row(),
        sort_keys=row(),
        spare=row(),
        spare_starts=row(),
        child_key=np.zeros(levels, np.int64),
        best_key=np.full(levels, FAR, np.int64),
        spare_key=np.zeros(levels, np.int64),
        buckets=np.zeros(len(shop.plain.profile) + 2, np.int64),
        objectives=np.zeros(len(Objective), np.int64),
    )
