"""How bars look, with numbers: progress, criticality, promises, pauses, dates by hand, tasks taken out."""

from dataclasses import replace

import pytest

from engine.model import Baseline, BaselineTask, Dependency, PlanSettings, Progress, Task
from gui.canvas.shapes import Box, Dash, Label, Line, Polygon, Shape
from gui.theme import METRICS
from tests.gui.gantt.marked import DAY_PX, MONDAY, PLAIN, half_done, layout, one, paused, shown
from tests.gui.gantt.plans import DAY, HOUR, WORKDAY, at

EIGHT = 8 * 4.0  # 08:00, in pixels from midnight


def boxes(shapes: list[Shape], fill: str) -> list[tuple[float, float]]:
    """From pixel to pixel."""
    return [(box.x, box.x + box.w) for box in shapes if isinstance(box, Box) and box.fill == fill]


def frames(shapes: list[Shape], color: str) -> list[Box]:
    return [box for box in shapes if isinstance(box, Box) and box.outline == color and not box.fill]


def test_that_the_part_that_is_done_is_a_strip_along_the_bar_up_to_where_so_much_is_worked() -> None:
    """Of two days half is done at 17:00 of the first, nine hours on."""
    state = one(half_done(), Task(2, "long", 9 * WORKDAY))
    shapes = shown(state)
    bar = layout(state).bar(0)
    ((left, right),) = boxes(shapes, "done")
    assert (left, right) == (bar.left, bar.left + 36)
    (strip,) = (box for box in shapes if isinstance(box, Box) and box.fill == "done")
    assert METRICS.bar_top_px < strip.y
    assert strip.y + strip.h < METRICS.bar_top_px + METRICS.bar_px


def test_that_a_finished_task_is_done_whatever_its_percentage_says() -> None:
    task = Task(1, "done", WORKDAY, progress=Progress(10.0, MONDAY, MONDAY + 9 * HOUR))
    state = one(task)
    bar = layout(state).bar(0)
    assert boxes(shown(state), "done") == [(bar.left, bar.right)]


def test_that_a_summary_is_done_as_far_as_its_tasks_are_by_their_durations() -> None:
    """3 of 4 days are half done: 37.5 % of the whole."""
    state = one(
        Task(1, "all"),
        Task(2, "half", 3 * WORKDAY, 1, progress=Progress(50.0, MONDAY)),
        Task(3, "not", WORKDAY, 1),
        Task(4, "out", 9 * WORKDAY, 1, is_active=False),
    )
    assert state.schedule.done.percent(1) == pytest.approx(37.5)
    bar = layout(state).bar(0)
    beam, done = sorted((right - left for left, right in boxes(shown(state), "summary")), reverse=True)
    assert beam == pytest.approx(bar.right - bar.left)
    assert done == pytest.approx(0.375 * beam)


def test_that_a_nearly_critical_bar_has_a_dashed_frame_of_another_color() -> None:
    state = one(
        Task(1, "slack", 8 * WORKDAY), Task(2, "long", 9 * WORKDAY), settings=PlanSettings(near_critical_float=DAY)
    )
    shapes = shown(state)
    (near,), (critical,) = frames(shapes, "warning"), frames(shapes, "critical")
    assert (near.y, near.dash) == (3, Dash.DASHED)
    assert (critical.y, critical.dash) == (24 + 3, Dash.SOLID)


def test_that_a_bar_that_pauses_is_drawn_in_pieces_joined_by_dots() -> None:
    shapes = shown(one(paused(), Task(2, "long", 9 * WORKDAY)))
    tuesday, wednesday = EIGHT + DAY_PX, EIGHT + 2 * DAY_PX
    pieces = boxes([shape for shape in shapes if getattr(shape, "y", 0) == 5], "accent")
    assert pieces == [(EIGHT, EIGHT + 9 * 4), (wednesday, wednesday + 9 * 4)]
    (dots,) = (line for line in shapes if isinstance(line, Line) and line.color == "accent")
    assert (dots.dash, dots.points[0][0], dots.points[1][0]) == (Dash.DOTTED, EIGHT + 36, wednesday)
    assert EIGHT + 36 < tuesday < wednesday


