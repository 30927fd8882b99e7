"""RunJob beside a host in the same process, and the Supervisor that holds coroutines."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.errors import CompileError
from engine.model import (
    Assignment,
    Buffer,
    Calendar,
    Clock,
    Dependency,
    Fill,
    FillKind,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.process.client import DeviceClient
from engine.process.connection import Connection
from engine.process.host import Host
from engine.program.profile import DeviceProfile, estimate_durations, load_profile
from engine.runtime.backend import Completion, DeviceInfo
from engine.schedule.cpm import schedule
from engine.session import jobs
from engine.session.jobs import Outcome, RunJob, RunOptions, Supervisor
from engine.session.state import State
from tests.engine.process.small import FakeDevice

PROFILE = load_profile("cpu-default")
COPY_IN, SPIN, COPY_OUT = (
    OperationSpec(OperationKind.COPY_IN, reads=("x",), writes=("x",)),
    OperationSpec(OperationKind.KERNEL, "spin", (("microseconds", 200),), reads=("x",), writes=("y",)),
    OperationSpec(OperationKind.COPY_OUT, reads=("y",), writes=("y",)),
)


@dataclass
class Paper:
    """What a run needs of a document."""

    state: State
    profile: DeviceProfile = PROFILE
    folder: str = ""


def paper(**changes: object) -> Paper:
    """A plan that copies in and spins on one stream, and copies out on another."""
    specs = (COPY_IN, SPIN, COPY_OUT)
    plan = Plan(
        "small",
        Clock.DEVICE,
        tasks=tuple(
            Task(number, spec.kind.value, is_duration_typed=False, operation=spec)
            for number, spec in enumerate(specs, 1)
        ),
        dependencies=(Dependency(1, 2), Dependency(2, 3)),
        resources=(Resource(1, "work", ResourceKind.STREAM), Resource(2, "out", ResourceKind.STREAM)),
        assignments=(Assignment(1, 1), Assignment(2, 1), Assignment(3, 2)),
        buffers=(Buffer("x", (4096,), fill=Fill(FillKind.SEED, 7)), Buffer("y", (4096,))),
        next_task_id=4,
    )
    plan = replace(plan, **changes)  # type: ignore[arg-type]
    return Paper(State(plan, schedule(plan, estimate_durations(plan, PROFILE))))


def start_with(device: FakeDevice) -> Callable[[str], Awaitable[Connection]]:
    async def start(kind: str) -> Connection:
        return Host(kind, lambda _kind, _profile: device)

    return start


@pytest.mark.parametrize("kind", ["cpu", "simulated"])
async def test_that_a_run_has_one_span_an_operation_and_iteration_and_is_verified(kind: str) -> None:
    client = DeviceClient(kind, Host.start)
    counts: list[int] = []
    job = RunJob(paper(), client, RunOptions(kind, repeat=3), counts.append)
    assert job.predicted.count == 9
    assert await job.run() is Outcome.FINISHED
    await client.close()
    assert (job.error, job.is_verified, job.progress) == ("", True, 1.0)
    spans = {(span.task, span.iteration) for span in job.timeline.spans() if span.is_done}
    assert spans == {(task, k) for task in (1, 2, 3) for k in range(3)}
    assert counts == sorted(counts)
    assert counts[-1] == 9
    assert job.device is not None
    assert job.device.kind == kind


async def test_that_metrics_know_the_bound_and_the_waits() -> None:
    client = DeviceClient("simulated", Host.start)
    job = RunJob(paper(), client, RunOptions("simulated"))
    assert job.metrics().span_ns == 0
    await job.run()
    await client.close()
    metrics = job.metrics()
    assert metrics.bound_ns == job.bound_ns > 0
    assert metrics.serial_ns == metrics.span_ns > 0  # each waits for the one before
    assert job.record().waits.links == job.waits.links


async def test_that_each_run_and_its_record_name_the_profile_that_was_used() -> None:
    client = DeviceClient("simulated", Host.start)
    assert (await client.start()).name == "simulated from a profile"
    for profile in ("cpu-default", "h200-like", "cpu-default"):
        job = RunJob(paper(), client, RunOptions("simulated", profile=load_profile(profile)))
        await job.run()
        assert job.device == client.hello
        assert (job.record().device_name, job.record().stamps) == (f"{profile} (simulated)", "simulated")
    await client.close()


async def test_that_a_run_is_named_from_its_first_span_on() -> None:
    client, named = DeviceClient("simulated", Host.start), set()
    await client.start()
    job = RunJob(paper(), client, RunOptions("simulated"), lambda _: named.add(job.device_name))
    await job.run()
    await client.close()
    assert named == {"cpu-default (simulated)"}


async def test_that_streams_are_laid_onto_as_many_as_asked() -> None:
    client = DeviceClient("simulated", Host.start)
    job = RunJob(paper(), client, RunOptions("simulated", streams=1))
    await job.run()
    await client.close()
    assert job.program.streams == ("work",)
    assert set(job.timeline.stream.tolist()) == {0}


async def test_that_a_plan_that_cannot_run_is_refused_before_anything_starts() -> None:
    started: list[str] = []

    async def start(kind: str) -> Connection:
        started.append(kind)
        return Host(kind)

    client = DeviceClient("cpu", start)
    with pytest.raises(CompileError, match=r"“kernel” cannot run"):
        RunJob(paper(buffers=(Buffer("x", (4096,)),)), client, RunOptions())
    calendar = Plan("house", Clock.CALENDAR, calendar=Calendar.standard(), tasks=(Task(1, "dig", 60),), next_task_id=2)
    with pytest.raises(CompileError, match="“house” is a calendar plan"):
        RunJob(Paper(State(calendar, schedule(calendar))), client, RunOptions())
    assert started == []


async def test_that_a_failed_run_names_its_task_and_keeps_what_happened() -> None:
    device = FakeDevice()
    client = DeviceClient("fake", start_with(device))

    def break_it(count: int) -> None:
        device.fault = "“kernel” ran out of memory."

    job = RunJob(paper(), client, RunOptions("fake", repeat=10_000), break_it)
    assert await job.run() is Outcome.FAILED
    await client.close()
    assert job.error == "“kernel” ran out of memory."
    assert job.failed_task in (1, 2, 3)
    assert 0 < job.timeline.count < 30_000
    assert 0 < job.progress < 1
    assert job.is_verified is None


async def test_that_a_device_that_does_not_start_fails_the_run_with_its_sentence() -> None:
    job = RunJob(paper(), DeviceClient("abacus", Host.start), RunOptions("abacus"))
    assert await job.run() is Outcome.FAILED
    assert job.error.startswith("There is no device called “abacus”")


async def test_that_pause_resume_and_cancel_reach_the_run() -> None:
    device = FakeDevice()
    device.free.clear()
    client = DeviceClient("fake", start_with(device))
    arrived = asyncio.Event()
    job = RunJob(paper(), client, RunOptions("fake", repeat=10_000), lambda _: arrived.set())
    running = asyncio.create_task(job.run())
    await device.is_launched.wait()
    in_flight = len(device.launches)
    job.pause()
    assert job.is_paused
    device.free.set()
    await arrived.wait()
    assert len(device.launches) == in_flight
    device.is_launched.clear()
    job.resume()
    assert not job.is_paused
    await device.is_launched.wait()
    job.cancel()
    assert await running is Outcome.CANCELED
    await client.close()


async def test_that_a_run_dropped_from_outside_is_canceled_and_keeps_its_spans() -> None:
    arrived = asyncio.Event()
    client = DeviceClient("fake", start_with(FakeDevice()))
    job = RunJob(paper(), client, RunOptions("fake", repeat=10_000), lambda _: arrived.set())
    running = asyncio.create_task(job.run())
    await arrived.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await client.close()
    assert job.outcome is Outcome.CANCELED
    assert job.timeline.count > 0


async def test_that_a_bug_in_a_listener_ends_the_run_and_is_not_swallowed() -> None:
    def listener(count: int) -> None:
        raise ZeroDivisionError

    client = DeviceClient("fake", start_with(FakeDevice()))
    job = RunJob(paper(), client, RunOptions("fake"), listener)
    with pytest.raises(ExceptionGroup) as caught:
        await job.run()
    await client.close()
    assert caught.group_contains(ZeroDivisionError)
    assert job.outcome is Outcome.FAILED


async def test_that_a_long_prediction_is_completed_while_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PREDICTED_AT_ONCE", 6)
    client = DeviceClient("fake", start_with(FakeDevice()))
    job = RunJob(paper(), client, RunOptions("fake", repeat=20))
    assert job.predicted.count == 6
    await job.run()
    await client.close()
    assert job.predicted.count == 60


async def test_that_no_more_is_predicted_than_anybody_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PREDICTED_AT_ONCE", 6)
    monkeypatch.setattr(jobs, "PREDICTED_AT_MOST", 31)
    client = DeviceClient("fake", start_with(FakeDevice()))
    job = RunJob(paper(), client, RunOptions("fake", repeat=20))
    await job.run()
    await client.close()
    assert (job.predicted.count, job.timeline.count) == (30, 60)


def test_that_a_plan_runs_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = sum(op.parts for op in RunJob(paper(), DeviceClient("fake"), RunOptions("fake")).program.operations)
    monkeypatch.setattr(jobs, "MOST_PARTS", 1_000 * parts)
    RunJob(paper(), DeviceClient("fake"), RunOptions("fake", repeat=1_000))
    with pytest.raises(CompileError, match=r"^“small” runs at most 1,000 times in a row; 1,001 are too many\.$"):
        RunJob(paper(), DeviceClient("fake"), RunOptions("fake", repeat=1_001))


async def test_that_a_run_says_which_pass_it_is_at_and_that_it_is_being_canceled() -> None:
    client, passes = DeviceClient("fake", start_with(FakeDevice())), []
    job = RunJob(paper(), client, RunOptions("fake", repeat=400))

    def listen(count: int) -> None:
        passes.append((count // 3 + 1, job.iteration))
        if count > 300:
            job.cancel()
            assert job.is_canceling

    job._listener = listen
    assert job.iteration == 1
    assert await job.run() is Outcome.CANCELED
    await client.close()
    assert not job.is_canceling
    assert passes == [(counted, counted) for counted, _ in passes]


class Stamped(FakeDevice):
    """Every part takes 100 ns after the last, on a clock that may be set on, and is a wall's or a virtual one."""

    def __init__(self, stamps: str) -> None:
        super().__init__()
        self.stamps, self.now = stamps, 0

    def describe(self) -> DeviceInfo:
        return replace(super().describe(), stamps=self.stamps)

    async def completions(self) -> list[Completion]:
        ended = []
        for completion in await super().completions():
            ended.append(replace(completion, start_ns=self.now, end_ns=self.now + 100))
            self.now += 100
        return ended


