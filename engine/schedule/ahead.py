"""Ahead: when some rows happen after an edit, known before all of the schedule is.

Only what lies between the tasks that an edit changed and the rows that are asked for is dated. It never counts a float,
and gives up where dating everything is as simple, or what lies between is too much for one frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from engine.model import Clock, Plan
from engine.schedule.assembly import Fold, RowFolds
from engine.schedule.columns import CALENDAR, FLAGS, INACTIVE, LAG_CALENDAR, LATE, LEAF, PERCENT, ROLE, Bits, Column
from engine.schedule.editing import SAME, changed_rows
from engine.schedule.network import Network
from engine.schedule.nodes import RowMaker
from engine.schedule.schedule import Schedule

# Network, what nodes ask for, their dates (of which the early ones are written), the nodes to date in their order, and
# those that are due: which of all nodes were dated otherwise.
Early: TypeAlias = Callable[[Network, Column, Column, Column, Bits], Bits]

MOST_NODES = 12_000
_MOST_CHANGED = 64
_BEGINS, _ENDS = 0, 1


class Ahead:
    """Of edits of the plan of one schedule. One thread asks, and no other."""

    def __init__(self, schedule: Schedule, early: Early, fold: Fold) -> None:
        self._schedule, self._early, self._fold = schedule, early, fold
        self._network = network = schedule.basis.network
        self._is_simple = _is_simple(network)
        self._rows = RowFolds(network, fold)
        # Copies, of which the rows alone are filled that are dated, or waited for by those.
        self._table = np.empty_like(network.table)
        self._dates = np.empty((len(network.table), 5), dtype=np.int64)
        self._between: tuple[object, Column] | None = None

    def dates(self, plan: Plan, rows: Column) -> tuple[Column, Column] | None:
        """Starts and finishes in ticks, an entry a row of the plan: those of `rows` as an edit to `plan` leaves them,
        others as they were or not; None where that is not simply told."""
        changed = self._changed(plan)
        order = self._order(changed, rows) if changed else None
        if order is None or not self._take(plan, changed):
            return None
        due = np.zeros(len(self._table), dtype=np.uint8)
        due[changed] = 1
        touched = self._early(self._network, self._table, self._dates, order, due) != 0
        count, known = len(plan.tasks), self._schedule.basis.dates
        start, finish, dated = known.start[:count].copy(), known.finish[:count].copy(), order[order < count]
        start[dated], finish[dated] = self._dates[dated, _BEGINS], self._dates[dated, _ENDS]
        self._table[changed] = self._network.table[changed]
        self._fill(np.flatnonzero(touched))
        return self._rows.least(start), self._rows.greatest(finish)

    def _fill(self, nodes: Column) -> None:
        """Has some nodes ask for what they asked for before any edit, and dates them so."""
        self._table[nodes] = self._network.table[nodes]
        for place, column in enumerate(self._schedule.basis.dates[:5]):
            self._dates[nodes, place] = column[nodes]

    def _changed(self, plan: Plan) -> list[int]:
        """Rows of the tasks that an edit changed; none where it changed more than values of a few."""
        before = self._network.plan
        is_same = len(before.tasks) == len(plan.tasks) and before.dependencies is plan.dependencies
        if not self._is_simple or not is_same or any(getattr(before, name) is not getattr(plan, name) for name in SAME):
            return []
        found = changed_rows(before.tasks, plan.tasks)
        return found if len(found) <= _MOST_CHANGED and all(self._is_plain(plan, row) for row in found) else []

    def _is_plain(self, plan: Plan, row: int) -> bool:
        """Whether a task is where it was in the outline, and done in one piece by one calendar."""
        before, after = self._network.plan.tasks[row], plan.tasks[row]
        is_there = (before.id, before.parent) == (after.id, after.parent) and self._network.table[row, ROLE] == LEAF
        is_whole = not after.splits and after.progress is None and before.progress is None
        return is_there and is_whole and row not in self._network.shared

    def _take(self, plan: Plan, changed: Sequence[int]) -> bool:
        """Has the changed tasks ask for what they ask for now, unless they do so by other calendars."""
        maker = RowMaker(plan, self._network.clocks, {}, self._network.held)
        made = [maker.row(plan.tasks[row]) for row in changed]
        table = np.array([row for row, _ in made], dtype=np.int64)
        known = self._network.table[changed]
        same = table[:, (CALENDAR, LAG_CALENDAR)] == known[:, (CALENDAR, LAG_CALENDAR)]
        flags = (table[:, FLAGS] ^ known[:, FLAGS]) & (INACTIVE | LATE)
        if not same.all() or flags.any() or any(parts for _, parts in made):
            return False
        self._table[changed] = table
        return True

    def _order(self, changed: Sequence[int], rows: Column) -> Column | None:
        """What lies between changed tasks and rows that are asked for, in order; None where it is too much."""
        key = tuple(changed), rows.tobytes()
        if self._between is None or self._between[0] != key:
            network, every = self._network, np.ones(len(self._network.links.kind), dtype=np.bool_)
            after, before = np.zeros((2, len(self._table)), dtype=np.int64)
            after[changed] = 1
            before[self._leaves(rows)] = 1
            after, before = self._fold.follow(network, every, after), self._fold.chain(network, every, before)
            is_between = (after != 0) & (before != 0)
            order = network.order[is_between[network.order]]
            if len(order) <= MOST_NODES:
                waited_for = network.links.predecessor[is_between[network.links.successor]]
                self._fill(np.union1d(waited_for, order))
            self._between = key, order
        return self._between[1] if len(self._between[1]) <= MOST_NODES else None

    def _leaves(self, rows: Column) -> Column:
        """These rows and all that lie in them."""
        parent = self._network.parent[: len(self._network.plan.tasks)]
        found = np.zeros(len(parent) + 1, dtype=np.bool_)  # one more for what lies in nothing
        found[rows] = True
        new = found.copy()
        while new.any():
            new[:-1] = new[parent] & ~found[:-1]
            new[-1] = False
            found |= new
        return np.flatnonzero(found[:-1])


def _is_simple(network: Network) -> bool:
    """Whether early dates are all there is to a plan's dates, and no link of it counts by what its tasks take."""
    plan = network.plan
    is_forward = plan.clock is Clock.CALENDAR and not plan.settings.is_from_finish
    is_tied = bool(network.cycle or network.derived or (network.wires[4] >= PERCENT).any())
    return is_forward and not is_tied and not (network.table[:, FLAGS] & LATE).any()
