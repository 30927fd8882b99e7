"""What was dated lately is not dated again: an edit that was tried, and one that is taken back."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model import DAY, Plan
from engine.schedule.cpm import schedule
from engine.schedule.schedule import Schedule
from engine.session import dating
from engine.session.document import Document
from engine.session.edits import MoveTask, ResizeTask
from engine.session.recent import KEPT, Recent
from tests.engine.model.strategies import MONDAY, office


@pytest.fixture
def dated(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Every plan that was dated, in order."""
    found: list[Plan] = []

    def counted(plan: Plan, previous: Schedule | None = None) -> Schedule:
        found.append(plan)
        return schedule(plan, previous=previous)

    monkeypatch.setattr(dating, "schedule", counted)
    return found


def test_that_an_edit_that_was_tried_is_dated_once(dated: list[Plan]) -> None:
    document = Document(office())
    tried = document.trial(MoveTask(2, MONDAY + DAY))
    made = document.execute(MoveTask(2, MONDAY + DAY))
    assert made.plan is tried.plan
    assert made.schedule is tried.schedule
    assert dated == [document.scenarios.active.past[0].plan, made.plan]


def test_that_a_trial_of_an_earlier_plan_is_not_taken_for_one_of_the_present(dated: list[Plan]) -> None:
    document = Document(office())
    document.trial(MoveTask(2, MONDAY + DAY))
    document.execute(ResizeTask(3, 7200))
    made = document.execute(MoveTask(2, MONDAY + DAY))
    assert made.plan.task(3).duration == 7200
    assert np.array_equal(made.schedule.finish, schedule(made.plan).finish)
    assert len(dated) == 4


def test_that_undo_and_redo_take_the_dates_that_were_there(dated: list[Plan]) -> None:
    document = Document(office())
    before = document.state.schedule
    after = document.execute(MoveTask(2, MONDAY + DAY)).schedule
    for day in range(2, 9):  # what is only tried pushes nothing out
        document.trial(MoveTask(2, MONDAY + day * DAY))
    count = len(dated)
    assert document.undo().schedule is before
    assert document.redo().schedule is after
    assert len(dated) == count


def test_that_only_the_latest_are_kept() -> None:
    recent, plan = Recent(), office()
    dates = schedule(plan)
    plans = [office() for _ in range(KEPT + 1)]
    for each in plans:
        recent.leave(each, dates)
    assert recent.dates_of(plans[0]) is None
    assert all(recent.dates_of(each) is dates for each in plans[1:])
