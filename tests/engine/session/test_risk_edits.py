"""Edits of what is not certain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import PlanError
from engine.formats import loom
from engine.model import (
    Dependency,
    DriverCorrelation,
    Impact,
    PlanRisks,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    TaskRisk,
    named_spread,
)
from engine.session.document import Document
from engine.session.edits import AddTask, Edit, RemoveTask
from engine.session.merging import merge
from engine.session.risk_edits import (
    SetDriverLoadings,
    SetFamilySpread,
    SetLagUncertainty,
    SetRiskDrivers,
    SetRiskEvents,
    SetSpreadPresets,
    SetTaskChance,
    SetUncertainty,
)
from tests.engine.model.strategies import office

RANGE = Spread(SpreadKind.PERT, 80, 100, 150)
SAMPLES = Spread(SpreadKind.EMPIRICAL, is_percent=False, values=(100.0, 250.0, 300.5))
STRIKE = RiskEvent(3, "Strike", 0.2, (Impact(2, RANGE), Impact(5, SAMPLES)))
EDITS: tuple[Edit, ...] = (
    SetUncertainty((1, 5), RANGE),
    SetTaskChance((1,), 0.75),
    SetLagUncertainty(Dependency(2, 3), SAMPLES),
    SetRiskDrivers((RiskDriver(1, "Weather"), RiskDriver(2, "Crew")), (DriverCorrelation(1, 2, 0.5),)),
    SetRiskEvents((STRIKE,)),
    SetSpreadPresets((SpreadPreset("", RANGE), SpreadPreset("weld", SAMPLES))),
    SetFamilySpread("weld", named_spread("routine").spread),
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: type(edit).__name__)
def test_that_each_edit_is_one_step_that_can_be_undone_and_again_changes_nothing(edit: Edit) -> None:
    document = Document(office())
    document.execute(edit)
    changed = document.state.plan
    assert changed != office()
    assert document.state.undo_label == edit.label(office())
    assert edit.apply(changed) is changed
    document.undo()
    assert document.state.plan == office()


def test_that_edits_set_what_they_say_and_the_native_file_keeps_it(tmp_path: Path) -> None:
    plan = office()
    for edit in (*EDITS, SetDriverLoadings((2, 3), ((1, 0.5), (2, 0.0)))):
        plan = edit.apply(plan)
    assert plan.task(1).risk == TaskRisk(chance=0.75)
    assert plan.task(2).risk == TaskRisk(RANGE, loadings=((1, 0.5),))
    assert plan.task(5).risk == TaskRisk(RANGE)
    assert [link.spread for link in plan.dependencies] == [SAMPLES, None]
    loom.save(tmp_path / "a.loom", plan)
    assert loom.load(tmp_path / "a.loom") == plan


def test_that_a_task_takes_what_events_do_to_it_along_when_it_goes() -> None:
    plan = SetRiskEvents((STRIKE,)).apply(office())
    assert RemoveTask(2).apply(plan).risks.events == (replace(STRIKE, impacts=STRIKE.impacts[1:]),)
    assert RemoveTask(4).apply(plan).risks is plan.risks


def test_that_nothing_follows_a_driver_that_is_gone() -> None:
    plan = SetRiskDrivers((RiskDriver(1, "Weather"), RiskDriver(2, "Crew"))).apply(office())
    plan = SetDriverLoadings((2,), ((1, 0.5), (2, 0.25))).apply(plan)
    left = SetRiskDrivers((RiskDriver(2, "Crew"),)).apply(plan)
    assert left.task(2).risk == TaskRisk(loadings=((2, 0.25),))
    assert SetRiskDrivers(()).apply(left).task(2).risk is None


def test_that_an_edit_that_breaks_a_rule_is_refused() -> None:
    with pytest.raises(PlanError, match="probability 2"):
        SetTaskChance((2,), 2).apply(office())
    with pytest.raises(PlanError, match="not in the plan"):
        SetLagUncertainty(Dependency(2, 5), RANGE).apply(office())


def test_that_a_merge_brings_both_sides_and_drops_what_an_event_did_to_a_task_that_went() -> None:
    base = office()
    branch = SetRiskEvents((STRIKE,)).apply(SetUncertainty((3,), RANGE).apply(base))
    merged = merge(base, branch, RemoveTask(2).apply(base)).plan
    assert merged.task(3).risk == TaskRisk(RANGE)
    assert [impact.task for impact in merged.risks.events[0].impacts] == [5]


def test_that_an_event_follows_a_task_of_a_branch_that_gets_another_id() -> None:
    base = office()
    main, side = AddTask("Other").apply(base), AddTask("Own").apply(base)
    own = side.tasks[-1].id
    branch = replace(side, risks=PlanRisks(events=(RiskEvent(1, "Late", 0.5, (Impact(own, RANGE),)),)))
    merged = merge(base, branch, main).plan
    assert merged.task(merged.risks.events[0].impacts[0].task).name == "Own"


def test_that_the_range_of_one_family_is_set_and_taken_away_without_the_others() -> None:
    plan = SetSpreadPresets((SpreadPreset("", RANGE), SpreadPreset("weld", SAMPLES))).apply(office())
    plan = SetFamilySpread("", SAMPLES).apply(plan)
    assert plan.risks.presets == (SpreadPreset("", SAMPLES), SpreadPreset("weld", SAMPLES))
    plan = SetFamilySpread("", None).apply(plan)
    assert plan.risks.presets == (SpreadPreset("weld", SAMPLES),)
    assert SetFamilySpread("paint", None).apply(plan) is plan
