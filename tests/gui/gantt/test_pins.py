"""What can be made of a pin that a drag leaves, in numbers."""

import pytest

from engine.errors import PlanError
from engine.model import Dependency, DependencyKind, Lag
from engine.session.edits import AddLink, MoveTask, MoveTasks, RemovePin
from engine.session.plan_edits import Together
from engine.session.shape_edits import ResizeStart
from engine.session.state import State
from gui.gantt import pins
from gui.gantt.pins import as_lags, has_predecessors, left_by, removal, wish_for_lags
from tests.gui.gantt.plans import DAY, US, WORKDAY, at, frames, tried, week


def moved(before: State, task: int, start: int) -> State:
    return tried(before, MoveTask(task, start))


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        (MoveTask(3, at(2026, 3, 9, 8)), (3,)),
        (ResizeStart(2, at(2026, 3, 3, 8)), (2,)),
        (MoveTasks((3, 2, 5), DAY), (2, 5)),
        (MoveTask(1, at(2026, 3, 3, 8)), (2,)),
        (AddLink(Dependency(2, 5)), ()),
    ],
)
def test_that_the_pins_that_an_edit_leaves_are_those_it_set(edit: MoveTask, left: tuple[int, ...]) -> None:
    assert left_by(edit, week(), tried(week(), edit)) == left


def test_that_a_pin_becomes_a_lag_by_which_the_task_follows_again() -> None:
    """Roof, two days after Frame by a pin, then by a lag: where Frame is longer, Roof goes along."""
    state = moved(week(), 3, at(2026, 3, 9, 8))
    edit = as_lags(state, (3,), "Turn", lambda edit: tried(state, edit))
    after = tried(state, edit)
    assert after.schedule.start_of(3) == at(2026, 3, 9, 8)
    assert after.plan.task(3).pin is None
    assert Dependency(2, 3, lag=Lag(2 * WORKDAY)) in after.plan.dependencies
    later = tried(after, MoveTask(2, at(2026, 3, 3, 8)))
    assert later.schedule.start_of(3) == at(2026, 3, 10, 8)
    assert edit.label(state.plan) == "Turn"


@pytest.mark.parametrize("kind", list(DependencyKind))
def test_that_a_lag_is_found_for_links_of_every_kind(kind: DependencyKind) -> None:
    start = tried(week(), AddLink(Dependency(2, 5, kind)))
    state = moved(start, 5, at(2026, 3, 11, 8))
    edit = as_lags(state, (5,), "Turn", lambda edit: tried(state, edit))
    after = tried(state, edit)
    assert (after.schedule.start_of(5), after.plan.task(5).pin) == (at(2026, 3, 11, 8), None)


def test_that_a_task_without_predecessors_keeps_its_pin() -> None:
    state = moved(week(), 5, at(2026, 3, 11, 8))
    assert as_lags(state, (5,), "Turn", lambda edit: tried(state, edit)) is None
    assert as_lags(state, (), "Turn", lambda edit: tried(state, edit)) is None
    assert [has_predecessors(state, tasks) for tasks in ((3,), (5,), (3, 5), (3, 4))] == [True, False, False, True]


def test_that_operations_wait_for_no_lag() -> None:
    assert not has_predecessors(frames(pin=10 * US), (3,))


def test_that_pins_are_removed_in_one_step() -> None:
    assert removal((3,), "Remove") == RemovePin(3)
    assert removal((3, 5), "Remove") == Together("Remove", (RemovePin(3), RemovePin(5)))


def test_that_what_makes_lags_later_makes_the_same_and_says_where_none_leads_there() -> None:
    state = moved(week(), 3, at(2026, 3, 9, 8))
    wish = wish_for_lags((3, 99), "Turn", lambda edit: tried(state, edit), "None leads there.")
    assert wish(state) == as_lags(state, (3,), "Turn", lambda edit: tried(state, edit))
    lonely = moved(week(), 5, at(2026, 3, 11, 8))
    with pytest.raises(PlanError, match="None leads there"):
        wish_for_lags((5,), "Turn", lambda edit: tried(lonely, edit), "None leads there.")(lonely)


def test_that_nobody_is_asked_about_the_pins_of_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    edit = MoveTasks((3, 2, 5), DAY)
    after = tried(week(), edit)
    monkeypatch.setattr(pins, "MOST_ASKED", 2)
    assert left_by(edit, week(), after) == ()
    monkeypatch.setattr(pins, "MOST_ASKED", 3)
    assert left_by(edit, week(), after) == (2, 5)
