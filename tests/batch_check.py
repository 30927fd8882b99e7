"""Batches on a device beside their twins on a processor: whether both say the same, and how many candidates a second.

It needs neither Qt nor pytest. The aims are those of an H200; a figure below one fails nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from engine.model import DAY, Calendar, Clock, Dependency, Plan, Spread, SpreadKind, Task, TaskRisk
from engine.optimize.aim import Aim
from engine.optimize.batch.choosing import Rate, rate_of
from engine.optimize.batch.listing import CpuLists
from engine.optimize.batch.lists import DeviceLists
from engine.optimize.batch.relinking import approach, distance
from engine.optimize.batch.relinks import DeviceRelinks, order_by
from engine.optimize.batch.sequences import DeviceSequences, jobs_of, sequence_of
from engine.optimize.batch.sequencing import CpuSequences, children_of
from engine.optimize.batch.walking import CpuWalks
from engine.optimize.batch.walks import DeviceWalks, Rules, sequence_by
from engine.optimize.batch.worth import worth_of
from engine.optimize.problem import Objective
from engine.program.launcher import Launcher
from engine.risk.batch import DeviceSimulation
from engine.risk.program import compile_risk
from engine.risk.simulate import Simulation
from engine.schedule.cpm import schedule
from tests.batches import random_lists
from tests.engine.optimize.instances import random_jobs, random_project, shop

AIM = Aim.lexicographic(Objective.MAKESPAN)
COMPARED = 2_000


@dataclass
class Found:
    """What a batch showed: figures by name, and whether device and twin agree."""

    text: str
    is_right: bool = True
    figures: dict[str, float | None] = field(default_factory=dict)


def lists(launcher: Launcher | None, is_quick: bool) -> Found:
    """Activity lists of 120 activities, handed over and decoded. Aim: 1e7 a second."""
    problem, most = random_project(30 if is_quick else 120, seed=2), 64 if is_quick else 1 << 17
    some = random_lists(problem, min(most, COMPARED), seed=3)
    more, twin = np.resize(some, (most, problem.operation_count)), CpuLists(problem, AIM)
    cpu = rated(lambda size: twin.decode(more[:size]), most)
    if launcher is None:
        return told("lists", cpu, None, 1e7)
    device = DeviceLists(problem, AIM, launcher, most)
    is_right = np.array_equal(device.decode(some), twin.decode(some))
    return told("lists", cpu, rated(lambda size: device.decode(more[:size]), most), 1e7, is_right)


def sequences(launcher: Launcher | None, is_quick: bool) -> Found:
    """Children of sequences of 30 jobs on 20 machines, made and decoded on the device. Aim: 1e8 a second."""
    problem, most = shop(random_jobs(*((6, 4) if is_quick else (30, 20)), seed=4)), 256 if is_quick else 1 << 20
    jobs = jobs_of(problem, worth_of(problem, AIM))
    parents = np.array([sequence_of(problem, jobs, each) for each in random_lists(problem, 16, seed=5)])
    twin = CpuSequences(problem, AIM)
    cpu = rated(lambda size: twin.vary(parents, 1, 0, size), most)
    if launcher is None:
        return told("sequences", cpu, None, 1e8)
    device = DeviceSequences(problem, AIM, launcher, most)
    since = max(0, most - COMPARED)
    wanted = twin.decode(children_of(parents, 1, 0, most, since))
    is_right = np.array_equal(device.vary(parents, 1, 0, most)[since:], wanted)
    return told("sequences", cpu, rated(lambda size: device.vary(parents, 1, 0, size), most), 1e8, is_right)


def walks(launcher: Launcher | None, is_quick: bool) -> Found:
    """Tabu search on 30 jobs on 20 machines, a walk a warp. Aim: 1e7 iterations a second."""
    problem = shop(random_jobs(*((6, 4) if is_quick else (30, 20)), seed=4))
    jobs, count = jobs_of(problem, worth_of(problem, AIM)), 4
    begun = np.array([sequence_by(jobs, each) for each in random_lists(problem, count, seed=6)])
    twin = CpuWalks(jobs, count, Rules(seed=7))
    twin.begin(begun)
    wanted = twin.go_on(30)
    cpu = many(count, rated(twin.go_on, 1 << 16))
    if launcher is None:
        return told("iterations", cpu, None, 1e7)
    few = DeviceWalks(jobs, launcher, count, Rules(seed=7))
    few.begin(begun)
    is_right = np.array_equal(few.go_on(30), wanted)
    width = 8 if is_quick else 14 * launcher.processors  # as many as fit into shared memory
    device = DeviceWalks(jobs, launcher, width, Rules(seed=8))
    device.begin(np.resize(begun, (width, begun.shape[1])))
    found = told("iterations", cpu, many(width, rated(device.go_on, 64 if is_quick else 1 << 16)), 1e7, is_right)
    return replace(found, text=f"{width} walks: {found.text}")


def relinks(launcher: Launcher | None, is_quick: bool) -> Found:
    """Schedules half the way between elites of 30 jobs on 20 machines, a warp each."""
    problem = shop(random_jobs(*((6, 4) if is_quick else (30, 20)), seed=4))
    jobs, most = jobs_of(problem, worth_of(problem, AIM)), 16 if is_quick else 1 << 14
    elites = np.array([order_by(jobs, each) for each in random_lists(problem, 8, seed=6)])
    ways = [(row % 8, (row + 1 + row // 8 % 7) % 8) for row in range(min(most, 56))]
    told_pairs = [(*way, distance(jobs, elites[way[0]], elites[way[1]]) // 2) for way in ways]
    pairs = np.resize(np.array(told_pairs, np.int32), (most, 3))
    cpu = rated(lambda size: approach(jobs, elites, pairs[:size], 1, 0), most)
    if launcher is None:
        return told("children", cpu, None)
    device = DeviceRelinks(jobs, launcher)
    children = launcher.room((most, problem.operation_count), np.uint16)

    def relink(size: int) -> np.ndarray:
        device.approach(elites, pairs[:size], 1, 0, children)
        return launcher.get(children[:size])

    few = min(most, 200)
    is_right = np.array_equal(relink(few), approach(jobs, elites, pairs[:few], 1, 0))
    return told("children", cpu, rated(relink, most), is_right=is_right)


def samples(launcher: Launcher | None, is_quick: bool) -> Found:
    """Samples of a plan of 1,000 tasks, with paths, a thread each. Aim: 8e7 a second."""
    plan = random_plan(40, 90) if is_quick else random_plan(1_000, 2_434)
    program, most = compile_risk(plan, schedule(plan)), 256 if is_quick else 1 << 17
    twin = Simulation(program)
    cpu = rated(twin.advance, 1 << 12)
    if launcher is None:
        return told("samples", cpu, None, 8e7)
    few, wanted = DeviceSimulation(program, launcher), Simulation(program)
    finishes, on_path = few.advance(COMPARED // 64 * 64)
    wanted.advance(COMPARED // 64 * 64)
    same_dates = np.array_equal(finishes, wanted.samples().finishes)
    is_right = same_dates and np.array_equal(on_path[: len(plan.tasks)], wanted.samples().on_path)
    device = DeviceSimulation(program, launcher)
    return told("samples", cpu, rated(device.advance, most), 8e7, is_right)


def random_plan(tasks: int, links: int) -> Plan:
    """Tasks of triangular lengths on a calendar, linked to some not far before them."""
    chance = np.random.default_rng(7)
    risk = TaskRisk(Spread(SpreadKind.TRIANGULAR, 70, 100, 180))
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < links:
        after = int(chance.integers(2, tasks + 1))
        pairs.add((after - int(chance.integers(1, min(after, 41))), after))
    rows = tuple(Task(n, f"t{n}", int(chance.integers(2, 80)) * 3600, risk=risk) for n in range(1, tasks + 1))
    found = tuple(Dependency(*pair) for pair in sorted(pairs))
    return Plan("risk", Clock.CALENDAR, 20_150 * DAY, rows, found, Calendar.standard(), next_task_id=tasks + 1)


def many(walks: int, each: Rate) -> Rate:
    """Iterations of all walks, of which the same number go on at once whatever the iterations of a launch."""
    return Rate(each.per_second * walks, walks)


def rated(decode: Callable[[int], object], most: int) -> Rate:
    return rate_of(decode, most, time.perf_counter_ns)


def told(what: str, cpu: Rate, device: Rate | None, aim: float | None = None, is_right: bool = True) -> Found:
    figures: dict[str, float | None] = {"cpu_per_s": cpu.per_second}
    text = f"{cpu.per_second:,.0f} {what}/s on one thread"
    if device is not None:
        share = device.per_second / aim if aim else None
        figures |= {"device_per_s": device.per_second, "at_once": device.size, "of_aim": share}
        text = f"{device.per_second:,.0f} {what}/s, {device.size:,} at once"
        text += "; " if share is None else f" ({share:.2f} of the aim); "
        text += f"{cpu.per_second:,.0f} on one thread; {'the same numbers' if is_right else 'other numbers'}"
    return Found(text, is_right, figures)


QUESTIONS: dict[str, Callable[[Launcher | None, bool], Found]] = {
    "activity lists in batches": lists,
    "sequences of a job shop in batches": sequences,
    "walks through a job shop in batches": walks,
    "schedules between others in batches": relinks,
    "samples of a plan": samples,
}
