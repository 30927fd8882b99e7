"""A pause put into a task, in numbers."""

import pytest

from engine.model import Task
from engine.session.shape_edits import SplitTask
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.interactions.splitting import SplitGesture, halved
from tests.gui.gantt.plans import HOUR, WORKDAY, at, layout_of, tried, week


@pytest.fixture
def layout() -> Layout:
    """An hour a pixel: days are the visible ticks. Frame lasts from Monday 2 to Wednesday 4 March."""
    return layout_of(week(), TimeScale(at(2026, 3, 1), 3600.0))


def press(layout: Layout, *when: int) -> tuple[float, float]:
    return layout.scale.x(at(2026, 3, *when)), 35.0


@pytest.mark.parametrize(("days", "gap"), [(1, 1), (2, 2), (4, 3), (6, 4), (-1, None), (-3, None)])
def test_that_a_pause_is_as_long_as_the_drag_in_working_time(layout: Layout, days: int, gap: int | None) -> None:
    """Cut on Tuesday morning: four days on is Saturday, which is Monday, and counts four working days."""
    gesture = SplitGesture(layout, 2, press(layout, 3, 10))
    edit = gesture.move(layout, press(layout, 3 + days, 10)) if days > 0 else gesture.move(layout, (1.0, 35.0))
    expected = {1: 1, 2: 2, 4: 4, 6: 4}.get(days)
    assert edit == (None if gap is None else SplitTask(2, at(2026, 3, 3, 8), expected * WORKDAY))


def test_that_a_click_parts_a_task_by_a_visible_tick_of_its_work(layout: Layout) -> None:
    at_noon = press(layout, 3, 11)
    edit = SplitGesture(layout, 2, at_noon).move(layout, at_noon)
    assert edit == SplitTask(2, at(2026, 3, 3, 8), WORKDAY)
    after = tried(layout.state, edit).schedule
    assert after.segments[after.rows[2]] == (
        (at(2026, 3, 2, 8), at(2026, 3, 2, 17)),
        (at(2026, 3, 4, 8), at(2026, 3, 5, 17)),
    )


def test_that_a_short_bar_is_cut_where_it_is_pressed(layout: Layout) -> None:
    """No visible tick lies within the one day of Paint."""
    where = press(layout, 2, 12)
    assert SplitGesture(layout, 5, where).cut == at(2026, 3, 2, 12)


def test_that_a_key_splits_a_task_in_its_middle(layout: Layout) -> None:
    assert halved(layout.state, layout.scale, 2) == SplitTask(2, at(2026, 3, 3, 8), WORKDAY)
    edit = halved(layout.state, layout.scale, 5)
    assert edit.at == at(2026, 3, 2, 12)
    assert isinstance(layout.state.plan.task(5), Task)
    assert edit.gap == 4 * HOUR
