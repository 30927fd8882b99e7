"""Leveling: 5,000 tasks on 200 resources, beside list scheduling that steps through time hour by hour."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.model import Assignment, Calendar, Clock, Dependency, Plan, Resource, Task
from engine.schedule import cpm
from engine.schedule.leveling import LevelOptions, level
from engine.schedule.leveling_options import Rule, Scheme
from engine.schedule.leveling_reasons import Stay

HOUR = 3600
TASKS, RESOURCES = 5_000, 200
START = 1_780_300_800  # Monday 2026-06-01 08:00
OPTIONS = {
    "serial, by priority": LevelOptions(),
    "serial, by late finish": LevelOptions(rule=Rule.LATEST_FINISH),
    "parallel, by late finish": LevelOptions(scheme=Scheme.PARALLEL, rule=Rule.LATEST_FINISH),
    "serial, with splits": LevelOptions(splits_tasks=True),
    "serial, within slack": LevelOptions(is_within_slack=True),
}


def main() -> None:
    """Prints how long leveling takes, what it costs the finish, and what it leaves."""
    cpm.use_compiled()
    plan = plan_of(TASKS, RESOURCES)
    before = cpm.schedule(plan)
    hours, reference = timed(lambda: step_through_time(plan), 1)
    print(
        f"  {TASKS:,} tasks on {RESOURCES} resources, two links each; unleveled {days(before.project_finish):.0f} days"
    )
    print(f"  {'time-stepping list scheduling':<30} {reference * 1e3:8.0f} ms         {hours / 40 * 7:5.0f} days")
    for name, options in OPTIONS.items():
        result, seconds = timed(lambda options=options: level(plan, options), 3)
        unexplained = sum(Stay.LINKS.value[0] in reason.sentence for reason in result.reasons)
        finish = days(result.schedule.project_finish)
        left = f"{len(result.reasons)} overloads left, {unexplained} unexplained"
        print(f"  {name:<30} {seconds * 1e3:8.0f} ms {reference / seconds:5.1f} x {finish:5.0f} days")
        print(f"    {len(result.delays):,} delayed, {left}")

    shared = replace(plan_of(TASKS, 1), dependencies=())
    print(f"  {TASKS:,} tasks on one resource, no links; beside the same way on {RESOURCES} resources")
    for name, options in OPTIONS.items():
        _, apart = timed(lambda options=options: level(plan, options), 1)
        result, seconds = timed(lambda options=options: level(shared, options), 1)
        finish = days(result.schedule.project_finish)
        print(f"  {name:<30} {seconds * 1e3:8.0f} ms {seconds / apart:5.1f} x {finish:5.0f} days")


def timed(run: Callable, count: int) -> tuple:
    """The result, and the median of seconds of a few runs."""
    seconds = []
    for _ in range(count):
        begun = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - begun)
    return result, statistics.median(seconds)


def days(instant: int) -> float:
    return (instant - START) / 86_400


def plan_of(tasks: int, resources: int) -> Plan:
    """Tasks of one to five days in a random network; each needs one or two of the resources, half or all of it."""
    chance = random.Random(7)
    made = tuple(
        Task(n, f"Task {n}", HOUR * chance.randint(4, 40), priority=chance.choice((400, 500)))
        for n in range(1, tasks + 1)
    )
    links = {(chance.randint(max(1, n - 400), n - 1), n) for n in range(2, tasks + 1) for _ in range(2)}
    assigned = [
        Assignment(n, resource, chance.choice((0.5, 1.0)))
        for n in range(1, tasks + 1)
        for resource in chance.sample(range(1, resources + 1), chance.randint(1, min(2, resources)))
    ]
    plan = Plan(
        "bench", Clock.CALENDAR, START, made, tuple(Dependency(*pair) for pair in sorted(links)), Calendar.standard()
    )
    people = tuple(Resource(n, f"R{n}") for n in range(1, resources + 1))
    return replace(plan, resources=people, assignments=tuple(assigned), next_task_id=tasks + 1).check()


def step_through_time(plan: Plan) -> int:
    """Hours of work until all is done: each hour start what is ready, first row first, if all it needs is free."""
    hours = {task.id: task.duration // HOUR for task in plan.tasks}
    needs: dict[int, list[tuple[int, float]]] = {task.id: [] for task in plan.tasks}
    for assignment in plan.assignments:
        needs[assignment.task].append((assignment.resource, assignment.units))
    waits: dict[int, set[int]] = {task.id: set() for task in plan.tasks}
    for link in plan.dependencies:
        waits[link.successor].add(link.predecessor)
    free = np.ones(len(plan.resources) + 1)
    done: set[int] = set()
    running: dict[int, int] = {}
    now, waiting = 0, [task.id for task in plan.tasks]
    while waiting or running:
        for task in [task for task, end in running.items() if end <= now]:
            del running[task]
            done.add(task)
            for resource, units in needs[task]:
                free[resource] += units
        left = []
        for task in waiting:
            if waits[task] <= done and all(free[resource] >= units for resource, units in needs[task]):
                running[task] = now + hours[task]
                for resource, units in needs[task]:
                    free[resource] -= units
            else:
                left.append(task)
        waiting = left
        now += 1
    return now
