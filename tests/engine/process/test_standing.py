"""How a search stands: what is known to be best, level by level, and what is told of it."""

from __future__ import annotations

from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.portfolio import Portfolio
from engine.optimize.problem import Objective
from engine.process.solve_messages import Bounded, Found, SolveReply
from engine.process.standing import Standing


def late_shop() -> Portfolio:
    """Two operations on one machine, due before both could be done: links alone say 0 late, the truth is 2."""
    draft = Draft(resources=[ResourceDraft()])
    for _ in range(2):
        draft.operations.append(OperationDraft(modes=(ModeDraft(2, ((0, 1),), cost=3),), due=2))
    return Portfolio(draft.build(), Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN, Objective.COST))


def test_that_later_levels_are_proved_where_they_are_at_what_links_and_loads_say() -> None:
    standing = Standing(1, late_shop(), lambda _: None)
    standing.begin()
    assert standing.portfolio.pool.key(standing.portfolio.best) == (0, 2, 4, 6)
    assert not standing.is_optimal
    standing.raise_bound(1)
    assert not standing.is_optimal
    standing.raise_bound(2)
    assert standing.is_optimal


def test_that_a_level_above_its_bound_is_not_proved_by_the_one_before() -> None:
    portfolio = late_shop()
    portfolio.aim = Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN, Objective.STABILITY)
    standing = Standing(1, portfolio, lambda _: None)
    standing.begin()
    standing.raise_bound(2)
    best = portfolio.pool.best
    assert best is not None
    best.objectives[Objective.STABILITY] = 1
    assert not standing.is_optimal


def test_that_the_plan_as_it_is_is_told_before_there_are_engines_and_news_only_once() -> None:
    told: list[SolveReply] = []
    standing = Standing(7, late_shop(), told.append)
    standing.say()
    standing.say()
    assert [type(each) for each in told] == [Found]
    assert "members" not in vars(standing.portfolio)
    assert "bounds" not in vars(standing.portfolio)
    standing.begin()
    assert [type(each) for each in told] == [Found, Bounded]
    assert standing.shares()
