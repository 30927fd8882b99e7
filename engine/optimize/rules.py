"""First solutions: the planner's own plan, and what priority rules make of the problem. Never a search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.optimize.problem import NONE, Ints, Longs, Problem, Solution


def first_solutions(problem: Problem) -> list[Solution]:
    """The current plan where it is known, then a solution of each rule; the same ones are named once."""
    fastest, cheapest = best_modes(problem, problem.duration), best_modes(problem, problem.mode_cost)
    keys = list(rule_keys(problem, fastest))
    found = [current_plan(problem, fastest)]
    found += [Solution(fastest, problem.list_by(key)) for key in keys]
    if (spread := spread_modes(problem)) is not None:
        found += [Solution(spread, problem.list_by(key)) for key in keys[:4]]
    if (cheapest != fastest).any():
        found += [Solution(cheapest, problem.list_by(key)) for key in keys[:2]]
    named = {(each.mode.tobytes(), each.order.tobytes()): each for each in reversed(found)}
    return [*named.values()][::-1]


def current_plan(problem: Problem, otherwise: Ints) -> Solution:
    """The planner's plan: current modes and the order of current starts; what has none comes as early as it may."""
    chosen = np.where(problem.current_mode == NONE, otherwise, problem.current_mode)
    is_bad = ~problem.is_usable[chosen] | (problem.pinned_mode != NONE)
    mode = np.where(is_bad, otherwise, chosen).astype(np.int32)
    starts = np.where(problem.current_start == NONE, np.maximum(problem.start, problem.release), problem.current_start)
    return Solution(mode, problem.list_by(np.where(problem.pinned_start == NONE, starts, problem.pinned_start)))


def best_modes(problem: Problem, figure: Longs) -> Ints:
    """The usable mode of each operation with the least figure, int64[k]; a pinned mode stays."""
    order = np.lexsort((np.arange(len(figure)), figure, ~problem.is_usable, problem.owner))
    mode = order[problem.first_mode[:-1]]
    return np.where(problem.pinned_mode == NONE, mode, problem.pinned_mode).astype(np.int32)


def spread_modes(problem: Problem) -> Ints | None:
    """Modes that load machines evenly, the longest operations first; None where nobody has a choice."""
    if len(problem.duration) == problem.operation_count:
        return None
    mode, load = best_modes(problem, problem.duration), np.zeros(problem.resource_count + 1, np.int64)
    for operation in np.argsort(-problem.duration[mode], kind="stable").tolist():
        choices = [
            each
            for each in range(problem.first_mode[operation], problem.first_mode[operation + 1])
            if problem.is_usable[each] and problem.pinned_mode[operation] in (NONE, each)
        ] or [int(mode[operation])]
        chosen = min(choices, key=lambda each: int(load[problem.machine[each]] + problem.duration[each]))
        mode[operation] = chosen
        load[problem.machine[chosen]] += problem.duration[chosen]
    return mode


def rule_keys(problem: Problem, mode: Ints) -> Iterator[Longs]:
    """A key of each operation by each rule, the least first."""
    from engine.optimize.heads import heads_of  # loads numba

    heads, work = heads_of(problem), problem.duration[mode]
    followers = np.diff(problem.links_out_of[0])
    remaining = heads.tails + work
    slack = problem.due - heads.tails
    yield -remaining  # the latest start first (LST)
    yield -heads.tails  # the latest finish (LFT)
    yield -remaining - heads.starts  # the least slack (MSLK)
    yield np.minimum(problem.due, slack)  # the earliest due date, of what follows too
    yield problem.due  # the earliest due date (EDD)
    yield -problem.priority.astype(np.int64)  # what the planner puts first
    yield heads.starts  # the earliest start
    yield heads.finishes
    yield -work * (1 + followers)  # the greatest rank positional weight, one step deep
    yield -followers.astype(np.int64)  # the most successors
    yield work  # the shortest (SPT)
    yield -work  # the longest (LPT)
    yield problem.due // np.maximum(1, problem.weight)  # the most costly to be late
