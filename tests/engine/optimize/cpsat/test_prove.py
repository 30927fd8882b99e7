"""The exact solver: its model holds for every feasible plan, so its bounds do; and what it answers and explains."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.optimize.aim import Aim
from engine.optimize.cpsat.lags import longest_span
from engine.optimize.cpsat.model import Model
from engine.optimize.cpsat.neighborhood import keep
from engine.optimize.cpsat.prove import Prover, Rule
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import Evaluation, Objective, Problem, Solution
from engine.optimize.working import limit_of
from tests.engine.optimize.instances import FT06, shop
from tests.engine.optimize.strategies import calendars, problems, solutions

AIMS = [
    Aim.lexicographic(Objective.MAKESPAN),
    Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN),
    Aim.weighted((0, 3, 1, 2, 1, 1)),
]
MAKESPAN = AIMS[0]


def first_of(problem: Problem) -> Evaluation:
    return Evaluator(problem).evaluate(Solution(problem.first_mode[:-1].copy(), problem.topological))


@settings(max_examples=25)
@given(st.data())
def test_that_every_feasible_plan_satisfies_the_model_and_is_worth_no_less_there(data: st.DataObject) -> None:
    is_free = data.draw(st.booleans())
    problem = data.draw(problems(has_most=is_free, has_pins=is_free, least=4))
    plan = Evaluator(problem).evaluate(data.draw(solutions(problem)))
    assume(plan.is_feasible)
    aim = data.draw(st.sampled_from(AIMS))
    model = Model.of(problem, aim, plan)
    fix(model, plan)
    found: list[Solution] = []
    bounds: list[int] = []
    solved = Prover(problem, aim)
    solved._solve(model, 5.0, found.append, bounds.append)
    assert found, "no plan left"
    assert bounds[-1] <= aim.key(plan.objectives)[1]


@given(calendars(), st.integers(1, 9), st.integers(0, 6))
def test_that_a_maximum_lag_in_working_time_is_said_as_the_longest_it_can_come_to(
    working: list[tuple[int, int]], lag: int, start: int
) -> None:
    draft = Draft(start=start, calendars=[working], operations=[OperationDraft(modes=(ModeDraft(1),))] * 2)
    draft.links = [LinkDraft(before=0, after=1, lag=lag, is_most=True, calendar=0)]
    problem, count = draft.build(), len(working)
    every = (limit_of(problem.tables.segments, 0, count, at, lag) - at for at in range(start, 90))
    assert longest_span(problem, 0) == max(every)


def fix(model: Model, plan: Evaluation) -> None:
    for operation, choices in enumerate(model.choices):
        model.cp.add(model.starts[operation] == model.unit.at(int(plan.starts[operation])))
        model.cp.add(model.finishes[operation] == model.unit.at(int(plan.finishes[operation])))
        chosen = next(each for each in choices if each.mode == plan.solution.mode[operation])
        model.cp.add_bool_and(chosen.is_chosen)


@given(st.data())
def test_that_a_plan_is_among_those_of_every_neighborhood_of_it(data: st.DataObject) -> None:
    problem = data.draw(problems(least=1))
    plan = Evaluator(problem).evaluate(data.draw(solutions(problem)))
    assume(plan.is_feasible)
    flags = data.draw(st.lists(st.booleans(), min_size=len(plan.starts), max_size=len(plan.starts)))
    model = Model.of(problem, MAKESPAN, plan, keep(problem, plan, np.array(flags)))
    fix(model, plan)
    found: list[Solution] = []
    Prover(problem, MAKESPAN)._solve(model, 5.0, found.append, lambda _: None)
    assert found


@pytest.mark.parametrize(("aim", "worth"), [(AIMS[0], 55), (AIMS[2], 55)])
def test_that_the_best_makespan_of_a_small_shop_is_found_and_proved(aim: Aim, worth: int) -> None:
    problem, found, bounds = shop(FT06), list[Evaluation](), list[int]()
    evaluator = Evaluator(problem)
    prover = Prover(problem, aim)
    assert prover.is_whole
    prover.prove(first_of(problem), 30.0, lambda each: found.append(evaluator.evaluate(each)), bounds.append)
    assert min(each.objectives[Objective.MAKESPAN] for each in found) == worth
    assert bounds[-1] == worth


def test_that_windows_better_a_plan_until_it_is_best() -> None:
    problem = shop(FT06)
    evaluator, best = Evaluator(problem), first_of(problem)
    prover = Prover(problem, MAKESPAN, seed=3)

    def offer(solution: Solution) -> None:
        nonlocal best
        best = min(best, evaluator.evaluate(solution), key=lambda each: MAKESPAN.key(each.objectives))

    for _ in range(40):
        before = MAKESPAN.key(best.objectives)
        assert prover.improve(best, offer) == (MAKESPAN.key(best.objectives) < before)
    assert best.objectives[Objective.MAKESPAN] == 55


def test_that_breaks_changeovers_and_alternatives_are_proved_together() -> None:
    """Two families on two machines with a night: by hand, one family a machine, each over its night, done at 19."""
    draft = Draft(calendars=[[(0, 4), (14, 40)]], changeover=[[[0, 6], [6, 0]]])
    draft.resources = [ResourceDraft(matrix=0), ResourceDraft(matrix=0)]
    either = tuple(ModeDraft(3, uses=((machine, 1),), calendar=0) for machine in (0, 1))
    draft.operations = [OperationDraft(modes=either, family=each % 2, is_breakable=True) for each in range(6)]
    problem, found, bounds = draft.build(), list[Evaluation](), list[int]()
    evaluator = Evaluator(problem)
    Prover(problem, MAKESPAN).prove(None, 30.0, lambda each: found.append(evaluator.evaluate(each)), bounds.append)
    assert found[-1].objectives.tolist()[:4] == [0, 0, 19, 0]
    assert bounds[-1] == 19


def test_that_pins_and_a_maximum_lag_that_leave_no_plan_are_named() -> None:
    draft = Draft(resources=[ResourceDraft()])
    draft.operations = [OperationDraft(modes=(ModeDraft(5, uses=((0, 1),)),), pinned_start=at) for at in (0, 3, 20)]
    assert set(Prover(draft.build(), MAKESPAN).explain(10.0) or ()) == {Rule("pin", 0), Rule("pin", 1)}
    lags = Draft()
    lags.operations = [OperationDraft(modes=(ModeDraft(5),)) for _ in range(3)]
    lags.links = [LinkDraft(before=0, after=1), LinkDraft(before=1, after=2)]
    lags.links.append(LinkDraft(before=0, after=2, lag=3, is_most=True))
    assert Prover(lags.build(), MAKESPAN).explain(10.0) == (Rule("most", 2),)


def test_that_a_problem_that_has_a_plan_is_not_explained() -> None:
    assert Prover(shop(FT06), MAKESPAN).explain(10.0) is None


def test_that_nothing_is_solved_once_it_is_stopped() -> None:
    prover = Prover(shop(FT06), MAKESPAN)
    prover.stop()
    offered: list[object] = []
    prover.prove(None, 30.0, offered.append, offered.append)
    assert offered == []


def test_that_a_problem_without_operations_has_a_best_plan() -> None:
    bounds: list[int] = []
    Prover(Draft().build(), MAKESPAN).prove(None, 5.0, lambda _: None, bounds.append)
    assert bounds[-1] == 0
