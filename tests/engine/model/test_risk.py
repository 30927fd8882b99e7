"""What a plan may say of what is not certain, and the one sentence for each thing that it may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import (
    Dependency,
    DriverCorrelation,
    Impact,
    Plan,
    PlanRisks,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    TaskRisk,
)
from engine.model.risk import cholesky
from tests.engine.model.strategies import HOUR, office

RANGE = Spread(SpreadKind.PERT, 80, 100, 150)
THREE = tuple(RiskDriver(number, f"driver {number}") for number in (1, 2, 3))


def with_risk(risk: TaskRisk, task: int = 2) -> Plan:
    plan = office()
    return plan.with_task(replace(plan.task(task), risk=risk))


def with_spread(spread: Spread) -> Plan:
    return with_risk(TaskRisk(spread))


def with_risks(risks: PlanRisks) -> Plan:
    return replace(office(), risks=risks)


WRONG = (
    (with_spread(Spread(SpreadKind.TRIANGULAR, 80, 60, 150)), "“Design” has a most likely length outside its range."),
    (with_spread(Spread(SpreadKind.PERT, 80, 160, 150)), "“Design” has a most likely length outside its range."),
    (with_spread(Spread(SpreadKind.UNIFORM, 120, 0, 80)), "“Design” has a shortest length above its longest."),
    (with_spread(Spread(SpreadKind.UNIFORM, -5, 0, 80)), "its range must not go below zero"),
    (with_spread(Spread(SpreadKind.NORMAL, 50, 100, 150)), "needs a standard deviation above zero"),
    (with_spread(Spread(SpreadKind.LOGNORMAL, 50, 50, 150)), "needs a least length below the middle one"),
    (with_spread(Spread(SpreadKind.EMPIRICAL)), "“Design” has no samples to draw from"),
    (with_spread(Spread(SpreadKind.UNIFORM, 0, 0, float("nan"))), "something in it that is no number"),
    (with_spread(Spread(SpreadKind.UNIFORM, 0, 0, 1e60)), "a range that no plan can hold"),
    (with_risk(TaskRisk(chance=1.5)), "“Design” has the probability 1.5; it must be 0 to 1."),
    (with_risk(TaskRisk(RANGE), task=1), "“Phase” is a summary"),
    (with_risk(TaskRisk(RANGE, loadings=((9, 0.5),))), "follows risk driver 9, which is not in the plan"),
    (with_risks(PlanRisks((THREE[0], THREE[0]))), "Two risk drivers have the same id"),
    (with_risks(PlanRisks(THREE, (DriverCorrelation(1, 2, 1.5),))), "correlation 1.5; it must be -1 to 1"),
    (with_risks(PlanRisks(THREE, (DriverCorrelation(1, 4, 0.5),))), "that is not in the plan, or one with itself"),
    (
        with_risks(
            PlanRisks(
                THREE,
                (DriverCorrelation(1, 2, 0.9), DriverCorrelation(2, 3, 0.9), DriverCorrelation(1, 3, -0.9)),
            )
        ),
        "contradict each other",
    ),
    (with_risks(PlanRisks(events=(RiskEvent(1, "Strike", -0.1),))), "“Strike” has the probability -0.1"),
    (with_risks(PlanRisks(events=(RiskEvent(1, "Strike", 0.1, (Impact(9, RANGE),)),))), "changes task 9"),
    (with_risks(PlanRisks(presets=(SpreadPreset("a", RANGE), SpreadPreset("a", RANGE)))), "A family has two ranges"),
)


@pytest.mark.parametrize(("plan", "sentence"), WRONG, ids=[each[1][:40] for each in WRONG])
def test_that_what_cannot_be_is_refused_with_one_sentence(plan: Plan, sentence: str) -> None:
    with pytest.raises(PlanError) as error:
        plan.check()
    assert sentence in error.value.sentence
    assert error.value.sentence.count(". ") == 0


def test_that_drivers_cannot_explain_more_than_all_of_a_length() -> None:
    risks = PlanRisks(THREE, (DriverCorrelation(1, 2, 0.9),))
    plan = replace(with_risk(TaskRisk(RANGE, loadings=((1, 0.7), (2, 0.7)))), risks=risks)
    with pytest.raises(PlanError, match="by more than all: 186 %"):
        plan.check()
    replace(plan, risks=PlanRisks(THREE)).check()


def test_that_the_triangle_of_a_correlation_matrix_squares_to_it() -> None:
    matrix = [[1.0, 0.5, 0.2], [0.5, 1.0, -0.3], [0.2, -0.3, 1.0]]
    lower = cholesky(matrix)
    assert lower is not None
    square = [[sum(a * b for a, b in zip(one, two, strict=True)) for two in lower] for one in lower]
    assert all(square[i][j] == pytest.approx(matrix[i][j]) for i in range(3) for j in range(3))
    assert cholesky([[1.0, 1.0], [1.0, 1.0]]) == [[1.0, 0.0], [1.0, 0.0]]


def test_that_a_lag_may_be_a_lead_and_an_event_may_save_time() -> None:
    lead = Spread(SpreadKind.UNIFORM, -4 * HOUR, 0, 0, is_percent=False)
    plan = replace(office(), dependencies=(Dependency(2, 3, spread=lead), Dependency(3, 4)))
    replace(plan, risks=PlanRisks(events=(RiskEvent(1, "Help", 0.5, (Impact(2, lead),)),))).check()
