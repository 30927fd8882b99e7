"""Delays: the leveling delays by which tasks start at wanted instants, and a network that asks for others.

It never asks whether an instant can be had: what links and constraints allow at the earliest holds.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.model import Plan
from engine.schedule.ahead import Early
from engine.schedule.columns import (
    DELAY,
    FINISHED,
    FLAGS,
    INACTIVE,
    LATE,
    LEAF,
    MANUAL,
    NONE,
    PIN,
    ROLE,
    STARTED,
    Column,
)
from engine.schedule.network import Network
from engine.schedule.plain import Passes

_FACTS = STARTED | FINISHED | MANUAL | INACTIVE | LATE
_BEGINS = 0


def find_delays(network: Network, starts: Column, early: Early | None) -> Column:
    """The delay in elapsed ticks with which each row starts at its entry of `starts`, zero where it does without one.

    start(i) + delay(i) = starts(i), where start(i) is what links and constraints allow once those before i are there.
    NONE for rows that have no entry (NONE too), and for those that facts or late dates place.
    """
    rows = np.flatnonzero(starts != NONE)
    table = network.table.copy()
    table[rows, DELAY] = 0
    rows = rows[(table[rows, ROLE] == LEAF) & (table[rows, FLAGS] & _FACTS == 0)]
    found = np.full(len(starts), NONE, dtype=np.int64)
    if early is None:
        found[rows] = _one_by_one(replace(network, table=table), rows, starts)
        return found
    pinned, dates = table.copy(), np.full((len(table), 5), NONE, dtype=np.int64)
    pinned[rows, PIN] = np.maximum(pinned[rows, PIN], starts[rows])
    every = np.ones(len(table), dtype=np.uint8)
    early(network, pinned, dates, network.order, every)
    # Backward, each is dated before those it waits for: they are still where they shall be.
    early(network, table, dates, np.ascontiguousarray(network.order[::-1]), every)
    found[rows] = np.maximum(0, starts[rows] - dates[rows, _BEGINS])
    return found


def _one_by_one(network: Network, rows: Column, starts: Column) -> Column:
    """The same, readable: each is dated without a delay, then with the one that it needs."""
    passes, wanted, delays = Passes(network), set(rows.tolist()), np.zeros(len(starts), dtype=np.int64)
    for node in passes.order:
        passes.set_early(node)
        if node in wanted:
            delays[node] = delay = max(0, int(starts[node]) - passes.start[node])
            if delay:
                passes.nodes.delay[node] = delay
                passes.set_early(node)
    found: Column = delays[rows]
    return found


def delayed(network: Network, plan: Plan) -> Network:
    """The network of a plan that differs from the network's own by leveling delays alone."""
    table = network.table.copy()
    for row, (before, after) in enumerate(zip(network.plan.tasks, plan.tasks, strict=True)):
        if after is not before and table[row, ROLE] == LEAF and not table[row, FLAGS] & STARTED:
            table[row, DELAY] = max(0, after.delay)
    return replace(network, plan=plan, table=table)
