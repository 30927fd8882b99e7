"""Arithmetic on half-open intervals of int64 nanoseconds. It never knows what an interval stands for.

A set of intervals is a pair of equally long arrays (starts, ends), starts <= ends. Intervals of no length count for
nothing; intervals that touch are one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.trace.columns import Int64

Intervals = tuple[Int64, Int64]


def union(starts: Int64, ends: Int64) -> Intervals:
    """U(S): the disjoint intervals, ordered, that cover what S covers."""
    has_length = ends > starts
    starts, ends = starts[has_length], ends[has_length]
    if not len(starts):
        return starts, ends
    order = np.argsort(starts, kind="stable")
    starts, reach = starts[order], np.maximum.accumulate(ends[order])
    is_first = np.ones(len(starts), np.bool_)
    is_first[1:] = starts[1:] > reach[:-1]
    first = np.flatnonzero(is_first)
    return starts[first], reach[np.append(first[1:], len(starts)) - 1]


def measure(starts: Int64, ends: Int64) -> int:
    """|U(S)|: nanoseconds that at least one interval covers."""
    starts, ends = union(starts, ends)
    return int((ends - starts).sum())


def intersect(first: Intervals, second: Intervals) -> Intervals:
    """U(A) ∩ U(B), as disjoint ordered intervals."""
    first, second = union(*first), union(*second)
    edges, counts = concurrency(np.concatenate((first[0], second[0])), np.concatenate((first[1], second[1])))
    both = np.flatnonzero(counts == 2)
    return union(edges[both], edges[both + 1])


def concurrency(starts: Int64, ends: Int64, weights: Int64 | None = None) -> tuple[Int64, Int64]:
    """(edges, counts): counts[i] intervals cover [edges[i], edges[i + 1]). Edges ascend; the last count is 0.

    With `weights`, one an interval, the counts are their sums.
    """
    has_length = ends > starts
    weights = np.ones(len(starts), np.int64) if weights is None else weights
    starts, ends, weights = starts[has_length], ends[has_length], weights[has_length]
    instants = np.concatenate((starts, ends))
    order = np.argsort(instants, kind="stable")
    instants, counts = instants[order], np.cumsum(np.concatenate((weights, -weights))[order])
    last = np.flatnonzero(np.append(np.diff(instants) != 0, np.ones(min(1, len(instants)), np.bool_)))
    return instants[last], counts[last]


def holds(intervals: Intervals, instants: Int64) -> NDArray[np.bool_]:
    """Whether disjoint ordered intervals hold each instant."""
    starts, ends = intervals
    place = np.searchsorted(starts, instants, side="right")
    return np.append(np.iinfo(np.int64).min, ends)[place] > instants
