"""Submissions: which launched parts may go to CUDA now. It knows no CUDA, no threads and no clock.

A GPU keeps the order of a stream and waits for events by itself, so a part goes to it long before it may start. Two
things cannot wait there: work of the host's own, which has no place on a CUDA stream, and what comes after it.
"""

from __future__ import annotations

from collections import deque

from engine.model import OperationKind, TaskId
from engine.program.operation import Program
from engine.runtime.backend import Launch

# Parts of a stream that CUDA holds at once. More would only fill its finite queue, and block whoever fills it.
SLOTS = 4


class Submissions:
    """Launches held per stream, first in, first out.

    The head of a stream goes when the stream has a slot and no blocking call underway, and, for the first part of an
    operation x in iteration k, when every w in x.waits was submitted in iteration k (its event exists) - or has ended
    it, where w or x is work of the host.
    """

    def __init__(self, program: Program, slots: int = SLOTS) -> None:
        self._slots = slots
        self._held: list[deque[Launch]] = [deque() for _ in program.streams]
        self._underway = [0 for _ in program.streams]
        self._is_blocked = [False for _ in program.streams]
        self._on_host = {op.task for op in program.operations if op.kind is OperationKind.HOST}
        self._submitted: dict[TaskId, int] = {op.task: 0 for op in program.operations}
        self._ended: dict[TaskId, int] = {op.task: 0 for op in program.operations}

    def push(self, launch: Launch) -> None:
        """Put a part behind the others of its stream."""
        self._held[launch.operation.stream].append(launch)

    def take(self) -> Launch | None:
        """A part that may go now, or None. It holds a slot until end(), and blocks its stream until submitted()."""
        for stream, held in enumerate(self._held):
            if held and self._may_go(held[0], stream):
                self._underway[stream] += 1
                self._is_blocked[stream] = True
                return held.popleft()
        return None

    def submitted(self, launch: Launch) -> None:
        """CUDA has the part; the next of its stream may follow."""
        self._is_blocked[launch.operation.stream] = False
        if launch.part == launch.operation.parts - 1:
            self._submitted[launch.operation.task] += launch.operation.iterations

    def end(self, launch: Launch) -> None:
        """A part has ended, and its slot is free."""
        self._underway[launch.operation.stream] -= 1
        if launch.part == launch.operation.parts - 1:
            self._ended[launch.operation.task] += launch.operation.iterations

    def skip(self, iterations: int) -> None:
        """So many iterations went by another way, and have ended."""
        for task in self._submitted:
            self._submitted[task] += iterations
            self._ended[task] += iterations

    def drop(self) -> list[Launch]:
        """Give up and return every part that was not taken."""
        dropped = [launch for held in self._held for launch in held]
        for held in self._held:
            held.clear()
        return dropped

    def _may_go(self, launch: Launch, stream: int) -> bool:
        if self._is_blocked[stream] or self._underway[stream] >= self._slots:
            return False
        is_host = launch.operation.task in self._on_host
        if is_host and self._underway[stream]:
            return False
        waits = launch.operation.waits if launch.part == 0 else ()
        return all(self._count(task, is_host) > launch.iteration for task in waits)

    def _count(self, task: TaskId, is_for_host: bool) -> int:
        return self._ended[task] if is_for_host or task in self._on_host else self._submitted[task]
