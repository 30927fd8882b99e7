"""predict: what a run of a program should look like by its costs alone. It knows no events, and no device shares it.

Engines are servers with lanes; a stream is first in, first out; what can start earliest starts next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

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
    """The predicted timeline: one part a span. Each operation takes its cost, and starts as soon as its stream, its
    waits, the iteration before and the lanes of its engine allow. It ends where it is no longer wanted."""
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
    head is the longest path that leads to x and tail the longest that follows it.
    """
    lanes = dict(program.engines)
    load: dict[str, int] = defaultdict(int)
    for op in program.operations:
        load[op.engine] += op.work_ns * op.lanes * repeat
    around = _least_around(program)
    busiest = max((-(-total // lanes.get(engine, 1)) + around[engine] for engine, total in load.items()), default=0)
    return max(busiest, _longest_path(program, repeat))


def serial_ns(program: Program, repeat: int = 1) -> int:
    """All operations one after another."""
    return repeat * sum(op.cost_ns for op in program.operations)


@dataclass(slots=True)
class _Stream:
    """Where a stream stands: its next operation, and when that is ready (None: not known yet)."""

    operations: tuple[Operation, ...]
    iteration: int = 0
    index: int = 0
    free_at: Nanoseconds = 0
    ready_at: Nanoseconds | None = None

    @property
    def operation(self) -> Operation:
        return self.operations[self.index]

    def advance(self, end: Nanoseconds) -> None:
        self.free_at, self.ready_at = end, None
        self.index += 1
        if self.index == len(self.operations):
            self.index = 0
            self.iteration += 1


@dataclass(slots=True)
class _Placing:
    """Places every operation of every iteration once; starts never decrease."""

    program: Program
    profile: DeviceProfile
    repeat: int
    streams: list[_Stream] = field(init=False)
    lanes: dict[str, list[Nanoseconds]] = field(init=False)
    ends: dict[tuple[TaskId, int], Nanoseconds] = field(default_factory=dict)
    across: dict[TaskId, tuple[TaskId, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.streams = [_Stream(operations) for operations in self.program.by_stream() if operations]
        self.lanes = {engine: [0] * count for engine, count in self.profile.engines}
        self.across = iteration_waits(self.program)

    def rows(self) -> Iterator[tuple[int, ...]]:
        """The one part of every span, in the order of their starts."""
        for _ in range(len(self.program.operations) * self.repeat):
            offers = ((start, index) for index in range(len(self.streams)) if (start := self._offer(index)) is not None)
            start, index = min(offers)
            yield self._place(self.streams[index], start)

    def _offer(self, index: int) -> Nanoseconds | None:
        """The earliest start of a stream's next operation; None while it waits for one that is not placed."""
        stream = self.streams[index]
        if stream.iteration >= self.repeat:
            return None
        if stream.ready_at is None:
            stream.ready_at = self._ready(stream)
        if stream.ready_at is None:
            return None
        lanes = self.lanes[stream.operation.engine]
        return max(stream.ready_at, lanes[min(stream.operation.lanes, len(lanes)) - 1])

    def _ready(self, stream: _Stream) -> Nanoseconds | None:
        wanted = [(task, stream.iteration) for task in stream.operation.waits]
        if stream.iteration > 0:
            wanted += [(task, stream.iteration - 1) for task in self.across[stream.operation.task]]
        ready = stream.free_at
        for key in wanted:
            if key not in self.ends:
                return None
            ready = max(ready, self.ends[key])
        return ready

    def _place(self, stream: _Stream, start: Nanoseconds) -> tuple[int, ...]:
        op, iteration = stream.operation, stream.iteration
        end = start + op.cost_ns
        lanes = self.lanes[op.engine]
        taken = min(op.lanes, len(lanes))
        lanes[:taken] = [end] * taken
        lanes.sort()
        self.ends[op.task, iteration] = end
        stream.advance(end)
        return (op.task, iteration, 0, 1, op.stream, ENGINES.index(op.engine), start, end)


def _least_around(program: Program) -> dict[str, Nanoseconds]:
    """By engine: the least work that runs before its first operation, and after its last, in any order of them."""
    heads: dict[TaskId, Nanoseconds] = {}
    ends: dict[TaskId, Nanoseconds] = {}
    tails = dict.fromkeys((op.task for op in program.operations), 0)
    last: dict[int, TaskId] = {}
    before: dict[TaskId, list[TaskId]] = {}
    for op in program.operations:
        before[op.task] = [*op.waits, *([last[op.stream]] if op.stream in last else [])]
        last[op.stream] = op.task
        heads[op.task] = max((ends[task] for task in before[op.task]), default=0)
        ends[op.task] = heads[op.task] + op.work_ns
    for op in reversed(program.operations):
        for task in before[op.task]:
            tails[task] = max(tails[task], tails[op.task] + op.work_ns)
    engines: dict[str, list[TaskId]] = defaultdict(list)
    for op in program.operations:
        engines[op.engine].append(op.task)
    return {
        engine: min(heads[task] for task in tasks) + min(tails[task] for task in tasks)
        for engine, tasks in engines.items()
    }


def _longest_path(program: Program, repeat: int) -> Nanoseconds:
    """finish(x, k) = work(x) + max of finish over the stream's last, x's waits and what x needs of iteration k - 1.

    These are sums and maxima only: once an iteration shifts every finish by the same time, all later ones do. Where
    that does not come soon, as of streams that know nothing of each other, the work of a stream alone is counted on.
    """
    across = iteration_waits(program)
    streams = [0] * len(program.streams)
    before: dict[TaskId, Nanoseconds] = {}
    for iteration in range(min(repeat, _LOOKED_AT)):
        finish: dict[TaskId, Nanoseconds] = {}
        for op in program.operations:
            bounds = [streams[op.stream], *(finish[task] for task in op.waits)]
            bounds += [before[task] for task in across[op.task] if iteration]
            finish[op.task] = streams[op.stream] = max(bounds) + op.work_ns
        shifts = {finish[task] - before[task] for task in before}
        if len(shifts) == 1:
            return max(finish.values()) + shifts.pop() * (repeat - 1 - iteration)
        before = finish
    left = max(0, repeat - _LOOKED_AT)
    loads = (sum(op.work_ns for op in operations) for operations in program.by_stream())
    return max((end + left * load for end, load in zip(streams, loads, strict=True)), default=0)
