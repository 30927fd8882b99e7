"""Bars that are moved, in numbers: which edit a drag or a key would be."""

from dataclasses import replace

import pytest

from engine.model import DAY, Calendar, Clock, Dependency, Plan, Shift, Task
from engine.session.edits import MoveTask, MoveTasks
from gui.canvas.time_scale import TimeScale
from gui.gantt.interactions import MoveGesture, ResizeGesture, nudged
from gui.gantt.interactions.gesture import Gesture
from tests.gui.gantt.plans import HOUR, US, WORKDAY, at, frames, layout_of, state_of, tried, week

# 10 µs a pixel: the visible marks of a device plan are 100 µs, ten pixels, apart.
PRESS = (500.0, 30.0)


def moved(dx: float, dy: float = 0.0) -> tuple[float, float]:
    return PRESS[0] + dx, PRESS[1] + dy


@pytest.mark.parametrize("is_free", [False, True])
@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (2, 0), (-2, 2), (0, -2), (0, 7), (1, 400), (-2, -60)])
def test_that_less_than_three_pixels_sideways_change_nothing(dx: int, dy: int, is_free: bool) -> None:
    """The bar starts between two ticks, so that snapping alone would move it."""
    layout = layout_of(frames(pin=440 * US))
    for gesture in (MoveGesture(layout, 5, PRESS), ResizeGesture(layout, 5, PRESS)):
        assert gesture.move(layout, moved(dx, dy), is_free) is None
        assert gesture.release() is None


@pytest.mark.parametrize(("dx", "start"), [(40, 400), (42, 400), (46, 500), (4, None), (6, 100)])
def test_that_a_bar_is_moved_to_the_nearest_visible_tick(dx: int, start: int | None) -> None:
    gesture = MoveGesture(layout_of(frames()), 5, PRESS)
    edit = gesture.move(layout_of(frames()), moved(dx))
    assert edit == (None if start is None else MoveTask(5, start * US))
    assert gesture.release() == edit


def test_that_a_bar_moved_freely_goes_to_the_pixel() -> None:
    gesture = MoveGesture(layout_of(frames()), 5, PRESS)
    assert gesture.move(layout_of(frames()), moved(42), is_free=True) == MoveTask(5, 420 * US)


@pytest.mark.parametrize("pin", [None, 440 * US])
def test_that_a_bar_dragged_back_to_where_it_was_changes_nothing(pin: int | None) -> None:
    layout = layout_of(frames(pin))
    gesture = MoveGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(60)) is not None
    assert gesture.move(layout, moved(1)) is None
    assert gesture.release() is None


def test_that_a_drag_goes_on_while_time_is_zoomed_and_panned() -> None:
    layout = layout_of(frames())
    gesture = MoveGesture(layout, 5, PRESS)
    gesture.move(layout, moved(40))
    nearer = layout_of(frames(), TimeScale(700 * US, 5_000.0))
    pressed_at = layout.scale.tick(PRESS[0])
    assert gesture.move(nearer, (nearer.scale.x(pressed_at + 300 * US), 30.0)) == MoveTask(5, 300 * US)


def test_that_a_calendar_drag_lands_on_working_time() -> None:
    """Days are the visible ticks at an hour a pixel; a Saturday is a Monday, and noon belongs to its day."""
    layout = layout_of(week(), TimeScale(at(2026, 3, 1), 3600.0))
    gesture = MoveGesture(layout, 5, PRESS)
    assert gesture.move(layout, moved(24)) == MoveTask(5, at(2026, 3, 3, 8))
    assert gesture.move(layout, moved(5 * 24)) == MoveTask(5, at(2026, 3, 9, 8))
    assert gesture.move(layout, moved(4)) is None


def test_that_a_nudge_goes_to_the_next_tick_that_makes_a_difference() -> None:
    state, days = week(), TimeScale(at(2026, 3, 1), 3600.0)
    assert nudged(state, days, (5,), 1) == MoveTask(5, at(2026, 3, 3, 8))
    assert nudged(state, days, (3,), 1) == MoveTask(3, at(2026, 3, 6, 8))
    assert nudged(state, days, (3,), -1) == MoveTask(3, at(2026, 3, 4, 8))
    assert nudged(state, TimeScale(at(2026, 3, 1), HOUR / 10), (5,), 1) == MoveTask(5, at(2026, 3, 2, 9))


def test_that_a_nudge_over_a_weekend_reaches_monday_and_back_friday() -> None:
    state, days = week(), TimeScale(at(2026, 3, 1), 3600.0)
    assert nudged(state, days, (4,), 1) == MoveTask(4, at(2026, 3, 9, 8))


def test_that_a_device_nudge_is_a_visible_tick() -> None:
    scale = TimeScale(0, 10_000.0)
    assert nudged(frames(), scale, (5,), 1) == MoveTask(5, 100 * US)
    assert nudged(frames(pin=440 * US), scale, (5,), -1) == MoveTask(5, 400 * US)


