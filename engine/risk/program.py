"""The network of a schedule as a simulation walks it: what waits for what, and how each node is dated. It never draws.

Most nodes are FAST. Their dates are codes: 2 x work before an instant, counted on the node's calendar from the
project's start, + 1 for the later of two names of one instant. Codes stand in the order of instants, so links on one
calendar are sums and maxima, and calendars are looked up only where a link leads to another one. The others are
GENERAL: dated by the passes of the schedule themselves. FIXED ones have dates that nothing moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.errors import PlanError
from engine.model import Clock, Dependency, Plan
from engine.risk.order import machine_links
from engine.risk.sources import DrawMaker, Draws
from engine.risk.uncertain import Excess, Uncertain, find_excess, find_lags, find_uncertain
from engine.schedule.arranging import arrange
from engine.schedule.columns import (
    DELAY,
    FINISHED,
    FS,
    INACTIVE,
    LATE,
    LEAF,
    MANUAL,
    NONE,
    PERCENT,
    PIN,
    PINNED,
    SF,
    SOFT,
    SS,
    STARTED,
    SUMMARY,
    Column,
    Flags,
)
from engine.schedule.network import Network
from engine.schedule.schedule import Schedule
from engine.schedule.working_time import WorkingTime

FIXED, FAST, GENERAL = range(3)
# Columns of Steps.nodes. IS_SIMPLE: a FAST leaf of one draw, always done, that waits by plain finish-to-start links
# alone; GIVES_START, GIVES_LENGTH: its start is asked for, its length is (by lags in percent of it).
WAY, CLOCK, NODE_ROLE, LEAST_CODE, LEAST_END, LENGTH_CODE, NEEDS_INSTANTS, IS_SIMPLE, GIVES_START, GIVES_LENGTH = range(
    10
)
# Columns of Steps.links. Of those into FAST nodes also THROUGH: by instants, not codes; IS_PLAIN: a code alone.
BEFORE, LINK_KIND, LINK_LAG, LINK_CLOCK, THROUGH, SOURCE, IS_PLAIN = range(7)
NO_LINK = -1
# Before every code: half of it and twice a length less still fit into 32 bits. Codes stay far below its opposite there.
NO_CODE = -(1 << 30)


class Steps(NamedTuple):
    """What compiled functions walk: `order`, then tables of nodes and links by columns named above.

    Links into node i are `first[i]:first[i + 1]`; SOURCE is the link's place in the network, or NO_LINK: of a machine.
    `origins` are the works before the project's start, by clock. Item 0 is the project, the others are what is asked of
    it: its finish is the last of the nodes `item_nodes[item_first[k]:item_first[k + 1]]`, which are sorted by clock.
    """

    order: Column
    nodes: Column
    first: Column
    links: Column
    origins: Column
    item_first: Column
    item_nodes: Column


@dataclass(frozen=True, slots=True, eq=False)
class RiskProgram:
    """A plan ready to be simulated. `rows` are the active leaves; `network` is the schedule's, with what is planned
    later than links ask held there by pins. `pairs` are the links of machines, `items` the rows that steps.item_first
    tells of after the project: summaries, milestones and what has a deadline. `events` are the chances by id of event,
    `lags` the draws of lags that are not certain, each with its link.
    """

    plan: Plan
    network: Network
    steps: Steps
    draws: Draws
    uncertain: Uncertain
    pairs: tuple[tuple[int, int], ...]
    items: tuple[int, ...]
    events: Mapping[int, int]
    lags: tuple[tuple[int, Dependency], ...]
    excess: Excess
    seed: int

    @property
    def is_certain(self) -> bool:
        """Whether nothing is drawn."""
        return not (len(self.draws.whole) or len(self.draws.chances))


def compile_risk(plan: Plan, schedule: Schedule, seed: int = 0) -> RiskProgram:
    """The program of a plan and its schedule; raises PlanError where tasks wait for each other."""
    if schedule.cycle:
        names = " and ".join(f"“{plan.task(task).name}”" for task in schedule.cycle[:2])
        raise PlanError(f"{names} wait for each other: no chance can be told while they do.", ids=schedule.cycle)
    pairs = machine_links(plan, schedule)
    network = _held(plan, schedule, pairs)
    maker = DrawMaker(plan, seed)
    uncertain = find_uncertain(plan, network, maker)
    items = tuple(
        row
        for row, task in enumerate(plan.tasks)
        if task.is_active and (task.id in plan.children or task.deadline is not None or not network.nodes.length[row])
    )
    steps = _Planner(network, uncertain, pairs).steps(items)
    excess = find_excess(uncertain, maker.shapes, schedule)
    lags, events = find_lags(network, uncertain), maker.events()
    return RiskProgram(plan, network, steps, maker.made(), uncertain, tuple(pairs), items, events, lags, excess, seed)


def _held(plan: Plan, schedule: Schedule, pairs: list[tuple[int, int]]) -> Network:
    """The network with pins where the schedule dates a task later than links ask.

    A task as late as possible, and every one of a plan dated from its finish, begins when it is planned, or later. One
    that leveling delayed waits for the machine it was delayed for, and has a pin only where that does not explain it.
    """
    network, count = schedule.basis.network, len(plan.tasks)
    table = network.table.copy()
    nodes = network.nodes
    is_open = (nodes.role[:count] == LEAF) & (nodes.flags[:count] & (STARTED | FINISHED | MANUAL | INACTIVE) == 0)
    is_late = is_open & (nodes.flags[:count] & LATE != 0)
    if plan.settings.is_from_finish and plan.clock is Clock.CALENDAR:
        is_late = is_open
    delayed = {after for _, after in pairs if nodes.delay[after] > 0 and is_open[after]}
    explained = {after for before, after in pairs if _meets(schedule, before, after)}
    is_late[list(delayed - explained)] = True
    table[list(delayed), DELAY] = 0
    rows = np.flatnonzero(is_late)
    table[rows, PIN] = np.maximum(table[rows, PIN], schedule.start[rows])
    table[rows, DELAY] = 0
    return replace(network, table=table)


def _meets(schedule: Schedule, before: int, after: int) -> bool:
    """Whether a task starts when the one before it on its machine is done."""
    network = schedule.basis.network
    time = network.times[int(network.nodes.calendar[after])]
    return time.between(int(schedule.finish[before]), int(schedule.start[after])) <= 0


class _Planner:
    """Chooses the way of each node, in order."""

    def __init__(self, network: Network, uncertain: Uncertain, pairs: list[tuple[int, int]]) -> None:
        self._network, self._uncertain = network, uncertain
        self._nodes, count = network.nodes, len(network.table)
        before, after = (np.array([pair[end] for pair in pairs], dtype=np.int64) for end in (0, 1))
        links = network.links
        predecessor: Column = np.concatenate((links.predecessor, before))
        successor: Column = np.concatenate((links.successor, after))
        self._order = arrange(count, predecessor, successor).order
        place = np.argsort(successor, kind="stable")
        self._into = np.concatenate(([0], np.cumsum(np.bincount(successor, minlength=count)))).astype(np.int64)
        none = np.zeros(len(before), dtype=np.int64)
        kinds = np.concatenate((links.kind, none + FS))
        lags, clocks = np.concatenate((links.lag, none)), np.concatenate((links.calendar, none))
        sources = np.concatenate((np.arange(len(links.kind), dtype=np.int64), none + NO_LINK))
        zeros = np.zeros(len(predecessor), dtype=np.int64)
        columns = (predecessor, kinds, lags, clocks, zeros, sources, zeros)
        self._links: Column = np.stack(columns, axis=1)[place]
        self._dead: Flags = np.zeros(count, dtype=np.bool_)
        self._table = np.zeros((count, 10), dtype=np.int64)
        start = network.rules.start
        self._origins = np.array([time.work_before(start) for time in network.times], dtype=np.int64)

    def steps(self, items: tuple[int, ...]) -> Steps:
        """The tables, with what is asked of the rows in `items`."""
        order = [node for node in self._order.tolist() if self._plan_node(node)]
        self._mark_needs()
        first, links = self._kept_links()
        self._mark_simple(first, links)
        found = _Items(self._network, self._table, first, links, self._dead).of(items)
        return Steps(np.array(order, dtype=np.int64), self._table, first, links, self._origins, *found)

    def code(self, clock: int, instant: int) -> int:
        """The code of an instant on a clock."""
        time: WorkingTime = self._network.times[clock]
        work = time.work_before(instant)
        return 2 * (work - int(self._origins[clock])) + (instant != time.finish_at(work))

    def _plan_node(self, node: int) -> bool:
        """Fills a node's row; whether it is to be dated in every sample."""
        role, flags = int(self._nodes.role[node]), int(self._nodes.flags[node])
        links = self._conducting(node)
        if role == SUMMARY or flags & INACTIVE or (role != LEAF and not len(links)):
            self._dead[node] = True
            return False
        is_fixed = bool(role == LEAF and flags & (FINISHED | MANUAL))
        way = FIXED if is_fixed else self._way(node, role, flags, links)
        clock = int(self._nodes.calendar[node])
        if role != LEAF and way == FAST:
            clock = int(self._table[links[0, BEFORE], CLOCK])
        row = self._table[node]
        row[WAY], row[CLOCK], row[NODE_ROLE] = way, clock, role
        if way == FAST:
            self._set_fast(node, row, role, links)
        return not is_fixed

    def _conducting(self, node: int) -> Column:
        links = self._links[self._into[node] : self._into[node + 1]]
        return links[~self._dead[links[:, BEFORE]]]

    def _way(self, node: int, role: int, flags: int, links: Column) -> int:
        before = links[:, BEFORE]
        if role != LEAF:  # raw instants of several calendars have no code
            is_one = (self._table[before, WAY] == FAST).all() and len(np.unique(self._table[before, CLOCK])) == 1
            clock = int(self._table[before[0], CLOCK])
            is_plain = all(self._keeps_clock(link, clock) for link in links)
            return FAST if is_one and is_plain and self._is_named(clock) else GENERAL
        nodes = self._nodes
        is_shared = self._network.parts.first[node] < self._network.parts.first[node + 1]
        is_plain = not (flags & STARTED or is_shared or nodes.hard[node] != SOFT or nodes.delay[node] > 0)
        return FAST if is_plain and self._uncertain.is_whole[node] else GENERAL

    def _is_named(self, clock: int) -> bool:
        """Whether the project's start is one of the names of an instant on a clock, so that a code stands for it."""
        time, start = self._network.times[clock], self._network.rules.start
        work = time.work_before(start)
        return start in (time.finish_at(work), time.start_at(work))

    def _keeps_clock(self, link: Column, clock: int) -> bool:
        """Whether a lag is nothing, or counted on the clock of both ends, so that a code is a code plus it."""
        return bool(link[LINK_CLOCK] == clock or not (link[LINK_LAG] or self._varies(link)))

    def _varies(self, link: Column) -> bool:
        """Whether a lag is not the same in all samples."""
        source = int(link[SOURCE])
        if source == NO_LINK:
            return False
        return bool(self._uncertain.lag_draw[source] >= 0 or self._uncertain.lag_percent[source])

    def _set_fast(self, node: int, row: Column, role: int, links: Column) -> None:
        rules, nodes, clock = self._network.rules, self._nodes, int(row[CLOCK])
        row[LEAST_CODE], row[LEAST_END] = NO_CODE, NO_CODE
        if role == LEAF:
            kinds = set(links[links[:, SOURCE] != NO_LINK, LINK_KIND].tolist())
            is_free = kinds == {FS} or (not kinds and nodes.flags[node] & PINNED)
            least = max(int(nodes.pin[node]), rules.status, NONE if is_free else rules.start)
            row[LEAST_CODE] = NO_CODE if least == NONE else self.code(clock, least)
            ends = int(nodes.ends_after[node])
            row[LEAST_END] = NO_CODE if ends == NONE else self.code(clock, ends)
            row[LENGTH_CODE] = nodes.length[node] - self._uncertain.base[node]
        else:
            row[LEAST_END] = self.code(clock, rules.start)  # what an SS link into a gate cannot pass
        for link in links:
            is_same = self._table[link[BEFORE], WAY] == FAST and self._table[link[BEFORE], CLOCK] == clock
            link[THROUGH] = not (is_same and self._keeps_clock(link, clock))
            link[IS_PLAIN] = not link[THROUGH] and not link[LINK_LAG] and not self._varies(link)
        self._links[self._into[node] : self._into[node + 1]][~self._dead_before(node)] = links

    def _dead_before(self, node: int) -> Flags:
        dead: Flags = self._dead[self._links[self._into[node] : self._into[node + 1], BEFORE]]
        return dead

    def _mark_needs(self) -> None:
        """FAST nodes that a GENERAL one waits for must give their instants."""
        for node in np.flatnonzero(self._table[:, WAY] == GENERAL).tolist():
            links = self._conducting(node)
            self._table[links[:, BEFORE], NEEDS_INSTANTS] = 1

    def _mark_simple(self, first: Column, links: Column) -> None:
        """FAST leaves that need no more than a draw and maxima, and nodes of which the start is asked for."""
        table, uncertain = self._table, self._uncertain
        is_start = (links[:, LINK_KIND] == SS) | (links[:, LINK_KIND] == SF)
        table[:, GIVES_START] = table[:, NEEDS_INSTANTS]
        table[links[is_start, BEFORE], GIVES_START] = 1
        table[self._network.links.predecessor[uncertain.lag_percent != 0], GIVES_LENGTH] = 1
        is_odd = (links[:, LINK_KIND] != FS) | (links[:, IS_PLAIN] == 0)
        waits = np.add.reduceat(np.append(is_odd, False), first[:-1]) * (np.diff(first) > 0)
        table[:, IS_SIMPLE] = (
            (table[:, WAY] == FAST)
            & (table[:, NODE_ROLE] == LEAF)
            & (table[:, LEAST_END] == NO_CODE)
            & (uncertain.draw >= 0)
            & (np.diff(uncertain.impact_first) == 0)
            & (uncertain.may_vanish == 0)
            & (waits == 0)
        )

    def _kept_links(self) -> tuple[Column, Column]:
        kept = ~self._dead[self._links[:, BEFORE]]
        successor = np.repeat(np.arange(len(self._table)), np.diff(self._into))[kept]
        first = np.concatenate(([0], np.cumsum(np.bincount(successor, minlength=len(self._table)))))
        return first.astype(np.int64), np.ascontiguousarray(self._links[kept])


