"""SimulatedDevice: a device that never was, as discrete events on a virtual clock; its data are really computed.

It never reads a clock: stamps follow from the DeviceProfile and the seed alone, and are always labeled "simulated".
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.model import OperationSpec
from engine.program.operation import Nanoseconds, Operation, Program
from engine.program.profile import DeviceProfile, bound_of, load_profile, work_ns
from engine.program.simulation import (
    FailPart,
    Fault,
    Hang,
    LoseDevice,
    ShortMemory,
    Simulation,
    SlowCopies,
    WrongResult,
)
from engine.runtime.backend import Completion, DeviceInfo, Launch
from engine.runtime.lanes import Part, Pool, Room
from engine.runtime.storage import Storage, check_memory, not_run
from engine.runtime.streams import StreamQueues

# What the host spends to enqueue one part: the usual few microseconds of a driver call.
ENQUEUE_NS = 3_000
# Each part takes up to this share more than the profile says, and never less: no run beats the bound of its plan.
JITTER = 0.04
# What is computed for longer than this (by the figures of a processor) is left to a thread: the loop has others.
LONG_NS = 500_000
# At a pace it does not wait for less than this, and what it has to catch up with is never more than that.
LEAST_SLEEP_SECONDS, CATCH_UP_SECONDS = 0.002, 0.1


class SimulatedDevice:
    """The device of a profile: engines with lanes, streams, launch latency, and a seeded jitter.

    It calls itself by its profile, unless it is given a name. `simulation` is how programs run that are prepared after.
    """

    def __init__(self, profile: DeviceProfile, faults: Iterable[Fault] = (), name: str = "") -> None:
        self._profile = profile
        self._name = name or f"{profile.name} (simulated)"
        self._run: _Run | None = None
        self._began = 0.0
        self.simulation = Simulation(faults=tuple(faults))

    def describe(self) -> DeviceInfo:
        """Its name, and the profile's figures."""
        profile = self._profile
        return DeviceInfo("simulated", self._name, "simulated", profile.engines, profile.memory_bytes)

    def prepare(self, program: Program, seed: int) -> None:
        """Allocate and fill both sides of every buffer; DeviceError when the device sides exceed its memory."""
        if self._run is not None and self._run.is_lost:
            raise DeviceError("The simulated device is lost since an earlier failure.")
        check_memory(program, 1, self._profile.memory_bytes, "the simulated device")
        self._run = _Run(program, self._profile, seed, self.simulation.faults)

    def begin(self) -> None:
        """The virtual clock of a prepared program stands at zero until completions() moves it."""
        self._prepared()
        self._began = asyncio.get_running_loop().time()

    def launch(self, launch: Launch) -> None:
        """Enqueue a part at the instant of the completion returned last."""
        self._prepared().launch(launch)

    async def completions(self) -> Sequence[Completion]:
        """Move the virtual clock to the next end of a part. Others on the loop get a turn while it works for long.

        At a pace it waits until a real clock has come there; one that is far behind, as after a pause, is set anew.
        """
        run = self._prepared()
        if (part := run.next_end()) is not None:
            if ahead := self._seconds_ahead():
                await asyncio.sleep(ahead)
            if run.hangs(part.launch):
                await asyncio.Event().wait()
            perform = partial(run.perform, part.launch)
            error = await asyncio.to_thread(perform) if run.is_long(part.launch) else perform()
            run.end(part, error)
        return run.take_ended()

    def _seconds_ahead(self) -> float:
        """How far the virtual clock is ahead of what its pace allows; 0 where that is too little to wait for."""
        pace = self.simulation.pace
        if not pace:
            return 0.0
        behind = asyncio.get_running_loop().time() - self._began - self._prepared().now_ns / 1e9 / pace
        if behind > CATCH_UP_SECONDS:
            self._began += behind
        return -behind if behind < -LEAST_SLEEP_SECONDS else 0.0

    def read(self, buffer: str) -> NDArray[Any]:
        """A copy of the host side of a buffer."""
        return self._prepared().storage.read(buffer)

    def close(self) -> None:
        """Free the buffers."""
        self._run = None

    def _prepared(self) -> _Run:
        if self._run is None:
            raise DeviceError("The simulated device has no program to run.")
        return self._run


