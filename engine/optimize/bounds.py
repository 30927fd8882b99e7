"""What no plan can beat: bounds from links alone, and from the load of each resource. Never a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.optimize.problem import NEVER, NONE, Longs, Objective, Problem

if TYPE_CHECKING:
    from engine.optimize.heads import Heads


def bounds_of(problem: Problem) -> Longs:
    """Less than int64[6] is impossible in each objective for a plan that breaks no rule.

    Makespan: the longest path, and of each resource, for every set of operations with a head of at least h:
    h + energy / capacity + the least tail among them. With pins that break rules already no bound is claimed.
    """
    from engine.optimize.heads import heads_of  # loads numba

    bounds = np.zeros(len(Objective), np.int64)
    if not problem.operation_count:
        return bounds
    heads = heads_of(problem)
    late = np.maximum(0, heads.finishes - problem.due)
    bounds[Objective.TARDINESS] = int((problem.weight * late).sum())
    loads = [load_bound(problem, heads, resource) for resource in range(problem.resource_count)]
    path = int((heads.finishes + heads.tails).max())
    bounds[Objective.MAKESPAN] = max(0, path - problem.start, *(load - problem.start for load in loads))
    cost = np.full(problem.operation_count, NEVER, np.int64)
    np.minimum.at(cost, problem.owner[problem.is_usable], problem.mode_cost[problem.is_usable])
    bounds[Objective.COST] = int(cost.sum())
    return bounds


def load_bound(problem: Problem, heads: Heads, resource: int) -> int:
    """No plan is done before: the most over sets of operations that start late; `start` for an idle resource."""
    from engine.optimize.working import finish_of

    energy = energy_of(problem, resource)
    users = np.flatnonzero(energy)
    if not len(users):
        return problem.start
    users = users[np.argsort(heads.starts[users], kind="stable")]
    total = np.cumsum(energy[users][::-1])[::-1]
    tails = np.minimum.accumulate(heads.tails[users][::-1])[::-1]
    work = -(-total // int(problem.most[resource]))
    calendar = _calendar_of(problem, resource)
    if calendar == NONE:
        return int((heads.starts[users] + work + tails).max())
    low, high = problem.first_segment[calendar : calendar + 2].tolist()
    table = problem.tables.segments
    done = [
        finish_of(table, low, high, *pair) for pair in zip(heads.starts[users].tolist(), work.tolist(), strict=True)
    ]
    return int((np.array(done) + tails).max())


def energy_of(problem: Problem, resource: int) -> Longs:
    """The least units times ticks that each operation takes of a resource, whatever its mode: int64[n]."""
    user = np.repeat(np.arange(len(problem.duration)), np.diff(problem.first_use))
    of_mode = np.zeros(len(problem.duration), np.int64)
    is_used = problem.use_resource == resource
    np.add.at(of_mode, user[is_used], problem.use_units[is_used] * problem.duration[user[is_used]])
    energy = np.full(problem.operation_count, NEVER, np.int64)
    np.minimum.at(energy, problem.owner[problem.is_usable], of_mode[problem.is_usable])
    return energy


def _calendar_of(problem: Problem, resource: int) -> int:
    """The calendar in which a resource is always worked, or none where it has several."""
    user = np.repeat(np.arange(len(problem.duration)), np.diff(problem.first_use))
    calendars = np.unique(problem.mode_calendar[user[problem.use_resource == resource]])
    return int(calendars[0]) if len(calendars) == 1 else NONE
