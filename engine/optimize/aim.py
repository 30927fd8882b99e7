"""Aim: which of two vectors of objectives is better. It never measures anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.optimize.problem import NEVER, NONE, Flags, Longs, Objective, Problem

Key = tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Aim:
    """Levels, int64[l, 6]: sums of objectives by weight, compared one level after another; less is better.

    The first level is always that no rule be broken.
    """

    levels: Longs

    @staticmethod
    def weighted(weights: Sequence[int]) -> Aim:
        """Few violations first, then the least sum of objectives by these six weights."""
        levels = np.zeros((2, len(Objective)), np.int64)
        levels[0, Objective.VIOLATIONS] = 1
        levels[1] = weights
        return Aim(levels)

    @staticmethod
    def lexicographic(*objectives: Objective) -> Aim:
        """Few violations first, then each of these objectives only where those before it are equal."""
        chosen = [Objective.VIOLATIONS, *(each for each in objectives if each != Objective.VIOLATIONS)]
        levels = np.zeros((len(chosen), len(Objective)), np.int64)
        levels[np.arange(len(chosen)), chosen] = 1
        return Aim(levels)

    def counting(self, problem: Problem) -> Aim:
        """Without the levels in which all plans of a problem are equal, as lateness is where nothing is due; itself
        where no other is left. It finds the same plans better.
        """
        kept = (self.levels[:, matters(problem)] != 0).any(axis=1)
        return Aim(self.levels[kept]) if kept[1:].any() else self

    def key(self, objectives: Longs) -> Key:
        """What is compared: one number a level."""
        return tuple((self.levels @ objectives).tolist())

    def is_better(self, objectives: Longs, than: Longs) -> bool:
        """Whether the first vector is better than the second."""
        return self.key(objectives) < self.key(than)


def matters(problem: Problem) -> Flags:
    """Which objectives can differ between two plans."""
    found = np.ones(len(Objective), np.bool_)
    found[Objective.TARDINESS] = bool(((problem.due != NEVER) & (problem.weight > 0)).any())
    found[Objective.CHANGEOVER] = bool((problem.resource_matrix != NONE).any())
    found[Objective.COST] = bool((problem.mode_cost[problem.first_mode[:-1]][problem.owner] != problem.mode_cost).any())
    found[Objective.STABILITY] = bool((problem.current_start != NONE).any())
    return found
