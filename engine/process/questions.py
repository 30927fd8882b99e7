"""Questions that the process that searches answers beside a search, from plans it is handed. They never search.

An answer is some decodes: of a plan that a person may make, or of a task in the places where it may be dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.model import Plan, TaskId, Ticks
from engine.optimize.aim import Aim
from engine.optimize.from_plan import PlanProblem
from engine.optimize.problem import Longs, Objective
from engine.optimize.trying import as_it_is, quick_best, try_places

CaseOf = Callable[[Plan], PlanProblem]


@dataclass(frozen=True, slots=True)
class Tried:
    """What a plan comes to by a quick try: objectives by Objective, and when a task would finish."""

    objectives: tuple[int, ...]
    finish: Ticks


@dataclass(frozen=True, slots=True)
class TryPlans:
    """What each of some plans comes to, and when a task of theirs finishes then."""

    plans: tuple[Plan, ...]
    aim: Aim
    task: TaskId

    def answer(self, case_of: CaseOf) -> tuple[Tried | None, ...]:
        """One entry a plan, None for one that cannot be."""
        return tuple(self._tried(plan, case_of) for plan in self.plans)

    def _tried(self, plan: Plan, case_of: CaseOf) -> Tried | None:
        try:
            planned = case_of(plan)
        except EngineError:
            return None
        best = quick_best(planned.problem, self.aim)
        return Tried(tuple(best.objectives.tolist()), int(best.finishes[planned.tasks.index(self.task)]))


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """What the plan comes to with a task on each of m resources, no earlier than each of s instants.

    `values` int64[m, s, 6] by Objective; `now` int64[6] with the task where it is, which starts at `start`; `begins`
    int64[m, s] when it would start. What is in its way there gives way, and all else is in the planner's order. In the
    slot in which it starts now it is tried just where it is.
    """

    task: TaskId
    resources: tuple[int, ...]
    starts: tuple[Ticks, ...]
    values: Longs
    begins: Longs
    now: Longs
    start: Ticks

    def broken(self) -> Longs:
        """By how much more than now the rules are broken in each place: int64[m, s]."""
        violations: Longs = self.values[:, :, Objective.VIOLATIONS] - self.now[Objective.VIOLATIONS]
        return violations


@dataclass(frozen=True, slots=True)
class TryPlaces:
    """What dropping a task does: on each resource that could do it, at each of these starts."""

    plan: Plan
    task: TaskId
    starts: tuple[Ticks, ...]

    def answer(self, case_of: CaseOf) -> Places | None:
        """None where the task cannot be moved. Raises EngineError where the plan cannot be optimized."""
        planned = case_of(self.plan)
        problem = planned.problem
        if self.task not in planned.tasks or self.task in planned.stays:
            return None
        operation = planned.tasks.index(self.task)
        doing = {use.task: use.resource for use in reversed(self.plan.assignments)}
        modes = range(int(problem.first_mode[operation]), int(problem.first_mode[operation + 1]))
        usable = [mode for mode in modes if problem.is_usable[mode]]
        resources = (planned.ways[mode].resource for mode in usable)
        named = tuple(doing.get(self.task, 0) if each is None else each for each in resources)
        # A drop asks for another date than the one that is asked now: the plan's start and the status line stay.
        release = max(self.plan.start, planned.schedule.basis.network.rules.status)
        start = int(problem.current_start[operation])
        slot = int(np.searchsorted(self.starts, start, "right")) - 1
        tried = [start if place == slot and slot < len(self.starts) - 1 else at for place, at in enumerate(self.starts)]
        values, begins = try_places(problem, operation, usable, tried, release)
        now = np.array(as_it_is(problem).objectives)
        return Places(self.task, named, self.starts, values, begins, now, start)


Question = TryPlans | TryPlaces
