"""The network of a plan after an edit, made of the one before it: what the edit left alone is taken as it is.

It never computes a date, and gives up where it is simpler to begin anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine.model import Clock, Dependency, Plan, Task
from engine.schedule.arranging import Arrange
from engine.schedule.columns import CALENDAR, DURATION, LAG_CALENDAR, PERCENT, ROLE, SUMMARY
from engine.schedule.network import Network, wire_keys
from engine.schedule.nodes import RowMaker, as_parts, held_by_summaries
from engine.schedule.reshaping import reshaped, same_ahead, same_behind
from engine.schedule.wiring import wire

_MOST_LINKS = 64
_BLOCK = 256

SAME = ("calendar", "calendars", "resources", "assignments", "settings", "start")


def edited(network: Network, plan: Plan, by: Arrange) -> Network | None:
    """The network of `plan`, equal to Network.of it; None where more than tasks' values, a few links or rows differ."""
    before = network.plan
    if Clock.DEVICE in (plan.clock, before.clock) or network.cycle:
        return None
    if len(before.tasks) != len(plan.tasks):
        return reshaped(network, plan, by)
    if any(getattr(before, name) is not getattr(plan, name) for name in SAME):
        return None
    if before.tasks is not plan.tasks:
        changed = _with_tasks(network, plan)
        if changed is None:
            return None
        network = changed
    if before.dependencies is not plan.dependencies:
        return _with_links(network, before.dependencies, plan, by)
    return replace(network, plan=plan)


def _with_tasks(network: Network, plan: Plan) -> Network | None:
    """With the rows of tasks that are others now, and of the leaves of summaries that are."""
    before = network.plan
    rows: Iterable[int] = changed_rows(before.tasks, plan.tasks)
    if any(
        (before.tasks[row].id, before.tasks[row].parent) != (plan.tasks[row].id, plan.tasks[row].parent) for row in rows
    ):
        return None
    held = network.held
    if any(network.table[row, 0] == SUMMARY for row in rows):
        held = held_by_summaries(plan)
        above = {plan.tasks[row].id for row in rows}
        rows = {*rows, *(plan.rows[leaf] for summary in above for leaf in plan.leaves(summary))}
    maker = RowMaker(plan, network.clocks, {}, held)
    table, shared, known = network.table.copy(), dict(network.shared), len(network.clocks.times)
    for row in rows:
        made, parts = maker.row(plan.tasks[row])
        table[row] = made
        shared.pop(row, None)
        if parts:
            shared[row] = parts
    moved = table[:, (CALENDAR, LAG_CALENDAR)] != network.table[:, (CALENDAR, LAG_CALENDAR)]
    moved |= (table[:, [DURATION]] != network.table[:, [DURATION]]) & (table[:, [ROLE]] == SUMMARY)
    if moved.any() or len(network.clocks.times) != known:  # gates stand for calendars, and for a summary's own length
        return None
    columns = network.parts if shared == network.shared else as_parts(shared, len(table))
    network = replace(network, plan=plan, held=held, table=table, shared=shared, parts=columns)
    return network.relagged() if (network.wires[4] >= PERCENT).any() else network


def changed_rows(old: tuple[Task, ...], new: tuple[Task, ...]) -> list[int]:
    """Rows of tasks that are others now. Slices of the same objects compare in no time."""
    found: list[int] = []
    for first in range(0, len(new), _BLOCK):
        block = slice(first, first + _BLOCK)
        if old[block] != new[block]:
            found += [
                first + n for n, (one, two) in enumerate(zip(old[block], new[block], strict=True)) if one is not two
            ]
    return found


def _with_links(network: Network, old: tuple[Dependency, ...], plan: Plan, by: Arrange) -> Network | None:
    """With the links of a plan in place of the old ones, which the network still has, where the two differ."""
    new = plan.dependencies
    first = same_ahead(old, new)
    last = same_behind(old[first:], new[first:])
    gone, come = old[first : len(old) - last], new[first : len(new) - last]
    if len(gone) + len(come) > _MOST_LINKS or any(_is_on_summary(network, link) for link in (*gone, *come)):
        return None
    rows, source, count = network.plan.rows, network.wires[5], len(network.table)
    stays = (source < first) | (source >= first + len(gone))
    wires = network.wires[:, stays]
    wires[5] += np.where(wires[5] >= first, len(come) - len(gone), 0)
    added = [wire(link, rows[link.predecessor], rows[link.successor], first + n) for n, link in enumerate(come)]
    if added:
        columns = np.array(added, dtype=np.int64).T
        columns = columns[:, np.argsort(wire_keys(columns, count), kind="stable")]
        places = np.searchsorted(wire_keys(wires, count), wire_keys(columns, count))
        wires = np.insert(wires, places, columns, axis=1)
    changed = replace(network, plan=plan, wires=np.ascontiguousarray(wires)).linked(by)
    return None if changed.cycle else changed


def _is_on_summary(network: Network, link: Dependency) -> bool:
    children = network.plan.children
    return link.predecessor in children or link.successor in children
