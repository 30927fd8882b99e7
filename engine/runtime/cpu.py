"""CpuDevice: really executes a program on threads of this machine, with wall-clock stamps.

It never simulates: a stamp is taken around the work itself, in the thread that does it.
"""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.program.operation import Program
from engine.runtime.backend import Completion, DeviceInfo, Launch
from engine.runtime.storage import Storage, check_memory, not_run
from engine.runtime.streams import StreamQueues
from engine.runtime.surfaced import Surfaced


class CpuDevice:
    """The machine's own processor: a worker thread per stream, and engines whose lanes the streams share.

    At most `at_once` operations run at once, and `lanes` kernels among them: as many as the processor has threads,
    unless they are given. More would take turns on them for milliseconds each, and their stamps would tell of waiting
    as if it were work. Copies of all streams in one direction share one lane, like the copy engines of a GPU; so do
    host operations. What was ready first runs first.
    """

    def __init__(self, lanes: int = 0, at_once: int = 0) -> None:
        self._threads = _thread_count()
        self._lanes = lanes or self._threads
        self._at_once = at_once or self._threads
        self._run: _Run | None = None

    def describe(self) -> DeviceInfo:
        """The processor's name, its threads, and the memory of the machine."""
        name = f"{_processor_name()}, {self._threads} thread{'' if self._threads == 1 else 's'}"
        return DeviceInfo("cpu", name, "wall", self._engines(), _memory_bytes("MemTotal"))

    def prepare(self, program: Program, seed: int) -> None:
        """Allocate and fill both sides of every buffer. Blocks; DeviceError when they do not fit into memory."""
        self.close()
        check_memory(program, 2, _memory_bytes("MemAvailable") or sys.maxsize, "the memory of this machine")
        self._run = _Run(program, Storage(program, seed), dict(self._engines()), self._at_once)

    def begin(self) -> None:
        """Set the run's time zero. Called on the loop that will wait for completions."""
        self._prepared().begin()

    def launch(self, launch: Launch) -> None:
        """Enqueue a part on its operation's stream."""
        self._prepared().launch(launch)

    async def completions(self) -> Sequence[Completion]:
        """Wait until a launched part has ended; returns all that have."""
        return await self._prepared().completions()

    def read(self, buffer: str) -> NDArray[Any]:
        """A copy of the host side of a buffer."""
        return self._prepared().storage.read(buffer)

    def close(self) -> None:
        """Let parts that run end, drop the others, join the threads and free the buffers."""
        if self._run is not None:
            self._run.close()
            self._run = None

    def _engines(self) -> tuple[tuple[str, int], ...]:
        return (("copy_in", 1), ("compute", self._lanes), ("copy_out", 1), ("host", 1))

    def _prepared(self) -> _Run:
        if self._run is None:
            raise DeviceError("The processor has no program to run.")
        return self._run


