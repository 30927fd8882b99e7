"""Proving: CP-SAT on the whole problem or on windows of its best plan, and why there is none. It never decides alone.

Answers are Solutions, to be decoded and measured; bounds are of the first level of the aim after broken rules.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ortools.sat.python import cp_model

from engine.optimize.aim import Aim
from engine.optimize.cpsat.model import Model
from engine.optimize.cpsat.neighborhood import Windows, is_whole, keep
from engine.optimize.problem import Evaluation, Problem, Solution

_WINDOW_SECONDS = 2.0
_NOT_KNOWN = -1e15

Offer = Callable[[Solution], object]
Bound = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that stands in the way: a "pin" of an operation, or a "most", the maximum lag of a link."""

    kind: str
    of: int


class Prover:
    """One problem and aim. `stop()` may be called on any thread, and ends what is solved within some milliseconds."""

    def __init__(self, problem: Problem, aim: Aim, workers: int = 1, seed: int = 0) -> None:
        self.problem, self.aim = problem, aim
        self._workers, self._seed = workers, seed
        self._solver: cp_model.CpSolver | None = None
        self._is_stopped = False
        self._windows = Windows(problem, _window_size(problem), random.Random(seed))

    @property
    def is_whole(self) -> bool:
        """Whether the problem is small enough to be solved as a whole."""
        return is_whole(self.problem)

    def stop(self) -> None:
        """Give up what is solved, and whatever is asked after."""
        self._is_stopped = True
        if (solver := self._solver) is not None:
            solver.stop_search()

    def prove(self, best: Evaluation | None, seconds: float, offer: Offer, bound: Bound) -> None:
        """Solve the whole problem: a plan that is worth no more than the last bound is best."""
        self._solve(Model.of(self.problem, self.aim, best), seconds, offer, bound)

    def improve(self, best: Evaluation, offer: Offer, seconds: float = _WINDOW_SECONDS) -> bool:
        """Solve one window of the best plan anew; whether something better was offered."""
        is_free = self._windows.choose(best)
        model = Model.of(self.problem, self.aim, best, keep(self.problem, best, is_free))
        model.cp.add(model.goal <= self.aim.key(best.objectives)[1] - 1)
        status = self._solve(model, seconds, offer, lambda _: None)
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        self._adapt(is_quick=status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))
        return found

    def explain(self, seconds: float) -> tuple[Rule, ...] | None:
        """Rules that together leave no plan; empty when links, resources and calendars do alone; None: not known."""
        model = Model.of(self.problem, self.aim, None, is_explaining=True)
        self._workers = 1
        if self._solve(model, seconds, lambda _: None, lambda _: None) != cp_model.INFEASIBLE:
            return None
        assert self._solver is not None
        literals = self._solver.sufficient_assumptions_for_infeasibility()
        return tuple(Rule(*model.why[literal]) for literal in literals)

    def _solve(self, model: Model, seconds: float, offer: Offer, bound: Bound) -> cp_model.CpSolverStatus:
        solver = self._solver = cp_model.CpSolver()
        solver.parameters.num_workers = self._workers
        solver.parameters.random_seed = self._seed
        solver.parameters.max_time_in_seconds = max(0.0, seconds)
        solver.best_bound_callback = partial(_tell, bound)
        if self._is_stopped:
            return cp_model.UNKNOWN
        status = solver.solve(model.cp, _Offering(model, offer))
        if status == cp_model.OPTIMAL and not model.is_explaining:
            _tell(bound, solver.best_objective_bound)
        return status

    def _adapt(self, *, is_quick: bool) -> None:
        """Windows grow while they are solved to their end, and shrink while they are not."""
        size = self._windows.size * (1.1 if is_quick else 0.85)
        self._windows.size = int(min(max(10.0, size), 150.0, float(self.problem.operation_count)))


class _Offering(cp_model.CpSolverSolutionCallback):
    """Hands every solution on."""

    def __init__(self, model: Model, offer: Offer) -> None:
        super().__init__()
        self._model, self._offer = model, offer

    def on_solution_callback(self) -> None:
        self._offer(self._model.solution([self.value(each) for each in self._model.asked]))


def _tell(bound: Bound, value: float) -> None:
    """Objectives are whole: no plan is worth less than the next whole number; very low is not known."""
    if value > _NOT_KNOWN:
        bound(math.ceil(value - 1e-6))


def _window_size(problem: Problem) -> int:
    return min(problem.operation_count, 40)
