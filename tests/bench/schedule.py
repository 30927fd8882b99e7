"""Dates of large plans: all passes, and what follows an edit, beside plain Python and NetworkX's longest path.

Plans have two links a task, with lags and leads, and three calendars. Figures are the best of several, warm. "step" is
the dates alone after a task is an hour longer; the others are edits as a person makes them, each with its new State.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.model import (
    DAY,
    Calendar,
    Clock,
    Dependency,
    DependencyKind,
    Lag,
    Plan,
    Shift,
    Task,
)
from engine.schedule import compiled_passes, cpm, plain_passes
from engine.schedule.network import Network
from engine.schedule.schedule import Schedule
from engine.session.document import Document
from engine.session.edits import AddLink, AddTask, Edit, MoveTask

SIZES = (5_000, 10_000, 50_000, 100_000)
HOUR = 3_600
KINDS = (DependencyKind.FS, DependencyKind.FS, DependencyKind.FS, DependencyKind.SS, DependencyKind.FF)
LAGS = (0, 0, 0, 8 * HOUR, -4 * HOUR)


def main() -> None:
    """Prints a line a size; a ratio says how often the passes fit into the time of the other."""
    cpm.use_compiled()
    print(f"{'tasks':>9} {'read':>9} {'passes':>9} {'step':>9} {'plain Python':>22} {'NetworkX':>22}")
    for count in SIZES:
        plan = large_plan(count)
        began = time.perf_counter()
        network = Network.of(plan, {}, compiled_passes.arrange)
        read = time.perf_counter() - began
        passes = best(lambda network=network: compiled_passes.compute_dates(network), 7)
        plain = best(lambda network=network: plain_passes.compute_dates(network), 1)
        known = cpm.schedule(plan)
        edit = float(np.median([step(known, edited(plan, row)) for row in range(count // 20, count, count // 10)]))
        other = longest_path(plan)
        beside = "not installed" if other is None else f"{other * 1e3:9.1f} ms {other / passes:6.0f} x"
        print(
            f"{count:>9,} {read * 1e3:6.0f} ms {passes * 1e3:6.1f} ms {edit * 1e3:6.2f} ms "
            f"{plain * 1e3:9.0f} ms {plain / passes:6.0f} x {beside:>22}"
        )
        edits = (f"{name} {seconds * 1e3:.1f} ms" for name, seconds in edits_of(plan).items())
        print(f"{'':9} {', '.join(edits)}")


def edits_of(plan: Plan) -> dict[str, float]:
    """Seconds that edits of a document take: the median of several, one trial first for each."""
    document, count = Document(plan), len(plan.tasks)
    ids = [count // 20, count // 4, count // 2, 3 * count // 4, count - 5]

    def move(turn: int) -> Edit:
        task = ids[turn % len(ids)]
        return MoveTask(task, document.state.schedule.start_of(task) + (turn + 1) * HOUR)

    def link(turn: int) -> Edit:
        return AddLink(Dependency(ids[0] + turn, ids[-1]))

    kinds: dict[str, tuple[Callable[[Edit], object], Callable[[int], Edit]]] = {
        "try a move": (document.trial, move),
        "move": (document.execute, move),
        "link": (document.execute, link),
        "add a task": (document.execute, lambda turn: AddTask("new", after=ids[turn % len(ids)])),
    }
    return {name: median(act, make) for name, (act, make) in kinds.items()}


def median(act: Callable[[Edit], object], make: Callable[[int], Edit], times: int = 7) -> float:
    """Seconds that an edit takes, the median of several different ones."""
    taken = []
    for turn in range(times):
        edit = make(turn)
        began = time.perf_counter()
        act(edit)
        taken.append(time.perf_counter() - began)
    return float(np.median(taken))


def best(work: Callable[[], object], times: int) -> float:
    """The least seconds that a call takes."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def step(known: Schedule, after: Plan) -> float:
    """Seconds from a schedule to that of the plan after an edit."""
    return best(lambda: cpm.schedule(after, previous=known), 5)


def edited(plan: Plan, row: int) -> Plan:
    """The plan with one task an hour longer."""
    task = plan.tasks[row]
    return plan.with_task(replace(task, duration=task.duration + HOUR))


def large_plan(count: int) -> Plan:
    """A plan in which each task waits for two of some hundred before it."""
    random = np.random.default_rng(1)
    day = (Shift(8 * HOUR, 12 * HOUR), Shift(13 * HOUR, 17 * HOUR))
    calendars = (Calendar(2, "always", ((Shift(0, DAY),),) * 7), Calendar(3, "six days", (day,) * 6 + ((),)))
    hours, chosen = random.integers(4, 81, count).tolist(), random.integers(0, 3, count).tolist()
    tasks = tuple(
        Task(row + 1, f"Task {row + 1}", hours[row] * HOUR, calendar=(None, 2, 3)[chosen[row]]) for row in range(count)
    )
    back = np.minimum(random.geometric(1 / 400, (count, 2)), np.arange(count)[:, None]).tolist()
    kinds, lags = random.integers(0, 5, (count, 2)).tolist(), random.integers(0, 5, (count, 2)).tolist()
    links = {}
    for row in range(1, count):
        for which in range(2):
            link = Dependency(
                row + 1 - back[row][which], row + 1, KINDS[kinds[row][which]], Lag(LAGS[lags[row][which]])
            )
            links[link.key] = link
    start = 20_150 * DAY + 8 * HOUR
    return Plan(
        "large",
        Clock.CALENDAR,
        start,
        tasks,
        tuple(links.values()),
        Calendar.standard(),
        next_task_id=count + 1,
        calendars=calendars,
    )


def longest_path(plan: Plan) -> float | None:
    """Seconds that NetworkX takes for the longest path through the same tasks; None where it is not installed."""
    if importlib.util.find_spec("networkx") is None:
        return None
    networkx = importlib.import_module("networkx")
    graph = networkx.DiGraph()
    for link in plan.dependencies:
        graph.add_edge(link.predecessor, link.successor, weight=plan.tasks[link.predecessor - 1].duration)
    return best(lambda: networkx.dag_longest_path_length(graph), 1)
