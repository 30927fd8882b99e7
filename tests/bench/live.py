"""A run of 5,000 operations a second, watched live: the heartbeat of the window's process, its memory, and the spans.

Memory is told in two: what is the process's own, which must not grow while the run goes on, and pages of files, the
spans on the disk among them, which the system takes back when it needs them. Code is compiled and loaded before: what
that takes is no part of what a run takes.

The simulated device goes at the pace of a real clock, in its own process; the whole app shows it, as in the bench
"heartbeat", beside an idle window. A row that was lost or came twice would show in the count and in the sum of the
stamps, which a second, unpaced run on a device of the same seed gives without a window.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from app import WARM_KERNELS
from engine.formats import loom
from engine.model import (
    Assignment,
    Buffer,
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
from engine.process.connection import own_command
from engine.session.document import Document
from engine.session.jobs import RunJob, RunOptions
from tests.bench.heartbeat import Beats, environment_in, in_window

RATE = 5_000
SECONDS = 60.0
STREAMS = 4
SAMPLE_SECONDS = 0.5
# After so many samples memory should be flat; so many make a figure of it.
AFTER, STRETCH = 20, 10
MOST_GROWTH = 1.1


class Sample(NamedTuple):
    """Memory of the window's process at one moment, and whether the run still went on."""

    is_live: bool
    own_mb: float
    file_mb: float


