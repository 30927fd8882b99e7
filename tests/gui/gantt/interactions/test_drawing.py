"""A new task drawn on the ground, in numbers."""

from dataclasses import replace

import pytest

from engine.session.document import Document
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Layout
from gui.gantt.interactions.drawing import DrawGesture
from tests.gui.gantt.plans import US, WORKDAY, at, frames, layout_of, state_of, week


@pytest.fixture
def layout() -> Layout:
    """An hour a pixel, five rows: the sixth row is empty ground."""
    return layout_of(week(), TimeScale(at(2026, 3, 1), 3600.0))


def place(layout: Layout, day: int, hour: int, row: int) -> tuple[float, float]:
    return layout.scale.x(at(2026, 3, day, hour)), row * 24 + 12.0


def test_that_a_task_is_drawn_in_either_direction_with_its_start_and_its_duration_in_one_step(layout: Layout) -> None:
    """From Tuesday to Thursday evening, below the last row."""
    ends = place(layout, 3, 9, 5), place(layout, 5, 16, 5)
    for press, at_last in (ends, ends[::-1]):
        gesture = DrawGesture(layout, press, "New task")
        edit = gesture.move(layout, at_last)
        document = Document(layout.state.plan)
        document.execute(edit)
        task = document.state.plan.tasks[-1]
        assert (task.id, task.name, task.parent, task.duration) == (6, "New task", None, 3 * WORKDAY)
        assert document.state.schedule.start_of(6) == task.pin == at(2026, 3, 3, 8)
        assert document.state.undo_label == "Add “New task”"
        assert document.undo().plan == layout.state.plan
        assert gesture.outline(layout) == (
            layout.scale.x(at(2026, 3, 3, 8)),
            layout.scale.x(at(2026, 3, 5, 17)),
            5 * 24.0,
        )


def test_that_a_task_drawn_beside_a_bar_stands_below_it_and_in_its_summary(layout: Layout) -> None:
    edit = DrawGesture(layout, place(layout, 9, 9, 2), "New").move(layout, place(layout, 10, 16, 2))
    plan = edit.apply(layout.state.plan, layout.state.schedule)
    assert [task.id for task in plan.tasks] == [1, 2, 3, 6, 4, 5]
    assert plan.task(6).parent == 1


def test_that_a_click_and_a_stretch_without_work_draw_nothing(layout: Layout) -> None:
    press = place(layout, 3, 9, 5)
    gesture = DrawGesture(layout, press, "New")
    for at_last in (press, (press[0] + 2, press[1] + 40)):
        assert gesture.move(layout, at_last, is_free=True) is None
        assert gesture.outline(layout) is None
    weekend = DrawGesture(layout, place(layout, 7, 2, 5), "New")
    assert weekend.move(layout, place(layout, 8, 6, 5)) is None


def test_that_an_operation_is_drawn_on_a_device_plan_and_the_first_task_on_an_empty_one() -> None:
    layout = layout_of(frames())
    edit = DrawGesture(layout, (200.0, 130.0), "New").move(layout, (250.0, 130.0))
    plan = edit.apply(layout.state.plan)
    assert (plan.task(6).duration, plan.task(6).pin) == (500 * US, 1900 * US)
    empty = layout_of(state_of(replace(week().plan, tasks=(), dependencies=())))
    first = DrawGesture(empty, (200.0, 12.0), "New").move(empty, (500.0, 12.0))
    assert len(first.apply(empty.state.plan).tasks) == 1
