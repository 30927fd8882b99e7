"""Edits of a shop floor, and what moving a task to another of its machines makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.formats import FORMATS, SavingFormat, csv, loom, xlsx
from engine.model import Alternative, Assignment, Changeover, Dependency, Plan, Transport, Way
from engine.session.document import Document
from engine.session.duplicating import DuplicateTasks
from engine.session.edits import ChangeLink, Edit, RemoveTask
from engine.session.merging import merge
from engine.session.resource_edits import AssignResource
from engine.session.shop_edits import (
    ChangeMachine,
    PutChangeover,
    RemoveChangeover,
    SetAlternatives,
    SetFamily,
    SetFence,
    SetSkill,
    SetTransports,
    SetUnbreakable,
)
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline
from tests.engine.model.test_shop import PAINT, shop

EDITS: tuple[Edit, ...] = (
    SetAlternatives(2, (Alternative(2, 2, duration=HOUR),)),
    SetSkill(3, " weld "),
    SetFamily(1, "red"),
    SetUnbreakable(2, is_unbreakable=True),
    PutChangeover(PAINT),
    ChangeMachine(1, ("cut", "cut", " "), 12.5, setup="red"),
    SetTransports((Transport(1, 2, 600),)),
    SetFence(MONDAY + 9 * HOUR),
    ChangeLink(Dependency(2, 3), Dependency(2, 3, longest=4 * HOUR)),
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: type(edit).__name__)
def test_that_each_edit_is_one_step_that_can_be_undone_and_again_changes_nothing(edit: Edit) -> None:
    document = Document(shop())
    document.execute(edit)
    changed = document.state.plan
    assert changed != shop()
    assert document.state.undo_label == edit.label(shop())
    assert edit.apply(changed) is changed or isinstance(edit, ChangeLink)
    document.undo()
    assert document.state.plan == shop()


def test_that_edits_set_what_they_say() -> None:
    plan = shop()
    for edit in EDITS:
        plan = edit.apply(plan)
    assert [task.family for task in plan.tasks] == ["", "red", "red", "", ""]
    assert (plan.task(3).skill, plan.task(2).is_unbreakable) == ("weld", True)
    saw = plan.resources[0]
    assert (saw.skills, saw.cost_per_hour, saw.changeover, saw.setup) == (("cut",), 12.5, None, "red")
    assert plan.settings.frozen_until == MONDAY + 9 * HOUR
    plan = ChangeMachine(1, changeover=1).apply(plan)
    assert plan.resources[0].changeover == 1
    gone = RemoveChangeover(1).apply(plan)
    assert (gone.changeovers, gone.resources[0].changeover) == ((), None)
    with pytest.raises(PlanError, match="There is no changeover 1"):
        RemoveChangeover(1).apply(gone)
    with pytest.raises(PlanError, match="“Phase” is a summary"):
        SetSkill(1, "weld").apply(plan)
    with pytest.raises(PlanError, match="no dates to freeze"):
        SetFence(3).apply(pipeline())


def test_that_a_task_moved_to_another_machine_lasts_as_long_as_there_and_back_again() -> None:
    plan = shop(alternatives=(Alternative(2, 2, duration=HOUR, cost=7.0),))
    there = AssignResource(2, 2, instead_of=1).apply(plan)
    assert there.task(2).duration == HOUR
    assert there.assignments == (Assignment(2, 3), Assignment(2, 2))
    assert there.ways.of(there.task(2)) == (Way(2, 1.0, HOUR, 7.0), Way(1, 1.0, 8 * HOUR))
    back = AssignResource(2, 1, instead_of=2).apply(there)
    assert (back.task(2).duration, back.assignments) == (8 * HOUR, plan.assignments)


def test_that_an_alternative_that_lasts_as_long_as_the_task_still_does_after_a_move_to_a_quicker_one() -> None:
    plan = shop(alternatives=(Alternative(2, 2, duration=HOUR),))
    plan = replace(plan, resources=(*plan.resources, replace(plan.resources[0], id=5, name="Saw 3")))
    plan = replace(plan, alternatives=(*plan.alternatives, Alternative(2, 5))).check()
    there = AssignResource(2, 2, instead_of=1).apply(plan)
    assert {way.resource: way.duration for way in there.ways.of(there.task(2))} == {
        2: HOUR,
        1: 8 * HOUR,
        5: 8 * HOUR,
    }


def test_that_what_was_said_of_a_task_goes_and_is_copied_with_it() -> None:
    plan = shop(alternatives=(Alternative(2, 2),))
    assert RemoveTask(2).apply(plan).alternatives == ()
    copy = DuplicateTasks((2,), 3).apply(plan)
    assert copy.alternatives == (Alternative(2, 2), Alternative(plan.next_task_id, 2))


def test_that_shop_floors_of_two_branches_come_together() -> None:
    base = shop()
    blue = Changeover(1, "Blue", ("blue",), ((60,),))
    branch = ChangeMachine(1, changeover=1).apply(PutChangeover(PAINT).apply(base))
    main = SetTransports((Transport(1, 2, 60),)).apply(
        ChangeMachine(2, changeover=1).apply(PutChangeover(blue).apply(base))
    )
    found = merge(base, branch, main).plan
    names = {each.id: each.name for each in found.changeovers}
    assert [names[each.changeover] for each in found.resources[:2] if each.changeover] == ["Paint", "Blue"]
    assert found.transports == main.transports


@pytest.mark.parametrize("known", [f for f in FORMATS if isinstance(f, SavingFormat)], ids=lambda f: f.TITLE)
def test_that_what_a_file_cannot_hold_of_a_shop_floor_is_said(known: SavingFormat, tmp_path: object) -> None:
    plan: Plan = shop()
    for edit in EDITS:
        plan = edit.apply(plan)
    path = f"{tmp_path}/plan{known.SUFFIXES[0]}"
    said = " ".join(known.save(path, plan))
    kinds = (
        "Other machines",
        "Skills",
        "Families",
        "interrupted",
        "Longest lags",
        "Changeovers",
        "transport",
        "frozen",
    )
    is_table = known in (csv, xlsx)
    carried = ("Other machines", "Families")  # by columns of the tasks; skills of resources have no place there
    lost = [known is not loom and not (is_table and kind in carried) for kind in kinds]
    assert [kind in said for kind in kinds] == lost
    plain = " ".join(known.save(path, office()))
    assert not any(kind in plain for kind in kinds)
