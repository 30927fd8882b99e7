"""Gestures, in numbers: which edit a drag would be."""

import pytest

from engine.model import Dependency, DependencyKind
from engine.session.edits import AddLink, MoveTask, MoveTasks, ResizeTask
from gui.canvas.time_scale import TimeScale
from gui.gantt.hit import Hit, Part
from gui.gantt.interactions import LinkGesture, MoveGesture, ResizeGesture, gesture_for, link_kind, nudged
from tests.gui.gantt.plans import HOUR, US, WORKDAY, at, frames, layout_of, week

# 10 µs a pixel: the visible marks of a device plan are 100 µs, ten pixels, apart.
PRESS = (500.0, 30.0)


def moved(dx: float, dy: float = 0.0) -> tuple[float, float]:
    return PRESS[0] + dx, PRESS[1] + dy


@pytest.mark.parametrize(("dx", "start"), [(40, 400), (42, 400), (46, 500), (4, None), (6, 100)])
def test_that_a_bar_is_moved_to_the_nearest_visible_tick(dx: int, start: int | None) -> None:
    gesture = MoveGesture(layout_of(frames()), 5, PRESS)
    edit = gesture.move(layout_of(frames()), moved(dx))
    assert edit == (None if start is None else MoveTask(5, start * US))
    assert gesture.release() == edit


def test_that_a_bar_moved_freely_goes_to_the_pixel() -> None:
    gesture = MoveGesture(layout_of(frames()), 5, PRESS)
    assert gesture.move(layout_of(frames()), moved(42), is_free=True) == MoveTask(5, 420 * US)


@pytest.mark.parametrize("is_free", [False, True])
@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (2, 0), (-2, 2), (0, -2), (0, 7), (1, 400), (-2, -60)])
def test_that_less_than_three_pixels_sideways_change_nothing(dx: int, dy: int, is_free: bool) -> None:
    """The bar starts between two ticks, so that snapping alone would move it."""
    layout = layout_of(frames(pin=440 * US))
    for gesture in (MoveGesture(layout, 5, PRESS), ResizeGesture(layout, 5, PRESS)):
        assert gesture.move(layout, moved(dx, dy), is_free) is None
        assert gesture.release() is None


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


@pytest.mark.parametrize(
    ("part", "share", "kind"),
    [
        (Part.FINISH_DOT, 0.1, DependencyKind.FS),
        (Part.FINISH_DOT, 0.9, DependencyKind.FF),
        (Part.START_DOT, 0.1, DependencyKind.SS),
        (Part.START_DOT, 0.9, DependencyKind.SF),
    ],
)
def test_that_the_ends_decide_the_kind_of_a_link(part: Part, share: float, kind: DependencyKind) -> None:
    layout = layout_of(frames())
    target = layout.bar(3)
    gesture = LinkGesture(layout, Hit(5, part))
    place = (target.left + share * (target.right - target.left), target.y + 12)
    assert gesture.move(layout, place) == AddLink(Dependency(5, 4, kind))
    assert gesture.target == 4
    assert gesture.rubber(layout, place)[1] == place


def test_that_a_link_let_go_on_empty_ground_or_on_its_own_bar_is_none() -> None:
    layout = layout_of(frames())
    gesture = LinkGesture(layout, Hit(5, Part.FINISH_DOT))
    own, other = layout.bar(4), layout.bar(3)
    gesture.move(layout, (other.left + 2, other.y + 12))
    for place in ((other.right + 200, other.y + 12), (own.left + 9, own.y + 12), (10.0, 900.0)):
        assert gesture.move(layout, place) is None
        assert gesture.target is None
        assert gesture.release() is None


def test_that_the_four_kinds_are_the_four_pairs_of_ends() -> None:
    assert {link_kind(a, b) for a in (True, False) for b in (True, False)} == set(DependencyKind)


def test_that_the_part_that_is_pressed_chooses_the_gesture() -> None:
    layout = layout_of(frames())
    made = {part: type(gesture_for(layout, Hit(5, part), PRESS)) for part in Part}
    assert made == {
        Part.MIDDLE: MoveGesture,
        Part.START_EDGE: MoveGesture,
        Part.FINISH_EDGE: ResizeGesture,
        Part.START_DOT: LinkGesture,
        Part.FINISH_DOT: LinkGesture,
        Part.PIN: type(None),
    }


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