class _Items:
    """The nodes that decide when something is done: of those in it, the ones that none in it outlasts."""

    def __init__(self, network: Network, table: Column, first: Column, links: Column, dead: Flags) -> None:
        self._network, self._table, self._dead = network, table, dead
        self._outlasted: list[list[int]] = [[] for _ in range(len(table))]
        for node in range(len(table)):
            if table[node, WAY] == FAST and table[node, NODE_ROLE] == LEAF:
                for link in links[first[node] : first[node + 1]]:
                    self._note(link, node)

    def of(self, rows: tuple[int, ...]) -> tuple[Column, Column]:
        """(first, nodes) of the project and of rows."""
        count = len(self._network.plan.tasks)
        spans = [range(count), *(self._within(row) for row in rows)]
        found = [self._deciding(span) for span in spans]
        sizes = [len(nodes) for nodes in found]
        nodes = [node for each in found for node in each]
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64), np.array(nodes, dtype=np.int64)

    def _note(self, link: Column, node: int) -> None:
        """That a node is done no earlier than the one before it."""
        before = int(link[BEFORE])
        is_kept = not link[THROUGH] and link[LINK_KIND] == FS and link[LINK_LAG] >= 0
        is_sure = link[SOURCE] == NO_LINK or not self._network_lag(int(link[SOURCE]))
        if is_kept and is_sure:
            self._outlasted[before].append(node)

    def _network_lag(self, link: int) -> int:
        """Whether a lag is anything, drawn ones included: those are of links that have one."""
        source = int(self._network.wires[5, link])
        spread = self._network.source(source).spread if source >= 0 else None
        return int(spread is not None or self._network.wires[4, link] >= PERCENT)

    def _within(self, row: int) -> range:
        """The row and all that lies in it."""
        plan, last = self._network.plan, row + 1
        while last < len(plan.tasks) and self._network.parent[last] >= row:
            last += 1
        return range(row, last)

    def _deciding(self, span: range) -> list[int]:
        found = [node for node in span if not self._dead[node] and self._table[node, NODE_ROLE] == LEAF]
        found = [node for node in found if not any(after in span for after in self._outlasted[node])]
        return sorted(found, key=lambda node: (self._table[node, WAY] != FAST, self._table[node, CLOCK], node))
