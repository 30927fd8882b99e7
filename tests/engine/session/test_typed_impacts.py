"""What events do to tasks, and how drivers go together, as a person types it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import DriverCorrelation, Impact, RiskDriver, Spread, SpreadKind
from engine.session.typed_impacts import (
    TaskNames,
    correlation_texts,
    impact_text,
    read_correlations,
    read_impact,
    task_text,
)
from tests.engine.model.strategies import office

DAY = 8 * 3600
DRIVERS = (RiskDriver(4, "Weather"), RiskDriver(2, "Crew"), RiskDriver(3, "Steel"))


def test_that_a_task_is_found_by_its_row_its_name_and_both() -> None:
    plan = office()
    names = TaskNames.of(plan)
    third = plan.tasks[2]
    assert {names.find(text) for text in ("3", third.name.upper(), task_text(plan, third.id))} == {third.id}
    with pytest.raises(PlanError, match="“99 x” is no task of the plan"):
        names.find("99 x")
    with pytest.raises(PlanError, match="Say which task is changed"):
        names.find(" ")
    twice = plan.with_tasks([replace(plan.tasks[3], name=third.name)])
    with pytest.raises(PlanError, match="is the name of 2 tasks: write the number of its row, 3, 4"):
        TaskNames.of(twice).find(third.name)


def test_that_what_an_event_adds_is_read_and_told() -> None:
    plan = office()
    names = TaskNames.of(plan)
    found = read_impact(names, "2", "5d")
    assert found == Impact(plan.tasks[1].id, Spread(SpreadKind.UNIFORM, 5 * DAY, 5 * DAY, 5 * DAY, is_percent=False))
    assert impact_text(plan, found) == "5d"
    assert read_impact(names, "2", "-1d..2d").spread.low == -DAY
    with pytest.raises(PlanError, match="Say what is added to"):
        read_impact(names, "2", "")


def test_that_a_matrix_says_how_drivers_go_together_and_names_two_of_which_it_does_not() -> None:
    matrix = (("1", "0.5", ""), ("0.5", "1", "-30%"), ("", "", "1"))
    found = read_correlations(DRIVERS, matrix)
    assert found == (DriverCorrelation(4, 2, 0.5), DriverCorrelation(2, 3, -0.3))
    numbers = [[1.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 1.0]]
    assert correlation_texts(DRIVERS, numbers) == (("", "0.5", ""), ("0.5", "", "-0.3"), ("", "-0.3", ""))
    for text in ("much", "1.5"):
        with pytest.raises(PlanError) as refused:
            read_correlations(DRIVERS, (("", "", text), ("",) * 3, ("",) * 3))
        sentence = f"“{text}” between “Weather” and “Steel” is no correlation: write a number from -1 to 1."
        assert refused.value.sentence == sentence
