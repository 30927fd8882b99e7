"""The ground of the chart: what is not worked, row by row, and what the last edit moved."""

from dataclasses import replace

from engine.model import Task
from engine.schedule.cpm import working_time
from engine.session.edits import MoveTask
from gui.canvas.shapes import Box, Boxes
from gui.gantt.changes import Changes
from gui.gantt.columns import Column
from gui.gantt.extras import Extras
from tests.gui.gantt.marked import DAY_PX, PLAIN, one, shown
from tests.gui.gantt.plans import DAY, WORKDAY, tried, week

SATURDAY_MORNING_PX = 5 * DAY_PX + 40


def shades(extras: Extras, *tasks: Task) -> list[tuple[float, float, bool]]:
    """Upper edge, lower edge, and whether the weekend is shaded there."""
    state = one(*tasks)
    shapes = shown(state, replace(extras, working_time=working_time(state.plan)))
    found = [shape for shape in shapes if isinstance(shape, Boxes) and shape.fill == "muted:9"]
    return [
        (boxes.y, boxes.y + boxes.h, any(left <= SATURDAY_MORNING_PX <= right for left, right in boxes.spans))
        for boxes in found
    ]


def test_that_rows_of_one_calendar_are_shaded_at_once() -> None:
    assert shades(PLAIN, Task(1, "a", WORKDAY), Task(2, "b", WORKDAY)) == [(0, 400, True)]


def test_that_a_row_is_shaded_by_its_own_calendar() -> None:
    """The second task is worked every day: over the weekend its row alone is bare, but for the nights."""
    tasks = (Task(1, "a", WORKDAY), Task(2, "b", WORKDAY, calendar=2), Task(3, "c", WORKDAY))
    near = replace(PLAIN, height_px=200.0)
    found = shades(near, *tasks)
    assert [(top, bottom) for top, bottom, _ in found] == [(0, 24), (24, 48), (48, 200)]
    assert [is_shaded for _, _, is_shaded in found] == [True, False, True]


def test_that_a_task_that_counts_every_hour_has_a_bare_row() -> None:
    tasks = (Task(1, "a", WORKDAY), Task(2, "dries", 2 * DAY, is_elapsed=True))
    assert [(top, bottom) for top, bottom, _ in shades(PLAIN, *tasks)] == [(0, 24), (48, 400)]


def test_that_what_the_last_edit_moved_stands_on_a_tint() -> None:
    """Frame moves by a day, and with it Roof and Built, and the summary; Paint stays."""
    before = week()
    after = tried(before, MoveTask(2, before.schedule.start_of(2) + DAY))
    changes = Changes(before, after)
    moved = changes[Column.START] | changes[Column.FINISH]
    assert moved.tolist() == [True, True, True, True, False]
    tints = [shape for shape in shown(after, replace(PLAIN, moved=moved)) if isinstance(shape, Box)]
    assert [box.y for box in tints if box.fill == "changed"] == [0, 24, 48, 72]


def test_that_a_longer_float_is_a_change_that_moves_no_bar() -> None:
    before = week()
    after = tried(before, MoveTask(2, before.schedule.start_of(2) + DAY))
    changes = Changes(before, after)
    assert changes[Column.FLOAT].tolist()[4]
    assert not changes[Column.START][4]


def test_that_a_task_that_is_new_is_no_change_and_others_are_found_in_their_new_rows() -> None:
    before = week()
    plan = before.plan
    more = replace(plan, tasks=(Task(9, "First", WORKDAY), *plan.tasks), next_task_id=10)
    changes = Changes(before, tried(replace(before, plan=more), MoveTask(5, before.schedule.start_of(5) + DAY)))
    assert changes[Column.START].tolist() == [False, False, False, False, False, True]


def test_that_changes_of_another_plan_are_not_shown() -> None:
    before = week()
    moved = Changes(before, tried(before, MoveTask(2, before.schedule.start_of(2) + DAY)))[Column.START]
    shapes = shown(one(Task(1, "a", WORKDAY)), replace(PLAIN, moved=moved))
    assert not any(isinstance(shape, Box) and shape.fill == "changed" for shape in shapes)
