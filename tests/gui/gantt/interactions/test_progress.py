"""How far a task is done, drawn along its bar, in numbers."""

from dataclasses import replace

import pytest

from engine.model import Progress, Split
from engine.session.date_edits import SetProgress
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.interactions import ProgressGesture
from gui.gantt.interactions.progress import progressed
from gui.gantt.work import done_at
from tests.gui.gantt.plans import WORKDAY, at, layout_of, state_of, week

PRESS = (500.0, 30.0)


def begun(percent: float = 0.0, splits: tuple[Split, ...] = ()) -> State:
    """Frame, three days from Monday 2 March, done to so many percent."""
    plan = week().plan
    progress = Progress(percent, at(2026, 3, 2, 8)) if percent else None
    return state_of(plan.with_task(replace(plan.task(2), progress=progress, splits=splits)))


def hours(state: State) -> Layout:
    """An hour is ten pixels."""
    return layout_of(state, TimeScale(at(2026, 3, 1), 360.0))


@pytest.mark.parametrize(
    ("before", "dx", "is_free", "after"),
    [
        (0, 90, False, 35),
        (0, 90, True, 33),
        (0, 2, True, None),
        (50, -1000, False, 0),
        (50, 2000, False, 100),
        (50, 20, False, 55),
        (50, 20, True, 54),
        (50, 3, False, None),
    ],
)
def test_that_progress_follows_the_mouse_by_five_percent_or_one(
    before: int, dx: int, is_free: bool, after: int | None
) -> None:
    """Frame has 24 hours of work: a working day in is a third; nights count for nothing."""
    layout = hours(begun(before))
    edit = ProgressGesture(layout, 2, PRESS).move(layout, (PRESS[0] + dx, 30.0), is_free)
    assert edit == (None if after is None else SetProgress(2, after))


def test_that_what_is_done_of_a_task_that_pauses_ends_in_one_of_its_pieces() -> None:
    """A day of work, two of pause, two of work: two thirds are done on Thursday evening."""
    state = begun(66.66666667, (Split(WORKDAY, 2 * WORKDAY),))
    assert abs(done_at(state, 2) - at(2026, 3, 5, 17)) <= 1
    assert done_at(begun(), 2) == at(2026, 3, 2, 8)
    assert done_at(begun(100), 2) == at(2026, 3, 4, 17)


def test_that_keys_go_to_the_next_ten_percent_of_every_task_chosen_and_no_farther_than_done() -> None:
    assert progressed(begun(), (2, 5), 1) == (SetProgress(2, 10), SetProgress(5, 10))
    assert progressed(begun(45), (2,), 1) == (SetProgress(2, 50),)
    assert progressed(begun(45), (2,), -1) == (SetProgress(2, 40),)
    assert progressed(begun(100), (2,), 1) == ()
    assert progressed(begun(), (2,), -1) == ()
    assert {edit.task for edit in progressed(begun(), (1,), 1)} == {2, 3, 4}
