"""What a wanted date takes, made as one step."""

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import Impact, Plan, PlanRisks, RiskEvent, Spread, SpreadKind
from engine.risk.changes import Take, TakeKind
from engine.session.take_edits import MakeTakes
from tests.engine.process.test_sampler import uncertain


def with_event() -> Plan:
    spread = Spread(SpreadKind.UNIFORM, 10, 20, 30)
    return replace(uncertain(), risks=PlanRisks(events=(RiskEvent(1, "Strike", 0.5, (Impact(3, spread),)),)))


def test_that_tasks_are_shortened_and_events_averted_together() -> None:
    plan = with_event()
    takes = (Take(TakeKind.SHORTEN, 3, "x", 20, 1), Take(TakeKind.AVERT, 1, "Strike", 100, 1))
    made = MakeTakes(takes).apply(plan)
    assert made.task(3).duration == round(plan.task(3).duration * 0.8)
    assert made.risks.events[0].chance == 0
    assert made.task(2) == plan.task(2)
    assert MakeTakes(takes).label(plan) == "Make 2 changes for a date"


def test_that_one_of_what_is_gone_is_refused() -> None:
    with pytest.raises(PlanError, match="“Weld” is not in the plan"):
        MakeTakes((Take(TakeKind.SHORTEN, 99, "Weld", 20, 1),)).apply(with_event())
    with pytest.raises(PlanError, match="“Flood” is not in the plan"):
        MakeTakes((Take(TakeKind.AVERT, 9, "Flood", 100, 1),)).apply(with_event())


def test_that_none_changes_nothing() -> None:
    plan = with_event()
    assert MakeTakes(()).apply(plan) is plan


def test_that_a_single_one_is_named() -> None:
    assert MakeTakes((Take(TakeKind.SHORTEN, 3, "Weld", 20, 1),)).label(with_event()) == "Shorten “Weld” by 20 %"
    assert MakeTakes((Take(TakeKind.AVERT, 1, "Strike", 100, 1),)).label(with_event()) == "Avert “Strike”"
