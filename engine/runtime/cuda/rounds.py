"""Rounds: iterations that go to CUDA at once, as replays of a graph, and the spans of what they did.

Between two replays an event fires; what an iteration did between two events is placed by the costs that the program
predicts, and so is inferred. It never decides how many iterations make a round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.model import TaskId
from engine.program.operation import Nanoseconds, Program
from engine.runtime.backend import Completion, Launch
from engine.runtime.cuda.clock import DeviceClock
from engine.runtime.cuda.faults import is_sticky, problem_of, words
from engine.runtime.cuda.graphs import Rehearsal
from engine.runtime.cuda.threads import Worker

# Rounds that CUDA holds at once: one that goes on, one that follows it without a gap.
DEPTH = 2


@dataclass(slots=True, eq=False)
class Round:
    """Launches that went to CUDA at `launch_ns`, and the events before, between and behind their iterations."""

    launches: list[Launch]
    launch_ns: Nanoseconds
    events: list[Any]


class Rounds:
    """Rounds of one run. `placed` are the shares of an iteration; `tell(round, problem)` is called on a thread once a
    round has ended, or CUDA has refused it."""

    def __init__(
        self,
        cupy: Any,
        rehearsal: Rehearsal,
        placed: Mapping[TaskId, tuple[float, float]],
        stream: Any,
        tell: Callable[[Round, BaseException | None], None],
    ) -> None:
        self._tell = tell
        self._graph, self._stream = rehearsal.graph, stream
        self._shares = placed
        self._size = rehearsal.at_once * len(placed)
        self._held: list[Launch] = []
        events = rehearsal.at_once + 1
        self._events = deque([cupy.cuda.Event(block=True) for _ in range(events)] for _ in range(DEPTH))
        self._last_ns = 0
        self._problem: BaseException | None = None
        self._waiter = Worker("waits for rounds", cupy.cuda.Device(0).use, self._wait)

    def push(self, launch: Launch) -> None:
        """Hold a part; with the last one of a round, all go to CUDA."""
        self._held.append(launch)
        if len(self._held) < self._size:
            return
        launches, self._held = self._held, []
        one = Round(launches, launch.at_ns, self._events.popleft())
        if self._problem is None:
            try:
                self._replay(one)
            except RuntimeError as problem:
                self._problem = problem
        self._waiter.put((one, self._problem))

    def close(self) -> None:
        """Let what CUDA has end, and join the thread."""
        self._waiter.close()

    def _replay(self, one: Round) -> None:
        one.events[0].record(self._stream)
        for event in one.events[1:]:
            self._graph.launch(self._stream)
            event.record(self._stream)

    def _wait(self, item: tuple[Round, BaseException | None]) -> None:
        """On a thread: until a round has ended, or what went of one that was refused."""
        one, problem = item
        waited = problem_of((self._stream if problem else one.events[-1]).synchronize)
        self._tell(one, waited or problem)

    def ended(self, one: Round, problem: BaseException | None, clock: DeviceClock) -> list[Completion]:
        """What a round that has ended did, in the order of the ends. Raises what CUDA raises where the GPU is lost."""
        if problem is None:
            return self._placed(one, clock)
        if is_sticky(problem):
            raise problem
        now, sentence = clock.now(), f"An iteration failed that was replayed as a graph: {words(problem)}."
        return [
            Completion(launch.operation.task, launch.iteration, launch.part, now, now, sentence, launch.at_ns)
            for launch in one.launches
        ]

    def _placed(self, one: Round, clock: DeviceClock) -> list[Completion]:
        clock.renew()
        seen_ns = clock.now()
        fired = [max(one.launch_ns, min(clock.at(event), seen_ns)) for event in one.events]
        self._events.append(one.events)
        first = one.launches[0].iteration
        edges = []
        for at in fired:
            self._last_ns = max(self._last_ns, at)
            edges.append(self._last_ns)
        found = []
        for launch in one.launches:
            begin, end = edges[launch.iteration - first], edges[launch.iteration - first + 1]
            start, stop = (begin + round((end - begin) * share) for share in self._shares[launch.operation.task])
            place = launch.operation.task, launch.iteration, launch.part
            found.append(Completion(*place, start, stop, launch_ns=launch.at_ns))
        return sorted(found, key=lambda completion: completion.end_ns)


def shares(program: Program, serial: Mapping[str, str]) -> dict[TaskId, tuple[float, float]]:
    """When each operation of an iteration starts and ends, 0 to 1, by its cost: as soon as its stream, what it waits
    for and an engine that does one thing at a time allow."""
    free: dict[object, int] = {}
    ends: dict[TaskId, tuple[int, int]] = {}
    for op in program.operations:
        lanes: Sequence[object] = [op.stream, *([serial[op.engine]] if op.engine in serial else [])]
        start = max(0, *(free.get(lane, 0) for lane in lanes), *(ends[task][1] for task in op.waits))
        ends[op.task] = start, start + max(1, op.cost_ns)
        free |= dict.fromkeys(lanes, ends[op.task][1])
    whole = max((end for _, end in ends.values()), default=1)
    return {task: (start / whole, end / whole) for task, (start, end) in ends.items()}
