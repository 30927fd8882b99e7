"""Edits of constraints, deadlines, progress and calendars: what each changes, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import PlanError
from engine.model import DAY, Calendar, ConstraintKind, Plan, Progress, Recorded
from engine.schedule.cpm import schedule
from engine.session.date_edits import PinRecorded, SetCalendar, SetConstraint, SetDeadline, SetProgress
from engine.session.edits import Edit
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

FRIDAY = MONDAY + 4 * DAY


def refused(edit: Edit, plan: Plan) -> PlanError:
    with pytest.raises(PlanError) as caught:
        edit.apply(plan)
    return caught.value


@pytest.mark.parametrize("kind", ConstraintKind)
def test_that_a_constraint_is_set_in_place_of_the_one_before(kind: ConstraintKind) -> None:
    before = SetConstraint(2, ConstraintKind.MUST_FINISH_ON, MONDAY).apply(office())
    task = SetConstraint(2, kind, FRIDAY).apply(before).task(2)
    assert (task.constraint, task.constraint_at) == (kind, FRIDAY if kind.has_date else 0)


def test_that_a_task_on_a_device_takes_a_pin_and_no_other_constraint() -> None:
    assert SetConstraint(2, ConstraintKind.START_NO_EARLIER_THAN, 500).apply(pipeline()).task(2).pin == 500
    error = refused(SetConstraint(2, ConstraintKind.MUST_START_ON, 500), pipeline())
    assert error.sentence == "“blur” runs on a device: it can only start no earlier than an instant."
    assert error.ids == (2,)


def test_that_a_deadline_is_set_and_taken_away_and_moves_nothing() -> None:
    plan = SetDeadline(3, MONDAY + HOUR).apply(office())
    assert plan.task(3).deadline == MONDAY + HOUR
    assert list(schedule(plan).start) == list(schedule(office()).start)
    assert SetDeadline(3, None).apply(plan) == office()


def test_that_progress_takes_the_dates_of_the_schedule_where_none_are_given() -> None:
    begun = SetProgress(2, 40).apply(office())
    assert begun.task(2).progress == Progress(40.0, MONDAY)
    done = SetProgress(2, 100).apply(begun)
    assert done.task(2).progress == Progress(100.0, MONDAY, MONDAY + 9 * HOUR)
    assert SetProgress(2, 60).apply(done).task(2).progress == Progress(60.0, MONDAY)
    assert SetProgress(2, 0).apply(done) == office()


def test_that_progress_keeps_the_dates_that_were_told() -> None:
    told = SetProgress(2, 100, MONDAY + HOUR, FRIDAY).apply(office())
    assert told.task(2).progress == Progress(100.0, MONDAY + HOUR, FRIDAY)
    assert SetProgress(2, 50).apply(told).task(2).progress == Progress(50.0, MONDAY + HOUR)
    assert SetProgress(2, 0, FRIDAY).apply(office()).task(2).progress == Progress(0.0, FRIDAY)


def test_that_progress_that_cannot_be_is_refused() -> None:
    assert refused(SetProgress(1, 50), office()).sentence.startswith("“Phase” is a summary")
    assert refused(SetProgress(2, 100, FRIDAY, MONDAY), office()).sentence.startswith("“Design” cannot have finished")
    assert refused(SetProgress(2, 120), office()).sentence.startswith("“Design” is 120 % done")


def test_that_a_calendar_is_given_to_a_task_or_to_all_in_a_summary() -> None:
    plan = replace(office(), calendars=(Calendar.standard(7, "Nights"),))
    assert [task.calendar for task in SetCalendar(5, 7).apply(plan).tasks] == [None, None, None, None, 7]
    all_in = SetCalendar(1, 7).apply(plan)
    assert [task.calendar for task in all_in.tasks] == [None, 7, 7, None, None]
    assert SetCalendar(1, None).apply(all_in) == plan
    assert refused(SetCalendar(2, 99), plan).sentence == "“Design” cannot use calendar 99: it is not in the plan."


def test_that_recorded_dates_are_kept_by_pins() -> None:
    plan = office().with_tasks(
        replace(office().task(n), recorded=Recorded(FRIDAY + n, FRIDAY + DAY)) for n in (1, 2, 5)
    )
    kept = PinRecorded((1, 5)).apply(plan)
    assert [task.pin for task in kept.tasks] == [None, FRIDAY + 2, None, None, FRIDAY + 5]
    assert PinRecorded((4,)).apply(plan) is plan


def test_that_keeping_recorded_dates_says_which_constraints_give_way() -> None:
    plan = office().with_tasks(
        replace(office().task(n), recorded=Recorded(FRIDAY, FRIDAY + DAY), constraint=kind, constraint_at=at)
        for n, kind, at in (
            (2, ConstraintKind.MUST_FINISH_ON, FRIDAY + DAY),
            (3, ConstraintKind.START_NO_EARLIER_THAN, FRIDAY),
            (5, ConstraintKind.START_NO_EARLIER_THAN, MONDAY),
        )
    )
    assert PinRecorded((2,)).label(plan) == "Keep the recorded dates of “Design” (in place of its constraint)"
    assert PinRecorded((3,)).label(plan) == "Keep the recorded dates of “Build”"
    assert PinRecorded((1,)).label(plan) == "Keep the recorded dates of “Phase” (in place of 1 constraint)"
    assert PinRecorded((1, 5)).label(plan) == "Keep the recorded dates of 2 tasks (in place of 2 constraints)"
    assert [task.pin for task in PinRecorded((1, 5)).apply(plan).tasks] == [None, FRIDAY, FRIDAY, None, FRIDAY]


LABELS: dict[str, Edit] = {
    "Constrain “Design”": SetConstraint(2, ConstraintKind.MUST_START_ON, FRIDAY),
    "Free “Design”": SetConstraint(2, ConstraintKind.AS_SOON_AS_POSSIBLE),
    "Set the deadline of “Design”": SetDeadline(2, FRIDAY),
    "Remove the deadline of “Design”": SetDeadline(2, None),
    "Set the progress of “Design” to 37.5 %": SetProgress(2, 37.5),
    "Set the calendar of “Design”": SetCalendar(2, None),
    "Keep the recorded dates of “Design”": PinRecorded((2,)),
    "Keep the recorded dates of 2 tasks": PinRecorded((2, 3)),
}


@pytest.mark.parametrize("label", LABELS)
def test_that_an_edit_says_what_undo_takes_back(label: str) -> None:
    assert LABELS[label].label(office()) == label


@pytest.mark.parametrize("edit", LABELS.values(), ids=list(LABELS))
def test_that_an_edit_leaves_the_plan_it_was_given_as_it_was_and_makes_a_valid_one(edit: Edit) -> None:
    plan = office()
    assert edit.apply(plan).check()
    assert plan == office()


def test_that_an_edit_of_a_task_that_is_not_there_says_so() -> None:
    for edit in (
        SetConstraint(9, ConstraintKind.MUST_START_ON, 1),
        SetDeadline(9, 1),
        SetProgress(9, 1),
        SetCalendar(9, 1),
        PinRecorded((9,)),
    ):
        assert refused(edit, office()).sentence == "There is no task 9 in the plan."
