"""How far a plan is from a baseline, and from another plan."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import PlanError
from engine.formats import loom
from engine.model import Clock, Plan
from engine.schedule.cpm import schedule
from engine.session.comparing import Fate, against_baseline, against_plan, read_state
from engine.session.edits import AddTask, MoveTask, RemoveTasks, ResizeTask
from engine.session.plan_edits import SetBaseline
from engine.session.state import State
from tests.gui.gantt.plans import DAY, WORKDAY, frames, week


def after(state: State, *edits: object) -> State:
    plan = state.plan
    for edit in edits:
        plan = edit.apply(plan)
    return State(plan, schedule(plan))


def test_that_a_plan_equals_the_baseline_that_was_just_set() -> None:
    compared = against_baseline(after(week(), SetBaseline(1, "promise")), 1)
    assert compared.variances == ()
    assert (compared.title, compared.count, compared.finish) == ("promise", 5, 0)


def test_that_variances_are_working_time_and_the_largest_comes_first() -> None:
    state = week()
    later = after(state, SetBaseline(0), ResizeTask(2, 4 * WORKDAY), MoveTask(5, state.plan.start + 3 * DAY))
    compared = against_baseline(later, 0)
    found = {each.name: (each.start, each.finish, each.duration) for each in compared.variances}
    assert found["Frame"] == (0, WORKDAY, WORKDAY)
    assert found["Roof"] == (WORKDAY, WORKDAY, 0)  # over the weekend: one day of work, three of the calendar
    assert found["Paint"] == (3 * WORKDAY, 3 * WORKDAY, 0)
    assert compared.variances[0].name == "Paint"
    assert compared.finish == WORKDAY


def test_that_added_and_removed_tasks_are_told_apart_from_those_that_moved() -> None:
    compared = against_baseline(after(week(), SetBaseline(0), RemoveTasks((5,)), AddTask("Garden", duration=60)), 0)
    assert [(each.fate, each.task, each.name) for each in compared.variances] == [
        (Fate.ADDED, 6, "Garden"),
        (Fate.REMOVED, None, ""),
    ]
    assert compared.variances[1].after is None


def test_that_another_plan_is_compared_by_the_names_that_both_share(tmp_path: Path) -> None:
    state = week()
    loom.save(tmp_path / "other.loom", replace(after(state, ResizeTask(5, 2 * WORKDAY)).plan, name="other"))
    other = read_state(str(tmp_path / "other.loom"))
    (only,) = against_plan(state, other, "other.loom").variances
    assert (only.name, only.finish, only.duration) == ("Paint", -WORKDAY, -WORKDAY)
    assert against_plan(state, state, "itself").variances == ()


def test_that_what_cannot_be_compared_is_refused_with_a_sentence() -> None:
    with pytest.raises(PlanError, match="There is no baseline 3"):
        against_baseline(week(), 3)
    with pytest.raises(PlanError, match="another clock"):
        against_plan(week(), frames(), "frames")


def test_that_an_empty_plan_compares_to_nothing() -> None:
    empty = Plan("empty", Clock.DEVICE)
    state = State(empty, schedule(empty))
    assert against_plan(state, state, "same").finish == 0
