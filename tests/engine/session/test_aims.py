"""Aims in words."""

import pytest

from engine.errors import PlanError
from engine.optimize.problem import Objective
from engine.session.aims import USUAL_WEIGHT, aim_of, first_of, unit_of_aim


def test_that_several_names_are_levels_in_their_order() -> None:
    levels = aim_of("tardiness, makespan").levels
    assert [row.argmax() for row in levels] == [Objective.VIOLATIONS, Objective.TARDINESS, Objective.MAKESPAN]


def test_that_weights_are_one_level() -> None:
    levels = aim_of("makespan=5,cost=1").levels
    assert levels.tolist() == [[1, 0, 0, 0, 0, 0], [0, 0, 5, 0, 1, 0]]


def test_that_an_hour_of_usual_lateness_is_by_weights_an_hour_as_any_other() -> None:
    tardiness, makespan = aim_of("tardiness=10,makespan=1").levels[1, [Objective.TARDINESS, Objective.MAKESPAN]]
    assert tardiness * USUAL_WEIGHT == 10 * makespan


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("speed", "no objective “speed”"),
        ("", "no objective “”"),
        ("makespan,makespan", "twice"),
        ("makespan=2,cost", "weight of cost"),
        ("makespan=-1", "weight of makespan"),
        ("makespan=0", "at least one"),
    ],
)
def test_that_what_is_no_aim_is_said(words: str, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        aim_of(words)


def test_that_figures_are_told_in_units_of_time_or_money_and_mixtures_in_none() -> None:
    assert unit_of_aim(aim_of("makespan"), 60) == 60
    assert unit_of_aim(aim_of("cost"), 60) == 100
    assert unit_of_aim(aim_of("cost=1,makespan=1"), 60) == 1


def test_that_the_first_objective_is_named_where_it_is_one() -> None:
    assert first_of(aim_of("makespan,tardiness")) == "makespan"
    assert first_of(aim_of("cost=1,makespan=1")) is None
