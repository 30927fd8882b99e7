"""A Problem as a shop: machines, their operations and links in working time, as the compiled walks take it.

It never holds what a shop has not: cumulative resources, further machines of a mode and breaks that differ from machine
to machine are left to the evaluator, which decodes every answer with all of them.
"""

from __future__ import annotations

import numpy as np

from engine.optimize.aim import Aim, matters
from engine.optimize.jobshop.columns import (
    BOUND,
    COSTS,
    FIRST,
    LAST,
    ON,
    TAKES,
    TALLIES,
    Column,
    Shop,
    Walk,
)
from engine.optimize.problem import NEVER, NONE, Ints, Longs, Objective, Problem, open_modes

_MOVES, _TABU, _SEEN = 4096, 1 << 13, 1 << 12
_SECOND_LEVEL = 1 << 10  # how much more a level of an aim counts than the one below
_BROKEN = 1 << 10  # how much more a broken rule counts than the aim


def is_shop(problem: Problem) -> bool:
    """Whether sequences of machines decide most of a problem: half of its operations need one, and some share it."""
    machine = problem.machine[problem.first_mode[:-1]]
    used = machine[machine != NONE]
    return len(used) * 2 >= len(machine) and bool((np.bincount(used, minlength=1) > 1).any())


def is_pure(problem: Problem) -> bool:
    """Whether a problem is nothing but a shop: each mode one machine, no calendars, no maximum lags."""
    return bool(
        (problem.capacity == 1).all()
        and not problem.link_is_most.any()
        and not len(problem.step_from)
        and (np.diff(problem.first_use) <= 1).all()
        and (problem.mode_calendar == NONE).all()
    )


def clock_of(problem: Problem) -> int:
    """The calendar in which most of the work is done, -1: none. A shop's time is work by it since the start."""
    work = np.bincount(problem.mode_calendar + 1, problem.duration + 1.0, minlength=1)
    return int(np.argmax(work)) - 1


def work_until(problem: Problem, clock: int, instants: Longs) -> Longs:
    """Ticks of work from the problem's start to these instants; below zero for those before."""
    if clock == NONE:
        return instants - problem.start
    part = slice(problem.first_segment[clock], problem.first_segment[clock + 1])
    since, until, before = problem.segment_start[part], problem.segment_finish[part], problem.segment_work[part]
    if not len(since):
        return instants - problem.start
    asked = np.append(instants, problem.start)
    at = np.maximum(np.searchsorted(since, asked, side="right") - 1, 0)
    done = before[at] + np.clip(asked, since[at], until[at]) - since[at]
    found: Longs = done[:-1] - done[-1]
    return found


def shop_of(problem: Problem, aim: Aim) -> tuple[Shop, Ints]:
    """The shop, and which of the problem's modes its own modes are."""
    source, first_mode = _modes_of(problem)
    none = problem.resource_count
    is_instant = problem.duration[source] == 0
    machine = np.where(is_instant | (problem.machine[source] == NONE), none, problem.machine[source])
    modes = np.zeros((len(source), 3), np.int64)
    modes[:, ON], modes[:, TAKES], modes[:, COSTS] = machine, problem.duration[source], problem.mode_cost[source]
    setup, family = _setups_of(problem)
    links = np.stack(
        [
            *(problem.link_from, problem.link_to, problem.link_kind),
            *(_lags_of(problem), problem.link_is_transported, problem.link_is_most),
        ],
        axis=1,
    ).astype(np.int64)
    shop = Shop(
        first_mode=first_mode,
        modes=modes,
        links=links,
        transport=np.ascontiguousarray(problem.transport, np.int64).copy(),
        ends=_ends_of(problem),
        matrix=np.append(problem.resource_matrix, NONE).astype(np.int64),
        setup=setup,
        family=family,
        targets=_targets_of(problem, source),
        weights=_weights_of(problem, aim),
    )
    return shop, source.astype(np.int32)


def is_plain(problem: Problem, aim: Aim) -> bool:
    """Whether the makespan is all that matters at first, and nothing is held fast but by releases and links."""
    if (problem.pinned_start != NONE).any() or problem.link_is_most.any():
        return False
    counts = matters(problem)
    for level in aim.levels[1:]:
        counted = np.flatnonzero((level != 0) & counts)
        if len(counted):
            return counted.tolist() == [Objective.MAKESPAN]
    return True


