"""Risk: 1,000 tasks and 2,434 links on a calendar, simulated, beside NumPy over all samples at once and plain Python.

One core; seconds are those of this process. The references draw triangular lengths and walk the network in working
time, with the calendar looked up once a sample: they do less than we do, which keep constraints, lags and paths too.
"""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import resources

import numpy as np

from engine.model import Calendar, Clock, Dependency, Plan, PlanRisks, RiskDriver, Spread, SpreadKind, Task, TaskRisk
from engine.process.risk_messages import RiskFound, RiskRequest
from engine.risk.answers import answers_of
from engine.risk.program import RiskProgram, compile_risk
from engine.risk.simulate import Simulation
from engine.risk.warming import warm
from engine.schedule import cpm
from engine.schedule.working_time import WorkingTime
from engine.session.document import Document

HOUR = 3600
TASKS, LINKS = 1_000, 2_434
SAMPLES, FEW, ROUNDS = 10_240, 64, 9
COARSE = 256  # of the first answer to a drag
NUMPY = "NumPy over samples"
START = 1_780_300_800  # Monday 2026-06-01 08:00
LOW, LIKELY, HIGH = 0.7, 1.0, 1.8


def main() -> None:
    """Prints samples a second of each way, and how far the quantiles are apart."""
    cpm.use_compiled()
    warm()
    plan = plan_of(SpreadKind.TRIANGULAR)
    schedule = cpm.schedule(plan)
    begun = time.process_time()
    program = compile_risk(plan, schedule)
    print(f"  {TASKS:,} tasks, {LINKS:,} links; made ready in {(time.process_time() - begun) * 1e3:.0f} ms")
    lengths, before = inputs(plan)
    ways: dict[str, Callable[[], np.ndarray]] = {NUMPY: lambda: vectorized(plan, lengths, before, SAMPLES)}
    for kind in (SpreadKind.TRIANGULAR, SpreadKind.PERT):
        ready = program if kind is SpreadKind.TRIANGULAR else compile_risk(plan_of(kind), schedule)
        for name, wants_paths in (("finish only", False), ("with criticality", True)):
            ways[f"{kind.value}, {name}"] = lambda p=ready, w=wants_paths: simulated(p, w)
    driven = compile_risk(with_driver(plan_of(SpreadKind.PERT)), schedule)
    ways["pert, all by a driver, criticality"] = lambda: simulated(driven, True)
    seconds = measured(ways)
    reference = seconds[NUMPY]
    for name, taken in seconds.items():
        line(name, taken / SAMPLES, reference / taken)
    slow = spent(lambda: one_by_one(plan, lengths, before, FEW))
    line("plain Python", np.array([slow / FEW]), np.median(reference) / SAMPLES * FEW / np.array([slow]))
    finishes = [np.quantile(ways[name](), (0.1, 0.5, 0.8)) for name in (NUMPY, "triangular, finish only")]
    apart = ", ".join(f"{each / HOUR:.1f}" for each in np.abs(finishes[0] - finishes[1]))
    print(f"  P10, P50, P80 of triangular are {apart} h from NumPy's")
    drag_step()


def drag_step() -> None:
    """What a step of a drag waits for on the software release: packed, dated, simulated coarsely, answered, unpacked.

    The reference dates the plan once for each of those samples, which draws nothing and answers nothing.
    """
    with resources.as_file(resources.files("resources.samples") / "software-release.loom") as path:
        plan = Document.load(path).state.plan
    step, dating = best_of(lambda: first_answer(plan)), best_of(lambda: [cpm.schedule(plan) for _ in range(COARSE)])
    print(f"  a step of a drag, {len(plan.tasks)} tasks, {COARSE} samples: {step * 1e3:.1f} ms,", end=" ")
    print(f"{dating / step:.1f} x as fast as to date the plan so often")


def first_answer(plan: Plan) -> bytes:
    """All that the process does for it, and the packing on both sides."""
    asked = pickle.loads(pickle.dumps(RiskRequest(1, plan), pickle.HIGHEST_PROTOCOL))
    dates = cpm.schedule(asked.plan)
    simulation = Simulation(compile_risk(asked.plan, dates))
    simulation.advance(COARSE)
    answers = answers_of(simulation.samples(), dates.project_finish)
    return pickle.dumps(RiskFound(1, 0.0, answers), pickle.HIGHEST_PROTOCOL)


