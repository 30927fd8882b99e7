"""Network: the tasks of a plan and their links as arrays, in an order that respects them. It never computes a date.

A cycle is found here, and named: `topological_order` refuses one, `Network.of` leaves its links out and says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.model import Clock, Dependency, LagCalendar, Plan, ProgressRule, TaskId, Ticks
from engine.schedule import cycles
from engine.schedule.arranging import Arrange, arrange
from engine.schedule.clocks import EVER, Clocks, Part
from engine.schedule.columns import ELAPSED, ELAPSED_PERCENT, NONE, PERCENT, Column, Links, Nodes, Parts, Rules
from engine.schedule.nodes import Held, RowMaker, as_parts, as_table, held_by_summaries
from engine.schedule.stream_order import stream_links
from engine.schedule.wiring import STANDS_IN, Wire, Wiring, wire
from engine.schedule.working_time import WorkingTime

LeafLink = tuple[TaskId, TaskId, Dependency]

_ROW_SHIFT = 3  # a wire's kind takes three bits of its key


@dataclass(frozen=True, eq=False)
class Network:
    """Nodes are the plan's rows, then stand-ins; `wires` holds the links as they were asked for, one row a field.

    `links` are the same with lags counted, also as `link_table`; `order` holds every node after those it waits
    for. `derived` are the links that streams add, `cycle` the tasks of a cycle whose links were left out. `parent` is
    the row of each node's summary or -1.
    """

    plan: Plan
    clocks: Clocks
    held: Mapping[TaskId | None, Held]
    table: Column
    shared: Mapping[int, list[Part]]
    parts: Parts
    wires: Column
    link_table: Column
    links: Links
    order: Column
    rules: Rules
    parent: Column
    derived: tuple[tuple[TaskId, TaskId], ...] = ()
    cycle: tuple[TaskId, ...] = ()

    @staticmethod
    def of(plan: Plan, durations: Mapping[TaskId, Ticks], by: Arrange = arrange) -> Network:
        """The network of a plan; `durations` are those in ticks that no person typed.

        Raises CycleError on a device plan, PlanError where a calendar has no working time.
        """
        clocks, held = Clocks(plan), held_by_summaries(plan)
        maker = RowMaker(plan, clocks, durations, held)
        table, shared = maker.table(plan.tasks)
        parent = [plan.rows[t.parent] if t.parent is not None else -1 for t in plan.tasks]
        derived: tuple[tuple[TaskId, TaskId], ...] = ()
        if plan.clock is Clock.DEVICE:
            wires, derived = _device_wires(plan, maker)
        else:
            wiring = Wiring(plan, table)
            wires, parent = wiring.wires, parent + wiring.owner
            table = np.concatenate((table, as_table(wiring.standing)))
        columns = np.frombuffer(wires, dtype=np.int64).reshape(-1, len(Wire._fields)).T
        columns = np.ascontiguousarray(columns[:, np.argsort(wire_keys(columns, len(table)), kind="stable")])
        network = Network(
            plan,
            clocks,
            held,
            table,
            shared,
            as_parts(shared, len(table)),
            columns,
            _NONE,
            _NO_LINKS,
            _NONE,
            rules_of(plan),
            np.array(parent, dtype=np.int64),
            derived,
        )
        return network.linked(by)

    @property
    def rows(self) -> Mapping[TaskId, int]:
        """Row of each task's id."""
        return self.plan.rows

    @property
    def nodes(self) -> Nodes:
        """The table's columns by name."""
        return Nodes(*self.table.T)

    @property
    def times(self) -> Sequence[WorkingTime]:
        """Working times by number."""
        return self.clocks.times

    def source(self, place: int) -> Dependency:
        """The link that a wire was made of, by its place; those that streams add are plain ones."""
        links = self.plan.dependencies
        if place < len(links):
            return links[place]
        return Dependency(*self.derived[place - len(links)])

    def leads(self, first: int, second: int) -> bool:
        """Whether links lead from one node to another. Only nodes that lie between them in the order are looked at."""
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        last, waiting, seen = place[second], [first], {first}
        while waiting and second not in seen:
            node = waiting.pop()
            after = self.links.successor[self.links.out[self.links.out_first[node] : self.links.out_first[node + 1]]]
            new = set(after[place[after] <= last].tolist()) - seen
            seen |= new
            waiting += new
        return second in seen

    def with_rules(self, rules: Rules) -> Network:
        """The same network under other rules."""
        return replace(self, rules=rules)

    def linked(self, by: Arrange) -> Network:
        """With links and an order made of the wires; where there is a cycle, without the links of it."""
        count = len(self.table)
        successor, predecessor = self.wires[0], self.wires[1]
        arranged = by(count, predecessor, successor)
        if len(arranged.order) < count:
            return self._without_cycles(by)
        first = np.concatenate(([0], np.cumsum(np.bincount(successor, minlength=count)))).astype(np.int64)
        table = np.stack((predecessor, successor, self.wires[2], *self._lags()), axis=1)
        links = Links._make((first, *np.ascontiguousarray(table.T), arranged.out_first, arranged.out))
        return replace(self, link_table=table, links=links, order=arranged.order)

    def _without_cycles(self, by: Arrange) -> Network:
        successor, predecessor, source = self.wires[0], self.wires[1], self.wires[5]
        component = cycles.components(len(self.table), predecessor, successor)
        on_cycle = cycles.inside(component, predecessor, successor)
        before = dict(zip(successor[on_cycle].tolist(), predecessor[on_cycle].tolist(), strict=True))
        path = cycles.walk(before, min(before))
        ids = tuple(self.plan.tasks[node].id for node in path if node < len(self.plan.tasks))
        left = self.wires[:, ~(on_cycle & (source != STANDS_IN))]
        return replace(self, wires=np.ascontiguousarray(left), cycle=cycles.named(self.plan, ids).ids).linked(by)

    def relagged(self) -> Network:
        """With lags counted anew."""
        table = np.stack((self.links.predecessor, self.links.successor, self.links.kind, *self._lags()), axis=1)
        links = Links._make((self.links.first, *np.ascontiguousarray(table.T), self.links.out_first, self.links.out))
        return replace(self, link_table=table, links=links)

    def _lags(self) -> tuple[Column, Column]:
        """Lags in ticks, percentages rounded down, and the number of the working time that counts each."""
        nodes, (successor, predecessor, _, amount, counted, _) = self.nodes, self.wires
        is_percent = counted >= PERCENT
        lag = np.where(is_percent, nodes.duration[predecessor] * amount // 100, amount)
        kind = self.plan.settings.lag_calendar
        number = self.clocks.lag_number(kind)
        if number is not None:
            calendar = np.full(len(lag), number, dtype=np.int64)
        else:
            calendar = nodes.lag_calendar[successor if kind is LagCalendar.SUCCESSOR else predecessor]
        is_elapsed = (
            (counted == ELAPSED) | (counted == ELAPSED_PERCENT) | (is_percent & (nodes.calendar[predecessor] == EVER))
        )
        return lag, np.where(is_elapsed, EVER, calendar)


def leaf_links(plan: Plan) -> list[LeafLink]:
    """Every link between leaves as (predecessor, successor, link); a link on a summary stands for all its leaves."""
    children = plan.children
    found: list[LeafLink] = []
    for link in plan.dependencies:
        if link.predecessor not in children and link.successor not in children:
            found.append((link.predecessor, link.successor, link))
        else:
            found += [(a, b, link) for a in plan.leaves(link.predecessor) for b in plan.leaves(link.successor)]
    return found


def topological_order(plan: Plan, links: Sequence[LeafLink]) -> list[TaskId]:
    """Leaves in an order in which every predecessor comes first; raises CycleError naming the tasks of a cycle."""
    leaves = [task.id for task in plan.tasks if task.id not in plan.children]
    number = {leaf: index for index, leaf in enumerate(leaves)}
    before = np.array([number[first] for first, _, _ in links], dtype=np.int64)
    after = np.array([number[second] for _, second, _ in links], dtype=np.int64)
    order = [leaves[index] for index in arrange(len(leaves), before, after).order.tolist()]
    if len(order) < len(leaves):
        stuck = set(leaves).difference(order)
        back = {second: first for first, second, _ in links if first in stuck and second in stuck}
        raise cycles.named(plan, cycles.walk(back, min(back, key=plan.rows.__getitem__)))
    return order


def _device_wires(plan: Plan, maker: RowMaker) -> tuple[array[int], tuple[tuple[TaskId, TaskId], ...]]:
    """Links between leaves, and those that the order on each stream adds."""
    links = leaf_links(plan)
    topological_order(plan, links)
    derived = stream_links(plan, {task.id: maker.duration(task) for task in plan.tasks}, links)
    places = {id(link): place for place, link in enumerate(plan.dependencies)}
    rows, count = plan.rows, len(places)
    wires = array("q")
    for before, after, link in links:
        wires.extend(wire(link, rows[before], rows[after], places[id(link)]))
    for place, (before, after) in enumerate(derived):
        wires.extend(wire(Dependency(before, after), rows[before], rows[after], count + place))
    return wires, derived


def rules_of(plan: Plan) -> Rules:
    """The settings of a plan that change dates."""
    settings = plan.settings
    moves = settings.moves_remaining_to_status and plan.clock is Clock.CALENDAR
    status = settings.status if moves and settings.status is not None else NONE
    is_retained = settings.progress_rule is ProgressRule.RETAINED_LOGIC
    return Rules(plan.start, status, settings.honors_dates, is_retained, moves)


def wire_keys(wires: Column, count: int) -> Column:
    """What wires are sorted by: successor, predecessor, kind."""
    keys: Column = ((wires[0] * count + wires[1]) << _ROW_SHIFT) + wires[2]
    return keys


_NONE = np.empty(0, np.int64)
_NO_LINKS = Links(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE)
