"""The resources of a plan as a Problem has them: capacities, set-ups, transport, and the calendars they keep.

It never knows of tasks, so that it holds still while they are edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.model import Plan, Resource
from engine.optimize.arrays import firsts, ints
from engine.optimize.plan_ways import PlanWays
from engine.optimize.problem import NONE, Ints, Longs
from engine.schedule.network import Network
from engine.schedule.working_time import WorkingTime


@dataclass(frozen=True, eq=False, slots=True)
class PlanShop:
    """Arrays as Problem names them; `times` are the calendars that resources keep, `families` those of set-ups by name.

    `basis` is all of the plan that it was made of.
    """

    basis: tuple[object, ...]
    scales: Mapping[int, int]
    times: tuple[WorkingTime, ...]
    families: Mapping[str, int]
    notes: tuple[str, ...]
    capacity: Ints
    first_step: Ints
    step_from: Longs
    step_until: Longs
    step_units: Ints
    resource_matrix: Ints
    resource_family: Ints
    resource_calendar: Ints
    transport: Longs
    changeover: Longs

    @staticmethod
    def of(plan: Plan, network: Network, ways: PlanWays, before: PlanShop | None = None) -> PlanShop:
        """That of a plan; `before` is that of the plan before an edit, which is taken where it holds."""
        basis = (plan.resources, plan.changeovers, plan.transports, plan.calendar, plan.calendars)
        is_same = before is not None and all(a is b for a, b in zip(basis, before.basis, strict=True))
        if before is not None and is_same and before.scales == ways.scales:
            return before
        resources, notes, times = list(ways.resources.values()), list[str](), dict[WorkingTime, int]()
        capacity = [ways.capacity(each.id, each.capacity) for each in resources]
        steps = [_steps(each, ways) for each in resources]
        flat = np.array([step for own in steps for step in own], np.int64).reshape(-1, 3)
        families = {name: place for place, name in enumerate(sorted({f for c in plan.changeovers for f in c.families}))}
        calendars = [network.times[network.clocks.of(each.calendar)] for each in resources]
        return PlanShop(
            basis=basis,
            scales=ways.scales,
            capacity=ints(capacity),
            first_step=firsts([len(own) for own in steps]),
            step_from=flat[:, 0],
            step_until=flat[:, 1],
            step_units=flat[:, 2].astype(np.int32),
            resource_matrix=ints(_matrices(plan, resources, capacity, notes)),
            resource_family=ints([families.get(each.setup, NONE) for each in resources]),
            resource_calendar=ints([place_of(time, times) for time in calendars]),
            transport=_transport(plan, ways),
            changeover=_changeovers(plan, list(families)),
            times=tuple(times),
            families=families,
            notes=tuple(notes),
        )


def place_of(time: WorkingTime | None, known: dict[WorkingTime, int]) -> int:
    """The place of a working time among the calendars that are known, a new one behind them; NONE: it always works."""
    return NONE if time is None or time.is_always else known.setdefault(time, len(known))


def _matrices(plan: Plan, resources: Sequence[Resource], capacity: Sequence[int], notes: list[str]) -> list[int]:
    places, found = {each.id: place for place, each in enumerate(plan.changeovers)}, []
    for each, units in zip(resources, capacity, strict=True):
        is_alone = each.changeover is None or units == 1
        if not is_alone:
            notes.append(f"“{each.name}” does several things at once: it is not set up between them.")
        found.append(NONE if each.changeover is None or not is_alone else places[each.changeover])
    return found


def _steps(resource: Resource, ways: PlanWays) -> list[tuple[int, int, int]]:
    steps: list[tuple[int, int, int]] = []
    for step in resource.steps:  # a later one wins
        if step.first < step.last:
            steps = _overlaid(steps, (step.first, step.last, ways.capacity(resource.id, step.units)))
    return steps


def _overlaid(steps: list[tuple[int, int, int]], new: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Disjoint steps with one more laid over them, sorted."""
    first, last, _ = new
    kept = [
        part
        for a, b, units in steps
        for part in ((a, min(b, first), units), (max(a, last), b, units))
        if part[0] < part[1]
    ]
    return sorted((*kept, new))


def _transport(plan: Plan, ways: PlanWays) -> Longs:
    row = {number: place for place, number in enumerate(ways.resources)}
    table = np.zeros((len(row), len(row)) if plan.transports else (0, 0), np.int64)
    for each in plan.transports:
        if each.origin in row and each.target in row:
            table[row[each.origin], row[each.target]] = each.ticks
    return table


def _changeovers(plan: Plan, families: list[str]) -> Longs:
    table = np.zeros((len(plan.changeovers), len(families), len(families)), np.int64)
    for matrix, each in zip(table, plan.changeovers, strict=True):
        at = [families.index(name) for name in each.families]
        if at:
            matrix[np.ix_(at, at)] = each.ticks
    return table
