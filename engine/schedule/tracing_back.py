"""What holds a task back in a plan that is dated from its finish: what comes after it, through stand-ins.

It never changes a date.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.model import Ticks
from engine.schedule.columns import FF, FINISHED, FS, INACTIVE, LEAF, MIN, NEVER, SS, Dates
from engine.schedule.network import Network

_LONGEST = 200


class Held(NamedTuple):
    """A task that must not be later: its start or its finish, and when that is to be."""

    node: int
    is_start: bool
    date: Ticks


def last(network: Network, dates: Dates) -> Ticks:
    """The instant that late dates are counted back from."""
    finish = network.plan.settings.finish
    return int(dates.late_finish[network.nodes.role == LEAF].max()) if finish is None else finish


def room(network: Network, dates: Dates, node: int) -> tuple[Ticks, Ticks, int]:
    """The latest start and finish that links out of a node and the plan's finish leave it, and the link that does."""
    links, nodes = network.links, network.nodes
    starts_by, ends_by = NEVER, last(network, dates) if nodes.role[node] == LEAF else NEVER
    binding = -1
    for link in links.out[links.out_first[node] : links.out_first[node + 1]].tolist():
        after, kind = int(links.successor[link]), int(links.kind[link])
        if nodes.flags[after] & (FINISHED | INACTIVE) or (kind == MIN and dates.start[after] != dates.start[node]):
            continue
        date = int((dates.late_start if kind in (FS, SS, MIN) else dates.late_finish)[after])
        time, lag = network.times[links.calendar[link]], int(links.lag[link])
        bound = time.start_at(time.work_before(date) - lag) if lag else date
        if kind in (FS, FF) and bound <= ends_by:
            ends_by, binding = bound, link
        elif kind not in (FS, FF) and bound <= starts_by:
            starts_by, binding = bound, link
    return starts_by, ends_by, binding


def path(network: Network, dates: Dates, node: int) -> list[Held]:
    """What holds a task back, what that is held back by, and so on; the plan's finish holds the last of them back."""
    found: list[Held] = []
    while len(found) < _LONGEST:
        binding = room(network, dates, node)[2]
        if binding < 0:
            break
        node = int(network.links.successor[binding])
        if network.nodes.role[node] == LEAF:
            is_start = int(network.links.kind[binding]) in (FS, SS)
            found.append(Held(node, is_start, int((dates.late_start if is_start else dates.late_finish)[node])))
    return found
