"""The task table of 50,000 tasks: filters, sorts and searches, beside looking at every task in plain Python."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from engine.model import Assignment, Calendar, Clock, Dependency, Plan, Resource, Task
from engine.schedule import cpm
from engine.session.state import State
from gui.gantt.arranging import Arrangement, Filter, Marks, Trait, arrange
from gui.gantt.columns import Column
from gui.gantt.figures import Figures
from gui.gantt.finding import find_rows
from gui.gantt.outline import Outline

TASKS, PHASE = 50_000, 20
HOUR = 3600
START = 1_780_300_800  # Monday 2026-06-01 08:00


def main() -> None:
    """Prints how long each takes on a state that is new, so that nothing was looked up before."""
    cpm.use_compiled()
    plan = plan_of(TASKS)
    state = State(plan, cpm.schedule(plan))
    outline = Outline(plan)
    reference = timed(lambda: [task for task in state.plan.tasks if "weld" in task.name.casefold()])
    print(f"  {TASKS:,} tasks; names looked at one by one {reference * 1e3:.1f} ms")
    ways = {
        "filter by name": Arrangement(filter=Filter("weld")),
        "filter critical": Arrangement(filter=Filter(traits=frozenset({Trait.CRITICAL}))),
        "filter late": Arrangement(filter=Filter(traits=frozenset({Trait.LATE}))),
        "filter by resource": Arrangement(filter=Filter(resource=7)),
        **{f"sort by {column.value}": Arrangement(column) for column in (Column.START, Column.DURATION, Column.TASK)},
    }
    for name, arrangement in ways.items():
        seconds = timed(lambda wanted=arrangement: arrange(Figures(state), outline, wanted, Marks(), frozenset()))
        print(f"  {name:<24} {seconds * 1e3:8.1f} ms {seconds / reference:6.2f} x")
    seconds = timed(lambda: find_rows(Figures(state), "weld"))
    print(f"  {'find':<24} {seconds * 1e3:8.1f} ms {seconds / reference:6.2f} x")


def timed(run: Callable[[], object]) -> float:
    """The median of seconds of a few runs."""
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


def plan_of(count: int) -> Plan:
    """Phases of 19 tasks in a row, each done by one of fifty."""
    rng = random.Random(1)
    tasks, links = [], []
    for number in range(1, count + 1):
        phase = (number - 1) // PHASE * PHASE + 1
        if number == phase:
            tasks.append(Task(number, f"Phase {number}"))
            continue
        name = f"{rng.choice(('weld', 'paint', 'test', 'build'))} {number}"
        tasks.append(Task(number, name, rng.randint(1, 20) * 4 * HOUR, phase))
        if number > phase + 1:
            links.append(Dependency(number - 1, number))
    resources = tuple(Resource(number, f"Crew {number}") for number in range(1, 51))
    assignments = tuple(Assignment(task.id, task.id % 50 + 1) for task in tasks if task.parent)
    calendar = Calendar.standard()
    return Plan(
        "table",
        Clock.CALENDAR,
        START,
        tuple(tasks),
        tuple(links),
        calendar,
        resources,
        assignments,
        next_task_id=count + 1,
    )
