"""What a solution says of a plan: for each task where it is done and when it starts. It never changes the plan."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import TaskId, Ticks, Way
from engine.optimize.from_plan import PlanProblem
from engine.optimize.problem import Evaluation


@dataclass(frozen=True, slots=True)
class Decision:
    """A task starts at an instant and is done in a way; `is_moved`: the start, or the way, is another one than now."""

    task: TaskId
    start: Ticks
    finish: Ticks
    way: Way
    is_moved: bool


def decisions_of(case: PlanProblem, found: Evaluation) -> tuple[Decision, ...]:
    """One decision for each task of the problem, in row order; tasks that stay are among them, unmoved."""
    problem, schedule = case.problem, case.schedule
    modes, starts, finishes = found.solution.mode.tolist(), found.starts.tolist(), found.finishes.tolist()
    now = problem.current_mode.tolist()
    return tuple(
        Decision(
            task,
            starts[at],
            finishes[at],
            case.ways[modes[at]],
            task not in case.stays and (starts[at] != schedule.start_of(task) or modes[at] != now[at]),
        )
        for at, task in enumerate(case.tasks)
    )
