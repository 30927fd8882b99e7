"""Set-ups: what machines change over between the tasks that stand on them, by their order. It never moves a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.model import Changeover, Plan, Resource, TaskId, Ticks
from engine.schedule.clocks import Clocks
from engine.schedule.columns import INACTIVE, Column


@dataclass(frozen=True, slots=True)
class Setup:
    """A machine is set up from one family to another, `ticks` of its work from `start` to `finish`.

    `before` is the task that it did before, None at the start of the plan. It ends where the task starts; one that
    `is_short` would have to begin before what the machine did before is done.
    """

    resource: int
    before: TaskId | None
    family: str
    to_family: str
    ticks: Ticks
    start: Ticks
    finish: Ticks
    is_short: bool


def find_setups(plan: Plan, clocks: Clocks, flags: Column, start: Column, finish: Column) -> Mapping[TaskId, Setup]:
    """The set-up of each task that needs one; tasks that take no time need none.

    Of tasks i and j that follow one another on a machine: start(j) >= finish(i) + changeover(family i, family j).
    """
    kinds = {each.id: each for each in plan.changeovers}
    machines = {r.id: r for r in plan.resources if r.changeover is not None and r.capacity == 1}
    rows: dict[int, list[int]] = defaultdict(list)
    for each in plan.assignments if machines else ():
        row = plan.rows[each.task]
        if each.resource in machines and each.task not in plan.children and not flags[row] & INACTIVE:
            rows[each.resource].append(row)
    found: dict[TaskId, Setup] = {}
    for number, machine in machines.items():
        busy = sorted((row for row in rows[number] if finish[row] > start[row]), key=lambda row: int(start[row]))
        found.update(_on_machine(plan, clocks, (machine, kinds[machine.changeover or 0]), busy, (start, finish)))
    return found


def _on_machine(
    plan: Plan,
    clocks: Clocks,
    used: tuple[Resource, Changeover],
    rows: Sequence[int],
    dates: tuple[Column, Column],
) -> dict[TaskId, Setup]:
    machine, changeover = used
    time, (start, finish) = clocks.times[clocks.of(machine.calendar)], dates
    found = {}
    family, before, free = machine.setup, None, plan.start
    for row in rows:
        task, begins = plan.tasks[row], int(start[row])
        if ticks := changeover.between(family, task.family):
            first = time.start_at(time.work_before(begins) - ticks)
            is_short = time.between(free, begins) < ticks
            found[task.id] = Setup(machine.id, before, family, task.family, ticks, first, begins, is_short)
        family, before, free = task.family, task.id, int(finish[row])
    return found
