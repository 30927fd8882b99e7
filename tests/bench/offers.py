"""How soon the process that searches answers an edit of a plan of 1,000 operations, and how soon it ends.

Each edit asks anew while the search before goes on. The reference is one full schedule of the same plan.
"""

import asyncio
import random
import statistics
import time
from dataclasses import replace

from engine.formats.instances import Step, shop_plan
from engine.model import Plan
from engine.process.solve_messages import Found, SolveReply, SolveRequest
from engine.process.solver_client import SolverClient
from engine.schedule.cpm import schedule, use_compiled
from engine.session.aims import aim_of

JOBS, MACHINES = 50, 20
EDITS = 20
BEAT_S = 0.008


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


def a_shop() -> Plan:
    """A job shop of random durations."""
    chance = random.Random(1)
    orders = [chance.sample(range(MACHINES), MACHINES) for _ in range(JOBS)]
    jobs = [[Step(((machine, chance.randint(5, 99)),)) for machine in order] for order in orders]
    return shop_plan("A shop", MACHINES, jobs, 0, "")


async def _asked(plan: Plan) -> tuple[list[float], list[float], list[float], list[float], int]:
    client, aim = SolverClient(), aim_of("makespan")
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
