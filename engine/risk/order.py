"""The order of work on machines, as links: what a schedule puts one after the other stays so in every sample.

Each unit of a machine goes from task to task as the schedule has it. Tasks that overlap beyond the capacity stay as
they are: no link can keep what the schedule does not. It never changes a date.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from engine.model import Assignment, Clock, Plan, ResourceKind
from engine.schedule.columns import FINISHED, INACTIVE, LEAF, Column, Flags
from engine.schedule.cycles import components
from engine.schedule.schedule import Schedule

Pair = tuple[int, int]


def machine_links(plan: Plan, schedule: Schedule) -> list[Pair]:
    """Rows (before, after) of consecutive tasks of one unit of a machine; none that the plan's links contradict."""
    if plan.clock is Clock.DEVICE:  # those of streams are links of the network already
        return []
    machines = {each.id: each for each in plan.resources if each.kind is ResourceKind.MACHINE}
    used: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in plan.assignments:
        if assignment.resource in machines and _takes_part(schedule, schedule.rows[assignment.task]):
            used[assignment.resource].append(assignment)
    pairs: dict[Pair, None] = {}
    for number, uses in used.items():
        pairs |= dict.fromkeys(_handed_on(schedule, uses, machines[number].capacity))
    return _without_cycles(schedule, list(pairs))


def _takes_part(schedule: Schedule, row: int) -> bool:
    nodes = schedule.basis.network.nodes
    is_open = nodes.role[row] == LEAF and not nodes.flags[row] & (INACTIVE | FINISHED)
    return bool(is_open and schedule.start[row] < schedule.finish[row])


def _handed_on(schedule: Schedule, uses: list[Assignment], capacity: float) -> list[Pair]:
    """Units in shares of tasks: each task takes what was freed last before it starts."""
    rows = sorted((int(schedule.start[row]), row, each.units) for each in uses for row in [schedule.rows[each.task]])
    free: list[tuple[int, int, float]] = []  # (finish, row that had it, units)
    unused, pairs = capacity, list[Pair]()
    for start, row, units in rows:
        wanted = units
        for at in sorted(range(len(free)), key=lambda place: free[place][:2], reverse=True):
            finish, before, share = free[at]
            if finish <= start and wanted > 0 and share > 0:
                taken = min(share, wanted)
                pairs.append((before, row))
                free[at] = (finish, before, share - taken)
                wanted -= taken
        taken = min(unused, max(wanted, 0.0))
        unused, wanted = unused - taken, wanted - taken
        free = [each for each in free if each[2] > 0]
        if units > max(wanted, 0.0):
            free.append((int(schedule.finish[row]), row, units - max(wanted, 0.0)))
    return pairs


def _without_cycles(schedule: Schedule, pairs: list[Pair]) -> list[Pair]:
    network = schedule.basis.network
    if not pairs:
        return []
    before, after = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    predecessor: Column = np.concatenate((network.links.predecessor, before))
    successor: Column = np.concatenate((network.links.successor, after))
    component = components(len(network.table), predecessor, successor)
    is_kept: Flags = component[before] != component[after]
    return [pair for pair, kept in zip(pairs, is_kept.tolist(), strict=True) if kept]
