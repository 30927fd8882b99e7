"""CudaRun: one prepared program on the GPU: what was handed over, what has ended, what went wrong.

All of it happens on the loop's thread; other threads only tell it, through an inbox. It never blocks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from engine.model import OperationKind, TaskId
from engine.program.operation import Nanoseconds, Program
from engine.runtime.backend import Completion, Launch, LostDeviceError, Stamped
from engine.runtime.cuda.activities import Record
from engine.runtime.cuda.clock import DeviceClock
from engine.runtime.cuda.faults import is_sticky, lost, problem_of
from engine.runtime.cuda.graphs import Rehearsal, rehearse
from engine.runtime.cuda.measuring import Measuring
from engine.runtime.cuda.queues import SLOTS, Submissions
from engine.runtime.cuda.recorder import Recorder
from engine.runtime.cuda.rounds import Round, Rounds, shares
from engine.runtime.cuda.stamps import Stamp, Stamps
from engine.runtime.cuda.storage import CudaStorage
from engine.runtime.cuda.threads import Inbox, Worker
from engine.runtime.cuda.work import Work, failed
from engine.runtime.storage import FAILURES, not_run


@dataclass(slots=True, eq=False)
class _Part:
    """A part that went to CUDA at `launch_ns`, between two events; work of the host has none."""

    launch: Launch
    sequence: int
    launch_ns: Nanoseconds
    start: Any = None
    stop: Any = None
    after: list[Any] = field(default_factory=list)

    @property
    def number(self) -> int:
        """What CUPTI knows the part by; never 0."""
        return self.sequence + 1

    @property
    def is_last(self) -> bool:
        return self.launch.part == self.launch.operation.parts - 1

    @property
    def key(self) -> tuple[TaskId, int]:
        return self.launch.operation.task, self.launch.iteration


@dataclass(frozen=True, slots=True)
class _Submitted:
    """A call that blocks has returned: CUDA has the part, or refused it."""

    part: _Part
    problem: BaseException | None


@dataclass(frozen=True, slots=True)
class _Passed:
    """The host saw the event behind a part fire, or saw an error in its place."""

    part: _Part
    problem: BaseException | None


@dataclass(frozen=True, slots=True)
class _Performed:
    """Work of the host has ended."""

    part: _Part
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    error: str


@dataclass(frozen=True, slots=True)
class _Recorded:
    """CUPTI gave these records."""

    records: list[Record]


@dataclass(frozen=True, slots=True)
class _Replayed:
    """The host saw the event behind a round fire, or saw an error in its place."""

    round: Round
    problem: BaseException | None


_Message = _Submitted | _Passed | _Performed | _Recorded | _Replayed


class CudaRun:
    """`serial` names the engines that do one thing at a time. Making one allocates and compiles, and blocks."""

    def __init__(
        self, cupy: Any, program: Program, seed: int, serial: Mapping[str, str], recorder: Recorder | None = None
    ) -> None:
        self._cupy = cupy
        self.storage = CudaStorage(cupy, program, seed)
        self._streams = [cupy.cuda.Stream(non_blocking=True) for _ in program.streams]
        self._work = Work(cupy, program, self.storage)
        self._program, self._serial = program, serial
        self._warm()
        self._clock = DeviceClock(cupy)
        self._queues = Submissions(program)
        self._stamps = Stamps(program, serial)
        self._sequence = count()
        event = partial(cupy.cuda.Event, block=True)
        self._events = [deque((event(), event()) for _ in range(SLOTS)) for _ in program.streams]
        # Parts CUDA has, in order by stream, and the event behind the last part of each operation among them.
        self._in_flight: list[deque[_Part]] = [deque() for _ in program.streams]
        self._behind: dict[tuple[TaskId, int], Any] = {}
        self._ended: list[Completion | Stamped] = []
        self._arrived = asyncio.Event()
        self._is_broken = False
        self._lost: LostDeviceError | None = None
        self._inbox: Inbox[_Message] = Inbox(self._take)
        self._recorder = recorder
        self._measuring = (
            Measuring(recorder, lambda records: self._inbox.post(_Recorded(records))) if recorder else None
        )
        use = cupy.cuda.Device(0).use
        self._waiters = [Worker(f"waits for {name}", use, self._await_part) for name in program.streams]
        self._callers = [Worker(f"calls for {name}", use, self._call) for name in program.streams]
        self._host = Worker("host", use, self._perform)
        self.rehearsal: Rehearsal | None = None
        self._rounds: Rounds | None = None

    def rehearse(self, repeat: int) -> int:
        """CUPTI cannot say which operation of a graph a record is of: where it measures, parts go one by one."""
        if self._measuring is None:
            self.rehearsal = rehearse(self._cupy, self._program, self._work, self._streams, repeat)
        if (found := self.rehearsal) is None:
            return 0
        self.storage.refill()
        if found.at_once:
            stamped = shares(self._program.again(), self._serial)
            tell = lambda one, problem: self._inbox.post(_Replayed(one, problem))  # noqa: E731
            self._rounds = Rounds(self._cupy, found, stamped, self._streams[0], tell)
        return found.at_once

    def begin(self) -> None:
        self._warm()
        self._inbox.open()
        self._clock.begin()
        if self._measuring is not None:
            self._measuring.begin(self._clock.zero_ns)

    def launch(self, launch: Launch) -> None:
        taken = replace(launch, at_ns=self._clock.now())
        if launch.is_in_round and self._rounds is not None:
            self._rounds.push(taken)
        else:
            self._queues.push(taken)
            self._dispatch()

    async def completions(self) -> list[Completion | Stamped]:
        await self._arrived.wait()
        ended, self._ended = self._ended, []
        if self._lost is None:
            self._arrived.clear()
        elif not ended:
            raise self._lost
        return ended

    def close(self) -> LostDeviceError | None:
        """Joins the threads once what CUDA has is done; returns the error the GPU was lost with, if it was."""
        self._is_broken = True
        self._queues.drop()
        for worker in (self._host, *self._callers, *self._waiters):
            worker.close()
        if self._rounds is not None:
            self._rounds.close()
        if self._measuring is not None:
            self._measuring.close()
        if self._lost is None:
            self.storage.close()
        return self._lost

    def _warm(self) -> None:
        if self._work.warm(self._program.operations, self._streams):
            self.storage.poison()

    def _dispatch(self) -> None:
        while not self._is_broken and (launch := self._queues.take()) is not None:
            self._hand_over(launch)
        if self._is_broken and self._lost is None:
            for dropped in self._queues.drop():
                now = self._clock.now()
                self._report(dropped, now, now, not_run(dropped.operation))

    def _hand_over(self, launch: Launch) -> None:
        part = _Part(launch, next(self._sequence), self._clock.now())
        stream = launch.operation.stream
        if launch.operation.kind is OperationKind.HOST:
            self._host.put(part)
            return
        part.start, part.stop = self._events[stream].popleft()
        for task in launch.operation.waits if launch.part == 0 else ():
            # One that has passed needs no waiting for.
            if (event := self._behind.get((task, launch.iteration))) is not None:
                part.after.append(event)
        if self._work.is_blocking(launch.operation):
            self._callers[stream].put(part)
        else:
            self._submitted(part, self._enqueue(part))

    def _enqueue(self, part: _Part) -> BaseException | None:
        """The part between its events; what CUDA, or a library, says against it."""
        stream = self._streams[part.launch.operation.stream]
        try:
            for event in part.after:
                stream.wait_event(event)
            part.start.record(stream)
            with self._recorder.part(part.number) if self._recorder else nullcontext():
                self._work.submit(part.launch, stream)
            part.stop.record(stream)
        except FAILURES as problem:
            return problem
        return None

    def _submitted(self, part: _Part, problem: BaseException | None) -> None:
        self._queues.submitted(part.launch)
        stream = part.launch.operation.stream
        if problem is not None:
            self._fail(part, problem)
            return
        self._in_flight[stream].append(part)
        if part.is_last:
            self._behind[part.key] = part.stop
        self._waiters[stream].put(part)

    def _fail(self, part: _Part, problem: BaseException) -> None:
        """The run is over: what has not gone to CUDA is dropped, and what has is waited for, unless the GPU is lost."""
        self._is_broken = True
        if is_sticky(problem):
            self._lose([part.launch], problem)
        else:
            now = self._clock.now()
            self._report(part.launch, now, now, failed(part.launch.operation, problem))

    def _lose(self, launches: Sequence[Launch], problem: BaseException) -> None:
        """Where nothing is known to be in flight, the launches are to blame."""
        if self._lost is None:
            flying = [each.launch for parts in self._in_flight for each in parts]
            self._lost = lost([launch.operation for launch in flying or launches], problem)
            self._arrived.set()

    def _end_round(self, rounds: Rounds, one: Round, problem: BaseException | None) -> None:
        self._is_broken |= problem is not None
        try:
            self._ended += rounds.ended(one, problem, self._clock)
        except RuntimeError as error:
            self._is_broken = True
            self._lose(one.launches, error)
        self._queues.skip(len(one.launches) // len(self._program.again().operations))
        self._arrived.set()

    def _take(self, messages: list[_Message]) -> None:
        """On the loop: what the threads told."""
        passed = [message.part for message in messages if isinstance(message, _Passed)]
        for message in messages:
            match message:
                case _Submitted(part, problem):
                    self._submitted(part, problem)
                case _Performed(part, start_ns, end_ns, error):
                    self._is_broken |= bool(error)
                    self._queues.submitted(part.launch)
                    self._queues.end(part.launch)
                    self._report(part.launch, start_ns, end_ns, error)
                case _Recorded(records) if self._measuring is not None:
                    self._ended += map(Stamped, self._measuring.take(records, self._clock.now()))
                    if self._ended:
                        self._arrived.set()
                case _Replayed(one, problem) if self._rounds is not None:
                    self._end_round(self._rounds, one, problem)
                case _Passed(part, problem) if problem is not None:
                    self._is_broken = True
                    self._lose([part.launch], problem)
        if passed and self._lost is None:
            self._pass(passed)
        self._dispatch()

    def _pass(self, passed: list[_Part]) -> None:
        """Report what has ended; a GPU that is lost meanwhile does not even tell when events fired."""
        try:
            self._settle()
        except RuntimeError as problem:
            self._is_broken = True
            self._lose([passed[0].launch], problem)
        else:
            for part in passed:
                self._release(part)

    def _settle(self) -> None:
        """Report every part that has ended, in the order they ended: an event that fired later must not come first."""
        self._clock.renew()
        query = self._cupy.cuda.runtime.eventQuery
        ended = [
            Stamp(part.launch, part.sequence, part.launch_ns, self._clock.at(part.start), self._clock.at(part.stop))
            for parts in self._in_flight
            for part in _taken_while(parts, lambda part: query(part.stop.ptr) == 0)
        ]
        for stamp in self._stamps.place(ended, self._clock.now()):
            self._report(stamp.launch, stamp.start_ns, stamp.end_ns, "", stamp.sequence)

    def _release(self, part: _Part) -> None:
        """Its waiter needs the events no more: others may record them."""
        self._queues.end(part.launch)
        self._events[part.launch.operation.stream].append((part.start, part.stop))
        if part.is_last:
            self._behind.pop(part.key)

    def _report(self, launch: Launch, start_ns: int, end_ns: int, error: str, sequence: int = -1) -> None:
        """`sequence` is that of a part of which CUPTI may know more."""
        place = launch.operation.task, launch.iteration, launch.part
        completion = Completion(*place, start_ns, end_ns, error, launch.at_ns)
        if self._measuring is not None and sequence >= 0:
            is_library = self._work.is_library(launch.operation)
            self._measuring.expect(sequence + 1, completion, is_library=is_library)
            completion = replace(completion, is_stamped=False)
        self._ended.append(completion)
        self._arrived.set()

    # On other threads.

    def _await_part(self, part: _Part) -> None:
        """A waiter sleeps until the event behind a part fires: synchronize() lets go of the interpreter's lock."""
        self._inbox.post(_Passed(part, problem_of(part.stop.synchronize)))

    def _call(self, part: _Part) -> None:
        self._inbox.post(_Submitted(part, self._enqueue(part)))

    def _perform(self, part: _Part) -> None:
        """A mistake in a kernel ends the part too, then surfaces as one."""
        start_ns = self._clock.now()
        error = f"“{part.launch.operation.name}” stopped because of a mistake in its kernel."
        try:
            error = self._work.perform(part.launch)
        finally:
            self._inbox.post(_Performed(part, start_ns, self._clock.now(), error))


def _taken_while(parts: deque[_Part], is_done: Callable[[_Part], bool]) -> Iterator[_Part]:
    while parts and is_done(parts[0]):
        yield parts.popleft()
