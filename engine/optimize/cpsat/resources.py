"""Resources and changeovers in a model of CP-SAT. It never solves."""

from __future__ import annotations

from ortools.sat.python import cp_model

from engine.optimize.cpsat.frame import Choice, Frame
from engine.optimize.problem import NONE, Problem

# Beyond so many literals changeovers are not said: the model would take longer to write than to solve.
MOST_ARCS = 40_000


def add_resources(model: Frame) -> list[tuple[cp_model.IntVar, int]]:
    """Say what every resource can hold; returns what each literal for a changeover takes, in units of time."""
    problem = model.problem
    changes: list[tuple[cp_model.IntVar, int]] = []
    uses: list[list[tuple[Choice, int]]] = [[] for _ in range(problem.resource_count)]
    for choice in (choice for choices in model.choices for choice in choices):
        first, last = int(problem.first_use[choice.mode]), int(problem.first_use[choice.mode + 1])
        for use in range(first, last) if problem.duration[choice.mode] > 0 else ():
            if problem.use_units[use] > 0:
                uses[int(problem.use_resource[use])].append((choice, int(problem.use_units[use])))
    arcs = sum(len(using) ** 2 for r, using in enumerate(uses) if problem.resource_matrix[r] != NONE)
    for resource, using in enumerate(uses):
        _add_resource(model, resource, using)
        if problem.resource_matrix[resource] != NONE and arcs <= MOST_ARCS:
            changes += _add_changeovers(model, resource, [choice for choice, _ in using])
    return changes


def _add_resource(model: Frame, resource: int, using: list[tuple[Choice, int]]) -> None:
    problem, cp, unit = model.problem, model.cp, model.unit
    own = slice(int(problem.first_step[resource]), int(problem.first_step[resource + 1]))
    most = int(problem.most[resource])
    if not using:
        return
    steps = zip(problem.step_from[own], problem.step_until[own], problem.step_units[own], strict=True)
    times = [(unit.at(int(a)), unit.at(int(b)), int(units)) for a, b, units in steps]
    less = [(max(0, a), b, most - units) for a, b, units in _all_times(times, int(problem.capacity[resource]))]
    away = [(a, min(b, unit.last), units) for a, b, units in less if units > 0 and min(b, unit.last) > a]
    intervals = [choice.interval for choice, _ in using]
    if most == 1 and not away:
        cp.add_no_overlap(intervals)
        return
    fixed = [cp.new_fixed_size_interval_var(a, b - a, "away") for a, b, _ in away]
    demands = [*(units for _, units in using), *(units for _, _, units in away)]
    cp.add_cumulative([*intervals, *fixed], demands, most)


def _add_changeovers(model: Frame, resource: int, using: list[Choice]) -> list[tuple[cp_model.IntVar, int]]:
    """A path through the operations of a machine; each arc of it takes what it takes to set the machine up."""
    problem, cp = model.problem, model.cp
    nodes = range(1, len(using) + 1)
    changes: list[tuple[cp_model.IntVar, int]] = []
    arcs: list[tuple[int, int, cp_model.LiteralT]] = [(0, 0, cp.new_bool_var("idle"))]
    for node, choice in zip(nodes, using, strict=True):
        arcs.append((node, node, ~choice.is_chosen))
        first, last = cp.new_bool_var(""), cp.new_bool_var("")
        arcs += [(0, node, first), (node, 0, last)]
        time = _changeover(model, resource, int(problem.resource_family[resource]), choice)
        if time and problem.pinned_start[choice.operation] == NONE:
            cp.add(model.starts[choice.operation] >= time).only_enforce_if(first)
        changes.append((first, time))
        for other_node, other in zip(nodes, using, strict=True):
            if other.operation == choice.operation or not _may_follow(model, choice, other):
                continue
            follows = cp.new_bool_var("")
            arcs.append((node, other_node, follows))
            time = _changeover(model, resource, int(problem.family[choice.operation]), other)
            gap = model.starts[other.operation] - model.finishes[choice.operation]
            if not _are_pinned(problem, choice, other):
                cp.add(gap >= time).only_enforce_if(follows)
            changes.append((follows, time))
    cp.add_circuit(arcs)
    return changes


def _may_follow(model: Frame, one: Choice, other: Choice) -> bool:
    if model.kept is None or _are_pinned(model.problem, one, other):
        return True
    return model.kept.may_follow(one.operation, other.operation)


def _are_pinned(problem: Problem, *choices: Choice) -> bool:
    return all(problem.pinned_start[each.operation] != NONE for each in choices)


def _changeover(model: Frame, resource: int, family: int, to: Choice) -> int:
    matrix, own = int(model.problem.resource_matrix[resource]), int(model.problem.family[to.operation])
    if NONE in (family, own):
        return 0
    return model.unit.of(int(model.problem.changeover[matrix, family, own]))


def _all_times(steps: list[tuple[int, int, int]], usual: int) -> list[tuple[int, int, int]]:
    """All of time as (from, until, units): the steps, and what there usually is between them."""
    far = 1 << 50
    edges = [-far, *(edge for since, until, _ in steps for edge in (since, until)), far]
    between = [(edges[place], edges[place + 1], usual) for place in range(0, len(edges), 2)]
    return between + steps
