"""Rules, bounds, the mirror and the search by activity lists, against the evaluator and hand-made problems."""

import threading

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.optimize.activity import ActivitySearch
from engine.optimize.aim import Aim
from engine.optimize.bounds import bounds_of
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.evaluate import Evaluator, evaluate
from engine.optimize.jobshop.search import JobShopSearch
from engine.optimize.mirrored import MIRROR, mirrored
from engine.optimize.plain import is_plain, place_list, plain_of
from engine.optimize.pool import Pool, distance
from engine.optimize.portfolio import Portfolio
from engine.optimize.problem import NONE, Objective, Problem, Solution
from engine.optimize.rules import first_solutions
from tests.engine.optimize.checker import Judge
from tests.engine.optimize.instances import FT06, shop
from tests.engine.optimize.strategies import problems, solutions

SHORTEST = Aim.lexicographic(Objective.MAKESPAN)
YEARS = 10 * 365 * 86_400


@st.composite
def plain_problems(draw: st.DrawFn) -> Problem:
    unit = draw(st.sampled_from([1, 3600]))
    draft = Draft(start=draw(st.integers(0, 3)) * unit)
    draft.resources = [ResourceDraft(capacity=draw(st.integers(1, 5))) for _ in range(draw(st.integers(0, 4)))]
    for _ in range(draw(st.integers(1, 12))):
        used = [at for at in range(len(draft.resources)) if draw(st.booleans())]
        uses = tuple((at, draw(st.integers(1, draft.resources[at].capacity))) for at in used)
        mode = ModeDraft(draw(st.integers(0, 9)) * unit, uses=uses)
        draft.operations.append(OperationDraft(modes=(mode,), release=draw(st.integers(0, 9)) * unit))
    for _ in range(draw(st.integers(0, 10)) if len(draft.operations) > 1 else 0):
        before = draw(st.integers(0, len(draft.operations) - 2))
        after = draw(st.integers(before + 1, len(draft.operations) - 1))
        draft.links.append(LinkDraft(before=before, after=after, lag=draw(st.integers(0, 3)) * unit))
    return draft.build()


@given(st.data())
def test_that_words_of_four_resources_give_the_dates_of_the_evaluator(data: st.DataObject) -> None:
    problem = data.draw(plain_problems())
    solution = data.draw(solutions(problem))
    assert is_plain(problem)
    plain, starts = plain_of(problem), np.zeros(problem.operation_count, np.int64)
    for _ in range(2):  # the second time over what the first one left
        place_list(plain, plain.into, plain.floor, solution.order.astype(np.int64), starts)
    dates = problem.start + starts * int(plain.unit[0])
    assert dates.tolist() == evaluate(problem, solution).starts.tolist()


@given(st.data())
def test_that_no_plan_is_below_the_bounds(data: st.DataObject) -> None:
    problem = data.draw(problems())
    found = evaluate(problem, data.draw(solutions(problem)))
    assume(found.is_feasible)
    assert (found.objectives >= bounds_of(problem)).all()


def test_that_machines_are_bounded_together_where_operations_may_choose() -> None:
    draft = Draft(resources=[ResourceDraft(), ResourceDraft()])
    choices = tuple(ModeDraft(6, uses=((machine, 1),)) for machine in (0, 1))
    draft.operations = [OperationDraft(modes=choices) for _ in range(5)]
    # 30 ticks of work on two machines are 15, and where all lasts whole sixes no plan ends in between.
    assert bounds_of(draft.build())[Objective.MAKESPAN] == 18
    draft.operations.append(OperationDraft(modes=(ModeDraft(1),)))
    assert bounds_of(draft.build())[Objective.MAKESPAN] == 15


def test_that_a_load_is_worked_in_the_calendar_of_its_machine() -> None:
    draft = Draft(resources=[ResourceDraft()], calendars=[[(0, 8), (10, 18), (20, 28)]])
    mode = ModeDraft(4, uses=((0, 1),), calendar=0)
    draft.operations = [OperationDraft(modes=(mode,)) for _ in range(5)]
    assert bounds_of(draft.build())[Objective.MAKESPAN] == 24


