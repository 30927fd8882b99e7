"""The compiled passes as cpm takes them: over a whole network, or over what an edit changed.

It never computes a date itself. Imported late, since the passes load numba.
"""

from __future__ import annotations

import numpy as np

from engine.model import Ticks
from engine.schedule import passes, passes_floats, passes_rows
from engine.schedule.arranging import Arranged
from engine.schedule.assembly import Fold
from engine.schedule.clock_tables import clock_table, part_table
from engine.schedule.columns import FLAGS, LATE, NEVER, NONE, Bits, Column, Dates, Flags
from engine.schedule.network import Network
from engine.schedule.passes import Net, Work


def arrange(count: int, predecessor: Column, successor: Column) -> Arranged:
    """Equal to arranging.arrange. Columns that lie scattered, as a table's may, would have it compiled once more."""
    side_by_side = np.ascontiguousarray(predecessor), np.ascontiguousarray(successor)
    return Arranged(*passes_rows.arranged(count, *side_by_side))


def compute_dates(network: Network, finish: Ticks = NONE) -> Dates:
    """All passes; equal to plain_passes.compute_dates entry by entry."""
    count, links = len(network.table), len(network.links.kind)
    dates = np.full((count, 5), NONE, dtype=np.int64)
    dates[:, passes.LATE_BEGINS :] = NEVER
    work = Work(
        dates,
        np.zeros((count, 4), dtype=np.int64),
        np.full(count, NEVER, dtype=np.int64),
        np.zeros(links, dtype=np.int64),
        np.zeros(links, dtype=np.uint8),
        np.zeros(count, dtype=np.uint8),
    )
    everything = np.ones(count, dtype=np.uint8)
    net = net_of(network)
    last = passes.forward(net, work, network.order, everything)
    passes.backward(net, work, network.order, everything, last if finish == NONE else finish)
    if (network.table[:, FLAGS] & LATE).any():
        passes_floats.delay_late_ones(net, work, network.order)
    return _finished(net, work, network, everything, last)


def update_dates(before: Network, known: Dates, network: Network) -> Dates | None:
    """What compute_dates gives, from the dates of the network before an edit; None where too much is another."""
    dirty = _dirty(before, network)
    if dirty is None or (network.table[:, FLAGS] & LATE).any():
        return None
    gap, is_driving = _carried(before, known, network)
    work = Work(
        _side_by_side(known[:5]),
        _side_by_side(known[5:9]),
        known.slot.copy(),
        gap,
        is_driving.view(np.uint8),
        (dirty * 3).astype(np.uint8),
    )
    net = net_of(network)
    last = passes.forward(net, work, network.order, dirty.copy())
    due = dirty.copy() if last == known.last else np.ones_like(dirty)
    passes.backward(net, work, network.order, due, last)
    return _finished(net, work, network, dirty, last)


def date_early(network: Network, table: Column, dates: Column, order: Column, due: Bits) -> Bits:
    """Dates early what is due of some nodes, in their order, and what of them follows from that; see ahead.py."""
    changed, none = np.zeros(len(table), dtype=np.uint8), np.empty(0, dtype=np.int64)
    work = Work(dates, np.empty((0, 4), dtype=np.int64), none, none, none.view(np.uint8), changed)
    passes.forward(net_of(network)._replace(nodes=table), work, order, due)
    return changed


def _finished(net: Net, work: Work, network: Network, dirty: Bits, last: Ticks) -> Dates:
    passes_floats.set_slots(net, work, network.order)
    touched = dirty | work.changed
    passes_floats.set_links(net, work, touched)
    passes_floats.set_floats(net, work, touched)
    driving = work.is_driving.view(np.bool_)
    return Dates._make((*work.dates.T, *work.floats.T, work.gap, driving, work.slot, last))


def _side_by_side(columns: tuple[Column, ...]) -> Column:
    """A new table of columns; those that passes gave are views of one, which is copied at once."""
    table = columns[0].base
    if table is not None and table.shape == (len(columns[0]), len(columns)):
        return table.copy()
    return np.stack(columns, axis=1)


def net_of(network: Network) -> Net:
    """A network as compiled passes take it."""
    links = network.links
    table, parts_at = part_table(clock_table(tuple(network.times)), network.parts)
    return Net(
        table,
        network.table,
        parts_at,
        links.first,
        network.link_table,
        links.out_first,
        links.out,
        np.array(network.rules, dtype=np.int64),
    )


def _dirty(before: Network, network: Network) -> Bits | None:
    """Nodes that ask for something else than before, or wait for another; None where networks cannot be compared."""
    if before.clocks is not network.clocks or before.rules != network.rules or len(before.table) != len(network.table):
        return None
    same_parts = all(np.array_equal(one, two) for one, two in zip(before.parts, network.parts, strict=True))
    if not same_parts or before.derived or network.derived:
        return None
    dirty: Bits = np.zeros(len(network.table), dtype=np.uint8)
    dirty[np.flatnonzero(before.table.ravel() != network.table.ravel()) // network.table.shape[1]] = 1
    low, high = _changed_links(before, network)
    for known in (before.links, network.links):
        part = slice(low, len(known.kind) - high)
        dirty[known.predecessor[part]] = 1
        dirty[known.successor[part]] = 1
    return dirty


def _changed_links(before: Network, network: Network) -> tuple[int, int]:
    """How many links are the same at the beginning, and how many at the end."""
    one, two = before.links, network.links
    if one is two:
        return len(one.kind), 0
    count = min(len(one.kind), len(two.kind))
    ahead, back = np.zeros(count, bool), np.zeros(count, bool)
    for left, right in zip(one[1:6], two[1:6], strict=True):
        ahead |= left[:count] != right[:count]
        back |= left[len(left) - count :] != right[len(right) - count :]
    low = int(np.argmax(ahead)) if ahead.any() else count
    high = int(np.argmax(back[::-1])) if back.any() else count
    return low, min(high, count - low)


def _carried(before: Network, known: Dates, network: Network) -> tuple[Column, Flags]:
    """Gaps and driving flags of the links that stayed, in the places they have now."""
    low, high = _changed_links(before, network)
    count, were = len(network.links.kind), len(known.gap)
    gap, is_driving = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    for new, old in ((gap, known.gap), (is_driving, known.is_driving)):
        new[:low] = old[:low]
        new[count - high :] = old[were - high :]
    return gap, is_driving


def _chain(network: Network, is_driving: Flags, ends: Column) -> Column:
    marked = ends.copy()
    passes_rows.mark_chain(network.order, network.links.first, network.links.predecessor, is_driving, marked)
    return marked


def _follow(network: Network, counts: Flags, starts: Column) -> Column:
    marked = starts.copy()
    passes_rows.mark_followers(network.order, network.links.first, network.links.predecessor, counts, marked)
    return marked


FOLD = Fold(passes_rows.fold_rows, _chain, _follow)
