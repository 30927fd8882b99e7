"""What a batch counts of a candidate: one number by weight. The pool measures again whatever comes of it.

It never says what is better at equal worth: levels of an aim below the second are left to the pool.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.problem import NONE, Longs, Objective, Problem

_SECOND_LEVEL = 1 << 10  # how much more a level of an aim counts than the one below


@dataclass(frozen=True, slots=True)
class Worth:
    """worth = end_weight * makespan + what `goals` make of it, all in ticks from the problem's start.

    goals: int64[n, 4], for each operation its due date, the weight of a late tick, its start now, and the weight of a
    tick away from it. has_goals: whether any of these weights is not 0.
    """

    end_weight: int
    goals: Longs

    @property
    def has_goals(self) -> bool:
        """Whether dates of single operations count."""
        return bool(self.goals[:, 1::2].any())


def worth_of(problem: Problem, aim: Aim) -> Worth:
    """What makespan, tardiness and stability weigh in an aim; the rest does not change from candidate to candidate."""
    weights = np.zeros(len(Objective), np.int64)
    for depth, level in enumerate(reversed(aim.levels[1:3])):
        weights += level * _SECOND_LEVEL**depth
    goals = np.zeros((problem.operation_count, 4), np.int64)
    goals[:, 0] = problem.due - problem.start
    goals[:, 1] = problem.weight * weights[Objective.TARDINESS]
    is_known = problem.current_start != NONE
    goals[is_known, 2] = problem.current_start[is_known] - problem.start
    goals[is_known, 3] = weights[Objective.STABILITY]
    return Worth(int(weights[Objective.MAKESPAN]), goals)