@dataclass(slots=True)
class _Lanes:
    """Lanes of each engine that nobody holds, and how many operations may take one before `at_once` have."""

    lanes: dict[str, int]
    at_once: int
    free: dict[str, int] = field(init=False)
    room: int = field(init=False)

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Nobody holds any."""
        self.free, self.room = dict(self.lanes), self.at_once

    def take(self, engine: str) -> bool:
        """Whether there was a lane to be had; it is taken then."""
        is_free = self.room > 0 and self.free[engine] > 0
        self.room -= is_free
        self.free[engine] -= is_free
        return is_free

    def give_back(self, engine: str) -> None:
        self.room += 1
        self.free[engine] += 1


class _Run:
    """One prepared program: its queues, its lanes and what has ended. All of it is guarded by one lock.

    An operation holds a lane of its engine from its first part to its last. Only where nothing runs any more, because
    the next parts are not launched (in a pause), do those that wait take the lanes of those that have begun.
    """

    def __init__(self, program: Program, storage: Storage, engines: dict[str, int], at_once: int) -> None:
        self.storage = storage
        self._queues = StreamQueues(program)
        self._lanes = _Lanes(engines, at_once)
        # Parts that wait for a lane, in the order in which they became ready.
        self._waiting: deque[Launch] = deque()
        # Streams whose operation has begun and not ended, and the number of parts that run.
        self._holders: set[int] = set()
        self._running = 0
        self._lock = threading.Lock()
        self._ended: list[Completion] = []
        self._is_broken = False
        self._arrived = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._zero_ns = 0
        self._workers = [_Worker(name, self._perform) for name in program.streams]

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._zero_ns = time.perf_counter_ns()

    def launch(self, launch: Launch) -> None:
        with self._lock:
            self._queues.push(Launch(launch.operation, launch.iteration, launch.part, self._now()))
            self._dispatch()

    async def completions(self) -> Sequence[Completion]:
        with self._lock:
            # Whoever asks has launched all that it will for the parts that have ended.
            if not self._running and not self._ended:
                self._give_lanes_away()
        await self._arrived.wait()
        with self._lock:
            self._arrived.clear()
            ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        with self._lock:
            self._is_broken = True
            self._queues.drop()
            self._waiting.clear()
        for worker in self._workers:
            worker.close()

    def _dispatch(self) -> None:
        """Lock held. Hand ready parts to the workers of their streams as far as there are lanes for them."""
        if self._is_broken:
            self._give_up()
        for launch in self._queues.take_ready():
            if launch.operation.stream in self._holders:
                self._start(launch)
            elif launch.part:
                self._waiting.appendleft(launch)
            else:
                self._waiting.append(launch)
        self._fill_lanes()

    def _give_lanes_away(self) -> None:
        """Lock held. Who has begun is not told to go on: whoever waits takes the lanes."""
        self._holders.clear()
        self._lanes.clear()
        self._fill_lanes()

    def _fill_lanes(self) -> None:
        for launch in tuple(self._waiting):
            if self._lanes.take(launch.operation.engine):
                self._waiting.remove(launch)
                self._holders.add(launch.operation.stream)
                self._start(launch)

    def _start(self, launch: Launch) -> None:
        self._running += 1
        self._workers[launch.operation.stream].put(launch)

    def _give_up(self) -> None:
        """All that has not started ends with an error."""
        dropped = [*self._queues.drop(), *self._waiting]
        self._waiting.clear()
        for launch in dropped:
            self._report(launch, self._now(), self._now(), not_run(launch.operation))

    def _perform(self, launch: Launch) -> None:
        """On a worker's thread: the work between two stamps. A mistake in a kernel ends the part too, then surfaces."""
        start = self._now()
        error = f"“{launch.operation.name}” stopped because of a mistake in its kernel."
        try:
            error = not_run(launch.operation) if self._is_broken else self.storage.perform(launch)
        finally:
            end = self._now()
            with self._lock:
                self._queues.end(launch)
                self._running -= 1
                self._release(launch)
                self._is_broken |= bool(error)
                self._report(launch, start, end, error)
                self._dispatch()

    def _release(self, launch: Launch) -> None:
        """Lock held. The lane of an operation is free once its last part has ended."""
        operation = launch.operation
        if launch.part == operation.parts - 1 and operation.stream in self._holders:
            self._holders.remove(operation.stream)
            self._lanes.give_back(operation.engine)

    def _report(self, launch: Launch, start_ns: int, end_ns: int, error: str) -> None:
        """Lock held. Only the first completion of a batch wakes the loop."""
        task, iteration, part = launch.operation.task, launch.iteration, launch.part
        self._ended.append(Completion(task, iteration, part, start_ns, end_ns, error, launch.at_ns))
        if len(self._ended) == 1 and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._arrived.set)

    def _now(self) -> int:
        return time.perf_counter_ns() - self._zero_ns


class _Worker:
    """One daemon thread that does one part after another, in the order they were put."""

    def __init__(self, name: str, perform: Callable[[Launch], None]) -> None:
        self._parts: SimpleQueue[Launch | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, args=(perform,), name=f"worker {name}", daemon=True)
        self._thread.start()

    def put(self, launch: Launch) -> None:
        self._parts.put(launch)

    def close(self) -> None:
        self._parts.put(None)
        self._thread.join()

    def _serve(self, perform: Callable[[Launch], None]) -> None:
        while (launch := self._parts.get()) is not None:
            with Surfaced():
                perform(launch)


def _thread_count() -> int:
    """The threads this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor_name() -> str:
    """The name the processor gives itself; "CPU" when it keeps it."""
    found = _field(Path("/proc/cpuinfo"), "model name")
    return found or platform.processor() or "CPU"


def _memory_bytes(field: str) -> int:
    """MemTotal or MemAvailable in bytes; 0 when the system does not say."""
    found = _field(Path("/proc/meminfo"), field)
    return int(found.split()[0]) * 1024 if found else 0


def _field(path: Path, name: str) -> str:
    """The value of the first "name: value" line of a file of /proc; empty when there is none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")
