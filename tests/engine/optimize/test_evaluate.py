"""The evaluator against an independent judge, on random problems in which everything is mixed."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.optimize.draft import Draft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator, evaluate
from engine.optimize.problem import Objective, Solution
from tests.engine.optimize.checker import Judge
from tests.engine.optimize.instances import FT06, shop
from tests.engine.optimize.strategies import problems, solutions

FT06_STARTS = (
    *(5, 6, 16, 22, 42, 49, 0, 8, 13, 28, 38, 48, 0, 5, 9, 18, 27, 30),
    *(8, 13, 22, 29, 37, 45, 13, 22, 25, 38, 48, 52, 13, 16, 19, 28, 45, 49),
)


@given(st.data())
def test_that_objectives_are_those_of_an_independent_judge(data: st.DataObject) -> None:
    problem = data.draw(problems())
    solution = data.draw(solutions(problem))
    found = Evaluator(problem).evaluate(solution)
    assert found.objectives.tolist() == Judge(problem, solution.mode.tolist()).objectives(found.starts.tolist())


@given(st.data())
def test_that_dates_of_anybody_are_judged_alike(data: st.DataObject) -> None:
    problem = data.draw(problems())
    solution = data.draw(solutions(problem))
    starts = data.draw(st.lists(st.integers(0, 40), min_size=len(solution.mode), max_size=len(solution.mode)))
    found = Evaluator(problem).measure(solution, np.array(starts, np.int64))
    assert found.objectives.tolist() == Judge(problem, solution.mode.tolist()).objectives(starts)


@given(st.data())
def test_that_every_operation_is_placed_at_its_first_free_tick(data: st.DataObject) -> None:
    problem = data.draw(problems(has_most=False))
    solution = data.draw(solutions(problem))
    assume(all(problem.is_usable[mode] for mode in solution.mode))
    judge = Judge(problem, solution.mode.tolist())
    assert evaluate(problem, solution).starts.tolist() == judge.place(solution.order.tolist())


@given(st.data())
def test_that_without_pins_and_maximum_lags_only_the_end_of_time_is_broken(data: st.DataObject) -> None:
    problem = data.draw(problems(has_most=False, has_pins=False))
    solution = data.draw(solutions(problem))
    assume(all(problem.is_usable[mode] for mode in solution.mode))
    found = evaluate(problem, solution)
    judge = Judge(problem, solution.mode.tolist())
    past = sum(judge.own_breach(each, int(start)) for each, start in enumerate(found.starts))
    assert found.objectives[Objective.VIOLATIONS] == past


def on_one_machine(*operations: OperationDraft, **resource: int) -> Evaluator:
    draft = Draft(resources=[ResourceDraft(**resource)], changeover=[[[0, 4], [4, 0]]])
    draft.operations = list(operations)
    return Evaluator(draft.build())


def operation(ticks: int, **more: int) -> OperationDraft:
    return OperationDraft(modes=(ModeDraft(ticks, uses=((0, 1),)),), **more)


def in_order(evaluator: Evaluator, *order: int) -> list[int]:
    modes = np.arange(len(order), dtype=np.int32)
    return evaluator.evaluate(Solution(modes, np.array(order, np.int32))).starts.tolist()


def test_that_what_was_decoded_before_leaves_no_trace() -> None:
    evaluator = on_one_machine(operation(3), operation(3), operation(3))
    assert in_order(evaluator, 1, 0, 2) == [3, 0, 6]
    assert in_order(evaluator, 2, 1, 0) == [6, 3, 0]
    assert in_order(evaluator, 1, 0, 2) == [3, 0, 6]


def test_that_a_gap_must_hold_both_changeovers() -> None:
    one, between, other = operation(5, family=0), operation(2, family=1), operation(5, family=0, release=14)
    assert in_order(on_one_machine(one, between, other, matrix=0), 0, 2, 1) == [0, 23, 14]
    later = operation(5, family=0, release=15)
    assert in_order(on_one_machine(one, between, later, matrix=0), 0, 2, 1) == [0, 9, 15]


def test_that_the_first_changeover_begins_at_the_start() -> None:
    assert in_order(on_one_machine(operation(5, family=1), matrix=0, family=0), 0) == [4]


def test_that_a_shop_is_as_long_as_its_published_optimum() -> None:
    problem = shop(FT06)
    found = evaluate(problem, Solution(np.arange(36, dtype=np.int32), problem.list_by(np.array(FT06_STARTS, np.int64))))
    assert found.starts.tolist() == list(FT06_STARTS)
    assert found.objectives.tolist()[:3] == [0, 0, 55]
