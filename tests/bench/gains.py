"""The gain that advice predicts on this machine's processor, beside the gain of running the plan both ways.

The processor is calibrated; each planted inefficiency is advised on, and run with and without the change in turn, until
the gain is known to a twentieth or the time is up: then its interval is all that is said. What two runs of the same
plan differ in stands beside it.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from functools import partial

import numpy as np

from engine.model import Plan
from engine.process.client import DeviceClient
from engine.process.host import Host
from engine.program.advice import Advice, advise
from engine.program.compiler import compile_plan
from engine.program.operation import Program
from engine.program.profile import DeviceProfile, estimate_durations
from engine.runtime.cpu import CpuDevice
from engine.runtime.executor import RunControl, run_program
from engine.schedule.cpm import schedule
from engine.session.calibrating import CalibrateJob
from engine.session.device_edits import TakeAdvice
from tests.bench import _pairs
from tests.engine.program import planted

# The planted spin is a GPU's, where it takes as long as a copy. A processor copies 4 MiB in less than a millisecond,
# and works on them for longer.
SPIN_MICROSECONDS = 1000.0
# More frames than on a GPU: what a run is disturbed by does not grow with them, and the gain does.
FRAMES = 8
SECONDS = 30.0


def main() -> None:
    """Prints spans and gains, predicted and measured, and the ratios of gains: 1 is right, and 0.85 to 1.15 the aim.

    The second ratio is that of gains as shares of their spans: a processor that works slower now than when it was
    calibrated makes all lengths wrong alike, and shares not.
    """
    profile, is_disturbed = asyncio.run(calibrated())
    print(f"{profile.device}, load {os.getloadavg()[0]:.1f}{', disturbed: close what you can' if is_disturbed else ''}")
    print(
        f"{'in ms':<8} {'predicted':>15} {'measured':>15} {'95 %':>15} {'the same plan twice':>24}"
        f" {'ratio':>6} {'shares':>6}  load"
    )
    device = CpuDevice()
    planted.FRAMES = FRAMES
    for kind, make in planted.PLANTED.items():
        if kind == "memory":
            print(f"{kind:<8} n/a: a processor copies pageable and page-locked memory in the same way")
            continue
        plan = lasting(make())
        found = [advice for advice in advise(plan, profile) if advice.kind == kind]
        if found:
            print(f"{kind:<8} {row(device, plan, found[0], profile)}", flush=True)
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
    """The plan with kernels that take a processor some milliseconds."""
    longer = {
        task.id: replace(task, operation=replace(task.operation, parameters=(("microseconds", SPIN_MICROSECONDS),)))
        for task in plan.tasks
        if task.operation is not None and dict(task.operation.parameters).get("microseconds", 0) > 1
    }
    return replace(plan, tasks=tuple(longer.get(task.id, task) for task in plan.tasks))


def row(device: CpuDevice, plan: Plan, advice: Advice, profile: DeviceProfile) -> str:
    """The figures of one change; the ratio is n/a where the gain is not known well enough."""
    one, other = (compiled(each, profile) for each in (plan, TakeAdvice(advice).apply(plan)))
    found = _pairs.measure(partial(span, device, one), partial(span, device, other), SECONDS)
    predicted = f"{advice.before_ns / 1e6:7.2f} {advice.gain_ns / 1e6:+7.2f}"
    measured = f"{found.first / 1e6:7.2f} {found.gain.middle / 1e6:+7.2f}"
    within = f"{found.gain.low / 1e6:+.2f} .. {found.gain.high / 1e6:+.2f}"
    same = f"{found.same.middle / 1e6:+.2f} ({found.same.low / 1e6:+.2f} .. {found.same.high / 1e6:+.2f})"
    ratio, shares = f"{'n/a':>6}", f"{'n/a':>6}"
    if found.is_known:
        whole = advice.gain_ns / found.gain.middle
        ratio, shares = f"{whole:6.2f}", f"{whole * found.first / advice.before_ns:6.2f}"
    return f"{predicted:>15} {measured:>15} {within:>15} {same:>24} {ratio} {shares}  {os.getloadavg()[0]:.1f}"


def compiled(plan: Plan, profile: DeviceProfile) -> Program:
    return compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile)


def span(device: CpuDevice, one: Program) -> int:
    """Nanoseconds from the first start to the last end of one iteration."""
    device.prepare(one, 0)
    rows: list[np.ndarray] = []
    outcome = asyncio.run(run_program(device, one, 1, RunControl(), rows.append))
    assert outcome.outcome == "finished", outcome.error
    found = np.concatenate(rows)
    return int(found[:, 7].max() - found[:, 6].min())
