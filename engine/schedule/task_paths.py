"""Task paths: which rows lead to some tasks and which follow from them, along all links or along those that decide.

They never compute a date.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.schedule.assembly import Fold
from engine.schedule.columns import LEAF, Bits, Column
from engine.schedule.schedule import Basis, Schedule

# A row may lead to the tasks, and drive them; follow from them, and be driven by them. Driving rows lead, too.
LEADS, DRIVES, FOLLOWS, IS_DRIVEN = (1 << bit for bit in range(4))


class Counts(NamedTuple):
    """How many leaves lead, how many of them drive, how many follow, and how many of them are driven."""

    leading: int
    driving: int
    following: int
    driven: int


def find_paths(basis: Basis, rows: Iterable[int], fold: Fold) -> Bits:
    """What each row of the plan is to these rows, as flags; nothing for themselves. Four looks at every link at most.

    A summary among the rows stands for all of its leaves; one that a link leads through is on the path itself.
    """
    network, count = basis.network, len(basis.network.plan.tasks)
    seeds = _seeds(basis, rows)
    found: Bits = np.zeros(len(network.table), dtype=np.uint8)
    everything = np.ones(len(network.links.kind), dtype=np.bool_)
    for links, before, after in ((everything, LEADS, FOLLOWS), (basis.dates.is_driving, DRIVES, IS_DRIVEN)):
        for flag, walk in ((before, fold.chain), (after, fold.follow)):
            found |= np.where(walk(network, links, seeds) != 0, np.uint8(flag), np.uint8(0))
    found[seeds != 0] = 0
    standing = np.arange(count, len(found))
    np.bitwise_or.at(found, network.parent[standing], found[standing])
    found = found[:count]
    found[list(rows)] = 0
    return found


def _seeds(basis: Basis, rows: Iterable[int]) -> Column:
    """The nodes of some rows: the leaves of a summary."""
    network = basis.network
    chosen: Column = np.zeros(len(network.table), dtype=np.int64)
    chosen[list(rows)] = 1
    is_in = chosen.astype(np.bool_)
    inner = network.parent[: len(network.plan.tasks)]
    around = inner.copy()
    while (around >= 0).any():
        is_in[: len(inner)] |= (around >= 0) & chosen[around].astype(np.bool_)
        around = np.where(around >= 0, inner[around], -1)
    seeds: Column = (is_in & (network.nodes.role == LEAF)).astype(np.int64)
    return seeds


def is_driving(schedule: Schedule, before: int, after: int) -> bool:
    """Whether a link from one row straight to another decides a date of the latter."""
    links, drives = schedule.basis.network.links, schedule.basis.dates.is_driving
    into = slice(int(links.first[after]), int(links.first[after + 1]))
    return bool((drives[into] & (links.predecessor[into] == before)).any())


def counted(schedule: Schedule, found: Bits) -> Counts:
    """How many leaves there are of each."""
    leaves = found[schedule.basis.network.nodes.role[: len(found)] == LEAF]
    return Counts(*(int(np.count_nonzero(leaves & flag)) for flag in (LEADS, DRIVES, FOLLOWS, IS_DRIVEN)))
