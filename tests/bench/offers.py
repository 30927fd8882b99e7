"""How soon the process that searches answers an edit of a plan of 1,000 operations, how soon it ends, and what of all
that the window feels.

Each edit asks anew while the search before goes on. The reference is one full schedule of the same plan; of the window
it is the same window idle: the whole app, as in the bench "heartbeat", with the optimizer in sight.
"""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.formats import loom
from engine.formats.instances import Step, shop_plan
from engine.model import Plan
from engine.process.solve_messages import Found, SolveReply, SolveRequest
from engine.process.solver_client import SolverClient
from engine.schedule.cpm import schedule, use_compiled
from engine.session.aims import aim_of
from engine.session.edits import ResizeTask
from tests.bench.heartbeat import Beats, environment_in, in_window

JOBS, MACHINES = 50, 20
EDITS = 20
WINDOW_EDITS, EDIT_EVERY_S = 12, 0.8
BEAT_S = 0.008
# Something of a later level is left to do for as long as it is looked at: a search that has ended is not canceled.
AIM = "makespan,stability"
_CACHE = os.environ.get("NUMBA_CACHE_DIR", "")  # before it is that of one version alone


def main() -> None:
    """Prints how long the first plan, the first better one and the end after a cancel took."""
    use_compiled()
    plan = a_shop()
    began = time.perf_counter()
    schedule(plan)
    pass_ms = (time.perf_counter() - began) * 1000
    first, better, ends, late, told = asyncio.run(_asked(plan))
    print(f"  {JOBS * MACHINES} operations, {EDITS} edits, each while the search before goes on")
    print(f"  first plan     {_figures(first)} ({statistics.median(first) / pass_ms:.1f} x one full schedule; aim 20)")
    print(f"  first better   {_figures(better)}")
    print(f"  end of a cancel {_figures(ends)} (aim 50)")
    print(f"  lateness of a beat of 8 ms of this loop {_figures(late)}; at most {told} plans told in a second (aim 20)")
    _print_window(plan)


def _print_window(plan: Plan) -> None:
    """What the window feels of a search, beside the same window idle."""
    with tempfile.TemporaryDirectory(prefix="warploom-bench-") as folder:
        path = Path(folder) / "shop.loom"
        loom.save(path, plan)
        idle, busy = (_in_process(folder, path, is_busy=is_busy) for is_busy in (False, True))
    print(f"  lateness of an 8 ms beat in the window's process, an edit each {EDIT_EVERY_S:.1f} s while it searches")
    for name, found in (("idle", idle), ("searching", busy)):
        print(
            f"  {name:10} p50 {found['p50_ms']:5.1f} ms  p99 {found['p99_ms']:5.1f} ms  max {found['max_ms']:6.1f} ms  "
            f"kept {found['kept_pct']:5.1f} % of {found['beats']:.0f} beats  "
            f"own p99 {found['own_p99_ms']:4.1f} ms  max {found['own_max_ms']:5.1f} ms  "
            f"longest turn {found['turn_ms']:4.1f} ms, {found['long_turns']:.0f} over 8 of {found['turns']:.0f}"
        )
    print("  aim: p99 16 ms, max 50 ms")
    first, most = busy["first_ms"], busy["first_max_ms"]
    print(f"  from an edit to its first plan in the window: median {first:.1f} ms, max {most:.1f} ms (aim 20)")


def _in_process(folder: str, path: Path, *, is_busy: bool) -> dict[str, float]:
    """Measures in a fresh process with settings of its own."""
    environment = environment_in(folder, "warm")
    if _CACHE:
        environment["NUMBA_CACHE_DIR"] = _CACHE
    command = [sys.executable, "-m", "tests.bench.offers", str(path), "busy" if is_busy else "idle"]
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


