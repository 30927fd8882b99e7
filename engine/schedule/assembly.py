"""From dates of nodes to the Schedule of a plan's rows: summaries, what is critical, the project's dates.

It never computes a date of a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from engine.model import TaskId, Ticks
from engine.schedule.columns import FINISHED, INACTIVE, LEAF, MANUAL, PERCENT, STARTED, SUMMARY, Column, Dates, Flags
from engine.schedule.network import Network
from engine.schedule.plain_tasks import Tasks
from engine.schedule.schedule import Basis, Schedule

_LIMITS = np.iinfo(np.int64)


class FoldRows(Protocol):
    """Folds values of rows into those of their summaries, in place."""

    def __call__(self, values: Column, parent: Column, takes: Column, is_least: bool) -> None: ...


class Fold(NamedTuple):
    """What summaries and the longest path need of a set of passes."""

    rows: FoldRows
    chain: Callable[[Network, Flags, Column], Column]
    follow: Callable[[Network, Flags, Column], Column]


def assemble(basis: Basis, durations: Mapping[TaskId, Ticks], fold: Fold) -> Schedule:
    """The schedule of a plan from the dates of its nodes."""
    network, dates, plan = basis.network, basis.dates, basis.network.plan
    rows = RowFolds(network, fold)
    flags, count = network.nodes.flags[: len(plan.tasks)], len(plan.tasks)
    early = rows.least(dates.start[:count]), rows.greatest(dates.finish[:count])
    has_begun = flags & STARTED != 0
    late = np.where(has_begun, dates.start[:count], dates.late_start[:count]), dates.late_finish[:count]
    late = rows.least(late[0]), rows.greatest(late[1])
    start, finish = early
    if plan.settings.is_from_finish:
        first, last = _dated_back(network, dates)
        start, finish = rows.least(first), rows.greatest(last)
    start_float, finish_float, total, free = rows.floats(dates, early, late)
    is_open = (network.nodes.role[:count] == LEAF) & (flags & (FINISHED | INACTIVE) == 0)
    is_critical = rows.any(is_open) & _is_critical(basis, rows, fold, total)
    near = rows.any(is_open) & (total <= plan.settings.near_critical_float) & ~is_critical
    estimated = np.zeros(count, dtype=np.bool_)
    if durations:
        estimated[:] = [not task.is_duration_typed and task.id in durations for task in plan.tasks]
    return Schedule(
        network.rows,
        start,
        finish,
        *early,
        *late,
        start_float,
        finish_float,
        total,
        free,
        is_critical,
        near,
        estimated,
        int(start[rows.counted].min()) if rows.counted.any() else plan.start,
        int(finish[rows.counted].max()) if rows.counted.any() else plan.start,
        network.derived,
        network.cycle,
        basis,
    )


def _dated_back(network: Network, dates: Dates) -> tuple[Column, Column]:
    """Start and finish of rows dated from the plan's finish: late dates, or later where a date that is asked wins."""
    nodes, count = network.nodes, len(network.plan.tasks)
    is_late = (nodes.role[:count] == LEAF) & (nodes.flags[:count] & (STARTED | MANUAL) == 0)
    start = np.where(is_late, dates.late_start[:count], dates.start[:count])
    finish = np.where(is_late, dates.late_finish[:count], dates.finish[:count])
    asked = is_late & ((nodes.pin[:count] > start) | (nodes.ends_after[:count] > finish))
    if network.plan.settings.honors_dates and asked.any():
        tasks = Tasks(nodes, network.parts, network.times)
        for row in np.flatnonzero(asked).tolist():
            starts_after = max(int(nodes.pin[row]), int(start[row]))
            start[row], finish[row] = tasks.place(row, starts_after, int(nodes.ends_after[row]))
    return start, finish


def _is_critical(basis: Basis, rows: RowFolds, fold: Fold, total: Column) -> Flags:
    """By total float, a summary by its own; or on a chain of driving links to the last finish, a summary by a leaf."""
    network, dates, settings = basis.network, basis.dates, basis.network.plan.settings
    if not settings.is_longest_path:
        critical: Flags = total <= settings.critical_float
        return critical
    counted = (network.nodes.role == LEAF) & (network.nodes.flags & INACTIVE == 0)
    last = dates.finish[counted].max(initial=_LIMITS.min)
    ends = (counted & (dates.finish == last)).astype(np.int64)
    return rows.any(fold.chain(network, dates.is_driving, ends)[: len(total)] != 0)


class RowFolds:
    """Folds columns of a plan's rows into its summaries, those of one network."""

    def __init__(self, network: Network, fold: Fold) -> None:
        count = len(network.plan.tasks)
        self._network, self._fold = network, fold
        self._parent = network.parent[:count]
        self._summaries = np.flatnonzero(network.nodes.role[:count] == SUMMARY)
        self._takes = (network.nodes.flags[:count] & INACTIVE == 0).astype(np.int64)
        self.counted: Flags = self._takes != 0

    def least(self, values: Column) -> Column:
        """A summary takes the least value of what is active in it."""
        return self._folded(values, is_least=True)

    def greatest(self, values: Column) -> Column:
        """A summary takes the greatest value of what is active in it."""
        return self._folded(values, is_least=False)

    def any(self, flags: Flags) -> Flags:
        """A summary is what any leaf in it is."""
        return self._folded(flags.astype(np.int64), is_least=False) > 0

    def floats(
        self, dates: Dates, early: tuple[Column, Column], late: tuple[Column, Column]
    ) -> tuple[Column, Column, Column, Column]:
        """Start, finish, total and free float; a summary's lie between its own early and late dates.

        A summary's free float is what its own links leave it, whatever those of its leaves do.
        """
        count = len(self._parent)
        columns = [column[:count].copy() for column in dates[5:9]]
        start_float, finish_float, total, free = columns
        rows = self._summaries
        calendars = self._network.nodes.float_calendar[rows]
        for number in np.unique(calendars).tolist():
            time, own = self._network.times[number], rows[calendars == number]
            start_float[own] = time.between_all(early[0][own], late[0][own])
            finish_float[own] = time.between_all(early[1][own], late[1][own])
        total[rows] = np.minimum(start_float[rows], finish_float[rows])
        free[rows] = np.maximum(total[rows], 0)
        if len(rows):
            np.minimum.at(free, *self._own_gaps(dates.gap))
        return start_float, finish_float, total, free

    def _own_gaps(self, gap: Column) -> tuple[Column, Column]:
        """Row and gap of each link that leaves a summary: from a stand-in, or from a leaf where a percentage counts."""
        network, count = self._network, len(self._parent)
        _, before, _, _, counted, source = network.wires
        own = np.flatnonzero((source >= 0) & ((before >= count) | (counted >= PERCENT)))
        links = (network.source(place) for place in source[own].tolist())
        rows = np.array([network.rows[link.predecessor] for link in links], dtype=np.int64)
        is_summary = network.nodes.role[rows] == SUMMARY
        return rows[is_summary], gap[own[is_summary]]

    def _folded(self, values: Column, *, is_least: bool) -> Column:
        folded = values.copy()
        if not len(self._summaries):
            return folded
        least = _LIMITS.max if is_least else _LIMITS.min
        folded[self._summaries] = least
        self._fold.rows(folded, self._parent, self._takes, is_least)
        if (folded[self._summaries] == least).any():  # nothing in it is active: then all of it counts
            everything = values.copy()
            everything[self._summaries] = least
            self._fold.rows(everything, self._parent, np.ones_like(self._takes), is_least)
            folded = np.where(folded == least, everything, folded)
        return folded
