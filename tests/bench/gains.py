"""The gain that advice predicts on this machine's processor, beside the gain of running the plan both ways.

The processor is calibrated; each planted inefficiency is advised on, and run with and without the change, in turn. Of
either the median counts and, where the machine has other work too, the quickest run.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from statistics import median

import numpy as np

from engine.model import Plan
from engine.process.client import DeviceClient
from engine.process.host import Host
from engine.program.advice import Advice, advise
from engine.program.compiler import compile_plan
from engine.program.profile import DeviceProfile, estimate_durations
from engine.runtime.cpu import CpuDevice
from engine.runtime.executor import RunControl, run_program
from engine.schedule.cpm import schedule
from engine.session.calibrating import CalibrateJob
from engine.session.device_edits import TakeAdvice
from tests.engine.program.planted import PLANTED

# The planted spin is a GPU's; here a copy of 4 MiB takes about a millisecond, and a kernel shall take about as long.
SPIN_MICROSECONDS = 1500.0
RUNS = 25


def main() -> None:
    """Prints spans and gains, predicted and measured, and the ratio of gains: 1 is right, and 0.85 to 1.15 the aim."""
    profile, is_disturbed = asyncio.run(calibrated())
    print(f"{profile.device}, load {os.getloadavg()[0]:.1f}{', disturbed: close what you can' if is_disturbed else ''}")
    print(f"{'in ms':<8} {'predicted':>16} {'medians':>16} {'ratio':>6} {'quickest':>16} {'ratio':>6}  load")
    device = CpuDevice()
    for kind, make in PLANTED.items():
        if kind == "memory":
            print(f"{kind:<8} n/a: a processor copies pageable and page-locked memory in the same way")
            continue
        plan = lasting(make())
        found = [advice for advice in advise(plan, profile) if advice.kind == kind]
        if found:
            print(f"{kind:<8} {row(device, plan, found[0], profile)}")
        else:
            print(f"{kind:<8} n/a: not advised: predicted to gain less than what is worth a word")
    device.close()


async def calibrated() -> tuple[DeviceProfile, bool]:
    """This processor's own profile, and whether something else was at work meanwhile."""
    client = DeviceClient("cpu", start=Host.start)
    try:
        job = CalibrateJob(client)
        profile = await job.run()
        assert profile is not None
        return profile, job.is_disturbed
    finally:
        await client.close()


def lasting(plan: Plan) -> Plan:
    """The plan with kernels as long as a processor's copies."""
    longer = {
        task.id: replace(task, operation=replace(task.operation, parameters=(("microseconds", SPIN_MICROSECONDS),)))
        for task in plan.tasks
        if task.operation is not None and dict(task.operation.parameters).get("microseconds", 0) > 1
    }
    return replace(plan, tasks=tuple(longer.get(task.id, task) for task in plan.tasks))


def row(device: CpuDevice, plan: Plan, advice: Advice, profile: DeviceProfile) -> str:
    changed = TakeAdvice(advice).apply(plan)
    pairs = [(span(device, plan, profile), span(device, changed, profile)) for _ in range(RUNS)]
    spans = list(zip(*pairs, strict=True))
    figures = [f"{advice.before_ns / 1e6:7.2f} {advice.gain_ns / 1e6:+8.2f}"]
    for least in (median, min):
        before, after = (float(least(each)) for each in spans)
        ratio = f"{advice.gain_ns / (before - after):6.2f}" if before > after else f"{'n/a':>6}"
        figures.append(f"{before / 1e6:7.2f} {(before - after) / 1e6:+8.2f} {ratio}")
    return f"{' '.join(figures)}  {os.getloadavg()[0]:.1f}"


def span(device: CpuDevice, plan: Plan, profile: DeviceProfile) -> int:
    """Nanoseconds from the first start to the last end of one iteration."""
    one = compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile)
    device.prepare(one, 0)
    rows: list[np.ndarray] = []
    outcome = asyncio.run(run_program(device, one, 1, RunControl(), rows.append))
    assert outcome.outcome == "finished", outcome.error
    found = np.concatenate(rows)
    return int(found[:, 7].max() - found[:, 6].min())