def best_of(run: Callable[[], object], times: int = 20) -> float:
    """Seconds of the best of a few runs."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        run()
        best = min(best, time.process_time() - begun)
    return best


def line(name: str, each: np.ndarray, times: np.ndarray) -> None:
    """One way, from seconds a sample of each round: medians, and between which quarters the ratio to NumPy lies."""
    low, middle, high = np.quantile(times, (0.25, 0.5, 0.75))
    took = float(np.median(each))
    ratio = f"{middle:7.2f} x NumPy ({low:.2f} to {high:.2f})"
    print(f"  {name:<34} {1 / took:10,.0f} samples/s {1e7 * took:10,.1f} ms for 10,000 {ratio}")


def measured(ways: dict[str, Callable[[], np.ndarray]]) -> dict[str, np.ndarray]:
    """Seconds of each way in each round: one after the other, so that what else the machine does meets all alike."""
    taken = {name: np.zeros(ROUNDS) for name in ways}
    for run in ways.values():
        run()
    for at in range(ROUNDS):
        for name, run in ways.items():
            taken[name][at] = spent(run)
    return taken


def spent(run: Callable[[], np.ndarray]) -> float:
    """Processor time of one run: of this process, in which all of it is done by one thread."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def simulated(program: RiskProgram, wants_paths: bool) -> np.ndarray:
    """Our finishes, every one of them an instant."""
    simulation = Simulation(program, wants_paths=wants_paths)
    simulation.advance(SAMPLES)
    return simulation.samples().finishes[0]


def plan_of(kind: SpreadKind) -> Plan:
    """Links from tasks not far before, as in most plans."""
    chance = random.Random(7)
    risk = TaskRisk(Spread(kind, 100 * LOW, 100 * LIKELY, 100 * HIGH))
    tasks = tuple(Task(n, f"t{n}", chance.randrange(2, 80) * HOUR, risk=risk) for n in range(1, TASKS + 1))
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < LINKS:
        after = chance.randrange(2, TASKS + 1)
        pairs.add((after - chance.randrange(1, min(after, 41)), after))
    links = tuple(Dependency(*pair) for pair in sorted(pairs))
    return Plan("risk", Clock.CALENDAR, START, tasks, links, Calendar.standard(), next_task_id=TASKS + 1)


def with_driver(plan: Plan) -> Plan:
    """The plan in which all lengths go along with one driver."""
    tasks = [replace(task, risk=replace(task.risk or TaskRisk(), loadings=((1, 0.5),))) for task in plan.tasks]
    return replace(plan.with_tasks(tasks), risks=PlanRisks((RiskDriver(1, "Weather"),)))


def inputs(plan: Plan) -> tuple[np.ndarray, list[list[int]]]:
    """Durations, and the places of what each task waits for."""
    before: list[list[int]] = [[] for _ in plan.tasks]
    for link in plan.dependencies:
        before[link.successor - 1].append(link.predecessor - 1)
    return np.array([task.duration for task in plan.tasks]), before


def vectorized(plan: Plan, lengths: np.ndarray, before: list[list[int]], samples: int) -> np.ndarray:
    """The finish of the project in each sample: a vector of samples a task."""
    chance, working = np.random.default_rng(1), WorkingTime.of(plan.calendar)
    start = working.work_before(plan.start)
    finish = np.empty((len(lengths), samples), dtype=np.int64)
    for task, length in enumerate(lengths.tolist()):
        drawn = chance.triangular(LOW * length, LIKELY * length, HIGH * length, samples).astype(np.int64)
        begin = np.full(samples, start)
        for each in before[task]:
            np.maximum(begin, finish[each], out=begin)
        np.add(begin, drawn, out=finish[task])
    return working.add_all(np.full(samples, plan.start), finish.max(axis=0) - start)


def one_by_one(plan: Plan, lengths: np.ndarray, before: list[list[int]], samples: int) -> np.ndarray:
    """The same, a sample at a time, in plain Python."""
    chance, working, known = random.Random(1), WorkingTime.of(plan.calendar), lengths.tolist()
    start, found = working.work_before(plan.start), []
    for _ in range(samples):
        finish: list[int] = []
        for task, length in enumerate(known):
            begin = max((finish[each] for each in before[task]), default=start)
            finish.append(begin + int(chance.triangular(LOW * length, HIGH * length, LIKELY * length)))
        found.append(working.finish_at(max(finish)))
    return np.array(found)
