"""The pieces of tasks that pause: by a split, or where what remains was moved. It never moves one."""

from __future__ import annotations

from engine.model import Ticks
from engine.schedule.columns import FINISHED, LEAF, MANUAL, NONE, STARTED, Column
from engine.schedule.network import Network

Segment = tuple[Ticks, Ticks]


def find_segments(network: Network, start: Column, finish: Column) -> tuple[tuple[Segment, ...], ...]:
    """(start, finish) of the pieces of each row, none for a row in one piece."""
    return tuple(pieces(network, row, int(start[row]), int(finish[row])) for row in range(len(network.plan.tasks)))


def pieces(network: Network, row: int, start: Ticks, finish: Ticks) -> tuple[Segment, ...]:
    """(start, finish) of the pieces of one row, none for a row in one piece."""
    task, nodes = network.plan.tasks[row], network.nodes
    flags = int(nodes.flags[row])
    if nodes.role[row] != LEAF or flags & (MANUAL | FINISHED):
        return ()
    moves = bool(flags & STARTED and network.rules.moves_remaining and nodes.start_at[row] != NONE)
    if not task.splits and not moves:
        return ()
    time = network.times[nodes.calendar[row]]
    found: list[Segment] = []
    at, done = time.next_start(start) if not moves else start, 0
    for split in sorted(task.splits, key=lambda known: known.work):
        if done < split.work < task.duration and split.gap:
            end = time.add(at, split.work - done)
            found.append((at, end))
            at, done = time.next_start(time.add(end, split.gap)), split.work
    if moves and 0 < nodes.remaining[row] < nodes.length[row]:
        rest = time.add(finish, -int(nodes.remaining[row]))
        end = time.add(start, int(nodes.length[row] - nodes.remaining[row]))
        if not task.splits and time.between(end, rest) > 0:
            return (start, end), (rest, finish)
    found.append((at, finish))
    return tuple(found) if len(found) > 1 else ()
