"""Stamps: spans inferred from events around each part. It never reads a clock and knows no CUDA.

The event before a part fires when the stream reaches it, which is too early where the part then waits for its engine.
What is known besides - the order of a stream, waits, engines that do one thing at a time, and when the host handed a
part over and saw its end - takes that out as far as it can be; what remains is labeled "inferred".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.model import TaskId
from engine.program.operation import Nanoseconds, Program
from engine.runtime.backend import Launch


@dataclass(slots=True)
class Stamp:
    """A part that has ended: `sequence` says when it was submitted among the others, `launch_ns` at what instant.

    `start_ns` and `end_ns` are those of its events, and become those of its span.
    """

    launch: Launch
    sequence: int
    launch_ns: Nanoseconds
    start_ns: Nanoseconds
    end_ns: Nanoseconds


class Stamps:
    """Where the parts of a run that were placed ended, by stream, by serial engine, and by task where others wait.

    `serial` names, for each engine that does one thing at a time, the row it shares (one copy engine serves both
    directions on some GPUs).
    """

    def __init__(self, program: Program, serial: Mapping[str, str]) -> None:
        self._serial = dict(serial)
        self._streams: dict[int, Nanoseconds] = {}
        self._engines: dict[str, Nanoseconds] = {}
        self._waiters = Counter(task for op in program.operations for task in op.waits)
        # (task, iteration) -> its end, and how many operations have still to ask for it.
        self._tasks: dict[tuple[TaskId, int], tuple[Nanoseconds, int]] = {}

    def place(self, ended: Iterable[Stamp], seen_ns: Nanoseconds) -> list[Stamp]:
        """Spans of all parts that ended since the last call, in the order they ended; the host saw that at `seen_ns`.

        start' = max(start, handed over, end of the part before on its stream, ends of what it waits for, end of the
        part before on its serial engine); end' = max(start', min(end, seen)).
        """
        stamps = sorted(ended, key=lambda stamp: stamp.sequence)
        self._order_ends(stamps, seen_ns)
        stamps.sort(key=lambda stamp: (stamp.end_ns, stamp.sequence))
        for stamp in stamps:
            self._place(stamp)
        return stamps

    def _order_ends(self, stamps: list[Stamp], seen_ns: Nanoseconds) -> None:
        """Ends as the host could see them, none before that of a part that came before by the program's order.

        Elapsed times are rounded: two parts in order may show ends that differ by a fraction of a microsecond too few.
        """
        streams: dict[int, Nanoseconds] = {}
        tasks: dict[tuple[TaskId, int], Nanoseconds] = {}
        for stamp in stamps:
            operation, iteration = stamp.launch.operation, stamp.launch.iteration
            waits = [tasks.get((task, iteration), 0) for task in _waits(stamp)]
            latest = max(streams.get(operation.stream, 0), *waits, stamp.launch_ns)
            stamp.end_ns = max(latest, min(stamp.end_ns, seen_ns))
            streams[operation.stream] = tasks[operation.task, iteration] = stamp.end_ns

    def _place(self, stamp: Stamp) -> None:
        operation, iteration = stamp.launch.operation, stamp.launch.iteration
        engine = self._serial.get(operation.engine, "")
        befores = [self._ask(task, iteration) for task in _waits(stamp)]
        befores += [self._streams.get(operation.stream, 0), self._engines.get(engine, 0) if engine else 0]
        stamp.start_ns = max(stamp.start_ns, stamp.launch_ns, *befores)
        stamp.end_ns = max(stamp.start_ns, stamp.end_ns)
        self._streams[operation.stream] = stamp.end_ns
        if engine:
            self._engines[engine] = stamp.end_ns
        if stamp.launch.part == operation.parts - 1 and (waiters := self._waiters[operation.task]):
            self._tasks[operation.task, iteration] = stamp.end_ns, waiters

    def _ask(self, task: TaskId, iteration: int) -> Nanoseconds:
        """The end of a task that another waits for; forgotten once all have asked."""
        end, left = self._tasks.pop((task, iteration), (0, 0))
        if left > 1:
            self._tasks[task, iteration] = end, left - 1
        return end


def _waits(stamp: Stamp) -> tuple[TaskId, ...]:
    return stamp.launch.operation.waits if stamp.launch.part == 0 else ()
