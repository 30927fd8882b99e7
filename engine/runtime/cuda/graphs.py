"""Graphs: one iteration of short operations captured as a CUDA graph, and whether replaying it is measurably quicker.

What runs once is in no graph: the first iteration goes part by part. It never hands a run's parts over, and stamps
nothing; rounds.py does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.model import Memory, OperationKind, TaskId
from engine.program.hazards import iteration_waits
from engine.program.operation import Program
from engine.runtime.backend import Launch
from engine.runtime.cuda.faults import is_sticky
from engine.runtime.cuda.work import Work

# To launch an operation takes a few microseconds: one that is predicted to take longer hides that by itself.
SHORT_NS = 20_000
# What is tried must pay within the run.
LEAST_REPEATS = 20
# Replays have to take this share of the time of single launches, at most, to be used.
LEAST_GAIN = 0.9
# A pause and a cancel act between rounds, and what a round has ended is told at once.
ROUND_NS, ROUND_PARTS = 20_000_000, 2_048
# Both ways are timed in turn, so often, for about so long or so many iterations: the quickest of each counts.
TRIALS, TRIAL_NS, TRIAL_ITERATIONS = 3, 20_000_000, 100


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What an iteration took, launched part by part and as a graph. `at_once`: how many make a round; 0: none does."""

    graph: Any
    single_ns: float
    replay_ns: float
    at_once: int


def rehearse(cupy: Any, program: Program, work: Work, streams: Sequence[Any], repeat: int) -> Rehearsal | None:
    """Tries both ways on the program's buffers, which then hold anything; None where a graph is out of the question.

    Blocks, and allocates nothing on the GPU. Raises what CUDA raises where the device is lost.
    """
    again = program.again()
    left = repeat if again is program else repeat - 1
    if left < LEAST_REPEATS or not is_short(program, work):
        return None
    if again is not program:
        # What the other iterations use must be there.
        _submit_all(program, work, streams)
    iteration = _Iteration(cupy, again, work, streams)
    graph = iteration.captured()
    if graph is None:
        return None
    predicted_ns = max(1, sum(op.cost_ns for op in again.operations))
    times = max(3, min(TRIAL_ITERATIONS, TRIAL_NS // predicted_ns))
    single_ns = replay_ns = float("inf")
    for _ in range(TRIALS):
        single_ns = min(single_ns, iteration.timed(iteration.enqueue, times))
        replay_ns = min(replay_ns, iteration.timed(lambda: graph.launch(streams[0]), times))
    fitting = min(int(ROUND_NS // max(1.0, replay_ns)), ROUND_PARTS // len(again.operations), left)
    return Rehearsal(graph, single_ns, replay_ns, max(1, fitting) if replay_ns <= LEAST_GAIN * single_ns else 0)


def is_short(program: Program, work: Work) -> bool:
    """Whether all that is repeated can be captured, and is short enough that launching it may be what takes long.

    Library calls take memory from a pool and give it back: a graph would go on using what others then own.
    """
    pageable = {buffer.id for buffer in program.buffers if buffer.memory is Memory.PAGEABLE}
    copies = (OperationKind.COPY_IN, OperationKind.COPY_OUT)
    operations = program.again().operations
    if any(op.kind is OperationKind.HOST for op in program.operations):
        return False
    return bool(operations) and not any(
        op.parts > 1 or op.cost_ns >= SHORT_NS or work.is_library(op) or (op.kind in copies and op.reads[0] in pageable)
        for op in operations
    )


def _submit_all(program: Program, work: Work, streams: Sequence[Any]) -> None:
    """One iteration, one part after another, until all have ended."""
    for op in program.operations:
        for part in range(op.parts):
            work.submit(Launch(op, 0, part), streams[op.stream])
        streams[op.stream].synchronize()


class _Iteration:
    """One iteration on the run's streams, with events of its own."""

    def __init__(self, cupy: Any, program: Program, work: Work, streams: Sequence[Any]) -> None:
        self._program, self._work, self._streams = program, work, streams
        self._across = iteration_waits(program)
        self._waited = {task for op in program.operations for task in (*op.waits, *self._across[op.task])}
        self._events = {op.task: (cupy.cuda.Event(), cupy.cuda.Event()) for op in program.operations}
        self._forks = [cupy.cuda.Event(disable_timing=True) for _ in streams]
        self._recorded: set[TaskId] = set()

    def enqueue(self) -> None:
        """Part by part and between events, as a run does without graphs."""
        for op in self._program.operations:
            stream = self._streams[op.stream]
            begun, ended = self._events[op.task]
            for task in (*op.waits, *(self._across[op.task] if op.task in self._recorded else ())):
                stream.wait_event(self._events[task][1])
            begun.record(stream)
            self._work.submit(Launch(op, 0, 0), stream)
            ended.record(stream)
            self._recorded.add(op.task)

    def captured(self) -> Any:
        """The graph; None where CUDA will not capture this."""
        origin = self._streams[0]
        try:
            origin.begin_capture()
            self._capture()
            graph = origin.end_capture()
        except RuntimeError as problem:
            with suppress(RuntimeError):  # a capture that failed has to be ended all the same
                origin.end_capture()
            if is_sticky(problem):
                raise
            return None
        return graph

    def timed(self, once: Callable[[], object], times: int) -> float:
        """Nanoseconds of an iteration, of so many in a row on streams that were idle."""
        self._synchronize()
        began = time.perf_counter_ns()
        for _ in range(times):
            once()
        self._synchronize()
        return (time.perf_counter_ns() - began) / times

    def _capture(self) -> None:
        """The first stream forks to the others and joins them again; what waits for what is as the program says."""
        origin, *others = self._streams
        self._forks[0].record(origin)
        for stream in others:
            stream.wait_event(self._forks[0])
        for op in self._program.operations:
            stream = self._streams[op.stream]
            for task in op.waits:
                stream.wait_event(self._events[task][1])
            self._work.submit(Launch(op, 0, 0), stream)
            if op.task in self._waited:
                self._events[op.task][1].record(stream)
        for stream, event in zip(others, self._forks[1:], strict=True):
            event.record(stream)
            origin.wait_event(event)

    def _synchronize(self) -> None:
        for stream in self._streams:
            stream.synchronize()