class _Run:
    """One prepared program on the virtual clock."""

    def __init__(self, program: Program, profile: DeviceProfile, seed: int, faults: tuple[Fault, ...]) -> None:
        self.storage = Storage(program, seed)
        self.is_lost = False
        self._costs = _Costs(program, profile, seed, faults)
        self._failing = {(f.task, f.iteration, f.part): f for f in faults if isinstance(f, FailPart)}
        self._at_first = {(f.task, f.iteration): f for f in faults if isinstance(f, ShortMemory | LoseDevice | Hang)}
        self._wrong = {fault.task for fault in faults if isinstance(fault, WrongResult)}
        self._queues = StreamQueues(program)
        self._room = Room(profile.most_at_once or len(program.streams))
        self._pools = {engine: Pool(lanes, self._room) for engine, lanes in profile.engines}
        self._profile = profile
        self._latency_ns = profile.launch_latency_ns
        # When the operation before ended, by stream.
        self._free_at = [0] * len(program.streams)
        # Parts on their way from the host, in order.
        self._underway: deque[tuple[Nanoseconds, Launch]] = deque()
        self._now = 0
        self._host_free_at = 0
        self._is_broken = False
        self._ended: list[Completion] = []

    @property
    def now_ns(self) -> Nanoseconds:
        """What the virtual clock shows."""
        return self._now

    def launch(self, launch: Launch) -> None:
        self._host_free_at = max(self._host_free_at, self._now) + ENQUEUE_NS
        taken = Launch(launch.operation, launch.iteration, launch.part, self._host_free_at)
        self._underway.append((self._host_free_at + self._latency_ns, taken))
        if self._is_broken:
            self._give_up()

    def next_end(self) -> Part | None:
        """Move the clock to the next end of a part; None when ends are waiting to be taken."""
        part: Part | None = None
        while part is None and not self._ended:
            part = self._advance()
        return part

    def perform(self, launch: Launch) -> str:
        """What a part does to the data; a sentence when it fails. Changes nothing else, and may run on a thread."""
        operation = launch.operation
        if self.is_lost:
            return not_run(operation)
        if (failing := self._failing.get((operation.task, launch.iteration, launch.part))) is not None:
            return f"“{operation.name}” failed: {failing.sentence}."
        fault = self._fault_of(launch)
        if isinstance(fault, LoseDevice):
            end_process()
        error = self.storage.perform(launch, fault.times if isinstance(fault, ShortMemory) else 0)
        if operation.task in self._wrong:
            for array in self.storage.written(operation):
                array.flat[0] += 1
        return error

    def hangs(self, launch: Launch) -> bool:
        """Whether a part never ends."""
        return isinstance(self._fault_of(launch), Hang)

    def _fault_of(self, launch: Launch) -> ShortMemory | LoseDevice | Hang | None:
        return None if launch.part else self._at_first.get((launch.operation.task, launch.iteration))

    def is_long(self, launch: Launch) -> bool:
        """Whether to compute a part may take longer than others on the loop should wait."""
        return self._costs.is_long(launch.operation)

    def end(self, part: Part, error: str) -> None:
        """A part has ended, and was performed."""
        launch, start_ns = part.launch, self._now if part.start_ns is None else part.start_ns
        self._queues.end(launch)
        self._free_at[launch.operation.stream] = self._now
        if error:
            fault = self._failing.get((launch.operation.task, launch.iteration, launch.part))
            self.is_lost |= fault is not None and fault.is_sticky
            self._is_broken = True
        self._report(launch, start_ns, error)
        if error:
            self._give_up()
        self._start_ready()

    def take_ended(self) -> list[Completion]:
        """What has ended since this was last asked."""
        ended, self._ended = self._ended, []
        return ended

    def _advance(self) -> Part | None:
        """One event: a part arrives, or a part ends; that is returned."""
        ends = [(*end, engine) for engine, pool in self._pools.items() if (end := pool.next_end()) is not None]
        if self._underway and (not ends or self._underway[0][0] <= min(ends)[0]):
            self._now, launch = self._underway.popleft()
            self._queues.push(launch)
            self._start_ready()
        elif ends:
            self._now, place, engine = min(ends)
            return self._pools[engine].finish(self._now, place)
        else:  # in a pause
            self._room.holders.clear()
            for pool in self._pools.values():
                pool.give_away()
            self._start_ready()
        return None

    def _start_ready(self) -> None:
        """What is ready goes to its engine; all that is at work at once slows each other down as the profile says."""
        for launch in self._queues.take_ready():
            operation = launch.operation
            costs = self._costs
            part = Part(launch, costs.lanes(operation), costs.part_ns(launch), costs.bound(operation))
            part.ready_ns = self._now
            part.due_ns = max(self._free_at[operation.stream], launch.at_ns + self._latency_ns)
            part.wake_ns = 0 if launch.part else self._profile.wake_latency_ns
            self._pools[operation.engine].add(part, self._now)
        for pool in sorted(self._pools.values(), key=lambda pool: pool.longest_wait):
            pool.share(self._now)
        if not self._profile.is_shared:
            return
        at_work = [part.bound for pool in self._pools.values() for part in pool.parts if part.rate > 0]
        slowdown = partial(self._profile.slowdown, len(at_work), in_memory=at_work.count("bytes"))
        for pool in self._pools.values():
            pool.slow_down(self._now, slowdown)

    def _give_up(self) -> None:
        """After a failure: all that has not started ends at once, with an error."""
        dropped = [launch for pool in self._pools.values() for launch in pool.drop_waiting()]
        dropped += self._queues.drop() + [launch for _, launch in self._underway]
        self._underway.clear()
        for launch in dropped:
            self._report(launch, self._now, not_run(launch.operation))

    def _report(self, launch: Launch, start_ns: Nanoseconds, error: str) -> None:
        task, iteration, part = launch.operation.task, launch.iteration, launch.part
        self._ended.append(Completion(task, iteration, part, start_ns, self._now, error, launch.at_ns, self.is_lost))


