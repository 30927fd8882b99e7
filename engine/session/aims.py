"""Aims as people name them: one objective, several in order, or several by weight. It never searches."""

from __future__ import annotations

from engine.errors import PlanError
from engine.optimize.aim import Aim
from engine.optimize.problem import Objective

_CENTS = 100
USUAL_WEIGHT = 5  # of priority 500, as a Problem has it
_MOST_WEIGHT = 1_000_000
# What an objective is called on the command line, and ticks or cents of a unit that people read: minutes, money.
OBJECTIVES = {
    "tardiness": Objective.TARDINESS,
    "makespan": Objective.MAKESPAN,
    "changeover": Objective.CHANGEOVER,
    "cost": Objective.COST,
    "stability": Objective.STABILITY,
}


def aim_of(words: str) -> Aim:
    """The aim of "makespan", of "tardiness,makespan" (the second where the first is equal), or of "tardiness=5,cost=1":
    by weights an hour of lateness, at the usual priority, is an hour as any other.

    Raises PlanError, with a sentence, for anything else.
    """
    parts = [part.strip() for part in words.split(",")]
    pairs = [part.partition("=") for part in parts]
    for name, _, _ in pairs:
        if name not in OBJECTIVES:
            raise PlanError(f"There is no objective “{name}”; choose of {', '.join(OBJECTIVES)}.")
    names = [name for name, _, _ in pairs]
    if len(set(names)) < len(names):
        raise PlanError(f"“{words}” names an objective twice.")
    if not any(sign for _, sign, _ in pairs):
        return Aim.lexicographic(*(OBJECTIVES[name] for name in names))
    weights = [0] * len(Objective)
    for name, _, value in pairs:
        if not value.isdecimal() or not 0 <= int(value) <= _MOST_WEIGHT:
            raise PlanError(f"The weight of {name} is a whole number from 0 to {_MOST_WEIGHT:,}, not “{value}”.")
        weights[OBJECTIVES[name]] = int(value)
    if not any(weights):
        raise PlanError("Give at least one objective a weight above 0.")
    if weights[Objective.TARDINESS] and sum(map(bool, weights)) > 1:
        weights = [each * (1 if at == Objective.TARDINESS else USUAL_WEIGHT) for at, each in enumerate(weights)]
    return Aim.weighted(weights)


def names_of(aim: Aim) -> tuple[str, ...]:
    """What the objectives of an aim are called, the first that counts at first."""
    return tuple(dict.fromkeys(name for level in aim.levels.tolist() for name, at in OBJECTIVES.items() if level[at]))


def lateness_of(tardiness: int) -> int:
    """Lateness by weight, in ticks, as that of tasks of the usual priority, which is 500."""
    return tardiness // USUAL_WEIGHT


def first_of(aim: Aim) -> str | None:
    """What the first objective after broken rules is called; None where that is a sum of several, or none."""
    weights = aim.levels[1].tolist() if len(aim.levels) > 1 else []
    used = [name for name, each in OBJECTIVES.items() if weights and weights[each]]
    return used[0] if len(used) == 1 and weights[OBJECTIVES[used[0]]] == 1 else None


def unit_of_aim(aim: Aim, ticks: int) -> int:
    """What the first level after broken rules is counted in: `ticks` of a unit of time, cents, 1 for a mixture."""
    first = first_of(aim)
    return 1 if first is None else _CENTS if first == "cost" else ticks
