"""Quick tries: what a problem comes to by the planner's order and the rules, and what one task elsewhere does to it.

They never search: each answer is some decodes, milliseconds where a search takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class Tries(NamedTuple):
    """Of an operation in each of m modes, no earlier than each of s instants: what the plan comes to, int64[m, s, 6],
    and when the operation would begin, int64[m, s].
    """

    objectives: Longs
    begins: Longs


def try_places(problem: Problem, operation: int, modes: Sequence[int], starts: Sequence[int], release: int) -> Tries:
    """An operation put elsewhere, where whatever it was held at lets go of it but `release`.

    What uses the same resources at such an instant now gives way to it; all else keeps the planner's order.
    """
    from engine.optimize.board import board_for
    from engine.optimize.decode import decode
    from engine.optimize.measure import measure

    now = current_plan(problem, best_modes(problem, problem.duration))
    tables, board = problem.tables, board_for(problem)
    moved = tables._replace(operations=tables.operations.copy())
    begun = np.where(problem.current_start == NONE, np.maximum(problem.start, problem.release), problem.current_start)
    begun = np.where(problem.pinned_start == NONE, begun, problem.pinned_start)
    sharing = [_sharing(problem, operation, mode, now, begun) for mode in modes]
    found = Tries(
        np.zeros((len(modes), len(starts), len(Objective)), np.int64), np.zeros((len(modes), len(starts)), np.int64)
    )
    for column, start in enumerate(starts):
        moved.operations[operation, RELEASE] = max(release, start)
        for row, (mode, (others, finishes)) in enumerate(zip(modes, sharing, strict=True)):
            key = 2 * begun
            key[operation] = 2 * start - 1
            key[others[(begun[others] <= start) & (start < finishes)]] = 2 * start
            chosen = now.mode.astype(np.int64)
            chosen[operation] = mode
            decode(moved, board, chosen, problem.list_by(key).astype(np.int64))
            found.begins[row, column] = board.starts[operation]
            measure(moved, board, chosen, board.starts.copy(), found.objectives[row, column])
    return found


def _sharing(problem: Problem, operation: int, mode: int, now: Solution, begun: Longs) -> tuple[Longs, Longs]:
    """The other operations that use a resource of a mode, and when they finish by the plan as it is."""
    from engine.optimize.working import finish_of

    first, tables = problem.first_use, problem.tables
    wanted = np.isin(problem.use_resource, problem.use_resource[first[mode] : first[mode + 1]])
    uses = np.concatenate(([0], np.cumsum(wanted)))
    is_shared = uses[first[now.mode + 1]] > uses[first[now.mode]]
    is_shared[operation] = False
    others = np.flatnonzero(is_shared)
    finishes = []
    for other in others.tolist():
        chosen = int(now.mode[other])
        clock = int(problem.mode_calendar[chosen])
        low, high = (0, 0) if clock == NONE else problem.first_segment[clock : clock + 2].tolist()
        finishes.append(finish_of(tables.segments, low, high, int(begun[other]), int(problem.duration[chosen])))
    return others, np.array(finishes, np.int64)


def as_it_is(problem: Problem) -> Evaluation:
    """The planner's own order, decoded."""
    found: Solution = current_plan(problem, best_modes(problem, problem.duration))
    return Evaluator(problem).evaluate(found)