def test_that_the_frame_of_a_critical_bar_that_pauses_leaves_the_gap_empty() -> None:
    found = frames(shown(one(paused())), "critical")
    assert [(box.x, box.x + box.w) for box in found] == [
        (EIGHT - 2, EIGHT + 38),
        (EIGHT + 2 * DAY_PX - 2, EIGHT + 2 * DAY_PX + 38),
    ]


def test_that_progress_of_a_bar_that_pauses_goes_on_in_its_next_piece() -> None:
    task = replace(paused(), progress=Progress(75.0, MONDAY))
    shapes = shown(one(task, Task(2, "long", 9 * WORKDAY)))
    first, second = boxes(shapes, "done")
    assert first == (EIGHT, EIGHT + 36)
    assert second == (EIGHT + 2 * DAY_PX, EIGHT + 2 * DAY_PX + 16)


def test_that_dates_typed_by_hand_make_a_dashed_bar_with_dark_words() -> None:
    task = Task(1, "by hand", WORKDAY, is_manual=True, manual_start=MONDAY + DAY, manual_finish=MONDAY + 3 * DAY)
    shapes = shown(one(task, Task(2, "long", 9 * WORKDAY)))
    (bar,) = (box for box in shapes if isinstance(box, Box) and box.dash is Dash.DASHED)
    assert (bar.x, bar.fill, bar.outline) == (EIGHT + DAY_PX, "accent:25", "accent")
    (words,) = (label for label in shapes if isinstance(label, Label) and label.text == "by hand")
    assert words.color == "text"


def test_that_a_task_taken_out_is_a_struck_ghost_without_float_or_frame() -> None:
    shapes = shown(one(Task(1, "out", 2 * WORKDAY, is_active=False), Task(2, "long", 9 * WORKDAY)))
    (ghost,) = (box for box in shapes if isinstance(box, Box) and box.fill == "idle:15")
    assert (ghost.x, ghost.outline) == (EIGHT, "muted")
    strikes = [line for line in shapes if isinstance(line, Line) and line.color == "muted"]
    assert [line.dash for line in strikes] == [Dash.SOLID, Dash.SOLID]
    assert [box.y for box in frames(shapes, "critical")] == [24 + 3]


def test_that_a_milestone_taken_out_is_hollow_and_struck() -> None:
    shapes = shown(one(Task(1, "out", 0, is_milestone=True, is_active=False), Task(2, "long", 9 * WORKDAY)))
    (diamond,) = (shape for shape in shapes if isinstance(shape, Polygon))
    assert (diamond.fill, diamond.outline) == ("", "muted")


def test_that_the_chosen_baseline_stands_under_each_bar() -> None:
    state = one(Task(1, "later", 2 * WORKDAY), Task(2, "", 0, is_milestone=True), Task(3, "new", 9 * WORKDAY))
    promise = (
        BaselineTask(1, MONDAY, MONDAY + 9 * HOUR, WORKDAY),
        BaselineTask(2, at(2026, 3, 4, 8), at(2026, 3, 4, 8), 0),
    )
    state = replace(state, plan=replace(state.plan, baselines=(Baseline(3, "agreed", promise),)))
    assert boxes(shown(state), "baseline") == []
    shapes = shown(state, replace(PLAIN, baseline=3))
    assert boxes(shapes, "baseline") == [(EIGHT, EIGHT + 36)]
    (hollow,) = (shape for shape in shapes if isinstance(shape, Polygon) and shape.outline == "muted")
    assert hollow.points[1][0] == EIGHT + 2 * DAY_PX
    assert boxes(shown(state, replace(PLAIN, baseline=7)), "baseline") == []


def test_that_promises_are_handed_on_to_the_next_plan_and_not_made_once_more() -> None:
    state = one(Task(1, "a", WORKDAY), Task(2, "b", WORKDAY))
    plan = replace(state.plan, baselines=(Baseline(0, "", (BaselineTask(1, MONDAY, MONDAY, 0),)),))
    promises = plan.promises
    assert plan.with_tasks([replace(plan.task(1), name="c")]).promises is promises
    assert plan.with_dependencies((Dependency(1, 2),)).promises is promises
