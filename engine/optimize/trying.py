"""Quick tries: what a problem comes to by the planner's order and the rules, and what one task elsewhere does to it.

They never search: each answer is some decodes, milliseconds where a search takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.optimize.aim import Aim
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import NONE, Evaluation, Longs, Objective, Problem, Solution
from engine.optimize.rules import best_modes, current_plan, first_solutions
from engine.optimize.tables import RELEASE


def quick_best(problem: Problem, aim: Aim) -> Evaluation:
    """The best of the planner's own order and what each priority rule makes of the problem."""
    evaluator = Evaluator(problem)
    found = [evaluator.evaluate(solution) for solution in first_solutions(problem)]
    return min(found, key=lambda each: aim.key(each.objectives))


def place_objectives(problem: Problem, operation: int, modes: Sequence[int], starts: Sequence[int]) -> Longs:
    """What the plan comes to, int64[m, s, 6], with an operation in each of m modes, no earlier than each of s instants.

    All keep the planner's order, the operation put into it by that instant, and give way as the one decoder has them.
    """
    from engine.optimize.board import board_for
    from engine.optimize.decode import decode
    from engine.optimize.measure import measure

    now = current_plan(problem, best_modes(problem, problem.duration))
    tables, board = problem.tables, board_for(problem)
    moved = tables._replace(operations=tables.operations.copy())
    release = int(problem.release[operation])
    begun = np.where(problem.current_start == NONE, np.maximum(problem.start, problem.release), problem.current_start)
    found = np.zeros((len(modes), len(starts), len(Objective)), np.int64)
    for column, start in enumerate(starts):
        key = np.where(problem.pinned_start == NONE, begun, problem.pinned_start)
        key[operation] = start
        order = problem.list_by(key).astype(np.int64)
        moved.operations[operation, RELEASE] = max(release, start)
        for row, mode in enumerate(modes):
            chosen = now.mode.astype(np.int64)
            chosen[operation] = mode
            decode(moved, board, chosen, order)
            measure(moved, board, chosen, board.starts.copy(), found[row, column])
    return found


def as_it_is(problem: Problem) -> Evaluation:
    """The planner's own order, decoded."""
    found: Solution = current_plan(problem, best_modes(problem, problem.duration))
    return Evaluator(problem).evaluate(found)
