"""What is to be solved, as arrays: Problem; what an engine decided: Solution; what that is worth: Evaluation.

It never knows of plans: from_plan.py makes a Problem of one, draft.py helps to write one by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.errors import SolverError
from engine.optimize.tables import Tables, table
from engine.optimize.topology import group, order_of, ties_of

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]

NONE = -1  # no calendar, family, pin, machine
NEVER = 1 << 60  # no due date; a sum of two stays inside int64
_TYPES = {"Ints": np.int32, "Longs": np.int64, "Bytes": np.int8, "Flags": np.bool_}


class LinkKind(IntEnum):
    """Which instant of the predecessor bounds which of the successor."""

    FS = 0
    SS = 1
    FF = 2
    SF = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """n operations with k modes on r resources; every array is C-contiguous and read-only, every time int64 ticks.

    Modes are named by their index among all k, also in `pinned_mode`, `current_mode` and Solution. An operation holds
    its resources in [start, finish), breaks included; one of no duration holds none, needs no changeover and heeds no
    calendar. A pinned operation is placed first and never moved; calendar, release and `start` are not asked of it.

    Operations [n]: `weight` of a tick of tardiness after `due`; `pinned_start`, `current_start` -1: none.
    Uses of mode j: use_resource, use_units at first_use[j] .. first_use[j+1]-1; a machine has capacity 1.
    Capacity of resource i is step_units while step_from <= t < step_until, for steps first_step[i] .. first_step[i+1]-1
    (sorted, disjoint), else capacity[i].
    Work of calendar c: segments first_segment[c] .. first_segment[c+1]-1, sorted, disjoint; segment_work is the work
    before each. Past the last one there is no work: dates go on as if there were, and count as violations.
    Links, by LinkKind: to >= from + lag, or with is_most to <= from + lag; lags are worked in link_calendar (-1:
    elapsed); is_transported adds transport[machine of from, machine of to] elapsed ticks. A finish that must not be
    before an instant may be when the last work of its calendar before that instant ends.
    Between operations that follow one another on a machine with a matrix (resource_matrix, capacity 1):
    start >= finish of the one before + changeover[matrix, family, family], worked in resource_calendar; the first one
    follows resource_family at `start`. Family -1 changes over to nothing; between pinned ones nobody asks for the time.

    Raises SolverError where no plan can exist: links in a circle, a mode missing, an operation nobody can do.
    """

    first_mode: Ints
    duration: Longs
    mode_calendar: Ints
    mode_cost: Longs
    first_use: Ints
    use_resource: Ints
    use_units: Ints

    release: Longs
    due: Longs
    weight: Longs
    family: Ints
    is_breakable: Flags
    pinned_start: Longs
    pinned_mode: Ints
    current_start: Longs
    current_mode: Ints
    priority: Ints
    job: Ints

    capacity: Ints
    first_step: Ints
    step_from: Longs
    step_until: Longs
    step_units: Ints
    resource_matrix: Ints
    resource_family: Ints
    resource_calendar: Ints

    first_segment: Ints
    segment_start: Longs
    segment_finish: Longs
    segment_work: Longs

    link_from: Ints
    link_to: Ints
    link_kind: Bytes
    link_lag: Longs
    link_calendar: Ints
    link_is_most: Flags
    link_is_transported: Flags

    transport: Longs
    changeover: Longs

    start: int
    horizon: int

    def __post_init__(self) -> None:
        for each in fields(self):
            if (kind := _TYPES.get(str(each.type))) is not None:
                array: NDArray[np.generic] = np.array(getattr(self, each.name), kind, order="C")
                array.flags.writeable = False
                object.__setattr__(self, each.name, array)
        self._check()

    def _check(self) -> None:
        count = self.operation_count
        if count and int(np.diff(self.first_mode).min()) < 1:
            raise SolverError(
                f"Operation {int(np.argmin(np.diff(self.first_mode)))} has no mode: say how it can be done."
            )
        if len(self.duration) and int(self.duration.min()) < 0:
            raise SolverError(f"Mode {int(np.argmin(self.duration))} lasts less than no time at all.")
        of_matrix = self.resource_matrix != NONE
        if np.any(self.capacity[of_matrix] != 1):
            raise SolverError("Changeovers are known between operations of a machine, which has capacity 1, alone.")
        user = np.repeat(np.arange(len(self.duration)), np.diff(self.first_use))
        if len(np.unique(user * self.resource_count + self.use_resource)) < len(user):
            raise SolverError("A mode names a resource twice: add up what it uses of it.")
        self._check_tables()
        if np.any(self.link_is_most & self.link_is_transported):
            raise SolverError("A maximum lag cannot include a transport: give the lag itself.")
        for bad in np.flatnonzero(np.bincount(self.owner[self.is_usable], minlength=count) == 0).tolist():
            raise SolverError(f"Operation {bad} can be done by nobody: {self._why(bad)}.", ids=(bad,))
        _ = self.topological

    def _check_tables(self) -> None:
        resources, matrices = self.resource_count, len(self.changeover)
        if self.resource_matrix.max(initial=NONE) >= matrices:
            raise SolverError(
                f"A machine names changeovers {self.resource_matrix.max()}, of which there are {matrices}."
            )
        families = max(self.family.max(initial=NONE), self.resource_family.max(initial=NONE))
        if matrices and families >= self.changeover.shape[1]:
            raise SolverError(
                f"Changeovers are given for {self.changeover.shape[1]} families, not for family {families}."
            )
        if np.any(self.link_is_transported) and self.transport.shape != (resources, resources):
            raise SolverError("Transport needs the way between any two resources: a table of resources by resources.")

    def _why(self, operation: int) -> str:
        mode = int(self.first_mode[operation])
        calendar = int(self.mode_calendar[mode])
        if calendar != NONE and self.longest_segment[calendar] == 0:
            return f"calendar {calendar} has no work"
        for use in range(self.first_use[mode], self.first_use[mode + 1]):
            resource = int(self.use_resource[use])
            if self.use_units[use] > self.most[resource]:
                return (
                    f"it needs {self.use_units[use]} of resource {resource}, of which there are {self.most[resource]}"
                )
        longest = self.longest_segment[calendar]
        return f"it takes {self.duration[mode]} in one piece, and calendar {calendar} works {longest}"

    @property
    def operation_count(self) -> int:
        """n."""
        return len(self.release)

    @property
    def resource_count(self) -> int:
        """r."""
        return len(self.capacity)

    @cached_property
    def machine(self) -> Ints:
        """The first resource of capacity 1 that each mode uses, else -1: int32[k]."""
        found = np.full(len(self.duration), NONE, np.int32)
        owner = np.repeat(np.arange(len(self.duration)), np.diff(self.first_use))
        unary = np.flatnonzero((self.capacity[self.use_resource] == 1) & (self.use_units > 0))
        found[owner[unary][::-1]] = self.use_resource[unary][::-1]
        return found

    @cached_property
    def owner(self) -> Ints:
        """The operation of each mode: int32[k]."""
        return np.repeat(np.arange(self.operation_count, dtype=np.int32), np.diff(self.first_mode))

    @cached_property
    def most(self) -> Ints:
        """The most there ever is of each resource: int32[r]."""
        most = np.array(self.capacity)
        np.maximum.at(most, np.repeat(np.arange(len(most)), np.diff(self.first_step)), self.step_units)
        return most

    @cached_property
    def longest_segment(self) -> Longs:
        """The longest stretch of work in each calendar: int64[c]."""
        longest = np.zeros(max(0, len(self.first_segment) - 1), np.int64)
        owner = np.repeat(np.arange(len(longest)), np.diff(self.first_segment))
        np.maximum.at(longest, owner, self.segment_finish - self.segment_start)
        return longest

    @cached_property
    def is_usable(self) -> Flags:
        """Whether each mode can be worked at all: enough units, a calendar with work, a segment long enough."""
        usable = np.ones(len(self.duration), np.bool_)
        user = np.repeat(np.arange(len(usable)), np.diff(self.first_use))
        np.logical_and.at(usable, user, self.use_units <= self.most[self.use_resource])
        if len(self.longest_segment):
            longest = np.where(self.mode_calendar == NONE, NEVER, self.longest_segment[self.mode_calendar])
            usable &= longest >= np.where(self.is_breakable[self.owner], 1, self.duration)
        usable |= (self.duration == 0) | (self.pinned_start != NONE)[self.owner]
        return usable

    @cached_property
    def links_into(self) -> tuple[Ints, Ints]:
        """Links by successor: first int32[n+1], and the indices of links."""
        return group(self.link_to, self.operation_count)

    @cached_property
    def links_out_of(self) -> tuple[Ints, Ints]:
        """Links by predecessor: first int32[n+1], and the indices of links."""
        return group(self.link_from, self.operation_count)

    @cached_property
    def topological(self) -> Ints:
        """Operations so that links (maximum lags aside) point forward; raises SolverError on a circle."""
        return self.list_by(np.zeros(self.operation_count, np.int64))

    def list_by(self, key: Longs) -> Ints:
        """An activity list by this key, the least first, in which links (maximum lags aside) point forward."""
        order = np.argsort(key, kind="stable").astype(np.int32)
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order))
        kept = ~self.link_is_most
        before, after = self.link_from[kept], self.link_to[kept]
        return order if np.all(rank[before] < rank[after]) else order_of(before, after, rank.tolist())

    @cached_property
    def tables(self) -> Tables:
        """The same as compiled functions take it."""
        first_in, into = self.links_into
        first_out, out_of = self.links_out_of
        return Tables(
            operations=table(
                *(self.first_mode, self.release, self.due, self.weight, self.family, self.is_breakable),
                *(self.pinned_start, self.pinned_mode, self.current_start, self.current_mode, first_in, first_out),
            ),
            modes=table(self.first_use, self.duration, self.mode_calendar, self.mode_cost, self.machine),
            uses=table(self.use_resource, self.use_units),
            links=table(
                *(self.link_from, self.link_to, self.link_kind, self.link_lag),
                *(self.link_calendar, self.link_is_most, self.link_is_transported),
            ),
            into=into.astype(np.int64),
            out_of=out_of.astype(np.int64),
            resources=table(
                *(self.first_step, self.capacity, self.resource_matrix, self.resource_family, self.resource_calendar)
            ),
            steps=table(self.step_from, self.step_until, self.step_units),
            first_segment=self.first_segment.astype(np.int64),
            segments=table(self.segment_start, self.segment_finish, self.segment_work),
            transport=self.transport.copy(),
            changeover=self.changeover.copy(),
            rules=np.array([self.start, self.horizon], np.int64),
            ties=ties_of(self.link_from[self.link_is_most], self.link_to[self.link_is_most], self.operation_count),
        )


def open_modes(problem: Problem) -> Flags:
    """Whether each mode may be chosen: the pinned one alone, else those that are usable; bool[k]."""
    pinned = problem.pinned_mode[problem.owner]
    return np.where(pinned == NONE, problem.is_usable, np.arange(len(pinned)) == pinned)


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """What an engine decided: the mode of each operation, int32[n], and an activity list, int32[n].

    `order` is a permutation in which links (maximum lags aside) point forward. Engines with machine sequences hand
    over operations sorted by start.
    """

    mode: Ints
    order: Ints


class Objective(IntEnum):
    """Places in a vector of objectives; less is better in each."""

    VIOLATIONS = 0
    TARDINESS = 1
    MAKESPAN = 2
    CHANGEOVER = 3
    COST = 4
    STABILITY = 5


@dataclass(frozen=True, eq=False, slots=True)
class Evaluation:
    """What a solution is worth: dates int64[n], objectives int64[6] by Objective."""

    solution: Solution
    starts: Longs
    finishes: Longs
    objectives: Longs

    @property
    def is_feasible(self) -> bool:
        """Whether no rule is broken."""
        return int(self.objectives[Objective.VIOLATIONS]) == 0
