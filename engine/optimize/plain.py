"""Plain problems (one mode each, no calendars, pins or changeovers) as a profile of slots, four resources to a word.

It never takes a problem that it does not decode to the very dates of decode.py. Imported late: it loads numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import njit_bare
from engine.optimize.problem import NONE, LinkKind, Problem
from engine.optimize.tables import Column

Words = NDArray[np.uint64]

_FIELDS, _WIDTH = 4, 16
_MOST_UNITS = (1 << _WIDTH - 1) - 1
_MOST_SLOTS = 1 << 16
_GUARD = np.uint64(0x8000_8000_8000_8000)


class Graph(NamedTuple):
    """Links by the operation they bound: of i the entries first[i] .. first[i+1]-1 name another, and a lag in slots."""

    first: Column
    node: Column
    lag: Column


class Plain(NamedTuple):
    """A plain problem in slots of `unit` ticks from its start.

    words: units by resource, 16 bits each, the highest a guard; room: all that is free, with guards set.
    floor: first slots by release; none for the schedule from the end. used [1]: slots of profile in use.
    """

    duration: Column
    words: Words
    room: Words
    floor: Column
    none: Column
    into: Graph
    out_of: Graph
    profile: Words
    used: Column
    unit: Column


def is_plain(problem: Problem) -> bool:
    """Whether `plain_of` may be asked."""
    return bool(
        problem.operation_count
        and len(problem.duration) == problem.operation_count
        and problem.resource_count <= _FIELDS
        and problem.capacity.max(initial=0) <= _MOST_UNITS
        and not len(problem.step_from)
        and (problem.mode_calendar == NONE).all()
        and (problem.link_calendar == NONE).all()
        and (problem.link_kind == LinkKind.FS).all()
        and (problem.link_lag >= 0).all()
        and not problem.link_is_most.any()
        and not problem.link_is_transported.any()
        and (problem.pinned_start == NONE).all()
        and (problem.resource_matrix == NONE).all()
        and _slots(problem) <= _MOST_SLOTS
    )


def plain_of(problem: Problem) -> Plain:
    """The plain problem."""
    unit, count = _unit(problem), problem.operation_count
    words = np.zeros(count, np.uint64)
    users = problem.owner[np.repeat(np.arange(len(problem.duration)), np.diff(problem.first_use))]
    shifts = (problem.use_resource * _WIDTH).astype(np.uint64)
    np.add.at(words, users, problem.use_units.astype(np.uint64) << shifts)
    room = int(_GUARD)
    for resource, capacity in enumerate(problem.capacity.tolist()):
        room |= capacity << _WIDTH * resource
    return Plain(
        duration=problem.duration // unit,
        words=words,
        room=np.array([room], np.uint64),
        floor=np.maximum(0, problem.release - problem.start) // unit,
        none=np.zeros(count, np.int64),
        into=_graph(problem.links_into, problem.link_from, problem.link_lag // unit),
        out_of=_graph(problem.links_out_of, problem.link_to, problem.link_lag // unit),
        profile=np.full(_slots(problem), room, np.uint64),
        used=np.zeros(1, np.int64),
        unit=np.array([unit], np.int64),
    )


def _unit(problem: Problem) -> int:
    late = np.maximum(0, problem.release - problem.start)
    return max(1, int(np.gcd.reduce(np.concatenate((problem.duration, problem.link_lag, late)))))


def _slots(problem: Problem) -> int:
    """No schedule is longer: all one after another, with every lag waited for."""
    late = int(np.maximum(0, problem.release - problem.start).max(initial=0))
    return (late + int(problem.duration.sum()) + int(problem.link_lag.sum())) // _unit(problem) + 1


def _graph(grouped: tuple[NDArray[np.int32], NDArray[np.int32]], other: NDArray[np.int32], lag: Column) -> Graph:
    first, links = grouped
    return Graph(first.astype(np.int64), other[links].astype(np.int64), lag[links])


@njit_bare
def place_list(plain: Plain, graph: Graph, floor: Column, order: Column, starts: Column) -> int:
    """Serial schedule generation in slots; returns the makespan.

    With `out_of`, `none` and a list from the end it schedules backward: starts then count from the end.
    """
    profile, room, end = plain.profile, plain.room[0], 0
    for slot in range(plain.used[0]):
        profile[slot] = room
    for place in range(len(order)):
        operation = order[place]
        start, duration, word = floor[operation], plain.duration[operation], plain.words[operation]
        for entry in range(graph.first[operation], graph.first[operation + 1]):
            before = graph.node[entry]
            start = max(start, starts[before] + plain.duration[before] + graph.lag[entry])
        slot = start
        while slot < start + duration:
            if (profile[slot] - word) & _GUARD != _GUARD:
                start = slot + 1
            slot += 1
        for slot in range(start, start + duration):
            profile[slot] -= word
        starts[operation] = start
        end = max(end, start + duration)
    plain.used[0] = end
    return end


@njit_bare
def sort_by(keys: Column, order: Column, buckets: Column, sorted_order: Column) -> None:
    """A stable counting sort of a list by keys 0 .. len(buckets) - 2."""
    highest = 0
    for place in range(len(order)):
        highest = max(highest, keys[order[place]])
    for key in range(highest + 2):
        buckets[key] = 0
    for place in range(len(order)):
        buckets[keys[order[place]] + 1] += 1
    for key in range(highest + 1):
        buckets[key + 1] += buckets[key]
    for place in range(len(order)):
        operation = order[place]
        sorted_order[buckets[keys[operation]]] = operation
        buckets[keys[operation]] += 1