def main() -> None:
    """Prints the lateness of beats idle and live, the growth of memory, and what became of the spans."""
    seconds = float(os.environ.get("WARPLOOM_BENCH_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as folder:
        path = Path(folder) / "live.loom"
        loom.save(path, plan())
        wanted = asyncio.run(_headless(path, 200))
        pace = RATE / (wanted["spans"] / (wanted["end_ns"] / 1e9))
        repeat = round(RATE * seconds / (3 * STREAMS))
        subprocess.run(own_command(WARM_KERNELS), env=environment_in(folder, "live"), check=True)
        idle = _in_process(folder, path, 0, 1.0)
        live = _in_process(folder, path, repeat, pace)
        whole = asyncio.run(_headless(path, repeat))
    print(f"  {repeat} passes of {3 * STREAMS} operations on simulated, {RATE} operations a second")
    for name, found in (("idle", idle), ("live", live)):
        print(
            f"  {name:5} p50 {found['p50_ms']:5.1f} ms  p99 {found['p99_ms']:5.1f} ms "
            f"({found['p99_ms'] / idle['p99_ms']:4.1f} x idle)  max {found['max_ms']:6.1f} ms  "
            f"kept {found['kept_pct']:5.1f} % of {found['beats']:.0f} beats  own p99 {found['own_p99_ms']:4.1f} ms  "
            f"max {found['own_max_ms']:5.1f} ms"
        )
    rate = live["spans"] / live["wall_s"]
    print(f"  {live['spans']:.0f} spans in {live['wall_s']:.1f} s: {rate:.0f} a second ({rate / RATE:.2f} x asked)")
    same = all(live[name] == whole[name] for name in ("spans", "sum_ns", "end_ns"))
    print(f"  spans as without a window, in count, sum and end: {'yes' if same else 'NO'}")
    _say_memory(live)
    print("  aim: p99 16 ms, max 50 ms, 95 % kept; memory 1.0 x, at most 1.1; every span")


def _say_memory(live: dict[str, float]) -> None:
    grown = live["own_last_mb"] / live["own_first_mb"]
    verdict = "flat" if grown <= MOST_GROWTH else "IT GROWS"
    print(
        f"  memory of the window's process: its own {live['own_first_mb']:.0f} MB after 10 s, "
        f"{live['own_last_mb']:.0f} MB at the end ({grown:.2f} x, {verdict}); pages of files "
        f"{live['file_first_mb']:.0f} MB, then {live['file_last_mb']:.0f} MB"
    )
    print(f"  once over, all of it is measured: its own memory is {live['own_most_mb']:.0f} MB at most")


def plan() -> Plan:
    """A copy in, a kernel and a copy out on each of four streams; small, so that what is measured is the way."""
    tasks, links, assignments, buffers = [], [], [], []
    streams = [Resource(1 + number, f"Stream {number + 1}", ResourceKind.STREAM) for number in range(STREAMS)]
    for number in range(STREAMS):
        here, there, first = f"in {number}", f"out {number}", 3 * number + 1
        buffers += [Buffer(here, (64,), fill=Fill(FillKind.SEED, number)), Buffer(there, (64,))]
        specs = (
            OperationSpec(OperationKind.COPY_IN, reads=(here,), writes=(here,)),
            OperationSpec(OperationKind.KERNEL, "saxpy", (), reads=(here, here), writes=(there,)),
            OperationSpec(OperationKind.COPY_OUT, reads=(there,), writes=(there,)),
        )
        names = ("copy in", "saxpy", "copy out")
        for task, (name, spec) in enumerate(zip(names, specs, strict=True), start=first):
            tasks.append(Task(task, name, 0, is_duration_typed=False, operation=spec))
            assignments.append(Assignment(task, streams[number].id))
        links += [Dependency(first, first + 1), Dependency(first + 1, first + 2)]
    return replace(
        Plan("live", Clock.DEVICE, tasks=tuple(tasks), next_task_id=len(tasks) + 1),
        dependencies=tuple(links),
        resources=tuple(streams),
        assignments=tuple(assignments),
        buffers=tuple(buffers),
    ).check()


def figures(run: RunJob) -> dict[str, float]:
    """What two runs on a device of one seed have alike."""
    timeline = run.timeline
    stamps = int(timeline.start_ns.sum()) + int(timeline.end_ns.sum())
    return {"spans": timeline.count, "sum_ns": stamps, "end_ns": timeline.end_ns_max}


async def _headless(path: Path, repeat: int) -> dict[str, float]:
    client = DeviceClient("simulated")
    job = RunJob(Document.load(path), client, RunOptions("simulated", repeat))
    await job.run()
    await client.close()
    assert job.outcome == "finished", job.error
    return figures(job)


def _in_process(folder: str, path: Path, repeat: int, pace: float) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.live", str(path), str(repeat), str(pace)]
    done = subprocess.run(command, env=environment_in(folder, "live"), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


async def _watch(bridge: Any, repeat: int, pace: float) -> dict[str, float]:
    is_over = asyncio.Event()
    bridge.run_changed.connect(lambda run: run and run.outcome and is_over.set())
    while any(task.get_name() == "warm-up" for task in asyncio.all_tasks()):  # noqa: ASYNC110  nobody says so
        await asyncio.sleep(0.1)
    beats, samples = Beats(), list[Sample]()
    if not repeat:
        await asyncio.sleep(10)
        return beats.figures()
    bridge.set_device("simulated")
    bridge.set_repeat(repeat)
    bridge.pace = pace
    began = time.monotonic()
    bridge.run()
    sampling = asyncio.create_task(_sample(bridge.current_run, samples))
    await is_over.wait()
    wall_s = time.monotonic() - began
    found = beats.figures()
    sampling.cancel()
    run = bridge.current_run
    assert run.outcome == "finished", run.error
    return found | figures(run) | memory(samples) | {"wall_s": wall_s}


async def _sample(run: RunJob, samples: list[Sample]) -> None:
    while True:
        samples.append(Sample(run.progress < 1, _resident_mb("RssAnon"), _resident_mb("RssFile")))
        await asyncio.sleep(SAMPLE_SECONDS)


def memory(samples: list[Sample]) -> dict[str, float]:
    """The medians of some seconds from the tenth on and of the last of the run, and the most there ever was."""
    live = [sample for sample in samples if sample.is_live]
    first, last = live[AFTER:][:STRETCH] or live[-1:], live[-STRETCH:]
    return {
        "own_first_mb": statistics.median(sample.own_mb for sample in first),
        "own_last_mb": statistics.median(sample.own_mb for sample in last),
        "own_most_mb": max(sample.own_mb for sample in samples),
        "file_first_mb": statistics.median(sample.file_mb for sample in first),
        "file_last_mb": statistics.median(sample.file_mb for sample in last),
    }


def _resident_mb(name: str) -> float:
    """What of this process lies in memory: RssAnon is its own, RssFile pages of files."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


if __name__ == "__main__":
    arguments = (int(sys.argv[2]), float(sys.argv[3]))
    print(json.dumps(in_window(sys.argv[1], lambda bridge: _watch(bridge, *arguments))))
