"""What of a model of CP-SAT is written so far: Frame, and Choice, one mode in it. It never writes rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from engine.optimize.aim import Aim
from engine.optimize.cpsat.instants import Unit
from engine.optimize.cpsat.neighborhood import Kept
from engine.optimize.problem import Problem


@dataclass(slots=True)
class Choice:
    """A mode in the model: chosen or not, and the stretch it holds its resources. `mode` is the problem's index."""

    operation: int
    mode: int
    is_chosen: cp_model.IntVar
    interval: cp_model.IntervalVar


@dataclass(slots=True)
class Frame:
    """Variables of a problem, in its unit.

    `arcs`: literals for changeovers and what they take. `why`: literals of rules that an explanation may set aside.
    """

    problem: Problem
    aim: Aim
    unit: Unit
    kept: Kept | None = None
    is_explaining: bool = False
    cp: cp_model.CpModel = field(default_factory=cp_model.CpModel)
    starts: list[cp_model.IntVar] = field(default_factory=list)
    finishes: list[cp_model.IntVar] = field(default_factory=list)
    choices: list[list[Choice]] = field(default_factory=list)
    arcs: list[tuple[cp_model.IntVar, int]] = field(default_factory=list)
    why: dict[int, tuple[str, int]] = field(default_factory=dict)
    goal: cp_model.LinearExprT = 0
