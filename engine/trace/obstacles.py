"""Obstacles: what kept each span of a timeline from starting earlier: predecessors, and engines without a free lane.

They never say for how long; gaps.py does, and critical_path.py follows them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.trace.columns import Int64
from engine.trace.intervals import Intervals, concurrency, holds, union
from engine.trace.timeline import ENGINES, Timeline
from engine.trace.waits import Waits

_NONE = -1


@dataclass(frozen=True, slots=True)
class Group:
    """The spans of an engine that take as many lanes: when it has fewer left, and what ended on it, by end."""

    full: Intervals
    by_end: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """Of each span: `waited`, of what it follows by a link or on its stream the one that ended last, or -1; and the
    place of its group in `groups`."""

    waited: Int64
    groups: tuple[Group, ...]
    group: Int64

    def freed(self, timeline: Timeline) -> Int64:
        """What ended last on the engine of each span until it began, if that was full until then; -1 if not."""
        found = np.full(timeline.count, _NONE, np.int64)
        for number, each in enumerate(self.groups):
            mine = np.flatnonzero(self.group == number)
            ends = timeline.end_ns[each.by_end]
            place = np.searchsorted(ends, timeline.start_ns[mine], side="right") - 1
            mine, place = mine[place >= 0], place[place >= 0]
            held = holds(each.full, ends[place] - 1)
            found[mine[held]] = each.by_end[place[held]]
        return found


def find_obstacles(timeline: Timeline, waits: Waits) -> Obstacles:
    """What kept each span of a timeline, whose run obeyed `waits`; in O(n log n)."""
    groups, group = _groups(timeline, waits)
    return Obstacles(_waited(timeline, waits), groups, group)


def _waited(timeline: Timeline, waits: Waits) -> Int64:
    places, rows = waits.pairs(timeline, np.arange(timeline.count))
    own = _previous_on_stream(timeline)
    has_own = np.flatnonzero(own != _NONE)
    places, rows = np.concatenate((places, has_own)), np.concatenate((rows, own[has_own]))
    order = np.lexsort((rows, timeline.end_ns[rows], places))
    is_last = np.append(np.diff(places[order]) != 0, np.ones(min(1, len(order)), np.bool_))
    latest = order[np.flatnonzero(is_last)]
    found = np.full(timeline.count, _NONE, np.int64)
    found[places[latest]] = rows[latest]
    return found


def _previous_on_stream(timeline: Timeline) -> Int64:
    order = np.lexsort((timeline.start_ns, timeline.stream))
    before = np.full(timeline.count, _NONE, np.int64)
    same = timeline.stream[order[1:]] == timeline.stream[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    return before


def _groups(timeline: Timeline, waits: Waits) -> tuple[tuple[Group, ...], Int64]:
    engine, lanes = timeline.engine, waits.lanes_of(timeline.task)
    has = np.array([waits.lanes_in(name) for name in ENGINES])
    wanted = np.minimum(lanes, has[engine])
    found: list[Group] = []
    group = np.empty(timeline.count, np.int64)
    for index in np.flatnonzero(np.bincount(engine, minlength=len(ENGINES))).tolist():
        mine = np.flatnonzero(engine == index)
        starts, ends = timeline.start_ns[mine], timeline.end_ns[mine]
        edges, taken = concurrency(starts, ends, lanes[mine])
        by_end = mine[np.argsort(ends, kind="stable")]
        for count in np.flatnonzero(np.bincount(wanted[mine])).tolist():
            group[mine[wanted[mine] == count]] = len(found)
            is_full = np.flatnonzero(taken > has[index] - count)
            found.append(Group(union(edges[is_full], edges[is_full + 1]), by_end))
    return tuple(found), group
