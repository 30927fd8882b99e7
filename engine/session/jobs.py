"""RunJob: one run of a device plan, from its program to its outcome; Supervisor: what keeps coroutines alive.

They never touch a device or a window: a run goes through a DeviceClient, and a listener hears that there is more.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from engine.errors import CompileError, EngineError, UntrustedKitError
from engine.model import Clock, TaskId
from engine.process.client import DeviceClient
from engine.process.messages import Hello, OutputDigest, RunEnded, RunRequest
from engine.process.ring import Rows
from engine.program.compiler import compile_plan, lay_streams
from engine.program.hazards import waits_of
from engine.program.operation import Nanoseconds, Program
from engine.program.predict import bound_ns, predict
from engine.program.profile import DeviceProfile, estimate_durations
from engine.program.simulation import AS_IT_IS, Simulation, parse_faults
from engine.schedule.cpm import schedule
from engine.session.measuring import Measuring
from engine.session.state import State
from engine.trace.counters import Counters, Sample, Track
from engine.trace.overlap import Metrics, pauses_after
from engine.trace.planned import KindError, errors_by_kind
from engine.trace.recorded_run import RecordedRun
from engine.trace.timeline import Timeline

T = TypeVar("T")

# So many spans are predicted while a run is made; a longer prediction is completed on a worker as the run begins.
PREDICTED_AT_ONCE = 100
# Nor is more than this ever predicted: later iterations look like those before, and nobody sees them all.
PREDICTED_AT_MOST = 20_000
# How often a plan may run in a row, and of how many parts a run may be: each is kept, on the disk.
MOST_REPEATS = 1_000_000
MOST_PARTS = 10_000_000

_numbers = itertools.count(1)


class Outcome(StrEnum):
    """How a run ended."""

    FINISHED = "finished"
    FAILED = "failed"
    CANCELED = "canceled"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a plan is run: on which kind of device, how often, from which seed.

    `streams` lays the plan onto so many streams (0: as planned). `profile` gives the costs, the document's if None.
    `trusts(folder)` says whether the code of a kit in that folder may run. `faults` are words of parse_faults(), `pace`
    is that of a Simulation: both are for the simulated device.
    """

    device: str = "cpu"
    repeat: int = 1
    streams: int = 0
    seed: int = 0
    profile: DeviceProfile | None = None
    trusts: Callable[[str], bool] = lambda _folder: False
    faults: tuple[str, ...] = ()
    pace: float = 0.0


class Runnable(Protocol):
    """What a run needs of a Document. `folder` is where the files lie that fill buffers."""

    @property
    def state(self) -> State:
        """The plan and its schedule."""

    @property
    def profile(self) -> DeviceProfile:
        """The costs that estimate durations."""

    @property
    def folder(self) -> str:
        """Where the plan lies."""


