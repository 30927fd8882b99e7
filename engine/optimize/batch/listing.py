"""Activity lists of a plain problem in batches, on the processor: the twin of sgs.cu. Imported late: it loads numba.

It never uses more than the thread that calls it, and lets the interpreter go on meanwhile.
"""

from __future__ import annotations

import numpy as np

from engine.compiled import njit_bare
from engine.optimize.aim import Aim
from engine.optimize.batch.lists import Lists
from engine.optimize.batch.worth import worth_of
from engine.optimize.plain import Plain, place_list, plain_of
from engine.optimize.problem import Ints, Longs, Problem


class CpuLists:
    """Activity lists, uint16[b, n], one after another; starts are in slots of `plain.unit` ticks."""

    def __init__(self, problem: Problem, aim: Aim) -> None:
        self._plain = plain_of(problem)
        self._worth = worth_of(problem, aim)
        self._starts = np.zeros((0, problem.operation_count), np.int64)

    def decode(self, lists: Lists) -> Longs:
        """What each list is worth, int64[b]."""
        worth = np.zeros(len(lists), np.int64)
        self._starts = np.zeros(lists.shape, np.int64)
        weights = np.array([self._worth.end_weight, self._worth.has_goals], np.int64)
        _place_lists(self._plain, lists.astype(np.int64), self._worth.goals, weights, self._starts, worth)
        return worth

    def starts(self, candidate: int) -> Ints:
        """Slots in which the operations of a list of the last call start, int32[n]."""
        found: Ints = self._starts[candidate].astype(np.int32)
        return found


@njit_bare
def _place_lists(plain: Plain, lists: Longs, goals: Longs, weights: Longs, starts: Longs, worth: Longs) -> None:
    unit = plain.unit[0]
    for candidate in range(len(lists)):
        found = starts[candidate]
        total = place_list(plain, plain.into, plain.floor, lists[candidate], found) * unit * weights[0]
        if weights[1]:
            for operation in range(len(found)):
                start = found[operation] * unit
                finish = start + plain.duration[operation] * unit
                total += max(0, finish - goals[operation, 0]) * goals[operation, 1]
                total += abs(start - goals[operation, 2]) * goals[operation, 3]
        worth[candidate] = total
