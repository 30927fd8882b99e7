"""Schedule: when every task happens, as arrays in the plan's row order. It never changes a plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.model import TaskId, Ticks
from engine.schedule.columns import Dates, Nodes
from engine.schedule.conflicts import Conflict, find_conflicts
from engine.schedule.network import Network
from engine.schedule.progress import Done
from engine.schedule.segments import Segment, find_segments, pieces
from engine.schedule.setups import Setup, find_setups
from engine.schedule.tracing import driving_pairs
from engine.schedule.working_time import WorkingTime

_CALENDAR = Nodes._fields.index("calendar")

Instants = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """What a schedule was computed from and as: the network and its dates, one entry a node."""

    network: Network
    dates: Dates


@dataclass(frozen=True, eq=False)
class Schedule:
    """Dates of every task of one plan. All arrays have one entry a row; instants are ticks, floats working ticks.

    `start` and `finish` are when a task happens: its early dates, unless it asks to be as late as possible or the plan
    is scheduled from its finish. A summary spans its leaves. Floats are counted on the task's calendar, or the plan's,
    whoever works on it: that of a start, of a finish, the smaller of them (total), what delays nothing else (free), and
    the rest (interfering).
    `stream_links` are the links that the order on each stream adds: drawn thin, never stored. `is_estimated` says which
    durations came from a cost, not from a person. `cycle` names tasks that wait for each other; the plan is dated
    without the links between them.
    """

    rows: Mapping[TaskId, int]
    start: Instants
    finish: Instants
    early_start: Instants
    early_finish: Instants
    late_start: Instants
    late_finish: Instants
    start_float: Instants
    finish_float: Instants
    total_float: Instants
    free_float: Instants
    is_critical: Flags
    is_near_critical: Flags
    is_estimated: Flags
    project_start: Ticks
    project_finish: Ticks
    stream_links: tuple[tuple[TaskId, TaskId], ...]
    cycle: tuple[TaskId, ...]
    basis: Basis = field(repr=False)

    def start_of(self, task_id: TaskId) -> Ticks:
        """Start of a task in ticks."""
        return int(self.start[self.rows[task_id]])

    def finish_of(self, task_id: TaskId) -> Ticks:
        """Finish of a task in ticks."""
        return int(self.finish[self.rows[task_id]])

    def working_time_of(self, task_id: TaskId) -> WorkingTime:
        """The calendar that a task is worked by."""
        network = self.basis.network
        return network.times[int(network.table[self.rows[task_id], _CALENDAR])]

    @property
    def interfering_float(self) -> Instants:
        """Float that, used, takes float from others: total less free."""
        return self.total_float - self.free_float

    @cached_property
    def is_delayed(self) -> bool:
        """Whether leveling delays a task: a delay of one that has begun delays nothing any more."""
        return bool(self.basis.network.nodes.delay.any())

    @cached_property
    def driving(self) -> tuple[tuple[TaskId, TaskId], ...]:
        """(predecessor, successor) ids of the links, derived ones included, that decide a date."""
        return driving_pairs(self.basis.network, self.basis.dates)

    @cached_property
    def driven_by(self) -> Mapping[TaskId, tuple[TaskId, ...]]:
        """The tasks that decide the date of each task that others drive."""
        found: dict[TaskId, list[TaskId]] = defaultdict(list)
        for before, after in self.driving:
            found[after].append(before)
        return {after: tuple(before) for after, before in found.items()}

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Each constraint or fact that the dates break, or that breaks a link; in row order, each task once a kind."""
        return find_conflicts(self.basis.network, self.basis.dates, self.start, self.finish)

    @cached_property
    def segments(self) -> tuple[tuple[Segment, ...], ...]:
        """(start, finish) of the pieces of each row that pauses; none for a row that does not."""
        return find_segments(self.basis.network, self.start, self.finish)

    def segments_of(self, task_id: TaskId) -> tuple[Segment, ...]:
        """(start, finish) of the pieces of one task; none for a task that does not pause."""
        row = self.rows[task_id]
        return pieces(self.basis.network, row, int(self.start[row]), int(self.finish[row]))

    @cached_property
    def setups(self) -> Mapping[TaskId, Setup]:
        """The set-up of each task for which its machine changes over."""
        network = self.basis.network
        return find_setups(network.plan, network.clocks, network.nodes.flags, self.start, self.finish)

    @cached_property
    def done(self) -> Done:
        """How much of each row is done."""
        return Done.of(self.basis.network)
