"""Links between tasks as links between nodes, with stand-ins for the leaves of summaries. It never counts a lag.

A link from a summary leaves its END (FS, FF) or its START (SS, SF); a link into one passes a gate for each calendar
its leaves keep, since lags are counted on theirs. So a link on summaries of m and n leaves costs m + n, not m x n.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from engine.model import Dependency, DependencyKind, LagKind, Plan, TaskId
from engine.schedule.columns import (
    ELAPSED,
    ELAPSED_PERCENT,
    END,
    FF,
    FINISH_GATE,
    FS,
    LAG_CALENDAR,
    MIN,
    PERCENT,
    SF,
    SS,
    START,
    START_GATE,
    WORKING,
    Column,
)
from engine.schedule.nodes import Row

KINDS = {DependencyKind.FS: FS, DependencyKind.SS: SS, DependencyKind.FF: FF, DependencyKind.SF: SF}
COUNTED = {
    LagKind.WORKING: WORKING,
    LagKind.ELAPSED: ELAPSED,
    LagKind.PERCENT: PERCENT,
    LagKind.ELAPSED_PERCENT: ELAPSED_PERCENT,
}
STANDS_IN = -1  # the source of links between leaves and stand-ins


class Wire(NamedTuple):
    """A link between nodes; `source` is its place among the plan's links."""

    successor: int
    predecessor: int
    kind: int
    amount: int
    counted: int
    source: int


class Wiring:
    """Wires of a plan. `standing` are the rows of stand-ins, whose nodes come last; `owner` those of summaries."""

    def __init__(self, plan: Plan, table: Column) -> None:
        self.wires = array("q")  # one after the other: nothing for the garbage collector to walk
        self.standing: list[Row] = []
        self.owner: list[int] = []
        self._plan = plan
        self._table = table
        self._known: dict[tuple[TaskId, int, int], int] = {}
        self._gates: dict[tuple[TaskId, int], list[int]] = {}
        at, summaries = plan.rows, plan.children
        for source, link in enumerate(plan.dependencies):
            if link.predecessor in summaries or link.successor in summaries:
                self._wire(link, source)
            else:
                lag = link.lag
                ends = (at[link.successor], at[link.predecessor])
                self.wires.extend((*ends, KINDS[link.kind], lag.amount, COUNTED[lag.kind], source))

    def _wire(self, link: Dependency, source: int) -> None:
        befores = [self._plan.rows[link.predecessor]]
        afters = [self._plan.rows[link.successor]]
        if link.predecessor in self._plan.children:
            befores = self._after(link)
        if link.successor in self._plan.children:
            afters = self._before(link.successor, START_GATE if link.kind in _TO_START else FINISH_GATE)
        for before in befores:
            for after in afters:
                self.wires.extend(wire(link, before, after, source))

    def _after(self, link: Dependency) -> list[int]:
        """What a link from a summary counts from; a percentage is of each leaf's duration."""
        if link.kind not in _FROM_FINISH:
            return [self._behind(link.predecessor, START)]
        if link.lag.kind.is_percent:
            return [self._plan.rows[leaf] for leaf in self._plan.leaves(link.predecessor)]
        return [self._behind(link.predecessor, END)]

    def _behind(self, summary: TaskId, role: int) -> int:
        """The END or START of a summary."""
        key = (summary, role, 0)
        if key not in self._known:
            row = Row(*self._table[self._plan.rows[summary]].tolist())
            node = self._known[key] = self._stand(summary, row._replace(role=role))
            kind = FS if role == END else MIN
            leaves = (self._plan.rows[leaf] for leaf in self._plan.leaves(summary))
            for leaf in leaves:
                self.wires.extend(Wire(node, leaf, kind, 0, WORKING, STANDS_IN))
        return self._known[key]

    def _before(self, summary: TaskId, role: int) -> list[int]:
        """The gates of a summary, one for each calendar of its leaves."""
        if (summary, role) not in self._gates:
            by_calendar: dict[int, int] = {}
            for leaf in (self._plan.rows[leaf] for leaf in self._plan.leaves(summary)):
                number = int(self._table[leaf, LAG_CALENDAR])
                if number not in by_calendar:
                    by_calendar[number] = self._stand(summary, Row(role, number, number))
                kind = FS if role == START_GATE else FF
                self.wires.extend(Wire(leaf, by_calendar[number], kind, 0, WORKING, STANDS_IN))
            self._gates[summary, role] = list(by_calendar.values())
        return self._gates[summary, role]

    def _stand(self, summary: TaskId, row: Row) -> int:
        self.standing.append(row)
        self.owner.append(self._plan.rows[summary])
        return len(self._table) + len(self.standing) - 1


_FROM_FINISH = (DependencyKind.FS, DependencyKind.FF)
_TO_START = (DependencyKind.FS, DependencyKind.SS)


def wire(link: Dependency, before: int, after: int, source: int) -> Wire:
    """A link between two nodes."""
    return Wire(after, before, KINDS[link.kind], link.lag.amount, COUNTED[link.lag.kind], source)
