"""The one evaluator: every engine's answer goes through it before anybody sees it. It never searches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.optimize.problem import NONE, Evaluation, Longs, Objective, Problem, Solution

if TYPE_CHECKING:
    from engine.optimize.board import Board


@dataclass(slots=True)
class Evaluator:
    """Decodes and measures solutions of one problem, one at a time: it is not for two threads at once."""

    problem: Problem
    count: int = 0
    _board: Board = field(init=False)

    def __post_init__(self) -> None:
        from engine.optimize.board import board_for  # loads numba

        self._board = board_for(self.problem)

    def evaluate(self, solution: Solution) -> Evaluation:
        """The dates that a solution gives and what they are worth; ValueError: it is another problem's."""
        from engine.optimize.decode import decode

        mode, order = _checked(self.problem, solution)
        decode(self.problem.tables, self._board, mode, order)
        return self.measure(solution, self._board.starts.copy())

    def measure(self, solution: Solution, starts: Longs) -> Evaluation:
        """What these starts are worth with the solution's modes, whoever made them."""
        from engine.optimize.measure import measure

        objectives = np.zeros(len(Objective), np.int64)
        measure(self.problem.tables, self._board, solution.mode.astype(np.int64), starts, objectives)
        self.count += 1
        return Evaluation(solution, starts, self._board.finishes.copy(), objectives)


def evaluate(problem: Problem, solution: Solution) -> Evaluation:
    """Decode and measure one solution."""
    return Evaluator(problem).evaluate(solution)


def _checked(problem: Problem, solution: Solution) -> tuple[Longs, Longs]:
    count = problem.operation_count
    mode, order = solution.mode.astype(np.int64), solution.order.astype(np.int64)
    place = np.full(count, NONE, np.int64)
    place[order] = np.arange(len(order))
    if len(order) != count or (place == NONE).any():
        raise ValueError("an activity list names each operation once")
    if (mode < problem.first_mode[:-1]).any() or (mode >= problem.first_mode[1:]).any():
        raise ValueError("a mode is another operation's")
    if ((problem.pinned_mode != NONE) & (problem.pinned_mode != mode)).any():
        raise ValueError("a pinned mode is another one")
    kept = ~problem.link_is_most
    if (place[problem.link_from[kept]] >= place[problem.link_to[kept]]).any():
        raise ValueError("an activity list puts a successor before its predecessor")
    return mode, order