class RunJob:
    """One run. Plan and schedule are those of the moment it is made; later edits do not touch it.

    Making it compiles: CompileError is raised before anything starts, UntrustedKitError for code that nobody has let
    run. `program` and `predicted` are there at once, `timeline` grows while run() is awaited and is kept whatever the
    outcome. `device` is what runs it, once it runs.
    `listener(count)` hears the number of spans so far, at most some sixty times a second, and pulls what it shows.
    `is_paused` is what was asked for, `stands_still` what the device has said: where the two differ, it is on its way.
    """

    def __init__(
        self,
        document: Runnable,
        client: DeviceClient,
        options: RunOptions,
        listener: Callable[[int], None] = lambda _: None,
    ) -> None:
        if options.repeat > MOST_REPEATS:
            raise CompileError(f"A plan runs at most {MOST_REPEATS:,} times in a row; {options.repeat:,} are too many.")
        self.number = next(_numbers)
        self.options = options
        self.profile = options.profile or document.profile
        self.program = _compile(document, options, self.profile)
        if self.program.kits and not self.program.folder:
            name = self.program.name
            raise CompileError(f"“{name}” runs kernels of kits, which are looked for beside its file: save it first.")
        if strange := tuple(folder for folder in self.program.kit_folders if not options.trusts(folder)):
            raise UntrustedKitError(self.program.name, strange)
        _check_length(self.program, options.repeat)
        self.simulation = Simulation(options.pace, parse_faults(options.faults, self.program))
        if options.device != "simulated" and self.simulation != AS_IT_IS:
            raise CompileError("Faults and a pace are for the simulated device alone.")
        self.predicted = predict(self.program, self.profile, self._iterations_of(PREDICTED_AT_ONCE))
        self.timeline = Timeline(self.program.streams, {op.task: op.name for op in self.program.operations})
        self.timeline.like = self.predicted
        self.bound_ns = bound_ns(self.program, options.repeat)
        self.counters = Counters(client.hello.counters if client.hello else ())
        self.device: Hello | None = None
        self.outcome: Outcome | None = None
        self.error = ""
        self.failed_task: TaskId = 0
        self.outputs: tuple[OutputDigest, ...] = ()
        self.is_verified: bool | None = None
        self.is_paused = False
        self.stands_still = False
        self.is_canceling = False
        self._has_begun = False
        self._paused_at: list[Nanoseconds] = []
        self._client = client
        self._listener = listener
        self.waits = waits_of(self.program)
        self._measuring = Measuring(self.timeline, self.waits, self.bound_ns, self._paused_at)
        self._done = 0

    async def run(self) -> Outcome:
        """Runs to the end, whatever that is, and returns it. Raises only what is a bug."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._predict_all())
            measuring = group.create_task(self._measuring.follow())
            try:
                return await self._follow()
            finally:
                measuring.cancel()
                await self._measuring.conclude()

    def pause(self) -> None:
        """Pauses between parts; the spans of parts in flight still arrive, until it `stands_still`."""
        self.is_paused = self.outcome is None
        if self._has_begun:
            self._client.pause()

    def resume(self) -> None:
        """Goes on after a pause."""
        if self.is_paused and self.stamps != "simulated":  # a virtual clock stands still in a pause
            self._paused_at.append(self.timeline.end_ns_max)
        self.is_paused = False
        if self._has_begun:
            self._client.resume()

    def cancel(self) -> None:
        """Ends the run between parts; run() returns when it has ended, and until then `is_canceling`."""
        self.is_canceling = self.outcome is None
        if self._has_begun:
            self._client.cancel()

    @property
    def repeat(self) -> int:
        """How often the plan is run in a row."""
        return self.options.repeat

    @property
    def progress(self) -> float:
        """The share of operations that are done, of all iterations: 0 to 1."""
        total = self.program.count(self.options.repeat)
        return self._done / total if total else 1.0

    @property
    def iteration(self) -> int:
        """Which iteration the run is at, from 1: as many operations as all earlier ones have are done."""
        return min(self.options.repeat, self.program.iterations_in(self._done) + 1)

    @property
    def device_name(self) -> str:
        """What the device calls itself; the kind that was asked for while it has not said."""
        return self.device.name if self.device else self.options.device

    @property
    def stamps(self) -> str:
        """Where instants come from: measured, inferred, wall or simulated; empty while the device has not said."""
        return self.device.stamps if self.device else ""

    @property
    def pauses(self) -> tuple[tuple[Nanoseconds, Nanoseconds], ...]:
        """The [start, end) in which nothing ran because it had been paused."""
        return pauses_after(self.timeline, self._paused_at)

    def metrics(self, most_gaps: int | None = None) -> Metrics:
        """The figures of the spans so far; `most_gaps` keeps the longest gaps only, for a view that asks often."""
        return self._measuring.metrics(most_gaps)

    @property
    def counter_tracks(self) -> tuple[Track, ...]:
        """What the machine's counters said so far."""
        return self.counters.tracks

    def errors(self) -> tuple[KindError, ...]:
        """How far the spans so far were from their prediction, by kind of operation."""
        kinds = {op.task: (op.kind.value, op.kernel) for op in self.program.operations}
        return errors_by_kind(self.timeline, self.predicted, kinds)

    def record(self) -> RecordedRun:
        """The run as it is kept with the plan. Made once it is over."""
        return RecordedRun(
            number=self.number,
            device=self.options.device,
            outcome=self.outcome or Outcome.CANCELED,
            device_name=self.device_name,
            stamps=self.stamps,
            error=self.error,
            failed_task=self.failed_task,
            repeat=self.options.repeat,
            bound_ns=self.bound_ns,
            is_verified=self.is_verified,
            streams=self.timeline.streams,
            names=tuple(self.timeline.names.items()),
            waits=self.waits,
            parts=self.timeline.rows(),
            predicted=self.predicted.rows(),
            pauses=self.pauses,
            counters=self.counters.tracks,
        )

    async def _predict_all(self) -> None:
        if self._iterations_of(PREDICTED_AT_ONCE) < self._iterations_of(PREDICTED_AT_MOST):
            found = await asyncio.to_thread(self._predict)
            self.timeline.like = self.predicted = max(self.predicted, found, key=lambda timeline: timeline.count)

    def _predict(self) -> Timeline:
        """On a worker: as many iterations as are shown, unless the run ends before its time, and their lanes."""
        iterations = self._iterations_of(PREDICTED_AT_MOST)
        found = predict(self.program, self.profile, iterations, lambda: not self._is_given_up)
        for by in ("stream", "engine"):
            found.lanes(by)
        return found

    @property
    def _is_given_up(self) -> bool:
        return self.is_canceling or self.outcome not in (None, Outcome.FINISHED)

    def _iterations_of(self, spans: int) -> int:
        """How many whole iterations so many spans are, at least one."""
        return min(self.options.repeat, max(1, self.program.iterations_in(spans)))

    async def _follow(self) -> Outcome:
        if self.is_canceling:
            return self._end(RunEnded(self.number, Outcome.CANCELED))
        self._has_begun = True
        if self.is_paused:
            asyncio.get_running_loop().call_soon(self._client.pause)  # once the client knows of this run
        profile = self.profile.to_json()
        # Its kits are trusted, or the job would not have been made.
        numbers = (self.options.repeat, self.options.seed)
        request = RunRequest(self.number, self.program, profile, *numbers, True, self.simulation)
        try:
            ended = await self._client.run(request, self._take, self._count, self._hear)
        except EngineError as error:
            return self._end(RunEnded(self.number, Outcome.FAILED, error.sentence, next(iter(error.ids), 0)))
        except asyncio.CancelledError:
            self._end(RunEnded(self.number, Outcome.CANCELED))
            raise
        except Exception:
            sentence = "The run was ended by a fault in the program; the partial timeline is kept."
            self._end(RunEnded(self.number, Outcome.FAILED, sentence))
            raise
        return self._end(ended)

    def _take(self, rows: Rows) -> None:
        self._meet()
        self.timeline.extend(rows)
        self._done += int((rows[:, 2] == rows[:, 3] - 1).sum())
        self._listener(self.timeline.count)

    def _count(self, samples: Sequence[Sample]) -> None:
        self._meet()
        self.counters.add(samples)

    def _hear(self, is_paused: bool) -> None:
        self.stands_still = is_paused
        self._listener(self.timeline.count)

    def _meet(self) -> None:
        """Take note of what runs it, once that has said what it is."""
        if self.device is None and (hello := self._client.hello) is not None:
            self.device = hello
            self.counters.announce(hello.counters)

    def _end(self, ended: RunEnded) -> Outcome:
        self._meet()
        self.outcome = Outcome(ended.outcome)
        self.error, self.failed_task = ended.error, ended.failed_task
        self.outputs, self.is_verified = ended.outputs, ended.is_verified
        self.is_paused = self.stands_still = self.is_canceling = False
        return self.outcome


