"""A drag from press to release: trial, card, and what comes of it."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from engine.errors import PlanError
from engine.model import Calendar, Dependency, Shift
from engine.session.date_edits import SetProgress
from engine.session.edits import AddLink, ChangeLink, Edit, MoveTask, RemovePin
from engine.session.shape_edits import SplitTask
from engine.session.state import State
from gui.canvas.shapes import Box, Line
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.drag_shapes import ghost_shapes
from gui.gantt.dragging import Dragging
from gui.gantt.hit import Hit, Part
from gui.gantt.interactions import LinkGesture, MoveGesture, ProgressGesture, ResizeGesture, ResizeStartGesture
from gui.gantt.trials import Tell
from tests.gui.gantt.plans import COSTS, HOUR, US, WORKDAY, at, frames, layout_of, state_of, tried, week

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


def days(state: State) -> Layout:
    """An hour a pixel: days are the visible ticks."""
    return layout_of(state, TimeScale(at(2026, 3, 1), 3600.0))


def test_that_a_drag_against_a_predecessor_stops_at_it_pixel_by_pixel_and_says_why(qtbot: QtBot) -> None:
    """Roof, pinned two days after Frame, is dragged to before it: never past its end, never back and forth."""
    state = tried(week(), MoveTask(3, at(2026, 3, 9, 8)))
    layout = days(state)
    drag = Dragging(MoveGesture(layout, 3, PRESS), state, Trials(state), PRESS)
    starts = []
    for pixel in range(0, 300, 4):
        drag.move(layout, (500.0 - pixel, 30.0), False)
        trial = drag.shown(layout).trial
        starts.append((state if trial is None else trial).schedule.start_of(3))
    assert starts == sorted(starts, reverse=True)
    assert starts[-1] == at(2026, 3, 5, 8)
    line = drag.shown(layout).lines[-2]
    assert (line.text, line.color) == ("Starts Thu 08:00 because Frame finishes Wed 17:00, FS + 0.", "alarm")


def test_that_a_task_let_go_before_its_predecessor_keeps_no_pin_that_nothing_shows(qtbot: QtBot) -> None:
    state = tried(week(), MoveTask(3, at(2026, 3, 9, 8)))
    layout = days(state)
    drag = Dragging(MoveGesture(layout, 3, PRESS), state, Trials(state), PRESS)
    drag.move(layout, (300.0, 30.0), False)
    assert drag.release() == RemovePin(3)
    never_pinned = Dragging(MoveGesture(days(week()), 3, PRESS), week(), Trials(week()), PRESS)
    never_pinned.move(days(week()), (300.0, 30.0), False)
    assert never_pinned.release() is None


def test_that_a_start_drawn_to_where_the_task_cannot_go_is_no_edit(qtbot: QtBot) -> None:
    layout = days(week())
    drag = Dragging(ResizeStartGesture(layout, 3, PRESS), week(), Trials(week()), PRESS)
    drag.move(layout, (452.0, 30.0), False)
    assert any("because Frame finishes" in line.text for line in drag.shown(layout).lines)
    assert drag.release() is None


def test_that_progress_is_an_edit_though_no_date_moves_and_the_card_says_how_much(qtbot: QtBot) -> None:
    layout = days(week())
    drag = Dragging(ProgressGesture(layout, 2, PRESS), week(), Trials(week()), PRESS)
    drag.move(layout, (524.0, 30.0), False)
    assert "0 % → 35 % done" in lines(drag, week())
    assert drag.release() == SetProgress(2, 35)


def test_that_durations_on_the_card_are_counted_on_the_tasks_own_calendar(qtbot: QtBot) -> None:
    nights = Calendar(7, "Nights", ((Shift(20 * HOUR, 24 * HOUR),),) * 7)
    plan = week().plan
    state = state_of(replace(plan.with_task(replace(plan.task(5), calendar=7)), calendars=(nights,)).check())
    layout = days(state)
    drag = Dragging(MoveGesture(layout, 5, PRESS), state, Trials(state), PRESS)
    drag.move(layout, (548.0, 30.0), False)
    assert lines(drag, state)[1:4] == [
        "start Wed 4 Mar 2026 20:00  (+1 d)",
        "finish Fri 6 Mar 2026 00:00  (+1 d)",
        "duration 1 d",
    ]


def test_that_what_would_move_is_shown_with_its_links(qtbot: QtBot) -> None:
    """Frame drags Roof along, and the link between their ghosts runs from the one to the other."""
    state = week()
    layout = days(state)
    trial = tried(state, MoveTask(2, at(2026, 3, 9, 8)))
    bars = [layout.bar(row) for row in range(5)]
    ways = [shape.points for shape in ghost_shapes(layout, trial, bars, 2) if isinstance(shape, Line)]
    there = layout_of(trial, layout.scale)
    assert [(way[0][0], way[-1][0]) for way in ways] == [
        (there.bar(1).right, there.bar(2).left + 4),
        (there.bar(2).right, there.bar(3).left),
    ]
    assert ghost_shapes(layout, state, bars) == []


def test_that_ghosts_of_a_task_that_pauses_are_in_pieces_and_a_link_taken_away_has_none(qtbot: QtBot) -> None:
    state = week()
    layout = days(state)
    bars = [layout.bar(row) for row in range(5)]
    split = tried(state, SplitTask(2, at(2026, 3, 3, 8), WORKDAY))
    boxes = [each for each in ghost_shapes(layout, split, bars, 2) if isinstance(each, Box) and each.width == 1.5]
    assert [(round(box.x), round(box.x + box.w)) for box in boxes] == [
        (round(layout.scale.x(start)), round(layout.scale.x(finish)))
        for start, finish in split.schedule.segments[split.schedule.rows[2]]
    ]
    loose = tried(state, ChangeLink(Dependency(2, 3), Dependency(2, 5)))
    ways = [shape for shape in ghost_shapes(layout, loose, bars) if isinstance(shape, Line)]
    assert len(ways) == 1


def test_that_a_trial_that_comes_later_shows_the_bar_where_it_is_carried_until_then(trials: Trials) -> None:
    asked: list[tuple[Edit, Tell]] = []

    def later(edit: Edit, tell: Tell) -> bool:
        asked.append((edit, tell))
        return True

    state, layout = trials.state, layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 4, PRESS), state, trials, PRESS, later)
    held = layout.bar(3)
    for x in (550.0, 560.0, 560.0):
        drag.move(layout, (x, 30.0), False)
        shown = drag.shown(layout)
        assert shown.trial is None
        assert shown.carried is not None
        assert (shown.carried.left - held.left, shown.carried.right - held.right) == (x - 500.0, x - 500.0)
    assert [edit for edit, _ in asked] == [MoveTask(4, 3500 * US), MoveTask(4, 3600 * US)]
    for number, (edit, tell) in enumerate(asked):
        tell(edit, trials(edit))
        shown = drag.shown(layout)
        assert shown.trial is not None
        assert shown.trial.schedule.start_of(4) == 3500 * US + number * 100 * US
        assert (shown.carried is None) is (number == 1)
    assert len(asked) == 2


def test_that_a_late_refusal_is_told_and_a_drop_waits_for_no_one(trials: Trials) -> None:
    asked: list[tuple[Edit, Tell]] = []

    def later(edit: Edit, tell: Tell) -> bool:
        asked.append((edit, tell))
        return True

    state, layout = trials.state, layout_of(trials.state)
    drag = Dragging(MoveGesture(layout, 4, PRESS), state, trials, PRESS, later)
    drag.move(layout, (550.0, 30.0), False)
    drag.shown(layout)
    asked[0][1](asked[0][0], PlanError("Not there."))
    assert lines(drag, state)[-1] == "Not there."
    drag.move(layout, (560.0, 30.0), False)
    assert drag.release() == MoveTask(4, 3600 * US)
    assert trials.asked == [MoveTask(4, 3600 * US)]


@pytest.mark.parametrize(
    ("gesture", "moved"), [(MoveGesture, (50.0, 50.0)), (ResizeGesture, (0.0, 50.0)), (ResizeStartGesture, (50.0, 0.0))]
)
def test_that_each_gesture_says_where_it_carries_its_bar(
    gesture: type[MoveGesture | ResizeGesture | ResizeStartGesture], moved: tuple[float, float]
) -> None:
    layout = layout_of(frames())
    held = gesture(layout, 5, PRESS)
    held.move(layout, (550.0, 30.0), True)
    bar = layout.bar(4)
    start, finish = held.span()
    assert (layout.scale.x(start) - bar.left, layout.scale.x(finish) - bar.right) == moved
