"""What no plan can beat: bounds from links alone, from the load of each resource, and of what moves. Never a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.optimize.changeover_bound import changeover_bound
from engine.optimize.problem import NEVER, NONE, Flags, Longs, Objective, Problem
from engine.optimize.stability_bound import stability_bound
from engine.optimize.units import unit_of

if TYPE_CHECKING:
    from engine.optimize.heads import Heads


def bounds_of(problem: Problem) -> Longs:
    """Less than int64[6] is impossible in each objective for a plan that breaks no rule.

    Makespan: the longest path, and of each resource and of all machines together, for every set of operations with a
    head of at least h: h + energy / capacity + the least tail among them. Changeover and stability: by their modules.
    """
    from engine.optimize.heads import heads_of  # loads numba

    bounds = np.zeros(len(Objective), np.int64)
    if not problem.operation_count:
        return bounds
    heads = heads_of(problem)
    late = np.maximum(0, heads.finishes - problem.due)
    bounds[Objective.TARDINESS] = int((problem.weight * late).sum())
    groups = [*np.eye(problem.resource_count, dtype=np.bool_), problem.capacity == 1]
    loads = [load_bound(problem, heads, group) for group in groups]
    path = int((heads.finishes + heads.tails).max())
    span, unit = max(0, path - problem.start, *(load - problem.start for load in loads)), unit_of(problem)
    bounds[Objective.MAKESPAN] = -(-span // unit) * unit
    cost = np.full(problem.operation_count, NEVER, np.int64)
    np.minimum.at(cost, problem.owner[problem.is_usable], problem.mode_cost[problem.is_usable])
    bounds[Objective.COST] = int(cost.sum())
    bounds[Objective.CHANGEOVER] = changeover_bound(problem)
    bounds[Objective.STABILITY] = stability_bound(problem, heads.starts)
    return bounds


def load_bound(problem: Problem, heads: Heads, group: Flags) -> int:
    """No plan is done before, by the load of resources together, bool[r]; `start` where they are idle.

    It is the most over sets of operations that start late.
    """
    from engine.optimize.working import finish_of

    energy = energy_of(problem, group)
    users = np.flatnonzero(energy)
    if not len(users):
        return problem.start
    users = users[np.argsort(heads.starts[users], kind="stable")]
    total = np.cumsum(energy[users][::-1])[::-1]
    tails = np.minimum.accumulate(heads.tails[users][::-1])[::-1]
    work = -(-total // int(problem.most[group].sum()))
    calendar = _calendar_of(problem, group)
    if calendar == NONE:
        return int((heads.starts[users] + work + tails).max())
    low, high = problem.first_segment[calendar : calendar + 2].tolist()
    table = problem.tables.segments
    done = [
        finish_of(table, low, high, *pair) for pair in zip(heads.starts[users].tolist(), work.tolist(), strict=True)
    ]
    return int((np.array(done) + tails).max())


def energy_of(problem: Problem, group: Flags) -> Longs:
    """The least units times ticks that each operation takes of resources together, whatever its mode: int64[n]."""
    of_mode = np.zeros(len(problem.duration), np.int64)
    user, is_used = _users(problem), group[problem.use_resource]
    np.add.at(of_mode, user[is_used], problem.use_units[is_used] * problem.duration[user[is_used]])
    energy = np.full(problem.operation_count, NEVER, np.int64)
    np.minimum.at(energy, problem.owner[problem.is_usable], of_mode[problem.is_usable])
    return energy


def _calendar_of(problem: Problem, group: Flags) -> int:
    """The calendar in which resources are always worked, or none where they have several."""
    calendars = np.unique(problem.mode_calendar[_users(problem)[group[problem.use_resource]]])
    return int(calendars[0]) if len(calendars) == 1 else NONE


def _users(problem: Problem) -> Longs:
    """The mode of each use: int64[u]."""
    return np.repeat(np.arange(len(problem.duration)), np.diff(problem.first_use))