async def _drive(bridge: Any, *, is_busy: bool) -> dict[str, float]:
    """Has the plan searched and edited in the window, or leaves it idle as long."""
    from PySide6.QtWidgets import QApplication

    from gui.main_window import MainWindow
    from tests.bench._frames import Turns

    if not is_busy:
        beats, turns = Beats(), Turns()
        await asyncio.sleep(WINDOW_EDITS * EDIT_EVERY_S)
        return beats.figures() | _longest(turns.worked)
    window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
    window.actions_by_id["optimize"].trigger()
    await _until_found(bridge, lambda: True)
    await asyncio.sleep(2 * EDIT_EVERY_S)  # what is compiled or loaded is, and the dock is laid out
    leaves = [task.id for task in bridge.state.plan.tasks if task.id not in bridge.state.plan.children]
    beats, turns, first = Beats(), Turns(), []
    for number in range(WINDOW_EDITS):
        before, began = bridge.state, time.perf_counter()
        bridge.execute(ResizeTask(leaves[number], 60 * (number + 100)))
        await _until_found(bridge, lambda before=before: bridge.state is not before)  # type: ignore[misc]
        first.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(EDIT_EVERY_S)
    found = beats.figures() | _longest(turns.worked)
    bridge.optimizing.stop()
    return found | {"first_ms": statistics.median(first), "first_max_ms": max(first)}


def _longest(worked: list[float]) -> dict[str, float]:
    """How many turns of the loop there were, and what the longest worked."""
    ordered = sorted(worked)
    return {
        "turns": float(len(ordered)),
        "long_turns": float(sum(1 for ms in ordered if ms > 8)),
        "turn_ms": ordered[-1],
    }


async def _until_found(bridge: Any, is_edited: Callable[[], bool]) -> None:
    """Until there is a first plan of the open one."""
    optimizing, has_come = bridge.optimizing, asyncio.Event()

    def look() -> None:
        job = optimizing.job
        if is_edited() and job is not None and job.state.plan is bridge.state.plan and job.steps:
            has_come.set()

    optimizing.changed.connect(look)
    await has_come.wait()
    optimizing.changed.disconnect(look)


def a_shop() -> Plan:
    """A job shop of random durations."""
    chance = random.Random(1)
    orders = [chance.sample(range(MACHINES), MACHINES) for _ in range(JOBS)]
    jobs = [[Step(((machine, chance.randint(5, 99)),)) for machine in order] for order in orders]
    return shop_plan("A shop", MACHINES, jobs, 0, "")


async def _asked(plan: Plan) -> tuple[list[float], list[float], list[float], list[float], int]:
    client, aim = SolverClient(), aim_of(AIM)
    await client.solve(SolveRequest(0, plan, aim, slices=4), lambda _: None)
    first: list[float] = []
    better: list[float] = []
    ends: list[float] = []
    told: list[float] = []
    late: list[float] = []
    beating = asyncio.ensure_future(_beat(late))
    for number in range(1, EDITS + 1):
        began = time.perf_counter()
        since: list[float] = []

        def hear(reply: SolveReply, since: list[float] = since, began: float = began) -> None:
            if isinstance(reply, Found):
                since.append((time.perf_counter() - began) * 1000)
                told.append(time.perf_counter())

        tasks = (replace(plan.tasks[1], duration=60 * number), *plan.tasks[2:])
        edited = replace(plan, tasks=(plan.tasks[0], *tasks))
        solving = asyncio.ensure_future(client.solve(SolveRequest(number, edited, aim, cores=2), hear))
        await asyncio.sleep(1.0)
        canceled = time.perf_counter()
        client.cancel()
        await solving
        ends.append((time.perf_counter() - canceled) * 1000)
        first += since[:1]
        better += since[1:2]
    beating.cancel()
    await client.close()
    return first, better, ends, late, max(sum(1 for each in told if 0 <= each - at < 1) for at in told)


async def _beat(late: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(BEAT_S)
        late.append((time.perf_counter() - began - BEAT_S) * 1000)


def _figures(found: list[float]) -> str:
    ordered = sorted(found)
    if not ordered:
        return "n/a"
    return f"median {statistics.median(ordered):6.1f} ms, max {ordered[-1]:6.1f} ms of {len(ordered)}"


if __name__ == "__main__":
    print(json.dumps(in_window(sys.argv[1], lambda bridge: _drive(bridge, is_busy=sys.argv[2] == "busy"))))
