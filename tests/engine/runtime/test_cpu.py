"""What only a device of threads must show: real concurrency, wake-ups by the batch, threads that end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.program.operation import Operation, Program
from engine.runtime.backend import Completion, Launch
from engine.runtime.cpu import CpuDevice
from engine.runtime.executor import RunControl, RunOutcome, run_program
from engine.trace.intervals import concurrency
from engine.trace.timeline import ENGINES, Timeline
from tests.drawn_programs import programs
from tests.programs import Mix, copy_in, copy_out, host, kernel, kernels, program, seeded

# No test waits so long unless it fails.
PATIENCE = 20.0


@pytest.fixture
def device() -> Iterator[CpuDevice]:
    """With two lanes and no bound on all engines together, however many threads the processor has."""
    opened = CpuDevice(lanes=2, at_once=5)
    yield opened
    opened.close()


def run(device: CpuDevice, one: Program) -> RunOutcome:
    device.prepare(one, 0)
    return asyncio.run(run_program(device, one, 1, RunControl(), lambda rows: None))


def of(*operations: Operation) -> Program:
    names = {name for op in operations for name in (*op.reads, *op.writes)}
    return program(operations, [seeded(name, 8, "int64") for name in sorted(names)])


def mixes(task: int, stream: int, name: str, waits: tuple[int, ...] = ()) -> Operation:
    """A kernel on buffers that no other operation touches."""
    return kernel(task, stream, name, reads=(f"r{task}", f"w{task}"), writes=(f"w{task}",), waits=waits)


def pass_barrier(barrier: threading.Barrier) -> Callable[[int], object]:
    return lambda part: barrier.wait(PATIENCE)


def wait_for(event: threading.Event) -> Callable[[int], object]:
    def during(part: int) -> None:
        if not event.wait(PATIENCE):
            raise RuntimeError("nobody came")

    return during


def test_that_kernels_of_two_streams_and_host_work_run_at_the_same_time(device: CpuDevice) -> None:
    meeting = pass_barrier(threading.Barrier(3))
    host_work = host(3, 2, "meet", reads=("r3", "w3"), writes=("w3",))
    with kernels(Mix(meeting, "meet")):
        assert run(device, of(mixes(1, 0, "meet"), mixes(2, 1, "meet"), host_work)) == RunOutcome("finished")


def test_that_no_more_kernels_run_at_once_than_there_are_lanes(device: CpuDevice) -> None:
    at_work, most, lock = 0, 0, threading.Lock()

    def work(part: int) -> None:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        time.sleep(0.001)
        with lock:
            at_work -= 1

    many = [mixes(task, stream, "work") for task in range(1, 17) for stream in [task % 4]]
    with kernels(Mix(work, "work")):
        assert run(device, of(*many)) == RunOutcome("finished")
    assert most == 2


@given(one=programs())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_no_more_operations_of_an_engine_have_begun_than_it_has_lanes(device: CpuDevice, one: Program) -> None:
    rows: list[NDArray[np.int64]] = []
    with kernels(Mix()):
        device.prepare(one, 0)
        asyncio.run(run_program(device, one, 2, RunControl(), rows.append))
    timeline = Timeline(one.streams, {})
    timeline.extend(np.concatenate(rows))
    for engine, lanes in device.describe().engines:
        mine = timeline.engine == ENGINES.index(engine)
        assert concurrency(timeline.start_ns[mine], timeline.end_ns[mine])[1].max(initial=0) <= lanes


@given(one=programs(), at_once=st.integers(1, 2))
@settings(max_examples=30, deadline=None)
def test_that_no_more_operations_of_all_engines_are_at_work_than_there_are_threads(one: Program, at_once: int) -> None:
    device, rows = CpuDevice(lanes=2, at_once=at_once), list[NDArray[np.int64]]()
    try:
        with kernels(Mix()):
            device.prepare(one, 0)
            outcome = asyncio.run(run_program(device, one, 2, RunControl(), rows.append))
    finally:
        device.close()
    assert outcome == RunOutcome("finished")
    timeline = Timeline(one.streams, {})
    timeline.extend(np.concatenate(rows))
    assert concurrency(timeline.start_ns, timeline.end_ns)[1].max(initial=0) <= at_once


def ended_in_order(device: CpuDevice, one: Program, *batches: Sequence[Launch]) -> list[tuple[int, int]]:
    """(task, part) as they ended, each batch launched once the one before has ended."""

    async def scenario() -> list[tuple[int, int]]:
        device.begin()
        ended: list[Completion] = []
        for batch in batches:
            # All at once: what runs ends only when the rest is queued.
            with device._run._lock:
                for launch in batch:
                    device._run._queues.push(launch)
                device._run._dispatch()
            wanted = len(ended) + len(batch)
            while len(ended) < wanted:
                ended += await device.completions()
        return [(completion.task, completion.part) for completion in ended]

    with kernels(Mix(name="work")):
        device.prepare(one, 0)
        return asyncio.run(scenario())


def test_that_a_kernel_keeps_its_lane_until_its_last_part_and_others_come_in_their_order() -> None:
    device = CpuDevice(lanes=1)
    first, second, third = (replace(mixes(task, task - 1, "work"), parts=2) for task in (1, 2, 3))
    parts = [Launch(op, 0, part) for op in (first, second, third) for part in (0, 1)]
    try:
        assert ended_in_order(device, of(first, second, third), parts) == [
            (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1),
        ]  # fmt: skip
    finally:
        device.close()


def test_that_a_lane_is_taken_from_a_kernel_only_when_nothing_runs_any_more() -> None:
    device = CpuDevice(lanes=1)
    paused, other = replace(mixes(1, 0, "work"), parts=2), mixes(2, 1, "work")
    batches = [[Launch(paused, 0, 0), Launch(other, 0, 0)], [Launch(paused, 0, 1)]]
    try:
        assert ended_in_order(device, of(paused, other), *batches) == [(1, 0), (2, 0), (1, 1)]
    finally:
        device.close()


def test_that_a_kernel_keeps_its_lane_while_its_next_part_is_late(device: CpuDevice) -> None:
    may_end = threading.Event()
    slow, two, third = mixes(1, 0, "slow"), replace(mixes(2, 1, "work"), parts=2), mixes(3, 2, "work")
    one = of(slow, two, third)

    async def scenario() -> list[tuple[int, int]]:
        ended: list[Completion] = []

        async def until(count: int) -> None:
            while len(ended) < count:
                ended.extend(await device.completions())

        device.begin()
        device.launch(Launch(slow, 0, 0))
        device.launch(Launch(two, 0, 0))
        device.launch(Launch(third, 0, 0))
        await until(1)
        device.launch(Launch(two, 0, 1))
        await until(2)
        await until(3)
        may_end.set()
        await until(4)
        return [(completion.task, completion.part) for completion in ended]

    with kernels(Mix(wait_for(may_end), "slow"), Mix(name="work")):
        device.prepare(one, 0)
        assert asyncio.run(scenario()) == [(2, 0), (2, 1), (3, 0), (1, 0)]


def test_that_a_copy_that_waits_does_not_hold_the_lane_for_one_that_is_ready(device: CpuDevice) -> None:
    copied = threading.Event()
    slow = mixes(1, 0, "slow")
    behind = copy_in(2, 1, "x", waits=(1,))
    ready = copy_in(3, 2, "y")
    after = mixes(4, 2, "after")
    with kernels(Mix(wait_for(copied), "slow"), Mix(lambda part: copied.set(), "after")):
        assert run(device, of(slow, behind, ready, after)) == RunOutcome("finished")


def test_that_the_loop_is_woken_once_a_batch(device: CpuDevice) -> None:
    done = threading.Event()
    copies = [copy_in(task, 0, "x") for task in range(1, 9)]
    one = of(*copies, mixes(9, 0, "last"))

    async def scenario(monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[Sequence[Completion]]]:
        loop = asyncio.get_running_loop()
        wakes: list[object] = []
        wake = loop.call_soon_threadsafe
        monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *args: (wakes.append(args), wake(*args)))
        device.begin()
        for op in one.operations:
            device.launch(Launch(op, 0, 0))
        assert done.wait(PATIENCE)
        batches = [await device.completions()]
        while sum(map(len, batches)) < len(one.operations):
            batches.append(await device.completions())
        return len(wakes), batches

    with kernels(Mix(lambda part: done.set(), "last")), pytest.MonkeyPatch.context() as monkeypatch:
        device.prepare(one, 0)
        wakes, batches = asyncio.run(scenario(monkeypatch))
    assert len(batches[0]) >= len(copies), "what ended while the loop was away comes at once"
    assert wakes == len(batches)
    assert [ended.task for batch in batches for ended in batch] == list(range(1, 10))


def test_that_a_mistake_in_a_kernel_fails_the_run_and_surfaces(
    device: CpuDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistake(part: int) -> None:
        raise AttributeError("no such thing")

    surfaced: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", surfaced.append)
    with kernels(Mix(mistake, "wrong")):
        outcome = run(device, of(mixes(1, 0, "wrong"), copy_out(2, 0, "x")))
    assert outcome == RunOutcome("failed", "“kernel 1” stopped because of a mistake in its kernel.", 1)
    assert [str(caught.exc_value) for caught in surfaced] == ["no such thing"]


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("worker ")]


def test_that_every_thread_is_a_daemon_and_ends_with_the_device(device: CpuDevice) -> None:
    device.prepare(of(copy_in(1, 0, "x"), copy_in(2, 1, "y")), 0)
    threads = workers()
    assert sorted(thread.name for thread in threads) == ["worker stream 0", "worker stream 1"]
    assert all(thread.daemon for thread in threads)
    device.close()
    assert not any(thread.is_alive() for thread in threads)


def test_that_closing_waits_for_the_part_that_runs_and_drops_the_others(device: CpuDevice) -> None:
    started, finish = threading.Event(), threading.Event()
    performed: list[int] = []

    def work(part: int) -> None:
        started.set()
        finish.wait(PATIENCE)
        performed.append(part)

    one = of(*(mixes(task, 0, "work") for task in (1, 2, 3)))

    async def launch() -> None:
        device.begin()
        for op in one.operations:
            device.launch(Launch(op, 0, 0))
        assert started.wait(PATIENCE)

    with kernels(Mix(work, "work")):
        device.prepare(one, 0)
        asyncio.run(launch())
        under_way = device._run
        closing = threading.Thread(target=device.close)
        closing.start()
        while not under_way._is_broken:
            time.sleep(0.001)
        finish.set()
        closing.join(PATIENCE)
    assert not closing.is_alive()
    assert performed == [0]
    assert workers() == []


def test_that_it_names_the_processor_and_its_threads(device: CpuDevice) -> None:
    assert dict(device.describe().engines)["compute"] == 2
    info = CpuDevice().describe()
    lanes_of = dict(info.engines)
    assert info.name.endswith(f", {lanes_of['compute']} thread{'s' if lanes_of['compute'] > 1 else ''}")
    assert lanes_of["copy_in"] == lanes_of["copy_out"] == lanes_of["host"] == 1
