"""Room for what stays: a resource has as much as the tasks use of it that cannot be moved. Never more for others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.optimize.arrays import firsts
from engine.optimize.problem import Ints, Longs

Step = tuple[int, int, int]  # from, until, units


class Steps(NamedTuple):
    """Capacities over time, as arrays that are named as Problem names them."""

    first_step: Ints
    step_from: Longs
    step_until: Longs
    step_units: Ints


class Held(NamedTuple):
    """Units of a resource that a task which stays holds."""

    resource: int
    start: int
    finish: int
    units: int


def with_room(steps: Steps, capacity: Sequence[int], held: Iterable[Held]) -> tuple[Steps, tuple[int, ...]]:
    """Steps of at least what is held at every instant, and the resources that have less: no plan could be without that
    overload.
    """
    by_resource = defaultdict[int, list[Held]](list)
    for each in held:
        by_resource[each.resource].append(each)
    found, overloaded = list[list[Step]](), list[int]()
    for resource, usual in enumerate(capacity):
        own = slice(int(steps.first_step[resource]), int(steps.first_step[resource + 1]))
        parts = (steps.step_from[own], steps.step_until[own], steps.step_units[own])
        known = list(zip(*(part.tolist() for part in parts), strict=True))
        wider = _wider(known, usual, by_resource[resource]) if resource in by_resource else known
        if wider != known:
            overloaded.append(resource)
        found.append(wider)
    if not overloaded:
        return steps, ()
    flat = np.array([step for each in found for step in each], np.int64).reshape(-1, 3)
    wider_steps = Steps(firsts([len(each) for each in found]), flat[:, 0], flat[:, 1], flat[:, 2].astype(np.int32))
    return wider_steps, tuple(overloaded)


def _wider(steps: list[Step], usual: int, held: Sequence[Held]) -> list[Step]:
    changes = defaultdict[int, int](int)
    for each in held:
        changes[each.start] += each.units
        changes[each.finish] -= each.units
    for since, until, _ in steps:
        changes[since] += 0
        changes[until] += 0
    used, place, found = 0, 0, list[Step]()
    is_over = False
    for now, after in pairwise(sorted(changes)):
        used += changes[now]
        while place < len(steps) and steps[place][1] <= now:
            place += 1
        is_stepped = place < len(steps) and steps[place][0] <= now
        there = steps[place][2] if is_stepped else usual
        is_over |= used > there
        if is_stepped or used > there:
            found.append((now, after, max(used, there)))
    return found if is_over else steps
