"""Edits: what each changes, what it leaves as it was, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import CycleError, PlanError
from engine.model import (
    DAY,
    Assignment,
    Buffer,
    ConstraintKind,
    Dependency,
    DependencyKind,
    Lag,
    Plan,
    Resource,
    ResourceKind,
    Task,
)
from engine.schedule.cpm import schedule
from engine.session.edits import (
    AddLink,
    AddTask,
    AssignStream,
    ChangeLink,
    Edit,
    MoveTask,
    MoveTasks,
    RemoveLink,
    RemovePin,
    RemoveTask,
    RemoveTasks,
    RenameTask,
    ResizeTask,
    SetName,
)
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline

WEDNESDAY = MONDAY + 2 * DAY


def starts(plan: Plan) -> dict[str, int]:
    dates = schedule(plan)
    return {task.name: dates.start_of(task.id) for task in plan.tasks}


def refused(edit: Edit, plan: Plan, kind: type[PlanError] = PlanError) -> PlanError:
    with pytest.raises(kind) as caught:
        edit.apply(plan)
    return caught.value


# Moving


def test_that_a_moved_task_is_pinned_at_the_instant_as_it_is_given() -> None:
    sunday = MONDAY + 6 * DAY
    plan = MoveTask(2, sunday).apply(office())
    assert plan.task(2).constraint is ConstraintKind.START_NO_EARLIER_THAN
    assert plan.task(2).pin == sunday
    assert starts(plan)["Design"] == MONDAY + 7 * DAY
    assert plan.check().with_task(office().task(2)) == office()


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        (ConstraintKind.AS_SOON_AS_POSSIBLE, "Move “Design”"),
        (ConstraintKind.START_NO_EARLIER_THAN, "Move “Design”"),
        (ConstraintKind.AS_LATE_AS_POSSIBLE, "Move “Design” (it no longer is as late as possible)"),
        (ConstraintKind.START_NO_LATER_THAN, "Move “Design” (it no longer must start by a date)"),
        (ConstraintKind.FINISH_NO_EARLIER_THAN, "Move “Design” (it no longer is held by an earliest finish)"),
        (ConstraintKind.FINISH_NO_LATER_THAN, "Move “Design” (it no longer must finish by a date)"),
        (ConstraintKind.MUST_START_ON, "Move “Design” (it no longer must start on a date)"),
        (ConstraintKind.MUST_FINISH_ON, "Move “Design” (it no longer must finish on a date)"),
    ],
)
def test_that_a_move_replaces_any_other_constraint_and_says_so(kind: ConstraintKind, label: str) -> None:
    plan = office().with_task(replace(office().task(2), constraint=kind, constraint_at=MONDAY if kind.has_date else 0))
    edit = MoveTask(2, WEDNESDAY)
    assert edit.label(plan) == label
    assert edit.apply(plan).task(2).pin == WEDNESDAY


def test_that_a_task_set_by_hand_has_its_own_dates_moved() -> None:
    task = replace(office().task(2), is_manual=True, manual_start=MONDAY, manual_finish=MONDAY + 9 * HOUR)
    moved = MoveTask(2, WEDNESDAY).apply(office().with_task(task)).task(2)
    assert moved == replace(task, manual_start=WEDNESDAY, manual_finish=WEDNESDAY + 9 * HOUR)
    started = replace(task, manual_finish=None)
    assert MoveTask(2, WEDNESDAY).apply(office().with_task(started)).task(2).manual_start == WEDNESDAY


def test_that_a_task_of_a_device_plan_is_pinned_in_nanoseconds() -> None:
    assert MoveTask(2, 12_345).apply(pipeline()).task(2).pin == 12_345


def test_that_a_moved_summary_takes_its_leaves_along_and_pins_only_those_that_lead() -> None:
    plan = MoveTask(1, WEDNESDAY).apply(office())
    assert [plan.task(task).pin for task in (1, 2, 3)] == [None, WEDNESDAY, None]
    moved = starts(plan)
    assert (moved["Phase"], moved["Design"], moved["Build"]) == (WEDNESDAY, WEDNESDAY, WEDNESDAY + DAY)


def test_that_a_summary_moved_back_takes_pins_inside_of_it_back_too() -> None:
    later = MoveTask(3, MONDAY + 8 * DAY).apply(MoveTask(1, WEDNESDAY).apply(office()))
    plan = MoveTask(1, MONDAY).apply(later)
    assert starts(plan)["Design"] == MONDAY
    assert starts(plan)["Build"] == MONDAY + 4 * DAY  # two working days before a Tuesday


def test_that_tasks_moved_together_keep_the_working_time_between_them() -> None:
    plan = MoveTask(5, MONDAY + 3 * DAY).apply(office())
    plan = MoveTasks((2, 5), DAY).apply(plan)
    assert (starts(plan)["Design"], starts(plan)["Paint"]) == (MONDAY + DAY, MONDAY + 4 * DAY)
    plan = MoveTasks((2, 5), DAY).apply(plan)
    assert (starts(plan)["Design"], starts(plan)["Paint"]) == (MONDAY + 2 * DAY, MONDAY + 7 * DAY)


def test_that_tasks_of_a_device_plan_move_by_nanoseconds() -> None:
    typed = pipeline()
    plan = MoveTasks((1, 2, 3), 500).apply(typed, schedule(typed))
    assert [task.pin for task in plan.tasks] == [500, None, None]
    assert list(starts(plan).values()) == [start + 500 for start in starts(typed).values()]


def test_that_a_task_given_its_own_place_again_changes_nothing() -> None:
    plan = MoveTask(2, WEDNESDAY).apply(office())
    assert MoveTask(2, WEDNESDAY).apply(plan) is plan
    assert MoveTask(1, WEDNESDAY).apply(plan) is plan
    assert MoveTasks((2, 5), 0).apply(plan) is plan


def test_that_a_pin_can_be_taken_away_from_a_task_and_from_a_summary() -> None:
    plan = MoveTask(2, WEDNESDAY).apply(office())
    assert RemovePin(2).apply(plan) == office()
    assert RemovePin(1).apply(plan) == office()
    assert RemovePin(5).apply(plan) is plan


# Tasks


def test_that_a_resized_task_lasts_as_long_as_told_and_counts_as_typed() -> None:
    untyped = replace(pipeline().task(2), is_duration_typed=False)
    plan = ResizeTask(2, 777).apply(pipeline().with_task(untyped))
    assert (plan.task(2).duration, plan.task(2).is_duration_typed) == (777, True)
    assert ResizeTask(2, 777).apply(plan) is plan


def test_that_a_milestone_that_lasts_is_one_no_more() -> None:
    assert ResizeTask(4, 0).apply(office()).task(4).is_milestone
    assert not ResizeTask(4, HOUR).apply(office()).task(4).is_milestone


def test_that_negative_endless_and_summary_durations_are_refused() -> None:
    assert refused(ResizeTask(2, -1), office()).sentence == "“Design” cannot last less than no time."
    assert "“Design”" in refused(ResizeTask(2, 1 << 60), office()).sentence
    error = refused(ResizeTask(1, HOUR), office())
    assert (error.sentence, error.ids) == ("“Phase” is a summary: it lasts as long as the tasks in it.", (1,))


def test_that_a_name_loses_the_space_around_it_and_cannot_be_nothing() -> None:
    assert RenameTask(2, "  Sketch ").apply(office()).task(2).name == "Sketch"
    assert RenameTask(2, "Design").apply(office()).name == "Office"
    assert "“Design” needs a name" in refused(RenameTask(2, "  "), office()).sentence
    assert SetName(" Atelier ").apply(office()).name == "Atelier"
    assert "needs a name" in refused(SetName(""), office()).sentence
    plan = office()
    assert SetName("Office").apply(plan) is plan


def rows(plan: Plan) -> list[tuple[str, int | None]]:
    return [(task.name, task.parent) for task in plan.check().tasks]


def test_that_a_new_task_stands_where_it_was_asked_for_with_an_id_of_its_own() -> None:
    plan = office()
    assert rows(AddTask("New").apply(plan))[-1] == ("New", None)
    assert rows(AddTask("New", after=2).apply(plan))[1:4] == [("Design", 1), ("New", 1), ("Build", 1)]
    assert rows(AddTask("New", after=1).apply(plan))[2:5] == [("Build", 1), ("New", None), ("Done", None)]
    assert rows(AddTask("New", parent=1).apply(plan))[2:5] == [("Build", 1), ("New", 1), ("Done", None)]
    below_leaf = AddTask("New", parent=5).apply(plan)
    assert rows(below_leaf)[-2:] == [("Paint", None), ("New", 5)]
    assert (below_leaf.tasks[-1].id, below_leaf.next_task_id) == (6, 7)


def test_that_a_new_task_lasts_a_day_or_a_millisecond_or_what_was_asked() -> None:
    assert AddTask("New").apply(office()).tasks[-1].duration == 8 * HOUR
    assert AddTask("New").apply(pipeline()).tasks[-1].duration == 1_000_000
    assert AddTask("New", duration=5).apply(office()).tasks[-1].duration == 5


def test_that_a_task_without_a_name_or_inside_an_operation_is_refused() -> None:
    assert "needs a name" in refused(AddTask(" "), office()).sentence
    assert "“blur” does an operation" in refused(AddTask("New", parent=2), pipeline()).sentence
    assert "no task 77" in refused(AddTask("New", after=77), office()).sentence


def test_that_a_removed_task_takes_what_it_holds_its_links_and_its_assignments_along() -> None:
    plan = replace(office(), resources=(Resource(1, "Ann"),), assignments=(Assignment(3, 1), Assignment(5, 1)))
    plan = RemoveTask(1).apply(plan).check()
    assert rows(plan) == [("Done", None), ("Paint", None)]
    assert (plan.dependencies, plan.assignments) == ((), (Assignment(5, 1),))
    assert AddTask("New").apply(plan).tasks[-1].id == 6


def test_that_several_tasks_go_in_one_step_though_some_lie_in_others() -> None:
    edit = RemoveTasks((1, 2, 5))
    plan = edit.apply(office())
    assert {task.id for task in plan.tasks} == {task.id for task in office().tasks} - {1, 2, 3, 5}
    assert edit.label(office()) == "Remove 3 tasks"
    assert RemoveTasks((2,)).label(office()) == "Remove “Design”"
    assert RemoveTasks((2,)).apply(office()) == RemoveTask(2).apply(office())


# Links


def test_that_a_link_is_added_changed_and_removed() -> None:
    link = Dependency(2, 5, DependencyKind.SS, Lag(HOUR))
    plan = AddLink(link).apply(office())
    assert plan.dependencies[-1] == link
    changed = ChangeLink(replace(link, lag=Lag()), replace(link, kind=DependencyKind.FF)).apply(plan)
    assert changed.dependencies[-1] == Dependency(2, 5, DependencyKind.FF, Lag(HOUR))
    assert RemoveLink(Dependency(2, 5, DependencyKind.FF)).apply(changed) == office()
    assert ChangeLink(link, link).apply(plan) is plan


def test_that_a_link_that_closes_a_circle_names_the_tasks_in_it() -> None:
    error = refused(AddLink(Dependency(4, 2)), office(), CycleError)
    names = "“Design” → “Build” → “Done” → “Design”"
    assert error.sentence == f"This link would make a cycle: {names}."
    assert error.ids == (2, 3, 4)


def test_that_a_link_from_a_later_task_to_the_summary_before_it_is_a_circle() -> None:
    error = refused(AddLink(Dependency(4, 1)), office(), CycleError)
    assert "“Build” → “Done”" in error.sentence


def test_that_a_changed_link_may_close_no_circle_either() -> None:
    error = refused(
        ChangeLink(Dependency(2, 3), Dependency(4, 2)), AddLink(Dependency(2, 4)).apply(office()), CycleError
    )
    assert "“Done”" in error.sentence


def test_that_links_that_cannot_be_are_refused_by_name() -> None:
    assert "“Design” cannot wait for itself" in refused(AddLink(Dependency(2, 2)), office(), CycleError).sentence
    assert "“Phase” and “Design”" in refused(AddLink(Dependency(1, 2)), office(), CycleError).sentence
    assert "“Design” is linked to task 77" in refused(AddLink(Dependency(2, 77)), office()).sentence
    assert "“Design” and “Build” are linked twice as FS" in refused(AddLink(Dependency(2, 3)), office()).sentence
    assert "no FS link of “Design” to “Paint”" in refused(RemoveLink(Dependency(2, 5)), office()).sentence
    missing = ChangeLink(Dependency(2, 5), Dependency(2, 4))
    assert "no FS link of “Design” to “Paint”" in refused(missing, office()).sentence


# Streams


def test_that_a_task_leaves_its_stream_for_another_and_keeps_its_other_resources() -> None:
    press = Resource(9, "press", ResourceKind.MACHINE)
    plan = replace(pipeline(), resources=(*pipeline().resources, press))
    plan = replace(plan, assignments=(*plan.assignments, Assignment(2, 9))).check()
    plan = AssignStream(2, 2).apply(plan).check()
    assert plan.assignments == (Assignment(1, 1), Assignment(2, 2), Assignment(3, 2), Assignment(2, 9))
    assert AssignStream(2, 2).apply(plan) is plan
    assert AssignStream(2, 1).apply(replace(plan, assignments=())).assignments == (Assignment(2, 1),)


def test_that_only_streams_take_tasks_and_only_leaves_are_put_on_them() -> None:
    press = Resource(9, "press", ResourceKind.MACHINE)
    plan = replace(pipeline(), resources=(*pipeline().resources, press), tasks=(*pipeline().tasks, Task(4, "all")))
    plan = AddTask("part", parent=4).apply(replace(plan, next_task_id=5))
    assert "“blur” cannot run there" in refused(AssignStream(2, 9), plan).sentence
    assert "“blur” cannot run there" in refused(AssignStream(2, 77), plan).sentence
    assert "“all” is a summary" in refused(AssignStream(4, 1), plan).sentence


# All of them


LABELS = {
    "Move “Design”": MoveTask(2, MONDAY),
    "Move 2 tasks": MoveTasks((2, 5), DAY),
    "Move “Paint”": MoveTasks((5,), DAY),
    "Unpin “Design”": RemovePin(2),
    "Resize “Design”": ResizeTask(2, 1),
    "Rename “Design”": RenameTask(2, "Sketch"),
    "Add “New”": AddTask(" New"),
    "Remove “Design”": RemoveTask(2),
    "Link “Design” to “Paint”": AddLink(Dependency(2, 5)),
    "Unlink “Design” from “Build”": RemoveLink(Dependency(2, 3)),
    "Change the link of “Design” to “Build”": ChangeLink(Dependency(2, 3), Dependency(2, 5)),
    "Rename the plan": SetName("x"),
}


@pytest.mark.parametrize("label", LABELS)
def test_that_an_edit_says_what_undo_takes_back(label: str) -> None:
    assert LABELS[label].label(office()) == label


def test_that_putting_a_task_on_a_stream_names_both() -> None:
    assert AssignStream(2, 2).label(pipeline()) == "Put “blur” on stream 2"


@pytest.mark.parametrize("label", LABELS)
def test_that_an_edit_leaves_the_plan_it_was_given_as_it_was_and_makes_a_valid_one(label: str) -> None:
    plan = office()
    LABELS[label].apply(plan).check()
    assert plan == office()


def test_that_an_edit_of_a_task_that_is_not_there_says_so() -> None:
    for edit in (MoveTask(77, 0), MoveTasks((77,), 1), RemovePin(77), ResizeTask(77, 0), RenameTask(77, "x")):
        assert refused(edit, office()).sentence == "There is no task 77 in the plan."
    for edit in (AssignStream(77, 1), RemoveTask(77), AddTask("x", parent=77)):
        assert refused(edit, pipeline()).sentence == "There is no task 77 in the plan."


def test_that_buffers_are_not_touched_by_edits_of_tasks() -> None:
    assert RemoveTask(2).apply(pipeline()).buffers == (Buffer("frame", (64, 64), fill=pipeline().buffers[0].fill),)