class Supervisor:
    """Holds every coroutine it is given until that ends, and hands what one raises to `report(error, name)`."""

    def __init__(self, report: Callable[[BaseException, str], object]) -> None:
        self._report = report
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Starts a coroutine under a name for people. One that fails is reported and disturbs no other."""
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def leave(self, seconds: float = 3.0) -> tuple[str, ...]:
        """Cancels all, waits so long, and returns the names of those that did not stop; those are reported too."""
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        if not tasks:
            return ()
        _, stubborn = await asyncio.wait(tasks, timeout=seconds)
        names = tuple(sorted(task.get_name() for task in stubborn))
        for name in names:
            self._report(TimeoutError(f"“{name}” did not stop within {seconds:g} s"), name)
        return names

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._report(error, task.get_name())


def _compile(document: Runnable, options: RunOptions, profile: DeviceProfile) -> Program:
    """The program of a document's plan, laid onto the streams that were asked for."""
    plan, planned = document.state.plan, document.state.schedule
    if plan.clock is not Clock.DEVICE:
        sentence = f"“{plan.name}” is a calendar plan; only a device plan can run. Open one, such as a sample."
        raise CompileError(sentence)
    if options.streams:
        plan = lay_streams(plan, options.streams)
        planned = schedule(plan, estimate_durations(plan, profile))
    return compile_plan(plan, planned, profile, document.folder)


def _check_length(program: Program, repeat: int) -> None:
    again = sum(op.parts for op in program.again().operations)
    once = sum(op.parts for op in program.operations) - again
    most = (MOST_PARTS - once) // again if again else MOST_REPEATS
    if repeat > most:
        raise CompileError(f"“{program.name}” runs at most {most:,} times in a row; {repeat:,} are too many.")
