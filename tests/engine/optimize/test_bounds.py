"""Bounds of changeovers and of moving: no plan is below them, and where all orders can be tried the best is there."""

from itertools import pairwise, permutations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.optimize.bounds import bounds_of
from engine.optimize.changeover_bound import shortest_path
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator
from engine.optimize.problem import NONE, LinkKind, Objective, Problem, Solution
from tests.engine.optimize.strategies import problems, solutions

FAMILIES = 4


@settings(max_examples=60)
@given(st.data())
def test_that_no_plan_of_mixed_problems_is_below_any_bound(data: st.DataObject) -> None:
    problem = data.draw(problems(has_most=False, has_pins=data.draw(st.booleans()), least=2))
    found = Evaluator(problem).evaluate(data.draw(solutions(problem)))
    assume(found.is_feasible)
    assert (found.objectives >= bounds_of(problem)).all()


def machine(matrix: list[list[int]], families: list[int], first: int) -> Problem:
    """One machine that must do an operation of each of these families, whatever comes first."""
    draft = Draft(resources=[ResourceDraft(matrix=0, family=first)], changeover=[matrix])
    draft.operations = [OperationDraft(modes=(ModeDraft(2, uses=((0, 1),)),), family=each) for each in families]
    return draft.build()


def least_changeover(problem: Problem) -> int:
    """The least of all orders."""
    modes, evaluator = np.arange(problem.operation_count, dtype=np.int32), Evaluator(problem)
    orders = permutations(range(problem.operation_count))
    every = (evaluator.evaluate(Solution(modes, np.array(order, np.int32))) for order in orders)
    return min(int(each.objectives[Objective.CHANGEOVER]) for each in every)


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    ticks = st.integers(0, 9)
    return [[0 if one == other else draw(ticks) for other in range(FAMILIES)] for one in range(FAMILIES)]


@settings(max_examples=30)
@given(matrices(), st.lists(st.integers(-1, FAMILIES - 1), min_size=1, max_size=5), st.integers(-1, FAMILIES - 1))
def test_that_no_order_of_a_machine_changes_over_less(matrix: list[list[int]], families: list[int], first: int) -> None:
    problem = machine(matrix, families, first)
    assert bounds_of(problem)[Objective.CHANGEOVER] <= least_changeover(problem)


@settings(max_examples=30)
@given(matrices(), st.lists(st.integers(0, FAMILIES - 1), min_size=1, max_size=5), st.integers(-1, FAMILIES - 1))
def test_that_the_best_order_of_a_machine_is_at_the_bound_where_no_detour_is_shorter(
    matrix: list[list[int]], families: list[int], first: int
) -> None:
    arcs = np.array(matrix)
    for between in range(FAMILIES):
        arcs = np.minimum(arcs, arcs[:, [between]] + arcs[[between], :])
    problem = machine(arcs.tolist(), families, first)
    assert bounds_of(problem)[Objective.CHANGEOVER] == least_changeover(problem)


def test_that_families_that_may_choose_a_machine_are_entered_somewhere() -> None:
    """Three families on two machines that are set up for none: two are free, the third costs the least way into one."""
    draft = Draft(changeover=[[[0, 5, 6], [4, 0, 7], [9, 8, 0]]])
    draft.resources = [ResourceDraft(matrix=0), ResourceDraft(matrix=0)]
    either = tuple(ModeDraft(3, uses=((each, 1),)) for each in (0, 1))
    draft.operations = [OperationDraft(modes=either, family=each) for each in (0, 1, 2)]
    assert bounds_of(draft.build())[Objective.CHANGEOVER] == 4


@given(st.integers(1, 6), st.integers(0, 99))
def test_that_a_shortest_path_is_that_of_the_best_of_all_orders(count: int, seed: int) -> None:
    random = np.random.Generator(np.random.PCG64(seed))
    arcs, begin = random.integers(0, 50, (count, count)), random.integers(0, 50, count)
    every = (begin[order[0]] + sum(arcs[a, b] for a, b in pairwise(order)) for order in permutations(range(count)))
    assert shortest_path(arcs, begin) == min(every)


def operation(ticks: int, now: int, *machines: int, **more: int) -> OperationDraft:
    return OperationDraft(modes=tuple(ModeDraft(ticks, uses=((at, 1),)) for at in machines), current_start=now, **more)


def moving(draft: Draft) -> int:
    return int(bounds_of(draft.build())[Objective.STABILITY])


def test_that_a_plan_that_may_stay_is_bounded_by_nothing() -> None:
    draft = Draft(resources=[ResourceDraft()], operations=[operation(5, 0, 0), operation(5, 5, 0)])
    assert moving(draft) == 0


def test_that_two_that_overlap_move_apart_the_shorter_way() -> None:
    draft = Draft(resources=[ResourceDraft()], operations=[operation(5, 10, 0), operation(5, 13, 0)])
    assert moving(draft) == 2
    draft.operations[1] = operation(5, 11, 0)
    assert moving(draft) == 4


def test_that_what_is_short_on_another_machine_may_go_there_instead() -> None:
    draft = Draft(resources=[ResourceDraft(), ResourceDraft()], operations=[operation(5, 10, 0)])
    shorter = (ModeDraft(5, uses=((0, 1),)), ModeDraft(1, uses=((1, 1),)))
    draft.operations.append(OperationDraft(modes=shorter, current_start=13, current_mode=0))
    assert moving(draft) == 1


def test_that_pins_links_and_releases_move_what_stands_elsewhere() -> None:
    draft = Draft(resources=[ResourceDraft() for _ in range(4)])
    draft.operations = [operation(5, 10, 0, pinned_start=17), operation(5, 3, 1, release=7)]
    draft.operations += [operation(5, 20, 2), operation(5, 22, 3)]
    draft.links = [LinkDraft(before=2, after=3, kind=LinkKind.FS, lag=1)]
    assert draft.operations[2].pinned_start == NONE
    assert moving(draft) == 7 + 4 + 4