class _Costs:
    """How long a part takes alone on the device, by the profile, the faults and the seed."""

    def __init__(self, program: Program, profile: DeviceProfile, seed: int, faults: tuple[Fault, ...]) -> None:
        self._profile = profile
        self._seed = seed
        self._slowness = math.prod(fault.factor for fault in faults if isinstance(fault, SlowCopies))
        self._buffers = {buffer.id: buffer for buffer in program.buffers}
        self._kits = program.kits
        self._work = {op.task: self._operation_ns(op) for op in program.operations}
        self._bounds = {op.task: bound_of(profile, _spec(op), self._buffers, self._kits) for op in program.operations}
        here = load_profile("cpu-default")
        self._long = {
            op.task
            for op in program.operations
            if work_ns(here, _spec(op), self._buffers, self._kits) > op.parts * LONG_NS
        }

    def lanes(self, operation: Operation) -> int:
        """Lanes of its engine that the operation wants."""
        return self._profile.lanes_taken(operation.kind, operation.kernel)

    def bound(self, operation: Operation) -> str:
        """What of the device the operation is bound by."""
        return self._bounds[operation.task]

    def is_long(self, operation: Operation) -> bool:
        """Whether a processor is expected to compute a part of it for longer than LONG_NS."""
        return operation.task in self._long

    def part_ns(self, launch: Launch) -> float:
        """Nanoseconds of one part; each part of a copy pays the copy's latency."""
        operation = launch.operation
        work = self._work[operation.task] / operation.parts
        if operation.engine in ("copy_in", "copy_out"):
            work = (self._profile.copy_latency_ns + work) * self._slowness
        noise = _noise(self._seed, operation.task, launch.iteration, launch.part)
        return max(1.0, work * (1.0 + JITTER * noise))

    def _operation_ns(self, operation: Operation) -> float:
        # The latency of a launch passes on the way to the device, while the part before may still run.
        work = work_ns(self._profile, _spec(operation), self._buffers, self._kits, operation.apart)
        return max(0, work - self._profile.copy_latency_ns) if operation.engine in ("copy_in", "copy_out") else work


def _spec(operation: Operation) -> OperationSpec:
    return OperationSpec(operation.kind, operation.kernel, operation.parameters, operation.reads, operation.writes)


def end_process() -> None:
    """As a device that takes its process with it: without a word."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def _noise(*counters: int) -> float:
    """A number in [0, 1] that depends on the counters alone, never on the order of calls."""
    digest = blake2b(repr(counters).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
