"""A drag from press to release: trial, card, and what comes of it."""

import pytest
from pytestqt.qtbot import QtBot

from engine.model import Dependency
from engine.session.edits import AddLink, Edit, MoveTask
from engine.session.state import State
from gui.gantt.dragging import Dragging
from gui.gantt.hit import Hit, Part
from gui.gantt.interactions import LinkGesture, MoveGesture, ResizeGesture
from tests.gui.gantt.plans import COSTS, US, at, frames, layout_of, tried, week

PRESS = (500.0, 30.0)


class Trials:
    """Counts how often a trial schedule is asked for."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.asked: list[Edit] = []

    def __call__(self, edit: Edit) -> State:
        self.asked.append(edit)
        return tried(self.state, edit, COSTS)


@pytest.fixture
def trials(qtbot: QtBot) -> Trials:
    return Trials(frames())


def lines(drag: Dragging, state: State) -> list[str]:
    return [line.text for line in drag.shown(layout_of(state)).lines]


def test_that_the_card_tells_start_finish_duration_and_the_plans_finish(trials: Trials) -> None:
    state = trials.state
    layout = layout_of(state)
    drag = Dragging(MoveGesture(layout, 4, PRESS), state, trials, PRESS)
    drag.move(layout, (550.0, 30.0), False)
    assert lines(drag, state) == [
        "Copy out · Frame",
        "start 3.5 ms  (+500 µs)",
        "finish 4 ms  (+500 µs)",
        "duration 500 µs",
        "plan finish 4 ms  (+500 µs)",
    ]
    assert [line.color for line in drag.shown(layout).lines][-1] == "alarm"


@pytest.mark.parametrize(
    ("task", "pixels", "said"),
    [
        (4, -300, "before Copy in, Frame on Stream 1"),
        (2, 400, "after Copy out, Frame on Stream 1"),
        (4, 50, None),
        (5, 300, None),
    ],
)
def test_that_the_card_says_when_a_drag_changes_the_order_on_a_stream(
    trials: Trials, task: int, pixels: int, said: str | None
) -> None:
    layout = layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, task, PRESS), trials.state, trials, PRESS)
    drag.move(layout, (500.0 + pixels, 30.0), False)
    found = [line for line in lines(drag, trials.state) if " on Stream" in line]
    assert found == ([] if said is None else [said])


def test_that_the_card_says_when_what_waits_changes_its_place_on_a_stream(qtbot: QtBot) -> None:
    before = frames()
    state = tried(before, AddLink(Dependency(5, 3)), COSTS)
    layout = layout_of(state)
    drag = Dragging(MoveGesture(layout, 5, PRESS), state, Trials(state), PRESS)
    drag.move(layout, (900.0, 30.0), False)
    assert "Copy out, Frame before Blur, Frame on Stream 1" in lines(drag, state)


def test_that_a_resize_tells_the_change_of_the_duration(trials: Trials) -> None:
    layout = layout_of(trials.state)
    drag = Dragging(ResizeGesture(layout, 5, PRESS), trials.state, trials, PRESS)
    drag.move(layout, (520.0, 30.0), False)
    assert "duration 1 ms  (+200 µs)" in lines(drag, trials.state)
    assert [line.color for line in drag.shown(layout).lines][-1] == "muted"


def test_that_a_calendar_drag_tells_dates_and_working_time(qtbot: QtBot) -> None:
    state = week()
    layout = layout_of(state)
    drag = Dragging(MoveGesture(layout, 2, PRESS), state, Trials(state), PRESS)
    drag.move(layout, (500.0 + 96, 30.0), False)
    assert lines(drag, state)[1:3] == ["start Tue 3 Mar 2026 08:00  (+1 d)", "finish Thu 5 Mar 2026 17:00  (+1 d)"]
    assert state.schedule.start_of(2) == at(2026, 3, 2, 8)


def test_that_a_trial_is_computed_once_an_edit_and_only_when_shown(trials: Trials) -> None:
    layout = layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 5, PRESS), trials.state, trials, PRESS)
    for x in range(500, 560):
        drag.move(layout, (float(x), 30.0), False)
    assert trials.asked == []
    drag.shown(layout)
    drag.shown(layout)
    assert trials.asked == [MoveTask(5, 600 * US)]


def test_that_nothing_is_shown_before_the_mouse_has_moved(trials: Trials) -> None:
    layout = layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 5, PRESS), trials.state, trials, PRESS)
    shown = drag.shown(layout)
    assert (shown.trial, shown.lines, drag.release()) == (None, (), None)


def test_that_a_move_its_links_do_not_allow_is_no_edit(trials: Trials) -> None:
    """Blur cannot start before its copy in has ended: a pin there would be hidden and do nothing."""
    layout = layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 3, PRESS), trials.state, trials, PRESS)
    drag.move(layout, (450.0, 30.0), False)
    assert drag.shown(layout).trial is not None
    assert drag.release() is None


def test_that_a_move_that_changes_dates_is_the_edit(trials: Trials) -> None:
    layout = layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 5, PRESS), trials.state, trials, PRESS)
    drag.move(layout, (550.0, 30.0), False)
    assert drag.release() == MoveTask(5, 500 * US)


def test_that_a_link_says_what_waits_for_what(trials: Trials) -> None:
    layout = layout_of(trials.state)
    target = layout.bar(3)
    drag = Dragging(LinkGesture(layout, Hit(5, Part.FINISH_DOT)), trials.state, trials, PRESS)
    assert lines(drag, trials.state)[0].startswith("Let go on a bar")
    drag.move(layout, (target.left + 2, target.y + 12), False)
    assert lines(drag, trials.state)[0] == "Copy out, Frame starts after Copy 2 finishes"
    assert drag.release() == AddLink(Dependency(5, 4))


def test_that_a_circle_is_refused_on_the_card_and_let_through_to_be_told(trials: Trials) -> None:
    layout = layout_of(trials.state)
    target = layout.bar(1)
    drag = Dragging(LinkGesture(layout, Hit(3, Part.FINISH_DOT)), trials.state, trials, PRESS)
    drag.move(layout, (target.left + 2, target.y + 12), False)
    shown = drag.shown(layout)
    assert shown.trial is None
    assert (shown.lines[-1].color, "Blur" in shown.lines[-1].text) == ("alarm", True)
    assert drag.release() == AddLink(Dependency(3, 2))