def walk_of(problem: Problem, seed: int) -> Walk:
    """A walk through the shop that has not begun."""
    from engine.optimize.chance import chance_for  # loads numba

    count, rows = problem.operation_count, problem.operation_count + problem.resource_count + 1
    nodes = np.zeros((2 * rows, 8), np.int64)
    clock = clock_of(problem)
    is_pinned = problem.pinned_start != NONE
    nodes[:count, BOUND] = np.maximum(
        0, work_until(problem, clock, np.where(is_pinned, problem.pinned_start, problem.release))
    )
    arcs: list[tuple[int, int, int]] = []
    kept = ~problem.link_is_most
    for side, here, there in ((0, problem.link_to, problem.link_from), (rows, problem.link_from, problem.link_to)):
        by_node: list[list[int]] = [[] for _ in range(count)]
        for link in np.flatnonzero(kept).tolist():
            by_node[here[link]].append(link)
        for node, links in enumerate(by_node):
            nodes[side + node, FIRST] = len(arcs)
            arcs += [(int(there[link]), 0, link) for link in links] or [(rows - 1, 0, NONE)]
            nodes[side + node, LAST] = len(arcs)
    return Walk(
        nodes=nodes,
        arcs=np.array(arcs, np.int64).reshape(-1, 3),
        places=np.zeros((rows, 4), np.int64),
        order=np.zeros(count, np.int64),
        scratch=np.zeros(count + 2, np.int64),
        path=np.zeros(count + 1, np.int64),
        moves=np.zeros((_MOVES, 5), np.int64),
        tabu=np.zeros(_TABU, np.int64),
        seen=np.zeros(_SEEN, np.int64),
        best=np.zeros((3, count), np.int64),
        tally=np.zeros(TALLIES, np.int64),
        chance=chance_for(seed, 0),
    )


def _modes_of(problem: Problem) -> tuple[Column, Column]:
    """Modes that may be chosen, and where each operation's begin."""
    source = np.flatnonzero(open_modes(problem)).astype(np.int64)
    first = np.concatenate(([0], np.cumsum(np.bincount(problem.owner[source], minlength=problem.operation_count))))
    return source, first.astype(np.int64)


def _lags_of(problem: Problem) -> Longs:
    """Lags in the shop's time: elapsed ones shrink as time does between the first and the last work of its calendar."""
    clock = clock_of(problem)
    if clock == NONE:
        return problem.link_lag
    part = slice(problem.first_segment[clock], problem.first_segment[clock + 1])
    since, until = problem.segment_start[part], problem.segment_finish[part]
    share = (until - since).sum() / max(1, until[-1] - since[0]) if len(since) else 1.0
    elapsed = np.rint(problem.link_lag * share).astype(np.int64)
    return np.where(problem.link_calendar == NONE, elapsed, problem.link_lag)


def _ends_of(problem: Problem) -> Column:
    """Operations that may finish last: those before no other, or before one that need not finish after them."""
    is_inner = np.zeros(problem.operation_count, np.bool_)
    is_plain_link = ~problem.link_is_most & (problem.link_kind == 0) & (problem.link_lag >= 0)
    is_inner[problem.link_from[is_plain_link]] = True
    return np.flatnonzero(~is_inner).astype(np.int64)


def _setups_of(problem: Problem) -> tuple[Column, Column]:
    """Matrices, then their mirror images, with a last family that changes over to nothing; families of all nodes."""
    matrices = problem.changeover
    count, rows = problem.operation_count, problem.operation_count + problem.resource_count + 1
    none = matrices.shape[1]
    family = np.full(2 * rows, none, np.int64)
    family[:count] = family[rows : rows + count] = np.where(problem.family == NONE, none, problem.family)
    family[count : rows - 1] = np.where(problem.resource_family == NONE, none, problem.resource_family)
    if not (problem.resource_matrix != NONE).any():
        return np.zeros((0, 1, 1), np.int64), family
    wide = np.pad(matrices, ((0, 0), (0, 1), (0, 1)))
    return np.ascontiguousarray(np.concatenate((wide, wide.transpose(0, 2, 1)))), family


def _targets_of(problem: Problem, source: Column) -> Column:
    """What each operation should heed: due date, weight, pin, where it stands now, in which of the shop's modes."""
    clock = clock_of(problem)
    own = np.full(len(problem.duration) + 1, NONE, np.int64)
    own[source] = np.arange(len(source))
    due = np.where(problem.due == NEVER, NEVER, work_until(problem, clock, problem.due))
    pin, now = (
        np.where(instants == NONE, NONE, np.maximum(0, work_until(problem, clock, instants)))
        for instants in (problem.pinned_start, problem.current_start)
    )
    return np.stack([due, problem.weight, pin, now, own[problem.current_mode]], axis=1).astype(np.int64)


def _weights_of(problem: Problem, aim: Aim) -> Column:
    """One weight an objective: levels of an aim as far as int64 has room for them."""
    levels = [level for level in aim.levels[1:] * matters(problem) if level.any()][:2]
    weights = np.zeros(len(Objective), np.int64)
    for level in levels:
        weights = weights * _SECOND_LEVEL + level
    most = float(problem.duration.sum() + 1) * problem.operation_count * float(max(1, problem.weight.max(initial=1)))
    while weights.max() > 1 and most * float(weights.max()) * _BROKEN > 2.0**61:
        weights = weights >> 4
    weights[Objective.VIOLATIONS] = max(1, int(weights.max())) * _BROKEN
    return weights
