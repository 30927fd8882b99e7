"""Why idle, of whole runs however they went: the pieces of every row sum to its idle time, without its pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.process.client import DeviceClient
from engine.process.host import Host, open_device
from engine.runtime.backend import Device
from engine.runtime.cuda import CudaDevice
from engine.session.document import Document
from engine.session.jobs import Outcome, RunJob, RunOptions
from engine.trace import columns
from engine.trace.overlap import Metrics
from engine.trace.timeline import ENGINES, Timeline
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.engine.program.test_idle_time import idle_ns
from tests.engine.session.test_jobs import paper
from tests.fake_cupy import fake_cupy


def is_honest(timeline: Timeline, metrics: Metrics) -> bool:
    """Whether every row's pieces are its idle time, counted by walking over its spans."""
    assert metrics.explained is not None
    streams = len(timeline.streams)
    rows = [(timeline.stream, place) for place in range(streams)]
    rows += [(timeline.engine, place) for place in range(len(ENGINES))]
    for place, (of, index) in enumerate(rows):
        found, idle = sum(metrics.explained.totals(place).values()), idle_ns(timeline, of, index)
        if found != (0 if idle is None else idle - metrics.paused_ns):
            return False
    return sum(metrics.idle_ns.values()) == sum(
        sum(metrics.explained.totals(streams + engine).values()) for engine in range(len(ENGINES))
    )


async def ran(
    options: RunOptions,
    act: Callable[[RunJob], None] = lambda _: None,
    opener: Callable[[str, str], Device] = open_device,
    document: Document | None = None,
) -> RunJob:
    """A run to its end; `act` hears of every batch of spans."""

    async def start(kind: str) -> Host:
        return Host(kind, opener)

    client = DeviceClient(options.device, start)
    job = RunJob(document or Document(paper().state.plan), client, options, lambda _: act(job))
    await job.run()
    await client.close()
    return job


async def test_that_a_pause_is_no_idle_time_of_any_row() -> None:
    pausing: list[asyncio.TimerHandle] = []

    def pause(job: RunJob) -> None:
        if not pausing and job.iteration > 2:
            job.pause()
            pausing.append(asyncio.get_running_loop().call_later(0.3, job.resume))

    job = await ran(RunOptions("cpu", repeat=500), pause)
    assert job.outcome is Outcome.FINISHED
    assert job.metrics().paused_ns > 100_000_000
    assert is_honest(job.timeline, job.metrics())


async def test_that_a_canceled_run_explains_what_there_is_of_it() -> None:
    job = await ran(RunOptions("cpu", repeat=1_000), lambda job: job.cancel() if job.iteration > 3 else None)
    assert job.outcome is Outcome.CANCELED
    assert is_honest(job.timeline, job.metrics())


@pytest.mark.parametrize("fault", ["fail", "no-memory", "sticky", "slow-copies"])
async def test_that_a_run_with_a_fault_explains_what_there_is_of_it(fault: str) -> None:
    job = await ran(RunOptions("simulated", repeat=3, faults=(fault,)))
    assert job.outcome is (Outcome.FINISHED if fault == "slow-copies" else Outcome.FAILED)
    assert not job.timeline.count or is_honest(job.timeline, job.metrics())


async def test_that_a_thousand_repetitions_on_the_disk_are_explained_and_so_they_are_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "KEPT_ROWS", 1 << 9)
    document = Document(paper().state.plan)
    job = await ran(RunOptions("simulated", repeat=1_000), document=document)
    assert job.timeline.count == 3_000
    assert is_honest(job.timeline, job.metrics())
    document.add_run(job.record())
    document.save(tmp_path / "kept.loom")
    (kept,) = Document.load(tmp_path / "kept.loom").runs
    assert is_honest(kept.timeline(), kept.metrics())
    assert kept.metrics() == job.metrics()


@pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
async def test_that_a_run_on_a_stand_in_for_a_gpu_is_explained(tmp_path: Path) -> None:
    shim = Shim(build(tmp_path))
    document = Document(paper().state.plan)
    job = await ran(RunOptions("cpu", repeat=3), opener=lambda *_: CudaDevice(fake_cupy(shim)), document=document)
    assert job.outcome is Outcome.FINISHED, job.error
    assert is_honest(job.timeline, job.metrics())