def test_that_tasks_chosen_together_are_moved_and_nudged_together() -> None:
    layout = layout_of(frames())
    gesture = MoveGesture(layout, 5, PRESS, (4, 5))
    assert gesture.move(layout, moved(40)) == MoveTasks((4, 5), 400 * US)
    assert MoveGesture(layout, 2, PRESS, (4, 5)).move(layout, moved(40)) == MoveTask(2, 400 * US)
    assert nudged(frames(), TimeScale(0, 10_000.0), (5, 4), 1) == MoveTasks((5, 4), 100 * US)


def nights() -> Plan:
    """A task of four hours that is worked at night, 20:00 to 24:00, beside one on office hours; from Mon 2 March."""
    shifts = Calendar(7, "Nights", ((Shift(20 * HOUR, 24 * HOUR),),) * 7)
    tasks = (Task(1, "Guard", 4 * HOUR, calendar=7), Task(2, "Paint", WORKDAY))
    monday = at(2026, 3, 2, 8)
    return Plan("n", Clock.CALENDAR, monday, tasks, (), Calendar.standard(), calendars=(shifts,), next_task_id=3)


def test_that_a_move_snaps_to_the_working_time_of_the_task_itself() -> None:
    """Saturday is a night like any other to the guard, and no day to the painter."""
    layout = layout_of(state_of(nights()), TimeScale(at(2026, 3, 1), 3600.0))
    guard, paint = (MoveGesture(layout, task, PRESS).move(layout, moved(5 * 24)) for task in (1, 2))
    assert guard == MoveTask(1, at(2026, 3, 7, 20))
    assert paint == MoveTask(2, at(2026, 3, 9, 8))
    assert nudged(layout.state, layout.scale, (1,), 1) == MoveTask(1, at(2026, 3, 3, 20))


def test_that_a_move_never_changes_a_duration() -> None:
    state = state_of(nights())
    layout = layout_of(state, TimeScale(at(2026, 3, 1), 977.0))
    for task in (1, 2):
        gesture, time = MoveGesture(layout, task, PRESS), state.schedule.working_time_of(task)
        for pixel in range(7, 700, 41):
            edit = gesture.move(layout, moved(pixel), is_free=True)
            after = (state if edit is None else tried(state, edit)).schedule
            assert time.between(after.start_of(task), after.finish_of(task)) == state.plan.task(task).duration


@pytest.mark.parametrize("is_free", [True, False])
@pytest.mark.parametrize("ticks_per_px", [300.0, 937.0, 3600.0])
def test_that_a_drag_across_the_change_to_summer_time_gives_dates_in_order(ticks_per_px: float, is_free: bool) -> None:
    """In Europe clocks go forward on Sunday 29 March 2026: pixel by pixel no date goes back, no day is passed over,
    and a day of work stays one."""
    every_day = replace(Calendar.standard(), week=(Calendar.standard().week[0],) * 7)
    plan = replace(week().plan, start=at(2026, 3, 26, 8), calendar=every_day)
    layout = layout_of(state_of(plan), TimeScale(at(2026, 3, 25), ticks_per_px))
    gesture, starts = MoveGesture(layout, 5, PRESS), []
    for pixel in range(3, int(7 * DAY / ticks_per_px)):
        edit = gesture.move(layout, moved(pixel), is_free)
        if edit is not None:
            after = tried(layout.state, edit).schedule
            starts.append(after.start_of(5))
            assert after.working_time_of(5).between(after.start_of(5), after.finish_of(5)) == WORKDAY
    days = sorted({start // DAY - at(2026, 3, 26) // DAY for start in starts})
    assert starts == sorted(starts)
    assert days == list(range(days[0], days[-1] + 1))
    assert {3, 4} <= set(days)


def test_that_tasks_moved_together_go_as_many_working_days_as_the_one_that_is_held() -> None:
    """Roof, held, goes from Thursday over the weekend to Monday, two working days; Frame from Monday to Wednesday."""
    state = week()
    layout = layout_of(state, TimeScale(at(2026, 3, 1), 3600.0))
    gesture: Gesture = MoveGesture(layout, 3, PRESS, (2, 3, 5))
    edit = gesture.move(layout, moved(4 * 24))
    after = tried(state, edit).schedule
    assert [after.start_of(task) for task in (2, 3, 5)] == [at(2026, 3, 4, 8), at(2026, 3, 9, 8), at(2026, 3, 4, 8)]


def test_that_of_two_linked_tasks_moved_together_only_the_first_is_pinned() -> None:
    state = week()
    layout = layout_of(state, TimeScale(at(2026, 3, 1), 3600.0))
    edit = MoveGesture(layout, 2, PRESS, (2, 3)).move(layout, moved(24))
    plan = tried(state, edit).plan
    assert Dependency(2, 3) in plan.dependencies
    assert [plan.task(task).pin for task in (2, 3)] == [at(2026, 3, 3, 8), None]