@given(problems())
def test_that_every_rule_makes_a_plan(problem: Problem) -> None:
    evaluator = Evaluator(problem)
    for solution in first_solutions(problem):
        evaluator.evaluate(solution)


@given(problems(has_most=False, has_pins=False))
def test_that_the_mirror_of_a_mirror_is_the_problem(problem: Problem) -> None:
    twice = mirrored(mirrored(problem))
    for name in ("segment_start", "segment_work", "step_units", "link_from", "link_kind", "changeover", "transport"):
        assert getattr(twice, name).tolist() == getattr(problem, name).tolist()


def test_that_a_mirrored_chain_ends_where_it_began() -> None:
    draft = Draft(calendars=[[(0, 8), (10, 18)]])
    draft.operations = [OperationDraft(modes=(ModeDraft(5, calendar=0),), is_breakable=True) for _ in range(3)]
    draft.links = [LinkDraft(before=0, after=1, lag=1), LinkDraft(before=1, after=2)]
    back = mirrored(draft.build())
    solution = Solution(np.arange(3, dtype=np.int32), np.array([2, 1, 0], np.int32))
    found = Evaluator(back).measure(solution, MIRROR - np.array([5, 13, 18]))
    assert (MIRROR - found.finishes).tolist() == [0, 6, 13]
    assert found.is_feasible


@given(st.data())
@settings(max_examples=40)
def test_that_what_a_search_says_of_its_best_is_what_the_judge_says(data: st.DataObject) -> None:
    problem = data.draw(problems(least=1))
    weights = data.draw(st.lists(st.integers(0, 5), min_size=6, max_size=6))
    portfolio = Portfolio(problem, Aim.weighted(weights), seed=data.draw(st.integers(0, 9)))
    first = portfolio.pool.key(portfolio.best)
    for _ in range(4):
        portfolio.advance(60)
    best = portfolio.best
    assert portfolio.pool.key(best) <= first
    judge = Judge(problem, best.solution.mode.tolist())
    assert best.objectives.tolist() == judge.objectives(best.starts.tolist())
    keys = [portfolio.pool.key(each.evaluation) for each in portfolio.pool.incumbents]
    assert keys == sorted(keys, reverse=True)


@given(plain_problems())
@settings(max_examples=40)
def test_that_the_best_of_a_plain_search_is_what_it_takes_it_for(problem: Problem) -> None:
    search = ActivitySearch(problem, SHORTEST, 3)
    search.advance(200)
    assert search.solution is not None
    found = evaluate(problem, search.solution)
    assert found.is_feasible
    assert tuple(search._herd.best_key.tolist()) == SHORTEST.key(found.objectives)


def crew(count: int) -> Problem:
    """Pairs of tasks, of which one takes 2 and the other 1 of a crew of 3: a pair at a time is best."""
    draft = Draft(resources=[ResourceDraft(capacity=3)])
    draft.operations = [OperationDraft(modes=(ModeDraft(4, uses=((0, 1 + each % 2),)),)) for each in range(count)]
    return draft.build()


def test_that_a_crew_is_packed_as_full_as_it_can_be() -> None:
    portfolio = Portfolio(crew(24), SHORTEST)
    while not portfolio.is_done and portfolio.members[0].iterations < 3_000:
        portfolio.advance(100)
    assert portfolio.is_optimal
    assert portfolio.best.objectives[Objective.MAKESPAN] == 48


def test_that_the_same_seed_finds_the_same_plan_in_slices_of_any_size() -> None:
    found = []
    for slices in ((600,), (100, 250, 250)):
        search = ActivitySearch(shop(FT06), SHORTEST, 7, first_solutions(shop(FT06)))
        for iterations in slices:
            search.advance(iterations)
        found.append((search._herd.best.tolist(), search._herd.lists.tolist()))
    assert found[0] == found[1]


def test_that_activity_lists_solve_a_small_shop() -> None:
    search = ActivitySearch(shop(FT06), SHORTEST, 1, first_solutions(shop(FT06)))
    search.advance(10_000)
    assert search.solution is not None
    assert evaluate(shop(FT06), search.solution).objectives[Objective.MAKESPAN] == 55


