"""Pool: the best plans found so far, each measured by the one evaluator, and elites that differ. Never a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.optimize.aim import Aim, Key
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Evaluation, Longs, Problem, Solution

_ELITES = 12
_NEAR = 0.02  # elites differ by more than this share of all pairs


class Engine(Protocol):
    """A search in slices; made from (problem, aim, seed, starts), the same seed and slices find the same solutions."""

    @property
    def solution(self) -> Solution | None:
        """The best one so far; another object whenever there is a better one."""

    @property
    def is_done(self) -> bool:
        """Whether it cannot find anything better."""

    def adopt(self, solution: Solution) -> None:
        """Take in what another engine found."""

    def stop(self) -> None:
        """End the slice that goes on as soon as may be, from any thread; nothing more is asked of it."""

    def advance(self, iterations: int) -> int:
        """Go on for about so many iterations of its own, without the interpreter lock; gives how many were made."""


@dataclass(frozen=True, slots=True)
class Incumbent:
    """A plan that was among the best of its time: who found it, and how many answers had been measured by then."""

    evaluation: Evaluation
    engine: str
    measured: int


class Pool:
    """Incumbents and elites of one problem under one aim. It is not for two threads at once."""

    def __init__(self, problem: Problem, aim: Aim) -> None:
        self.problem = problem
        self.aim = aim
        self.incumbents: list[Incumbent] = []
        self.elites: list[Incumbent] = []
        self._evaluator = Evaluator(problem)

    @property
    def best(self) -> Evaluation | None:
        """The best plan so far; None before the first offer."""
        return self.incumbents[-1].evaluation if self.incumbents else None

    @property
    def measured(self) -> int:
        """How many offers were measured."""
        return self._evaluator.count

    def key(self, evaluation: Evaluation) -> Key:
        """What is compared."""
        return self.aim.key(evaluation.objectives)

    def offer(self, solution: Solution, engine: str) -> bool:
        """Decode and measure what an engine found; whether it is the best so far."""
        evaluation = self._evaluator.evaluate(solution)
        found = Incumbent(evaluation, engine, self.measured)
        self._admit(found)
        if self.best is not None and self.key(evaluation) >= self.key(self.best):
            return False
        self.incumbents.append(found)
        return True

    def _admit(self, found: Incumbent) -> None:
        """Elites are better than all that is near them; of those that differ the worst goes when there are too many."""
        key = self.key(found.evaluation)
        is_near = [distance(each.evaluation, found.evaluation) <= _NEAR for each in self.elites]
        if any(near and self.key(each.evaluation) <= key for near, each in zip(is_near, self.elites, strict=True)):
            return
        kept = [each for near, each in zip(is_near, self.elites, strict=True) if not near]
        self.elites = sorted([*kept, found], key=lambda each: self.key(each.evaluation))[:_ELITES]


def distance(one: Evaluation, other: Evaluation) -> float:
    """How far two plans are apart, 0 to 1: other modes, and other places in the order of starts."""
    count = len(one.starts)
    if not count:
        return 0.0
    modes = np.count_nonzero(one.solution.mode != other.solution.mode) / count
    places = np.abs(_places(one.starts) - _places(other.starts)).sum() * 2 / max(1, count * count)
    return float(modes + places) / 2


def _places(starts: Longs) -> Longs:
    places = np.empty(len(starts), np.int64)
    places[np.argsort(starts, kind="stable")] = np.arange(len(starts))
    return places
