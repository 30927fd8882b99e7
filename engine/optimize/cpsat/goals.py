"""What is wanted of a plan, as an expression of CP-SAT. It never solves."""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from engine.optimize.cpsat.frame import Frame
from engine.optimize.problem import NEVER, NONE, Objective

_IS_TIME = (Objective.TARDINESS, Objective.MAKESPAN, Objective.CHANGEOVER, Objective.STABILITY)


def level_of(model: Frame) -> cp_model.LinearExprT:
    """The first level after that no rule be broken, in ticks and not in units."""
    weights = model.aim.levels[1] if len(model.aim.levels) > 1 else np.zeros(len(Objective), np.int64)
    terms: list[cp_model.LinearExprT] = []
    for objective in Objective:
        weight = int(weights[objective]) * (model.unit.ticks if objective in _IS_TIME else 1)
        if weight and objective is not Objective.VIOLATIONS:
            terms.append(weight * _measure(model, objective))
    return sum(terms) if terms else 0


def _measure(model: Frame, objective: Objective) -> cp_model.LinearExprT:
    """An objective; those of time in units."""
    problem, cp, unit = model.problem, model.cp, model.unit
    if objective is Objective.MAKESPAN:
        makespan = cp.new_int_var(0, unit.last, "makespan")
        cp.add_max_equality(makespan, [*model.finishes, 0])
        return makespan
    if objective is Objective.CHANGEOVER:
        return sum(time * arc for arc, time in model.arcs if time)
    if objective is Objective.COST:
        every = [choice for choices in model.choices for choice in choices]
        return sum(int(problem.mode_cost[choice.mode]) * choice.is_chosen for choice in every)
    terms: list[cp_model.LinearExprT] = []
    for operation, finish in enumerate(model.finishes):
        if objective is Objective.STABILITY:
            terms += _moved(model, operation)
        elif problem.due[operation] < NEVER and problem.weight[operation] > 0:
            late = cp.new_int_var(0, unit.last + max(0, -unit.at(int(problem.due[operation]))), "late")
            cp.add(late >= finish - unit.at(int(problem.due[operation])))
            terms.append(int(problem.weight[operation]) * late)
    return sum(terms)


def _moved(model: Frame, operation: int) -> list[cp_model.LinearExprT]:
    problem, unit = model.problem, model.unit
    terms: list[cp_model.LinearExprT] = []
    if problem.current_start[operation] != NONE:
        at = unit.at(int(problem.current_start[operation]))
        moved = model.cp.new_int_var(0, unit.last + abs(at), "moved")
        model.cp.add_abs_equality(moved, model.starts[operation] - at)
        terms.append(moved)
    if problem.current_mode[operation] != NONE:
        other = [each for each in model.choices[operation] if each.mode != problem.current_mode[operation]]
        terms += [unit.of(int(problem.duration[each.mode])) * each.is_chosen for each in other]
    return terms
