"""predict: what a run of a program should look like by its costs alone. It runs nothing, and no device shares it.

Engines are servers with lanes; a stream is first in, first out; what was ready first starts first. While several
operations are at work, on whatever engines, each goes on at 1 / slowdown(how many, its bound, how many of them are
bound by bytes) of its speed alone.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import ceil

import numpy as np

from engine.model import TaskId
from engine.program.hazards import iteration_waits
from engine.program.operation import Nanoseconds, Operation, Program
from engine.program.profile import DeviceProfile
from engine.trace.timeline import ENGINES, Timeline

# Rows become an array so many at a time: a worker that predicts must not hold the interpreter lock for long.
BLOCK_ROWS = 1_000
# Of how many iterations the longest path is followed one by one.
_LOOKED_AT = 1_000


def predict(
    program: Program, profile: DeviceProfile, repeat: int = 1, is_wanted: Callable[[], bool] = lambda: True
) -> Timeline:
    """The predicted timeline: one part a span. Each operation takes its cost, slowed down by what goes on beside it,
    and starts as soon as its stream, its waits, the iteration before and the lanes of its engine allow; its span
    begins once it is launched. It ends where it is no longer wanted."""
    timeline = Timeline(program.streams, {op.task: op.name for op in program.operations})
    rows = _Placing(program, profile, repeat).rows()
    while is_wanted() and (block := list(islice(rows, BLOCK_ROWS))):
        timeline.extend(np.array(block, dtype=np.int64))
    return timeline


def bound_ns(program: Program, repeat: int = 1) -> int:
    """No run on a device of this profile, and no prediction, can be shorter: the load of the busiest engine with the
    least that runs before and after it, or the longest path of waits. Both count work alone, without the latencies
    that a device may hide.

    Of an engine with c lanes it is min head(x) + sum work(x) lanes(x) / c + min tail(x) over its operations x, where
    head is the longest path that leads to x and tail the longest that follows it. What runs once counts once.
    """
    lanes = dict(program.engines)
    load: dict[str, int] = defaultdict(int)
    for op in program.operations:
        load[op.engine] += op.work_ns * op.lanes * (1 if op.is_once else repeat)
    around = _least_around(program, repeat)
    busiest = max((-(-total // lanes.get(engine, 1)) + around[engine] for engine, total in load.items()), default=0)
    return max(busiest, _longest_path(program, repeat))


def serial_ns(program: Program, repeat: int = 1) -> int:
    """All operations one after another."""
    return sum(op.cost_ns * (1 if op.is_once else repeat) for op in program.operations)


@dataclass(slots=True)
class _Stream:
    """Where a stream stands: its next operation, and since when that is ready (None: it is not).

    `missing` are the tasks that it still waits for, each with how many iterations of it must have ended; `again` are
    the operations of every iteration after the first; `free_at` is when its operation before ended.
    """

    operations: tuple[Operation, ...]
    again: tuple[Operation, ...]
    operation: Operation
    missing: list[tuple[TaskId, int]]
    iteration: int = 0
    index: int = 0
    is_busy: bool = False
    ready_at: Nanoseconds | None = None
    free_at: Nanoseconds = 0


@dataclass(slots=True)
class _Work:
    """An operation on its engine: what is left of its cost were it alone, and its place in the order of starts."""

    stream: _Stream
    left_ns: float
    begin_ns: Nanoseconds
    number: int
    taken: int
    slowdowns: list[list[float]]


@dataclass(slots=True)
class _Placing:
    """Places every operation of every iteration once, from one instant at which something ends to the next.

    All that are at work at once slow each other down as the profile says.
    """

    program: Program
    profile: DeviceProfile
    repeat: int
    streams: list[_Stream] = field(init=False)
    free: dict[str, int] = field(init=False)
    lanes: dict[str, int] = field(init=False)
    most: int = field(init=False)
    ended: dict[TaskId, int] = field(init=False)
    across: dict[TaskId, tuple[TaskId, ...]] = field(init=False)
    # By what an operation is bound by, how many are at work, and how many of them are bound by bytes.
    slowdowns: dict[str, list[list[float]]] = field(init=False)
    working: list[_Work] = field(default_factory=list)
    now: Nanoseconds = 0
    started: int = 0

    def __post_init__(self) -> None:
        self.lanes = dict(self.profile.engines)
        self.free = dict(self.lanes)
        self.most = self.profile.most_at_once or len(self.program.streams)
        self.ended = {op.task: 0 for op in self.program.operations}
        self.across = iteration_waits(self.program)
        both = zip(self.program.by_stream(), self.program.again().by_stream(), strict=True)
        self.streams = [_Stream(first, again, first[0], self._missing(first[0], 0)) for first, again in both if first]
        counts = range(len(self.streams) + 1)
        self.slowdowns = {
            bound: [[self.profile.slowdown(count, bound, memory) for memory in counts] for count in counts]
            for bound in {op.bound for op in self.program.operations}
        }

    def rows(self) -> Iterator[tuple[int, ...]]:
        """The one part of every span, in the order of their starts."""
        waiting: list[tuple[int, tuple[int, ...]]] = []
        told = 0
        self._start()
        while self.working:
            for row in self._finish():
                heapq.heappush(waiting, row)
            self._start()
            while waiting and waiting[0][0] == told:
                yield heapq.heappop(waiting)[1]
                told += 1

    def _start(self) -> None:
        """All that can start now do: what was ready first, and of equals the one on the earlier stream."""
        ready = [
            (since, index)
            for index, stream in enumerate(self.streams)
            if not stream.is_busy and (since := self._ready(stream)) >= 0
        ]
        ready.sort()
        for _, index in ready:
            stream = self.streams[index]
            op = stream.operation
            taken = min(op.lanes, self.lanes[op.engine])
            if taken <= self.free[op.engine] and len(self.working) < self.most:
                self.free[op.engine] -= taken
                stream.is_busy = True
                slowdowns = self.slowdowns[op.bound]
                wake_ns = self.profile.wake_latency_ns if self.now > stream.free_at else 0
                begin_ns = self.now + wake_ns + op.launch_ns
                self.working.append(_Work(stream, wake_ns + op.cost_ns, begin_ns, self.started, taken, slowdowns))
                self.started += 1

    def _ready(self, stream: _Stream) -> Nanoseconds:
        """Since when a stream's next operation is; -1 while it waits, or when there is none."""
        if stream.ready_at is None:
            missing, ended = stream.missing, self.ended
            while missing and ended[missing[-1][0]] >= missing[-1][1]:
                missing.pop()
            if missing or stream.iteration >= self.repeat:
                return -1
            stream.ready_at = self.now
        return stream.ready_at

    def _missing(self, op: Operation, iteration: int) -> list[tuple[TaskId, int]]:
        """What must have ended before an operation starts in an iteration, and how often."""
        return [*((task, iteration + 1) for task in op.waits), *((task, iteration) for task in self.across[op.task])]

    def _advance(self, stream: _Stream) -> None:
        stream.is_busy, stream.ready_at, stream.free_at = False, None, self.now
        stream.index += 1
        if stream.index == len(stream.operations):
            stream.index = 0
            stream.iteration += 1
            stream.operations = stream.again
            if not stream.again:
                stream.iteration = self.repeat
                return
        stream.operation = stream.operations[stream.index]
        stream.missing = self._missing(stream.operation, stream.iteration)

    def _finish(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Go to the next instant at which something ends; the place in the order of starts, and the row, of each."""
        count = len(self.working)
        in_memory = sum(work.stream.operation.bound == "bytes" for work in self.working)
        left_ns = min(work.left_ns * work.slowdowns[count][in_memory] for work in self.working)
        # A nanosecond is the grain: what floats add beyond it must not make one more.
        step_ns = max(0, ceil(left_ns - 1e-6))
        self.now += step_ns
        going: list[_Work] = []
        for work in self.working:
            work.left_ns -= step_ns / work.slowdowns[count][in_memory]
            if work.left_ns > 1e-6:
                going.append(work)
                continue
            op, iteration = work.stream.operation, work.stream.iteration
            self.free[op.engine] += work.taken
            self.ended[op.task] += op.iterations
            self._advance(work.stream)
            begin = min(work.begin_ns, self.now)
            yield work.number, (op.task, iteration, 0, 1, op.stream, ENGINES.index(op.engine), begin, self.now)
        self.working = going


def _least_around(program: Program, repeat: int) -> dict[str, Nanoseconds]:
    """By engine: the least work that runs before its first operation, and after its last, in any order of them.

    What comes first on an engine is of the first iteration; what comes last is of the last one, or runs once.
    """
    heads: dict[str, Nanoseconds] = {}
    tails: dict[str, Nanoseconds] = {}
    first, last = program, program.again() if repeat > 1 else program
    for op, head in zip(first.operations, _heads(first), strict=True):
        heads[op.engine] = min(head, heads.get(op.engine, head))
    for part in (first,) if last is first else (first, last):
        for op, tail in zip(part.operations, _tails(part), strict=True):
            if op.is_once or part is last:
                tails[op.engine] = min(tail, tails.get(op.engine, tail))
    return {engine: head + tails[engine] for engine, head in heads.items()}


def _heads(program: Program) -> list[Nanoseconds]:
    """Of each operation the longest path of work that leads to it within an iteration."""
    ends: dict[TaskId, Nanoseconds] = {}
    streams = [0] * len(program.streams)
    heads = []
    for op in program.operations:
        heads.append(max([streams[op.stream], *(ends[task] for task in op.waits)]))
        ends[op.task] = streams[op.stream] = heads[-1] + op.work_ns
    return heads


def _tails(program: Program) -> list[Nanoseconds]:
    """Of each operation the longest path of work that follows it within an iteration."""
    tails = dict.fromkeys((op.task for op in program.operations), 0)
    streams = [0] * len(program.streams)
    for op in reversed(program.operations):
        tails[op.task] = max(tails[op.task], streams[op.stream])
        streams[op.stream] = tails[op.task] + op.work_ns
        for task in op.waits:
            tails[task] = max(tails[task], streams[op.stream])
    return list(tails.values())


def _longest_path(program: Program, repeat: int) -> Nanoseconds:
    """finish(x, k) = work(x) + max of finish over the stream's last, x's waits and what x needs of iteration k - 1.

    These are sums and maxima only: once an iteration shifts every finish by the same time, all later ones do. Where
    that does not come soon, as of streams that know nothing of each other, the work of a stream alone is counted on.
    """
    across = iteration_waits(program)
    streams = [0] * len(program.streams)
    before: dict[TaskId, Nanoseconds] = {}
    again = program.again()
    for iteration in range(min(repeat, _LOOKED_AT)):
        finish: dict[TaskId, Nanoseconds] = {}
        now = again if iteration else program
        for op in now.operations:
            bounds = [streams[op.stream], *(finish[task] for task in op.waits)]
            bounds += [before[task] for task in across[op.task] if task in before]
            finish[op.task] = streams[op.stream] = max(bounds) + op.work_ns
        # The first iteration may do more than the others.
        shifts = {finish[task] - before[task] for task in finish if iteration > int(now is not program)}
        if len(shifts) == 1:
            return max(*streams, max(finish.values()) + shifts.pop() * (repeat - 1 - iteration))
        if not finish:
            break
        before = finish
    left = max(0, repeat - _LOOKED_AT)
    loads = (sum(op.work_ns for op in operations) for operations in again.by_stream())
    return max((end + left * load for end, load in zip(streams, loads, strict=True)), default=0)
