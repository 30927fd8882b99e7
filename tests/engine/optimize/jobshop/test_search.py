"""What the search finds on small shops, within a number of iterations."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given

from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import evaluate
from engine.optimize.jobshop.columns import BEST
from engine.optimize.jobshop.search import JobShopSearch
from engine.optimize.jobshop.shop import is_plain, is_shop, work_until
from engine.optimize.jobshop.weighing import begin_weighed, search_weighed, weigh
from engine.optimize.problem import NEVER, Objective, Problem
from tests.engine.optimize.instances import FT06, shop
from tests.engine.optimize.jobshop.shops import MAKESPAN, SEEDS, assert_sound, scattered, shops

# 7 is its best: both jobs have
# 3 + 4 ticks of work on their quick machines, which nobody else needs then.
FLEXIBLE = ((((0, 3), (1, 9)), ((1, 4), (0, 9))), (((1, 3), (0, 9)), ((0, 4), (1, 9))))


def flexible(jobs: tuple = FLEXIBLE) -> Problem:
    draft = Draft(resources=[ResourceDraft(), ResourceDraft()])
    for job in jobs:
        for place, choices in enumerate(job):
            draft.operations.append(OperationDraft(modes=tuple(ModeDraft(t, uses=((m, 1),)) for m, t in choices)))
            if place:
                draft.links.append(LinkDraft(before=len(draft.operations) - 2, after=len(draft.operations) - 1))
    return draft.build()


def found(problem: Problem, aim: Aim, iterations: int, seed: int = 1) -> np.ndarray:
    search = JobShopSearch(problem, aim, seed)
    search.advance(iterations)
    assert search.solution is not None
    return evaluate(problem, search.solution).objectives


def test_that_ft06_is_solved_to_its_55() -> None:
    objectives = found(shop(FT06), MAKESPAN, 20_000)
    assert objectives[Objective.VIOLATIONS] == 0
    assert objectives[Objective.MAKESPAN] == 55


def test_that_operations_move_to_the_machines_on_which_they_are_quick() -> None:
    assert found(flexible(), MAKESPAN, 2_000)[Objective.MAKESPAN] == 7


def test_that_the_same_seed_finds_the_same_plan_in_slices_of_any_size() -> None:
    one, other = (JobShopSearch(shop(FT06), MAKESPAN, 7) for _ in range(2))
    while one.advance(10_000) < 10_000:
        pass
    for _ in range(100):
        other.advance(100)
    assert one.solution is not None
    assert other.solution is not None
    assert one.value == other.value
    assert one.solution.order.tolist() == other.solution.order.tolist()


def test_that_a_search_ends_at_the_bound_it_was_told() -> None:
    search = JobShopSearch(shop(FT06), MAKESPAN, 1)
    search.stop_at(55)
    search.advance(50_000)
    assert search.is_done
    assert search.advance(10) == 0


def test_that_a_search_begins_with_the_plan_it_is_given() -> None:
    problem = shop(FT06)
    best = JobShopSearch(problem, MAKESPAN, 1)
    best.advance(20_000)
    assert best.solution is not None
    search = JobShopSearch(problem, MAKESPAN, 2, [best.solution])
    search.advance(1)
    assert search.value == best.value


def test_that_what_another_found_is_taken_in_with_the_next_walk() -> None:
    problem = shop(FT06)
    best, search = JobShopSearch(problem, MAKESPAN, 1), JobShopSearch(problem, MAKESPAN, 2)
    best.advance(20_000)
    assert best.solution is not None
    search.adopt(best.solution)
    search.advance(1)
    assert search.value == best.value


@given(shops(is_mixed=True), SEEDS)
def test_that_what_is_weighed_is_what_the_evaluator_measures(problem: Problem, seed: int) -> None:
    aim = Aim.weighted((0, 3, 1, 2, 1, 1))
    graph, walk = scattered(problem, aim, seed)
    begin_weighed(graph, walk)
    first = int(walk.tally[BEST])
    search_weighed(graph, walk, 20, 1000, 10)
    assert_sound(problem, graph, walk)
    assert walk.tally[BEST] <= first
    assert weigh(graph, walk) >= walk.tally[BEST]


def test_that_a_late_operation_goes_first() -> None:
    draft = Draft(resources=[ResourceDraft()])
    for ticks, due, weight in ((5, NEVER, 1), (4, NEVER, 1), (3, 3, 9)):
        mode = ModeDraft(ticks, uses=((0, 1),))
        draft.operations.append(OperationDraft(modes=(mode,), due=due, weight=weight))
    objectives = found(draft.build(), Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN), 500)
    assert objectives[Objective.TARDINESS] == 0


def test_that_nothing_is_put_before_a_pin_that_would_push_it() -> None:
    draft = Draft(resources=[ResourceDraft()])
    mode = ModeDraft(5, uses=((0, 1),))
    draft.operations = [OperationDraft(modes=(mode,)) for _ in range(3)]
    draft.operations.append(OperationDraft(modes=(mode,), pinned_start=7))
    objectives = found(draft.build(), MAKESPAN, 500)
    assert objectives[Objective.VIOLATIONS] == 0
    assert objectives[Objective.MAKESPAN] == 22


def test_that_families_are_made_one_after_another() -> None:
    draft = Draft(resources=[ResourceDraft(matrix=0)], changeover=[[[0, 9], [9, 0]]])
    for family in (0, 1, 0, 1, 0, 1):
        draft.operations.append(OperationDraft(modes=(ModeDraft(2, uses=((0, 1),)),), family=family))
    assert found(draft.build(), MAKESPAN, 2_000)[Objective.MAKESPAN] == 21


def test_that_a_shop_is_known_by_its_machines() -> None:
    assert is_shop(shop(FT06))
    draft = Draft(resources=[ResourceDraft(capacity=3)])
    draft.operations = [OperationDraft(modes=(ModeDraft(2, uses=((0, 1),)),)) for _ in range(3)]
    assert not is_shop(draft.build())


@pytest.mark.parametrize("change", [{"pinned_start": 3}, {"due": 4}])
def test_that_pins_and_due_dates_are_no_plain_shop(change: dict[str, int]) -> None:
    problem = shop(FT06)
    assert is_plain(problem, MAKESPAN)
    changed = np.array(getattr(problem, next(iter(change))))
    changed[3] = next(iter(change.values()))
    values = {each.name: getattr(problem, each.name) for each in fields(problem)}
    other = Problem(**{**values, next(iter(change)): changed})
    assert not is_plain(other, Aim.lexicographic(Objective.TARDINESS))


def test_that_a_shop_counts_the_work_of_its_calendar() -> None:
    draft = Draft(resources=[ResourceDraft()], calendars=[[(0, 4), (10, 14), (20, 24)]])
    mode = ModeDraft(3, uses=((0, 1),), calendar=0)
    draft.operations = [OperationDraft(modes=(mode,), is_breakable=True)]
    problem = draft.build()
    instants = np.array([0, 3, 7, 11, 24, 99], np.int64)
    assert work_until(problem, 0, instants).tolist() == [0, 3, 4, 5, 12, 12]


def test_that_shifts_do_not_break_rules() -> None:
    draft = Draft(resources=[ResourceDraft()], calendars=[[(8, 16), (32, 40), (56, 64)]])
    mode = ModeDraft(5, uses=((0, 1),), calendar=0)
    draft.operations = [OperationDraft(modes=(mode,), is_breakable=True) for _ in range(3)]
    objectives = found(draft.build(), MAKESPAN, 200)
    assert objectives[Objective.VIOLATIONS] == 0
    assert objectives[Objective.MAKESPAN] == 39


def test_that_an_empty_problem_is_done() -> None:
    search = JobShopSearch(Draft().build(), MAKESPAN, 1)
    assert search.is_done
    assert search.advance(100) == 0