@pytest.mark.parametrize(("stamps", "is_left_out"), [("wall", True), ("simulated", False)])
async def test_that_a_pause_is_no_idleness_of_a_device(stamps: str, *, is_left_out: bool) -> None:
    device, hour = Stamped(stamps), 3_600 * 10**9
    client = DeviceClient("fake", start_with(device))
    is_paused = asyncio.Event()

    def pause(count: int) -> None:
        if not is_paused.is_set():
            job.pause()
            is_paused.set()

    job = RunJob(paper(), client, RunOptions("fake", repeat=500), pause)
    running = asyncio.create_task(job.run())
    await is_paused.wait()
    quiet = 0
    while quiet < 10:  # what was in flight arrives
        quiet = quiet + 1 if len(job.timeline.rows()) == len(device.launches) else 0
        await asyncio.sleep(0.01)
    device.now += hour
    job.resume()
    assert await running is Outcome.FINISHED
    await client.close()
    gaps = [gap for gap in job.metrics().gaps if gap.duration_ns >= hour]
    assert (gaps == []) is is_left_out
    assert len(job.metrics().gaps) > len(gaps)
    metrics = job.metrics()
    assert metrics.span_ns > hour
    assert (hour <= metrics.paused_ns < metrics.span_ns) is is_left_out
    assert ((metrics.speed_up or 0) > 0.9) is is_left_out  # one part after the other


