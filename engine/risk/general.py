"""Nodes that have no codes, dated sample by sample through the passes of the schedule.

It never states a rule of dates of its own. Imported late, since it loads numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled import njit_bare
from engine.risk.codes import NOBODY, SPARE, Scratch, sampled_lag
from engine.risk.program import BEFORE, LINK_KIND, NO_LINK, SOURCE, Steps
from engine.risk.sampling import LANES, Flags
from engine.risk.sources import Column, Draws
from engine.risk.uncertain import Uncertain
from engine.schedule.columns import CALENDAR, FLAGS, LEAF, LENGTH, PIN, REMAINING, ROLE, STARTED, TO_START
from engine.schedule.passes import BEGINS, ENDS, LAG, Net, Work, bound_of, set_early
from engine.schedule.passes_tasks import work_before


class General(NamedTuple):
    """What the passes of the schedule need: `net`, whose tables are changed from sample to sample, and as planned.

    `lags` are rows for the lags of one node's links; the rest fills places that the passes do not use.
    """

    net: Net
    nodes: Column
    table: Column
    lags: Column
    no_columns: Column
    no_column: Column
    no_bits: Flags
    changed: Flags


@njit_bare
def vary_general(general: General, uncertain: Uncertain, scratch: Scratch, node: int, lane: int) -> None:
    """Puts what a GENERAL node has to do in one sample into the tables that the passes read."""
    slot, base, pauses = uncertain.slot[node], uncertain.base[node], uncertain.pauses[node]
    duration, net = scratch.duration[slot, lane], general.net
    is_off = uncertain.may_vanish[node] and scratch.vanished[lane]
    has_begun, parts = net.nodes[node, FLAGS] & STARTED, net.parts_at[node]
    for part in range(net.table[parts] if parts else 1):
        at = parts + 1 + 3 * part
        length = general.table[at + 1] if parts else general.nodes[node, LENGTH]
        left = general.table[at + 2] if parts else general.nodes[node, REMAINING]
        work, more = (left if has_begun else length) - pauses, duration - base
        if work != base:
            more = np.int64(work * (duration / base) + 0.5) - work if base else 0
        length, left = (0, 0) if is_off else (length + more, left + more)
        if parts:
            net.table[at + 1], net.table[at + 2] = length, left
        if part == 0:
            net.nodes[node, LENGTH], net.nodes[node, REMAINING] = length, left


@njit_bare
def date_general(
    general: General, steps: Steps, draws: Draws, uncertain: Uncertain, scratch: Scratch, at: tuple[int, int, bool]
) -> None:
    """Dates a GENERAL node in each sample by the passes of the schedule; `at`: node, sample, paths."""
    node, first, wants_paths = at
    net, spare, pin = general.net, scratch.lane[SPARE], general.nodes[node, PIN]
    for link in range(steps.first[node], steps.first[node + 1]):
        row = steps.links[link]
        if sampled_lag(draws, uncertain, scratch, row[BEFORE], row, first):
            for lane in range(LANES):
                general.lags[link - steps.first[node], lane] = spare[lane]
    for lane in range(LANES):
        dates = scratch.dates[lane]
        work = Work(dates, general.no_columns, general.no_column, general.no_column, general.no_bits, general.changed)
        if uncertain.slot[node] >= 0:
            vary_general(general, uncertain, scratch, node, lane)
        held = pin
        for link in range(steps.first[node], steps.first[node + 1]):
            source, before = steps.links[link, SOURCE], steps.links[link, BEFORE]
            if source == NO_LINK:
                held = max(held, dates[before, ENDS])
            elif uncertain.lag_draw[source] >= 0 or uncertain.lag_percent[source]:
                net.links[source, LAG] = general.lags[link - steps.first[node], lane]
        net.nodes[node, PIN] = held
        set_early(net, work, node)
        if wants_paths:
            scratch.drivers[node, lane] = driver_of(general, steps, dates, node)


@njit_bare
def driver_of(general: General, steps: Steps, dates: Column, node: int) -> int:
    """The node whose link is the first to let a GENERAL one start or end no earlier; nobody where it has begun."""
    net, role = general.net, general.nodes[node, ROLE]
    if role == LEAF and general.nodes[node, FLAGS] & STARTED:
        return NOBODY
    clock, begins, ends = general.nodes[node, CALENDAR], dates[node, BEGINS], dates[node, ENDS]
    for link in range(steps.first[node], steps.first[node + 1]):
        source, kind = steps.links[link, SOURCE], steps.links[link, LINK_KIND]
        bound = dates[steps.links[link, BEFORE], ENDS] if source == NO_LINK else bound_of(net, dates, source)
        if role != LEAF:
            if bound == begins:
                return int(steps.links[link, BEFORE])
        else:
            work = work_before(net.table, clock, begins if (TO_START >> kind) & 1 else ends)
            if work_before(net.table, clock, bound) >= work:
                return int(steps.links[link, BEFORE])
    return NOBODY
