"""What an iteration of a program must leave alone until the one before has done with it. It never looks at costs."""

from __future__ import annotations

from collections import defaultdict

from engine.model import OperationSpec, Side, TaskId
from engine.program.operation import Program
from engine.trace.waits import Waits

Location = tuple[str, Side]


def waits_of(program: Program) -> Waits:
    """What a run of a program obeys beside the order on its streams: events, what the next iteration must not touch
    yet, and the lanes of its engines."""
    across = iteration_waits(program)
    events = ((before, op.task, 0) for op in program.operations for before in op.waits)
    turns = ((before, op.task, 1) for op in program.operations for before in across[op.task])
    return Waits((*events, *turns), ((op.task, op.lanes) for op in program.operations), program.engines)


def iteration_waits(program: Program) -> dict[TaskId, tuple[TaskId, ...]]:
    """For each operation x the tasks of iteration k - 1 that must have ended before x starts in iteration k.

    Of each other stream it is the last operation that writes what x touches or touches what x writes, and where that
    runs once, the last that does not; a stream keeps its own order anyway. What runs once waits for no iteration; who
    comes after it by the program has waited for it in the first one.
    """
    position = {op.task: index for index, op in enumerate(program.operations)}
    # By stream, and whether it runs once.
    touching: dict[Location, dict[tuple[int, bool], TaskId]] = defaultdict(dict)
    writing: dict[Location, dict[tuple[int, bool], TaskId]] = defaultdict(dict)
    accesses = {}
    for op in program.operations:
        accesses[op.task] = reads, writes = OperationSpec(op.kind, reads=op.reads, writes=op.writes).accesses()
        for location in reads | writes:
            touching[location][op.stream, op.is_once] = op.task
        for location in writes:
            writing[location][op.stream, op.is_once] = op.task
    found: dict[TaskId, tuple[TaskId, ...]] = {}
    for op in program.operations:
        reads, writes = accesses[op.task]
        last: dict[tuple[int, bool], TaskId] = {}
        for users in [writing[where] for where in reads] + [touching[where] for where in writes]:
            for place, task in users.items():
                if place[0] != op.stream and (place not in last or position[task] > position[last[place]]):
                    last[place] = task
        ordered = ((place, last[place]) for place in sorted(last) if not op.is_once)
        found[op.task] = tuple(
            task for (_, is_once), task in ordered if not is_once or position[task] > position[op.task]
        )
    return found
