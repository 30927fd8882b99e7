"""A task made longer or shorter lasts that long, whatever was said of work, and keeps what its kind of effort fixes."""

from __future__ import annotations

import pytest

from engine.model import Assignment, Contour, EffortKind, Plan, Resource, ResourceKind, Task
from engine.schedule import cpm
from engine.session.edits import ResizeTask
from engine.session.shape_edits import ResizeStart
from tests.engine.schedule.plans import WORKDAY, at, calendar_plan

PEOPLE = (Resource(1, "Ann"), Resource(2, "sand", ResourceKind.MATERIAL))


def plan_of(assignment: Assignment, effort: EffortKind = EffortKind.FIXED_UNITS) -> Plan:
    task = Task(1, "t", 4 * WORKDAY, effort=effort)
    return calendar_plan([task], resources=PEOPLE, assignments=(assignment, Assignment(1, 2, 40.0)))


def lasts(plan: Plan) -> float:
    schedule = cpm.schedule(plan)
    return schedule.working_time_of(1).between(schedule.start_of(1), schedule.finish_of(1)) / WORKDAY


@pytest.mark.parametrize(
    ("assignment", "effort", "expected"),
    [
        (Assignment(1, 1, 0.5), EffortKind.FIXED_UNITS, (0.5, None)),
        (Assignment(1, 1, 0.5, 2 * WORKDAY), EffortKind.FIXED_UNITS, (0.5, 4 * WORKDAY)),
        (Assignment(1, 1, 0.5, 2 * WORKDAY), EffortKind.FIXED_DURATION, (0.5, 4 * WORKDAY)),
        (Assignment(1, 1, 0.5, 2 * WORKDAY), EffortKind.FIXED_WORK, (0.25, 2 * WORKDAY)),
        (Assignment(1, 1, 1.0, 2 * WORKDAY, contour=Contour.BELL), EffortKind.FIXED_UNITS, (1.0, 4 * WORKDAY)),
    ],
)
def test_that_twice_as_long_a_task_lasts_twice_as_long(
    assignment: Assignment, effort: EffortKind, expected: tuple[float, int | None]
) -> None:
    plan = plan_of(assignment, effort)
    assert lasts(plan) == 4
    longer = ResizeTask(1, 8 * WORKDAY).apply(plan)
    assert lasts(longer) == 8
    changed, sand = longer.assignments
    assert (changed.units, changed.work) == expected
    assert sand == plan.assignments[1]


def test_that_a_task_resized_from_its_start_keeps_to_its_work_too() -> None:
    plan = plan_of(Assignment(1, 1, 0.5, 2 * WORKDAY))
    shorter = ResizeStart(1, at("2025-03-05 08:00")).apply(plan)
    assert lasts(shorter) == 2
    assert shorter.assignments[0].work == WORKDAY


def test_that_a_task_of_the_same_length_changes_nothing() -> None:
    plan = plan_of(Assignment(1, 1, 0.5, 2 * WORKDAY))
    assert ResizeTask(1, 4 * WORKDAY).apply(plan) is plan
