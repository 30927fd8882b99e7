"""Bars that last longer or shorter, held at either end, in numbers."""

from dataclasses import replace

import pytest

from engine.model import Split
from engine.session.edits import ResizeTask
from engine.session.shape_edits import ResizeStart
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.interactions import ResizeGesture, ResizeStartGesture
from gui.gantt.interactions.resizing import started, stretched
from tests.gui.gantt.plans import HOUR, US, WORKDAY, at, frames, layout_of, state_of, tried, week

# 10 µs a pixel: the visible marks of a device plan are 100 µs, ten pixels, apart.
PRESS = (500.0, 30.0)


def moved(dx: float, dy: float = 0.0) -> tuple[float, float]:
    return PRESS[0] + dx, PRESS[1] + dy


@pytest.mark.parametrize(("dx", "duration"), [(40, 1200), (44, 1200), (-40, 400), (-400, 100), (1, None)])
def test_that_a_bar_is_resized_to_a_tick_and_never_to_nothing(dx: int, duration: int | None) -> None:
    layout = layout_of(frames())
    gesture = ResizeGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(dx)) == (None if duration is None else ResizeTask(5, duration * US))


def test_that_a_bar_resized_freely_keeps_at_least_one_tick() -> None:
    layout = layout_of(frames())
    gesture = ResizeGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(-400), is_free=True) == ResizeTask(5, 1)
    assert gesture.move(layout, moved(3), is_free=True) == ResizeTask(5, 830 * US)


def test_that_a_calendar_bar_is_resized_in_working_time() -> None:
    """Paint ends Monday 17:00; to the end of Thursday are three working days more, over the weekend none."""
    layout = layout_of(week(), TimeScale(at(2026, 3, 1), 3600.0))
    gesture = ResizeGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(3 * 24)) == ResizeTask(5, 4 * WORKDAY)
    assert gesture.move(layout, moved(5 * 24)) == gesture.move(layout, moved(4 * 24)) == ResizeTask(5, 5 * WORKDAY)


def days(state: State) -> Layout:
    """An hour a pixel: days are the visible ticks."""
    return layout_of(state, TimeScale(at(2026, 3, 1), 3600.0))


def paused() -> State:
    """Frame works a day, pauses two, and works two days more: Monday, Thursday and Friday."""
    plan = week().plan
    return state_of(plan.with_task(replace(plan.task(2), splits=(Split(WORKDAY, 2 * WORKDAY),))))


def test_that_the_start_of_a_bar_is_drawn_elsewhere_and_its_finish_stays() -> None:
    layout = days(week())
    gesture = ResizeStartGesture(layout, 2, PRESS)
    assert gesture.move(layout, moved(24)) == ResizeStart(2, at(2026, 3, 3, 8))
    after = tried(layout.state, gesture.release()).schedule
    assert after.finish_of(2) == layout.state.schedule.finish_of(2)
    assert gesture.move(layout, moved(2)) is None


def test_that_a_start_is_never_drawn_past_the_finish() -> None:
    layout = days(week())
    gesture = ResizeStartGesture(layout, 2, PRESS)
    assert gesture.move(layout, moved(400)) == ResizeStart(2, at(2026, 3, 4, 8))
    assert gesture.move(layout, moved(400), is_free=True) == ResizeStart(2, at(2026, 3, 4, 17) - 1)


def test_that_an_operation_is_drawn_from_its_start() -> None:
    layout = layout_of(frames())
    gesture = ResizeStartGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(40)) == ResizeStart(5, 400 * US)
    assert gesture.move(layout, moved(900)) == ResizeStart(5, 700 * US)


def test_that_what_pauses_is_resized_by_its_last_piece_and_from_its_start_by_its_first() -> None:
    layout = days(paused())
    longer = ResizeGesture(layout, 2, PRESS).move(layout, moved(3 * 24))
    assert longer == ResizeTask(2, 4 * WORKDAY)
    assert ResizeGesture(layout, 2, PRESS).move(layout, moved(-400)) == ResizeTask(2, WORKDAY + WORKDAY)
    hours = layout_of(paused(), TimeScale(at(2026, 3, 1), HOUR / 10))
    later = ResizeStartGesture(hours, 2, PRESS).move(hours, moved(20))
    assert later == ResizeStart(2, at(2026, 3, 2, 10))
    after = tried(paused(), later)
    assert after.schedule.finish_of(2) == paused().schedule.finish_of(2)
    assert after.plan.task(2).splits == (Split(6 * HOUR, 2 * WORKDAY),)


def test_that_keys_resize_either_end_to_the_next_tick_that_makes_a_difference() -> None:
    state, scale = week(), TimeScale(at(2026, 3, 1), 3600.0)
    assert stretched(state, scale, 3, 1) == ResizeTask(3, 3 * WORKDAY)
    assert stretched(state, scale, 3, -1) == ResizeTask(3, WORKDAY)
    assert stretched(state, scale, 5, -1) is None
    assert started(state, scale, 2, 1) == ResizeStart(2, at(2026, 3, 3, 8))
    assert started(state, scale, 5, 1) is None
    assert started(state, scale, 3, -1) == ResizeStart(3, at(2026, 3, 4, 8))
