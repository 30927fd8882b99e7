"""A run of 5,000 operations a second, watched live: the heartbeat of the window's process, its memory, and the spans.

The simulated device goes at the pace of a real clock, in its own process; the whole app shows it, as in the bench
"heartbeat", beside an idle window. A row that was lost or came twice would show in the count and in the sum of the
stamps, which a second, unpaced run on a device of the same seed gives without a window.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

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
from engine.session.document import Document
from engine.session.jobs import RunJob, RunOptions
from tests.bench.heartbeat import Beats, environment_in, in_window

RATE = 5_000
SECONDS = 60.0
STREAMS = 4
SAMPLE_SECONDS = 1.0


def main() -> None:
    """Prints the lateness of beats idle and live, the growth of memory, and what became of the spans."""
    seconds = float(os.environ.get("WARPLOOM_BENCH_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as folder:
        path = Path(folder) / "live.loom"
        loom.save(path, plan())
        wanted = asyncio.run(_headless(path, 200))
        pace = RATE / (wanted["spans"] / (wanted["end_ns"] / 1e9))
        repeat = round(RATE * seconds / (3 * STREAMS))
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
    print(
        f"  memory of the window's process: {live['rss_first_mb']:.0f} MB after 10 s, {live['rss_last_mb']:.0f} MB at "
        f"the end ({live['rss_last_mb'] / live['rss_first_mb']:.2f} x), most {live['rss_most_mb']:.0f} MB"
    )
    print("  aim: p99 16 ms, max 50 ms, 95 % kept; memory 1.0 x; every span")


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
    beats, resident = Beats(), []
    if not repeat:
        await asyncio.sleep(10)
        return beats.figures()
    bridge.set_device("simulated")
    bridge.set_repeat(repeat)
    bridge.pace = pace
    began = time.monotonic()
    bridge.run()
    sampling = asyncio.create_task(_sample(resident))
    await is_over.wait()
    wall_s = time.monotonic() - began
    found = beats.figures()
    sampling.cancel()
    run = bridge.current_run
    assert run.outcome == "finished", run.error
    first = resident[min(10, len(resident) - 1)]
    memory = {"rss_first_mb": first, "rss_last_mb": resident[-1], "rss_most_mb": max(resident)}
    return found | figures(run) | memory | {"wall_s": wall_s}


async def _sample(resident: list[float]) -> None:
    while True:
        resident.append(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20)
        await asyncio.sleep(SAMPLE_SECONDS)


if __name__ == "__main__":
    arguments = (int(sys.argv[2]), float(sys.argv[3]))
    print(json.dumps(in_window(sys.argv[1], lambda bridge: _watch(bridge, *arguments))))
