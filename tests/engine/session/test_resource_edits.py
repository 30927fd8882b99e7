"""Resources, and who does what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import Alternative, Assignment, Plan, Resource, ResourceKind, Transport
from engine.session.edits import Edit
from engine.session.resource_edits import (
    AddResource,
    AssignResource,
    ChangeResource,
    RemoveResource,
    UnassignResource,
    users_of,
)
from tests.engine.model.strategies import office, pipeline


def shop() -> Plan:
    """Two robots; task 2 uses half of the first."""
    robots = (Resource(1, "Robot 1", ResourceKind.MACHINE), Resource(2, "Robot 2", ResourceKind.MACHINE, 2.0))
    return replace(office(), resources=robots, assignments=(Assignment(2, 1, 0.5, work=3600),)).check()


def uses(plan: Plan) -> list[tuple[int, int, float]]:
    return [(a.task, a.resource, a.units) for a in plan.assignments]


def refused(edit: Edit, plan: Plan) -> str:
    with pytest.raises(PlanError) as caught:
        edit.apply(plan)
    return caught.value.sentence


def test_that_a_task_is_given_a_resource_and_loses_it() -> None:
    plan = AssignResource(3, 2).apply(shop())
    assert uses(plan) == [(2, 1, 0.5), (3, 2, 1.0)]
    assert UnassignResource(3, 2).apply(plan) == shop()
    assert UnassignResource(3, 1).apply(plan) is plan


def test_that_units_and_work_go_over_to_another_resource() -> None:
    plan = AssignResource(2, 2, instead_of=1).apply(shop())
    assert plan.assignments == (Assignment(2, 2, 0.5, work=3600),)


def test_that_a_task_that_uses_both_keeps_one_use() -> None:
    plan = AssignResource(2, 2).apply(shop())
    assert uses(AssignResource(2, 2, instead_of=1).apply(plan)) == [(2, 2, 1.0)]


def test_that_other_units_replace_those_there_were() -> None:
    assert uses(AssignResource(2, 1, 2.0).apply(shop())) == [(2, 1, 2.0)]
    assert AssignResource(2, 1).apply(shop()) == shop()


def test_that_a_stream_takes_the_place_of_another() -> None:
    plan = pipeline()
    task = next(task.id for task in plan.tasks if task.operation is not None)
    other = next(stream.id for stream in plan.streams if stream.id != plan.stream_of[task])
    changed = AssignResource(task, other, instead_of=plan.stream_of[task]).apply(plan)
    assert changed.stream_of[task] == other


def test_that_a_resource_is_added_and_changed() -> None:
    plan = AddResource(" Crane ", ResourceKind.MACHINE, 3).apply(shop())
    assert plan.resources[-1] == Resource(3, "Crane", ResourceKind.MACHINE, 3.0)
    assert ChangeResource(3, capacity=1.5).apply(plan).resources[-1].capacity == 1.5
    assert ChangeResource(3, name="Crane").apply(plan) is plan


def test_that_what_cannot_be_is_refused() -> None:
    assert "There is no resource 9" in refused(AssignResource(2, 9), shop())
    assert "is a summary" in refused(AssignResource(1, 1), shop())
    assert "needs a name" in refused(AddResource("  "), shop())
    assert "needs a name" in refused(ChangeResource(1, name=" "), shop())
    assert "above zero" in refused(ChangeResource(1, capacity=0), shop())
    assert "calendar 77" in refused(ChangeResource(1, calendar=77), shop())


def test_that_a_resource_follows_the_plans_calendar_again() -> None:
    plan = shop()
    own = ChangeResource(1, calendar=plan.calendar.id).apply(plan)
    assert own.resources[0].calendar == plan.calendar.id
    assert ChangeResource(1, follows_plan=True).apply(own) == plan


def test_that_a_crew_becomes_a_machine_and_nothing_becomes_a_stream() -> None:
    plan = ChangeResource(2, kind=ResourceKind.WORK).apply(shop())
    assert plan.resources[1].kind is ResourceKind.WORK
    assert ChangeResource(2, kind=ResourceKind.MACHINE).apply(plan) == shop()
    assert "cannot become a stream" in refused(ChangeResource(2, kind=ResourceKind.STREAM), shop())


def test_that_a_resource_is_removed_with_all_that_names_it() -> None:
    plan = replace(shop(), alternatives=(Alternative(2, 2),), transports=(Transport(1, 2, 60),)).check()
    assert users_of(plan, 1) == (2,)
    without = RemoveResource(1).apply(plan)
    assert [each.name for each in without.resources] == ["Robot 2"]
    assert (without.assignments, without.transports) == ((), ())
    assert without.alternatives == plan.alternatives
    assert RemoveResource(2).apply(plan).alternatives == ()
    assert "There is no resource 9" in refused(RemoveResource(9), plan)


def test_that_a_stream_that_something_runs_on_stays() -> None:
    plan = pipeline()
    used = next(iter(plan.stream_of.values()))
    assert "put it on another stream first" in refused(RemoveResource(used), plan)
