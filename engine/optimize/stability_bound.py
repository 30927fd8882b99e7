"""How far no plan can stay from the current one: what must move by links, by pins, and where two overlap. No search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.optimize.problem import NONE, LinkKind, Longs, Problem, open_modes

_AHEAD = 4  # an operation is looked at beside so many that start after it
_FAR = 1 << 60

Pair = tuple[int, int, int]  # ticks, and the two operations


def stability_bound(problem: Problem, starts: Longs) -> int:
    """Ticks of moving and of other modes that no plan is without; `starts` are heads, int64[n].

    Each operation counts alone, or in one pair that cannot stay as it is: the pairs with most to move first.
    """
    alone = _alone(problem, starts)
    pairs = [*_overlaps(problem), *_links(problem)]
    taken = np.zeros(problem.operation_count, np.bool_)
    total = int(alone.sum())
    for ticks, one, other in sorted(pairs, reverse=True):
        more = ticks - int(alone[one] + alone[other])
        if more > 0 and not taken[one] and not taken[other]:
            taken[one] = taken[other] = True
            total += more
    return total


def _alone(problem: Problem, starts: Longs) -> Longs:
    """What each operation moves by itself: int64[n]."""
    now, pin, held = problem.current_start, problem.pinned_start, problem.current_mode
    moved = np.where(pin == NONE, np.maximum(0, starts - now), np.abs(pin - now))
    moved = np.where(now == NONE, 0, moved)
    return np.where((held != NONE) & ~open_modes(problem)[held], moved + _least_other(problem), moved)


def _least_other(problem: Problem) -> Longs:
    """The shortest of the modes that each operation may change to, very long where there is none: int64[n]."""
    least, held = np.full(problem.operation_count, _FAR, np.int64), problem.current_mode[problem.owner]
    counts = open_modes(problem) & (held != NONE) & (held != np.arange(len(held)))
    np.minimum.at(least, problem.owner[counts], problem.duration[counts])
    return least


def _modes(problem: Problem) -> Longs:
    """The mode in which each operation costs nothing: the current one, or the only one; -1: neither; int64[n]."""
    mode, is_open = problem.current_mode.astype(np.int64), open_modes(problem)
    only = np.flatnonzero(is_open & (np.bincount(problem.owner[is_open]) == 1)[problem.owner])
    only = only[mode[problem.owner[only]] == NONE]
    mode[problem.owner[only]] = only
    return np.where(is_open[mode], mode, NONE)


def _overlaps(problem: Problem) -> Iterator[Pair]:
    """Pairs that need more of a resource than there ever is, and stand at one time in the current plan."""
    mode, other, now = _modes(problem), _least_other(problem), problem.current_start
    users: dict[int, list[tuple[int, int, int]]] = {}
    for operation in np.flatnonzero((mode != NONE) & (now != NONE)).tolist():
        for use in range(int(problem.first_use[mode[operation]]), int(problem.first_use[mode[operation] + 1])):
            entry = (int(now[operation]), operation, int(problem.use_units[use]))
            users.setdefault(int(problem.use_resource[use]), []).append(entry)
    for resource, held in users.items():
        held.sort()
        for at, (since, one, units) in enumerate(held):
            takes = int(problem.duration[mode[one]])
            for later, two, more in held[at + 1 : at + 1 + _AHEAD]:
                if later >= since + takes:
                    break
                length = int(problem.duration[mode[two]])
                if units + more <= problem.most[resource] or not takes or not length:
                    continue
                ticks = min(since + takes - later, later + length - since, int(other[one]), int(other[two]))
                yield ticks, one, two


def _links(problem: Problem) -> Iterator[Pair]:
    """Pairs that a link keeps from standing as they do."""
    mode, other, now = _modes(problem), _least_other(problem), problem.current_start
    plain = (problem.link_kind == LinkKind.FS) & ~problem.link_is_most & (problem.link_lag >= 0)
    for link in np.flatnonzero(plain).tolist():
        one, two = int(problem.link_from[link]), int(problem.link_to[link])
        if now[one] == NONE or now[two] == NONE or mode[one] == NONE:
            continue
        ticks = int(now[one] + problem.duration[mode[one]] + problem.link_lag[link] - now[two])
        if ticks > 0:
            yield min(ticks, int(other[one])), one, two