async def test_that_a_run_that_fails_does_not_wait_for_all_that_it_would_have_done() -> None:
    job = RunJob(paper(), DeviceClient("abacus", Host.start), RunOptions("abacus", repeat=jobs.MOST_REPEATS))
    assert await job.run() is Outcome.FAILED
    assert job.predicted.count >= 3


@pytest.mark.parametrize("repeat", [1, 2, 1000])
async def test_that_making_a_run_predicts_no_more_than_is_seen_at_once(repeat: int) -> None:
    job = RunJob(paper(), DeviceClient("cpu", Host.start), RunOptions(repeat=repeat))
    assert job.predicted.count == min(3 * repeat, jobs.PREDICTED_AT_ONCE // 3 * 3)
    assert job.predicted.span(1, 0) is not None


async def test_that_a_record_holds_the_run_as_it_was() -> None:
    client = DeviceClient("simulated", Host.start)
    job = RunJob(paper(), client, RunOptions("simulated", repeat=2))
    await job.run()
    await client.close()
    record = job.record()
    np.testing.assert_array_equal(record.timeline().start_ns, job.timeline.start_ns)
    assert record.predicted_timeline().count == job.predicted.count
    assert (record.outcome, record.stamps, record.is_verified) == ("finished", "simulated", True)


async def test_that_the_supervisor_reports_what_a_coroutine_raises_and_disturbs_no_other() -> None:
    reports: list[tuple[str, str]] = []
    supervisor = Supervisor(lambda error, name: reports.append((repr(error), name)))

    async def fail() -> None:
        raise ValueError("no")

    async def succeed() -> int:
        await asyncio.sleep(0)
        return 7

    failing, other = supervisor.spawn(fail(), "first"), supervisor.spawn(succeed(), "second")
    await asyncio.wait([failing, other])
    assert other.result() == 7
    assert reports == [("ValueError('no')", "first")]
    assert await supervisor.leave() == ()


async def test_that_leaving_cancels_all_and_names_the_stubborn() -> None:
    reports: list[str] = []
    supervisor = Supervisor(lambda error, name: reports.append(name))
    release = asyncio.Event()
    is_canceled = False

    async def willing() -> None:
        nonlocal is_canceled
        try:
            await asyncio.Event().wait()
        finally:
            is_canceled = True

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    supervisor.spawn(willing(), "willing")
    task = supervisor.spawn(stubborn(), "stubborn")
    await asyncio.sleep(0)
    assert await supervisor.leave(seconds=0.01) == ("stubborn",)
    assert is_canceled
    assert reports == ["stubborn"]
    release.set()
    await task


async def test_that_a_run_paused_before_it_begins_waits_and_touches_no_other() -> None:
    device = FakeDevice()
    client = DeviceClient("fake", start_with(device))
    device.free.clear()
    job, other = (RunJob(paper(), client, RunOptions("fake")) for _ in range(2))
    running = asyncio.create_task(other.run())
    await device.is_launched.wait()
    job.cancel()  # the client is at the run of another window
    assert await job.run() is Outcome.CANCELED
    device.free.set()
    assert await running is Outcome.FINISHED
    later = RunJob(paper(), client, RunOptions("fake", repeat=1000))
    later.pause()
    running = asyncio.create_task(later.run())
    await asyncio.sleep(0.1)
    assert later.progress < 1
    later.resume()
    assert await running is Outcome.FINISHED
    await client.close()
