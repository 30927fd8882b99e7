"""Maximum lags: what else is placed so that they hold, and that nothing else is broken for their sake."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.cpsat.prove import Prover
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.portfolio import Portfolio
from engine.optimize.problem import Evaluation, Objective, Problem, Solution
from engine.optimize.rules import first_solutions
from tests.engine.optimize.checker import Judge
from tests.engine.optimize.instances import random_jobs
from tests.engine.optimize.strategies import problems, solutions

MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)


def waiting_shop(jobs: int, machines: int, seed: int, longest: int) -> Problem:
    """A job shop in which no step may come later after the one before than some ticks, up to `longest`."""
    draft, random = Draft(), np.random.Generator(np.random.PCG64(seed))
    draft.resources = [ResourceDraft() for _ in range(machines)]
    for number, job in enumerate(random_jobs(jobs, machines, seed)):
        for place, (machine, ticks) in enumerate(job):
            draft.operations.append(OperationDraft(modes=(ModeDraft(ticks, uses=((machine, 1),)),), job=number))
            here = len(draft.operations) - 1
            if place:
                draft.links.append(LinkDraft(before=here - 1, after=here))
                lag = int(random.integers(0, longest + 1))
                draft.links.append(LinkDraft(before=here - 1, after=here, lag=lag, is_most=True))
    return draft.build()


@pytest.mark.parametrize("longest", [0, 5, 60])
@pytest.mark.parametrize("seed", range(4))
def test_that_every_first_plan_of_a_shop_with_short_waits_keeps_them(seed: int, longest: int) -> None:
    problem = waiting_shop(8, 5, seed, longest)
    evaluator = Evaluator(problem)
    assert [int(evaluator.evaluate(each).objectives[0]) for each in first_solutions(problem)] == [0] * len(
        first_solutions(problem)
    )


@pytest.mark.parametrize("longest", [0, 20])
def test_that_a_shop_with_short_waits_is_solved_about_as_well_as_by_the_exact_solver(longest: int) -> None:
    problem, found = waiting_shop(5, 4, 1, longest), list[Evaluation]()
    evaluator, portfolio = Evaluator(problem), Portfolio(problem, MAKESPAN, 1)
    Prover(problem, MAKESPAN).prove(None, 20.0, lambda each: found.append(evaluator.evaluate(each)), lambda _: None)
    for _ in range(10):
        portfolio.advance(200)
    assert portfolio.best.is_feasible
    assert portfolio.best.objectives[Objective.MAKESPAN] <= 1.02 * found[-1].objectives[Objective.MAKESPAN]


@given(st.data())
def test_that_nothing_but_a_lag_or_the_end_of_time_is_broken_where_nothing_is_pinned(data: st.DataObject) -> None:
    problem = data.draw(problems(has_pins=False))
    solution = data.draw(solutions(problem))
    assume(all(problem.is_usable[mode] for mode in solution.mode))
    found, judge = Evaluator(problem).evaluate(solution), Judge(problem, solution.mode.tolist())
    starts = found.starts.tolist()
    finishes = [judge.finish(each, start) for each, start in enumerate(starts)]
    past = sum(judge.own_breach(each, start) for each, start in enumerate(starts))
    most = np.flatnonzero(problem.link_is_most).tolist()
    assert found.objectives[Objective.VIOLATIONS] == past + sum(
        judge.breach_of_link(link, starts, finishes) for link in most
    )


@settings(max_examples=40)
@given(st.data())
def test_that_where_the_exact_solver_has_a_plan_the_search_has_one(data: st.DataObject) -> None:
    problem = data.draw(problems(least=4))
    assume(problem.link_is_most.any())
    dates = plan_of(problem)
    assume(dates is not None)
    portfolio = Portfolio(problem, MAKESPAN, 1)
    for _ in range(40):
        if portfolio.best.is_feasible:
            break
        portfolio.advance(50)
    assert portfolio.best.is_feasible


def plan_of(problem: Problem) -> Evaluation | None:
    """Dates of the exact solver that break no rule, whatever a decoder makes of them."""
    from ortools.sat.python import cp_model

    from engine.optimize.cpsat.model import Model

    model, solver = Model.of(problem, MAKESPAN, None), cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_deterministic_time = 1, 2.0
    if solver.solve(model.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    solution: Solution = model.solution([solver.value(each) for each in model.asked])
    starts = np.array([model.unit.back(solver.value(each)) for each in model.starts], np.int64)
    found = Evaluator(problem).measure(solution, starts)
    return found if found.is_feasible else None
