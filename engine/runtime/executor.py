"""The executor: which part is launched next, as a state machine, and the coroutine that drives a device with it.

The state machine knows no loop, no clock and no device; the coroutine never touches data.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from engine.model import TaskId
from engine.program.hazards import iteration_waits
from engine.program.operation import FOR_ALL, Operation, Program
from engine.runtime.backend import Completion, Device, Launch, Stamped
from engine.trace.timeline import ENGINES

# Parts in flight per stream: one that runs, one that follows it without a gap.
DEPTH = 2
# Rows are handed on when there are so many, or after so many seconds: one frame of a 60 Hz screen.
BATCH_ROWS = 256
BATCH_SECONDS = 0.016
# So often a device that never has to wait is asked before others on the loop get a turn.
TURN_EACH = 8

OnParts = Callable[[NDArray[np.int64]], None]


class Verb(Enum):
    """What a person asks of a run. RESUME also starts it."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


Event = Completion | Stamped | Verb


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended: `outcome` is finished, failed or canceled; `error` is a sentence about `failed_task`.

    `is_device_lost`: the error was sticky.
    """

    outcome: str
    error: str = ""
    failed_task: TaskId = 0
    is_device_lost: bool = False


@dataclass(slots=True)
class _Cursor:
    """The next part of a stream: first in, first out over iterations (`again` after the first), operations, parts."""

    operations: tuple[Operation, ...]
    again: tuple[Operation, ...]
    iteration: int = 0
    index: int = 0
    part: int = 0
    in_flight: int = 0

    @property
    def operation(self) -> Operation:
        return self.operations[self.index]

    def advance(self) -> bool:
        """Step over one part; whether it was the last of its operation."""
        self.part += 1
        if self.part < self.operation.parts:
            return False
        self.part = 0
        self.index += 1
        if self.index == len(self.operations):
            self.index = 0
            self.operations = self.again
            self.iteration += 1 if self.again else FOR_ALL
        return True


@dataclass(slots=True)
class ExecutorState:
    """Where a run stands. Only step() changes it.

    Part 0 of operation x in iteration k is launched when, for every w in x.waits, launched[w] > k (its event exists),
    and for every y in across[x], ended[y] >= k (iteration k - 1 no longer uses what x is about to touch). What runs
    once counts as launched, and as ended, for all iterations. Where `at_once` iterations make a round, rounds go first
    (but after the first iteration where something runs once), as many as are whole; the rest follows once they ended.
    """

    program: Program
    repeat: int = 1
    depth: int = DEPTH
    at_once: int = 0
    is_paused: bool = False
    is_canceled: bool = False
    error: str = ""
    failed_task: TaskId = 0
    is_device_lost: bool = False
    in_flight: int = 0
    in_rounds: int = 0
    again: Program = field(init=False)
    before_rounds: int = field(init=False)
    rounds_left: int = field(init=False)
    cursors: dict[int, _Cursor] = field(init=False)
    launched: dict[TaskId, int] = field(init=False)
    ended: dict[TaskId, int] = field(init=False)
    across: dict[TaskId, tuple[TaskId, ...]] = field(init=False)
    operations: dict[TaskId, Operation] = field(init=False)

    def __post_init__(self) -> None:
        _check_order(self.program)
        self.operations = {op.task: op for op in self.program.operations}
        self.again = self.program.again()
        by_stream = enumerate(zip(self.program.by_stream(), self.again.by_stream(), strict=True))
        self.cursors = {stream: _Cursor(*operations) for stream, operations in by_stream if operations[0]}
        self.launched = dict.fromkeys(self.operations, 0)
        self.ended = dict.fromkeys(self.operations, 0)
        self.across = iteration_waits(self.program)
        self.before_rounds = int(self.again is not self.program)
        left = (self.repeat - self.before_rounds) if self.at_once and self.again.operations else 0
        self.rounds_left = left // max(1, self.at_once)

    @property
    def result(self) -> RunOutcome | None:
        """How the run ended, or None while it goes on."""
        if self.in_flight:
            return None
        if self.error:
            return RunOutcome("failed", self.error, self.failed_task, self.is_device_lost)
        if self.is_canceled:
            return RunOutcome("canceled")
        is_over = all(cursor.iteration >= self.repeat for cursor in self.cursors.values())
        return RunOutcome("finished") if is_over else None


def step(state: ExecutorState, event: Event) -> list[Launch]:
    """Take in one event and return the parts to launch now, in that order. Changes nothing but `state`."""
    if isinstance(event, Completion):
        _take_completion(state, event)
    elif isinstance(event, Stamped):
        return []
    elif event is Verb.CANCEL:
        state.is_canceled = True
    else:
        state.is_paused = event is Verb.PAUSE
    return list(_launches(state))


def _check_order(program: Program) -> None:
    """A run would never end if an operation waited for one that does not come before it."""
    seen: set[TaskId] = set()
    for op in program.operations:
        if not seen.issuperset(op.waits):
            raise DeviceError(f"“{op.name}” waits for an operation that does not come before it.", ids=(op.task,))
        seen.add(op.task)


def _take_completion(state: ExecutorState, completion: Completion) -> None:
    operation = state.operations[completion.task]
    cursor = state.cursors[operation.stream]
    cursor.in_flight -= 1
    state.in_flight -= 1
    state.in_rounds -= state.in_rounds > 0
    state.is_device_lost |= completion.is_sticky
    if completion.error:
        # The first error is the cause; what ends with an error while the streams drain only follows from it.
        if not state.error:
            state.error, state.failed_task = completion.error, completion.task
    elif completion.part == operation.parts - 1:
        state.ended[completion.task] += operation.iterations


def _launches(state: ExecutorState) -> Iterator[Launch]:
    """One part of each stream in turn until no stream can take more; before that, rounds."""
    while state.rounds_left and _can_launch_round(state):
        yield from _launch_round(state)
    is_progress = not state.in_rounds
    while is_progress:
        is_progress = False
        for cursor in state.cursors.values():
            if _can_launch(state, cursor):
                is_progress = True
                yield _launch(state, cursor)


def _is_halted(state: ExecutorState) -> bool:
    return state.is_paused or state.is_canceled or bool(state.error)


def _can_launch_round(state: ExecutorState) -> bool:
    """One goes on, and one follows it; before them, what goes part by part has ended."""
    is_first = any(cursor.iteration < state.before_rounds for cursor in state.cursors.values())
    if _is_halted(state) or is_first or state.in_flight > state.in_rounds:
        return False
    return state.in_rounds <= state.at_once * sum(op.parts for op in state.again.operations)


def _launch_round(state: ExecutorState) -> Iterator[Launch]:
    """All parts of the next iterations, in the order of the program."""
    state.rounds_left -= 1
    for _ in range(state.at_once):
        for operation in state.again.operations:
            for _ in range(operation.parts):
                state.in_rounds += 1
                yield replace(_launch(state, state.cursors[operation.stream]), is_in_round=True)


def _can_launch(state: ExecutorState, cursor: _Cursor) -> bool:
    if _is_halted(state):
        return False
    most = state.before_rounds if state.rounds_left else state.repeat
    if cursor.iteration >= most or cursor.in_flight >= state.depth:
        return False
    if cursor.part > 0:
        return True
    operation, iteration = cursor.operation, cursor.iteration
    is_free = all(state.ended[task] >= iteration for task in state.across[operation.task])
    return is_free and all(state.launched[task] > iteration for task in operation.waits)


def _launch(state: ExecutorState, cursor: _Cursor) -> Launch:
    launch = Launch(cursor.operation, cursor.iteration, cursor.part)
    cursor.in_flight += 1
    state.in_flight += 1
    if cursor.advance():
        state.launched[launch.operation.task] += launch.operation.iterations
    return launch


class RunControl:
    """What is asked of a run while it goes on; called on the loop's thread. Verbs asked before the start count too.

    `on_paused(True)` is called once a run that was asked to pause stands still, `on_paused(False)` when it goes on.
    """

    def __init__(self, on_paused: Callable[[bool], None] = lambda _: None) -> None:
        self._verbs: asyncio.Queue[Verb] = asyncio.Queue()
        self._on_paused = on_paused
        self.is_paused = False

    def pause(self) -> None:
        """Launch nothing more; what is in flight ends."""
        self._verbs.put_nowait(Verb.PAUSE)

    def resume(self) -> None:
        """Launch again."""
        self._verbs.put_nowait(Verb.RESUME)

    def cancel(self) -> None:
        """Launch nothing more; the run ends as canceled once what is in flight has ended."""
        self._verbs.put_nowait(Verb.CANCEL)

    async def next(self) -> Verb:
        """The next verb, in the order they were asked."""
        return await self._verbs.get()

    def say(self, *, is_paused: bool) -> None:
        """The run stands still now, or goes on."""
        self.is_paused = is_paused
        self._on_paused(is_paused)

    def take(self) -> list[Verb]:
        """The verbs that were asked so far, in their order."""
        return [self._verbs.get_nowait() for _ in range(self._verbs.qsize())]


async def run_program(
    device: Device, program: Program, repeat: int, control: RunControl, on_parts: OnParts, at_once: int = 0
) -> RunOutcome:
    """Run a program that `device` has prepared, `repeat` times, by rounds of as many iterations as it rehearsed.

    `on_parts` gets int64 rows (n, 9), one a part that ended well, in the order of their ends and with the columns of
    timeline.PARTS. Raises DeviceError when the device is lost.
    """
    state = ExecutorState(program, repeat, at_once=at_once)
    rows = _RowBatch(program, on_parts)
    events = _EventSource(device, control)
    device.begin()
    launches = step(state, Verb.RESUME)
    try:
        while True:
            for launch in launches:
                device.launch(launch)
            if (result := state.result) is not None and not rows.to_come:
                return result
            if (is_still := state.is_paused and not state.in_flight) is not control.is_paused:
                rows.flush()  # whoever hears of it has all that happened until then
                control.say(is_paused=is_still)
            is_busy = state.in_flight > 0 or rows.to_come > 0
            arrived = await events.next(is_device_busy=is_busy, is_paused=state.is_paused)
            rows.take(arrived)
            launches = [launch for event in arrived for launch in step(state, event)]
    finally:
        await events.close()
        rows.flush()


class _EventSource:
    """Waits for completions and verbs at once without ever losing one."""

    def __init__(self, device: Device, control: RunControl) -> None:
        self._device = device
        self._control = control
        self._ended: asyncio.Task[Iterable[Completion | Stamped]] | None = None
        self._asked: asyncio.Task[Verb] | None = None
        self._turns = 0

    async def next(self, *, is_device_busy: bool, is_paused: bool) -> Sequence[Event]:
        """The next events, verbs first.

        While nothing is paused, a verb can only keep parts from being launched, and what ends is when they are: it is
        soon enough to look for verbs then. To wait for both at once takes as long as all the rest that is done a part.
        """
        if self._asked is None and self._ended is None:
            if verbs := self._control.take():
                return verbs
            if is_device_busy and not is_paused:
                self._turns += 1
                if self._turns % TURN_EACH == 0:
                    await asyncio.sleep(0)
                ended = await self._device.completions()
                return [*self._control.take(), *ended]
        return await self._next_of_both(is_device_busy)

    async def _next_of_both(self, is_device_busy: bool) -> list[Event]:
        if self._asked is None:
            self._asked = asyncio.create_task(self._control.next())
        if self._ended is None and is_device_busy:
            self._ended = asyncio.create_task(self._completions())
        waiting: set[asyncio.Task[Verb] | asyncio.Task[Iterable[Completion | Stamped]]] = {self._asked}
        if self._ended is not None:
            waiting.add(self._ended)
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        events: list[Event] = []
        if self._asked.done():
            events.append(self._asked.result())
            self._asked = None
        if self._ended is not None and self._ended.done():
            ended, self._ended = self._ended, None
            events.extend(ended.result())
        return events

    async def close(self) -> None:
        """Stop waiting."""
        tasks = [task for task in (self._ended, self._asked) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _completions(self) -> Iterable[Completion | Stamped]:
        return await self._device.completions()


class _RowBatch:
    """Rows collected before the boundary, so that nobody is called once a part."""

    def __init__(self, program: Program, on_parts: OnParts) -> None:
        self._columns = {op.task: (op.parts, op.stream, ENGINES.index(op.engine)) for op in program.operations}
        self._on_parts = on_parts
        self._rows: list[tuple[int, ...]] = []
        self._due: asyncio.TimerHandle | None = None
        # Parts that ended well and whose stamps have not come yet.
        self.to_come = 0

    def take(self, events: Iterable[Event]) -> None:
        """Add the parts that ended well; hand on as many as make a batch, and others when they are due."""
        for event in events:
            if isinstance(event, Stamped):
                self.to_come -= 1
                self._add(event.completion)
            elif isinstance(event, Completion) and not event.error:
                if event.is_stamped:
                    self._add(event)
                else:
                    self.to_come += 1
        if len(self._rows) >= BATCH_ROWS:
            self.flush()
        elif self._rows and self._due is None:
            self._due = asyncio.get_running_loop().call_later(BATCH_SECONDS, self.flush)

    def flush(self) -> None:
        """Hand on all rows held."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self._rows:
            self._on_parts(np.array(self._rows, dtype=np.int64))
            self._rows.clear()

    def _add(self, ended: Completion) -> None:
        columns = self._columns[ended.task]
        stamps = (ended.start_ns, ended.end_ns, ended.launch_ns)
        self._rows.append((ended.task, ended.iteration, ended.part, *columns, *stamps))