def test_that_a_shop_is_searched_by_walks_that_end_at_its_best_plan() -> None:
    portfolio = Portfolio(shop(FT06), SHORTEST, seed=1, copies=2)
    for _ in range(20):
        portfolio.advance(1_000)
    assert [member.name for member in portfolio.members] == ["tabu search"] * 2
    assert portfolio.best.objectives[Objective.MAKESPAN] == 55


@pytest.mark.parametrize("search", [ActivitySearch, JobShopSearch])
def test_that_a_slice_without_an_end_ends_when_another_thread_says_stop(search: type[ActivitySearch]) -> None:
    engine = search(shop(FT06), Aim.lexicographic(Objective.TARDINESS, Objective.STABILITY), 1)
    engine.advance(100)
    working = threading.Thread(target=engine.advance, args=(1 << 60,), daemon=True)
    working.start()
    engine.stop()
    working.join(60)
    assert not working.is_alive()


def test_that_copies_of_a_search_feed_each_other() -> None:
    portfolio = Portfolio(shop(FT06), SHORTEST, copies=2)
    for _ in range(20):
        portfolio.advance(50)
    one, other = (member.engine for member in portfolio.members)
    assert portfolio.members[0].iterations == portfolio.members[1].iterations == 500
    assert isinstance(one, JobShopSearch)
    assert isinstance(other, JobShopSearch)
    assert one._walk.order.tolist() != other._walk.order.tolist()
    assert portfolio.best.objectives[Objective.MAKESPAN] <= min(one.value, other.value)


def test_that_the_planners_own_plan_is_the_first_incumbent() -> None:
    draft = Draft(resources=[ResourceDraft()])
    for start in (6, 0, 3):
        mode = ModeDraft(3, uses=((0, 1),))
        draft.operations.append(OperationDraft(modes=(mode,), current_start=start, current_mode=0))
    portfolio = Portfolio(draft.build(), Aim.lexicographic(Objective.STABILITY))
    assert portfolio.pool.incumbents[0].engine == "current plan"
    assert portfolio.best.starts.tolist() == [6, 0, 3]
    assert portfolio.is_optimal


def test_that_a_problem_without_operations_is_done_at_once() -> None:
    portfolio = Portfolio(Draft().build(), SHORTEST)
    assert portfolio.is_done
    assert portfolio.advance(10) is False
    assert portfolio.best.objectives.tolist() == [0] * 6


@pytest.mark.parametrize("ticks", [0, YEARS, YEARS * 1_000_000_000])
def test_that_any_duration_has_a_plan(ticks: int) -> None:
    draft = Draft(resources=[ResourceDraft()])
    draft.operations = [OperationDraft(modes=(ModeDraft(each, uses=((0, 1),)),)) for each in (ticks, 1, ticks)]
    portfolio = Portfolio(draft.build(), SHORTEST)
    portfolio.advance(20)
    assert portfolio.best.is_feasible
    assert portfolio.best.objectives[Objective.MAKESPAN] == 2 * ticks + 1


def test_that_pins_that_cannot_both_be_kept_are_a_plan_with_a_violation() -> None:
    draft = Draft(resources=[ResourceDraft()])
    draft.operations = [OperationDraft(modes=(ModeDraft(5, uses=((0, 1),)),), pinned_start=pin) for pin in (0, 3, NONE)]
    portfolio = Portfolio(draft.build(), SHORTEST)
    portfolio.advance(50)
    assert portfolio.best.objectives[Objective.VIOLATIONS] == 2
    assert portfolio.best.starts.tolist() == [0, 3, 8]


def test_that_elites_differ() -> None:
    problem = crew(8)
    pool = Pool(problem, SHORTEST)
    modes, order = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32)
    for turned in range(8):
        pool.offer(Solution(modes, np.roll(order, turned)), "by hand")
    evaluations = [each.evaluation for each in pool.elites]
    assert len(evaluations) > 1
    assert min(distance(a, b) for a in evaluations for b in evaluations if a is not b) > 0.02
    assert pool.measured == 8
