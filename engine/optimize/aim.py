"""Aim: which of two vectors of objectives is better. It never measures anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.optimize.problem import Longs, Objective

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

    def key(self, objectives: Longs) -> Key:
        """What is compared: one number a level."""
        return tuple((self.levels @ objectives).tolist())

    def is_better(self, objectives: Longs, than: Longs) -> bool:
        """Whether the first vector is better than the second."""
        return self.key(objectives) < self.key(than)
