"""Alternatives, skills, changeovers and transport: the ways there are, and what a plan refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import (
    Alternative,
    Assignment,
    Changeover,
    Dependency,
    Lag,
    Plan,
    Resource,
    ResourceKind,
    Transport,
    Way,
)
from tests.engine.model.strategies import HOUR, office

MACHINE = ResourceKind.MACHINE
PAINT = Changeover(1, "Paint", ("red", "blue"), ((0, 600), (900, 60)))


def shop(**changes: object) -> Plan:
    """Two saws, a painter who can weld, a welder; task 2 on saw 1 with the painter, task 3 on nothing."""
    resources = (
        Resource(1, "Saw 1", MACHINE),
        Resource(2, "Saw 2", MACHINE),
        Resource(3, "Painter", skills=("weld", "paint")),
        Resource(4, "Welder", skills=("weld",)),
    )
    plan = replace(office(), resources=resources, assignments=(Assignment(2, 3), Assignment(2, 1)))
    return replace(plan, **changes).check()  # type: ignore[arg-type]


def test_that_a_task_without_alternatives_is_done_where_it_is() -> None:
    plan = shop()
    assert not plan.ways.is_choice(plan.task(2))
    assert plan.ways.of(plan.task(2)) == (Way(None, 1.0, 8 * HOUR),)


def test_that_an_alternative_stands_in_for_the_first_assignment_of_its_kind() -> None:
    plan = shop(alternatives=(Alternative(2, 2, 0.5, HOUR, 30.0),))
    replaced = plan.ways.replaced(plan.task(2))
    assert replaced == Assignment(2, 1)
    assert plan.ways.of(plan.task(2)) == (Way(1, 1.0, 8 * HOUR), Way(2, 0.5, HOUR, 30.0))


def test_that_an_assignment_that_is_an_alternative_itself_is_the_one_replaced() -> None:
    plan = shop(alternatives=(Alternative(2, 3, cost=5.0), Alternative(2, 4)))
    assert plan.ways.replaced(plan.task(2)) == Assignment(2, 3)
    assert plan.ways.of(plan.task(2)) == (Way(3, 1.0, 8 * HOUR, 5.0), Way(4, 1.0, 8 * HOUR))


def test_that_whoever_has_the_skill_is_a_way_and_one_is_needed_where_nobody_does_it_yet() -> None:
    plan = shop()
    asked = plan.with_task(replace(plan.task(3), skill="weld"))
    assert asked.ways.is_choice(asked.task(3))
    assert asked.ways.replaced(asked.task(3)) is None
    assert asked.ways.of(asked.task(3)) == (Way(3, 1.0, 16 * HOUR), Way(4, 1.0, 16 * HOUR))
    assert not asked.ways.is_choice(replace(asked.task(3), skill="carve"))


def test_that_a_changeover_says_how_long_it_takes_and_nothing_for_what_it_does_not_know() -> None:
    assert [PAINT.between(*pair) for pair in (("red", "blue"), ("blue", "blue"), ("red", ""), ("green", "red"))] == [
        *(600, 60, 0, 0)
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"alternatives": (Alternative(99, 1),)}, "names task 99, which is not in the plan"),
        ({"alternatives": (Alternative(2, 9),)}, "“Design” may be done by resource 9"),
        ({"alternatives": (Alternative(2, 2), Alternative(2, 2))}, "names “Saw 2” twice"),
        ({"alternatives": (Alternative(2, 2, duration=-1),)}, "has a duration, units or a cost that cannot be"),
        ({"resources": (Resource(1, "Saw", changeover=4),), "assignments": ()}, "“Saw” uses changeover 4"),
        ({"resources": (Resource(1, "Saw", skills=("a", "a")),), "assignments": ()}, "a name for each of its skills"),
        ({"resources": (Resource(1, "Saw", cost_per_hour=-1),), "assignments": ()}, "cannot cost -1 an hour"),
        ({"changeovers": (PAINT, PAINT)}, "Two changeovers have the same id"),
        ({"changeovers": (replace(PAINT, ticks=((0,),)),)}, "needs a length from each of its families to each"),
        ({"changeovers": (replace(PAINT, families=("red", "red")),)}, "each once"),
        ({"transports": (Transport(1, 1, 60),)}, "back to the same one"),
        ({"transports": (Transport(1, 2, 60), Transport(1, 2, 90))}, "has two lengths"),
        ({"transports": (Transport(1, 2, -60),)}, "from “Saw 1” to “Saw 2” takes a time that cannot be"),
        ({"dependencies": (Dependency(2, 3, lag=Lag(60), longest=30),)}, "a longest lag that is shorter than its lag"),
    ],
)
def test_that_what_cannot_be_is_refused_in_a_sentence(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        shop(**changes)
