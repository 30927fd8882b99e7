"""StreamQueues: what was launched and may start now. It knows no threads, no clock and no data."""

from __future__ import annotations

from collections import deque

from engine.model import TaskId
from engine.program.operation import Program
from engine.runtime.backend import Launch


class StreamQueues:
    """Launches held per stream: first in, first out, one at a time.

    The first part of an operation x in iteration k is ready when every w in x.waits has ended iteration k, or has ended
    where it runs once.
    """

    def __init__(self, program: Program) -> None:
        self._held: list[deque[Launch]] = [deque() for _ in program.streams]
        self._is_busy = [False for _ in program.streams]
        self._ended: dict[TaskId, int] = {op.task: 0 for op in program.operations}

    def push(self, launch: Launch) -> None:
        """Put a part behind the others of its stream."""
        self._held[launch.operation.stream].append(launch)

    def take_ready(self) -> list[Launch]:
        """The parts that may start now, streams in order; each stream is busy until end() is told of its part."""
        ready = []
        for stream, held in enumerate(self._held):
            if held and not self._is_busy[stream] and self._is_ready(held[0]):
                self._is_busy[stream] = True
                ready.append(held.popleft())
        return ready

    def end(self, launch: Launch) -> None:
        """A part that was taken has ended."""
        self._is_busy[launch.operation.stream] = False
        if launch.part == launch.operation.parts - 1:
            self._ended[launch.operation.task] += launch.operation.iterations

    def drop(self) -> list[Launch]:
        """Give up and return every part that was not taken yet."""
        dropped = [launch for held in self._held for launch in held]
        for held in self._held:
            held.clear()
        return dropped

    def _is_ready(self, launch: Launch) -> bool:
        waits = launch.operation.waits if launch.part == 0 else ()
        return all(self._ended[task] > launch.iteration for task in waits)
