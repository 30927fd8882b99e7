"""Every gesture of the chart in a real window, by real mouse and keys."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar
from pytestqt.qtbot import QtBot

from engine.model import Dependency
from engine.session.date_edits import SetProgress
from engine.session.edits import AddLink, ChangeLink, MoveTask, RemoveLink
from engine.session.shape_edits import ResizeStart, SplitTask
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.gantt import handles, links
from gui.gantt.bars import Bar, Layout
from gui.gantt.pointer import Tool
from gui.gantt.rows import Rows
from gui.gantt.view import GanttView
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, at, frames, state_of, week
from tests.gui.gantt.views import shown_view

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Make = Callable[..., GanttView]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    """A shown view of a state that keeps its edits; an hour a pixel, days the visible ticks."""

    def made(state: State, height: int = 300) -> GanttView:
        view = shown_view(qtbot, state, height)
        view.set_time_scale(TimeScale(at(2026, 2, 28), 3600.0))
        view.edits = []
        view.edit_made.connect(view.edits.append)
        return view

    return made


def layout_of(view: GanttView, state: State) -> Layout:
    return Layout(state, Rows.of(state), view.time_scale)


def bar(view: GanttView, state: State, row: int) -> Bar:
    return layout_of(view, state).bar(row)


def spot(x: float, y: float) -> QPoint:
    """A place of the chart as one of its viewport."""
    return QPoint(round(x), round(y) + METRICS.header_px)


def hold(view: GanttView, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
    target = view.chart.viewport()
    QTest.mousePress(target, LEFT, modifier, start)
    for step in range(1, 6):
        QTest.mouseMove(target, start + (end - start) * (step / 5))
    QApplication.processEvents()


def drag(view: GanttView, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
    hold(view, start, end, modifier)
    QTest.mouseRelease(view.chart.viewport(), LEFT, modifier, end)


def card(view: GanttView) -> list[str]:
    """What the card says."""
    layout = view._layout()
    assert layout is not None
    shown = view.pointer.drag(layout)
    return [] if shown is None else [line.text for line in shown.lines]


def test_that_the_left_end_of_a_bar_is_dragged_and_its_finish_stays(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    drag(view, spot(held.left + 2, held.y + 11), spot(held.left + 26, held.y + 11))
    assert view.edits == [ResizeStart(2, at(2026, 3, 3, 8))]


def test_that_progress_is_dragged_by_its_handle(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    x = handles.progress_x(layout_of(view, week()), held)
    hold(view, spot(x, held.y + 15), spot(x + 24, held.y + 15))
    assert "0 % → 35 % done" in card(view)
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(x + 24, held.y + 15))
    assert view.edits == [SetProgress(2, 35)]


def test_that_a_chosen_link_is_carried_to_another_bar_by_its_arrow(make: Make) -> None:
    view = make(week())
    way = links.way_of(layout_of(view, week()), 0, 4, Dependency(2, 3))
    x, y = way[-2][0], (way[-2][1] + way[-1][1]) / 2
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, spot(x, y))
    target = bar(view, week(), 4)
    head = handles.link_ends(way)[1]
    drag(view, spot(*head), spot(target.left + 3, target.y + 11))
    assert view.edits == [ChangeLink(Dependency(2, 3), Dependency(2, 5))]
    QTest.keyClick(view.chart, Qt.Key.Key_Delete)
    assert view.edits[1:] == [RemoveLink(Dependency(2, 3))]


def test_that_a_link_ends_where_the_mouse_was_let_go_and_not_where_it_went_after(make: Make) -> None:
    view = make(week())
    first, wanted, other = (bar(view, week(), row) for row in (1, 4, 3))
    drag(view, spot(first.right + 11, first.y + 11), spot(wanted.left + 3, wanted.y + 11))
    QTest.mouseMove(view.chart.viewport(), spot(other.left, other.y + 11))
    QApplication.processEvents()
    assert view.edits == [AddLink(Dependency(2, 5))]


def test_that_a_bar_is_split_by_a_drag_once_the_tool_is_taken_and_only_then(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    inside = spot(held.left + 26, held.y + 8)
    view.pointer.take(Tool.SPLIT)
    hold(view, inside, inside + QPoint(48, 0))
    assert any(line.startswith("pauses Tue 3 Mar 2026 08:00 for 2 d") for line in card(view))
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, inside + QPoint(48, 0))
    assert view.edits == [SplitTask(2, at(2026, 3, 3, 8), 2 * WORKDAY)]
    drag(view, inside, inside + QPoint(24, 0))
    assert view.edits[1:] == [MoveTask(2, at(2026, 3, 3, 8))]


def test_that_the_place_of_a_pause_shows_under_the_mouse_before_the_press(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    view.pointer.take(Tool.SPLIT)
    assert card(view) == []
    QTest.mouseMove(view.chart.viewport(), spot(held.left + 26, held.y + 8))
    QApplication.processEvents()
    assert card(view) == ["pauses Tue 3 Mar 2026 08:00; drag right as long as it does"]
    QTest.mouseMove(view.chart.viewport(), spot(held.right + 200, held.y + 8))
    QApplication.processEvents()
    assert card(view) == []


def test_that_escape_lays_a_tool_down(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    view.pointer.take(Tool.SPLIT)
    QTest.keyClick(view.chart, Qt.Key.Key_Escape)
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, spot(held.left + 26, held.y + 8))
    assert view.edits == []


def test_that_a_task_is_drawn_below_the_last_row(make: Make) -> None:
    view = make(week())
    start, end = (spot(view.time_scale.x(at(2026, 3, day, hour)), 140) for day, hour in ((3, 9), (5, 16)))
    hold(view, start, end)
    assert card(view)[:3] == ["New task", "start Tue 3 Mar 2026 08:00", "finish Thu 5 Mar 2026 17:00"]
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, end)
    (edit,) = view.edits
    plan = edit.apply(week().plan)
    assert (plan.task(6).duration, plan.task(6).pin) == (3 * WORKDAY, at(2026, 3, 3, 8))


def test_that_the_first_task_is_drawn_on_an_empty_plan(make: Make) -> None:
    view = make(state_of(replace(week().plan, tasks=(), dependencies=())))
    start, end = (spot(view.time_scale.x(at(2026, 3, day, 12)), 12) for day in (2, 4))
    drag(view, start, end)
    assert len(view.edits) == 1


def test_that_a_band_on_the_ground_chooses_bars_and_control_adds_others(make: Make) -> None:
    view = make(week())
    frame, paint = bar(view, week(), 1), bar(view, week(), 4)
    hold(view, spot(frame.left - 40, frame.y + 1), spot(frame.left + 30, frame.y + 40))
    assert card(view) == ["1 task"]
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(frame.left + 30, frame.y + 20))
    assert view.selection == (2,)
    drag(view, spot(paint.left - 40, paint.y + 1), spot(paint.left + 5, paint.y + 20), CONTROL)
    assert set(view.selection) == {2, 5}
    assert view.edits == []


def test_that_a_click_on_the_ground_chooses_nothing(make: Make) -> None:
    view = make(week())
    view.select((2,))
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, spot(900, 30))
    assert (view.selection, view.edits) == ((), [])


def test_that_escape_drops_each_gesture_in_the_middle(make: Make) -> None:
    view = make(week())
    frame = bar(view, week(), 1)
    y = frame.y + 11
    starts = [(frame.left + 30, y), (frame.left + 2, y), (frame.right - 2, y), (frame.right + 11, y), (600.0, 140.0)]
    for x, height in starts:
        hold(view, spot(x, height), spot(x + 60, height + 50))
        QTest.keyClick(view.chart, Qt.Key.Key_Escape)
        assert card(view) == []
        QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(x + 60, height + 50))
    assert view.edits == []


@pytest.mark.parametrize("where", [(300, -200), (300, 900), (-300, 40), (2500, 40)])
def test_that_a_drop_outside_the_chart_drops(make: Make, where: tuple[int, int]) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    drag(view, spot(held.left + 30, held.y + 11), spot(*where))
    assert view.edits == []


def test_that_a_press_and_a_release_on_one_pixel_change_nothing_anywhere_on_a_bar(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    for x in range(round(held.left) - 17, round(held.right) + 17, 3):
        for y in (held.y + 6, held.y + 15):
            QTest.mouseClick(view.chart.viewport(), LEFT, NONE, spot(x, y))
    assert view.edits == []


def test_that_shift_during_a_drag_keeps_to_the_axis_that_the_mouse_went_farther_along(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    start = spot(held.left + 30, held.y + 11)
    target = view.chart.viewport()
    for end in (start + QPoint(24, 60), start + QPoint(72, 24)):
        QTest.mousePress(target, LEFT, NONE, start)
        QTest.mouseMove(target, end)
        QTest.mouseRelease(target, LEFT, SHIFT, end)
    assert view.edits == [MoveTask(2, at(2026, 3, 5, 8))]


def test_that_control_once_a_bar_is_held_moves_it_freely_as_alt_does(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 4)
    start = spot(held.left + 4, held.y + 9)
    QTest.mousePress(view.chart.viewport(), LEFT, NONE, start)
    QTest.mouseRelease(view.chart.viewport(), LEFT, CONTROL, start + QPoint(3, 0))
    assert view.edits == [MoveTask(5, at(2026, 3, 2, 11))]


def test_that_the_chart_scrolls_on_while_a_bar_is_held_at_its_edge_and_the_bar_goes_along(
    make: Make, qtbot: QtBot
) -> None:
    view = make(week())
    held = bar(view, week(), 1)
    origin, edge = view.time_scale.origin_ticks, view.chart.width() - 4
    hold(view, spot(held.left + 30, held.y + 11), spot(edge, held.y + 11))
    qtbot.waitUntil(lambda: view.time_scale.origin_ticks > origin + 40 * 3600)
    QTest.keyClick(view.chart, Qt.Key.Key_Escape)
    stopped = view.time_scale.origin_ticks
    qtbot.wait(100)
    assert view.time_scale.origin_ticks == stopped
    hold(view, spot(400, held.y + 11), spot(edge, held.y + 11))
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(edge, held.y + 11))
    assert view.edits == []


def test_that_the_chart_goes_half_a_chart_before_the_plan_and_no_further(make: Make, qtbot: QtBot) -> None:
    view = make(week())
    held, start = view._layout().bar(1), view.state.schedule.project_start
    hold(view, spot(held.left + 30, held.y + 11), spot(-10, held.y + 11))
    half = view.chart.width() / 2
    qtbot.waitUntil(lambda: view.time_scale.x(start) > half - 2)
    qtbot.wait(100)
    assert view.time_scale.x(start) <= half
    QTest.keyClick(view.chart, Qt.Key.Key_Escape)
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(200, held.y + 11))


def test_that_rows_scroll_on_while_a_link_is_drawn_and_it_ends_far_below(make: Make, qtbot: QtBot) -> None:
    state = week()
    view = make(state, height=METRICS.header_px + 4 * METRICS.row_px)
    held, target = bar(view, state, 1), bar(view, state, 4)
    end = view.findChild(QScrollBar, "rows").maximum()
    assert end > 0
    hold(view, spot(held.right + 11, held.y + 11), spot(target.left + 3, view.chart.chart_height - 3))
    qtbot.waitUntil(lambda: view.frame.scroll_px == end)
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(target.left + 3, target.y - end + 11))
    assert view.edits == [AddLink(Dependency(2, 5))]


def test_that_rows_stay_while_a_bar_is_moved_sideways_near_the_lower_edge(make: Make, qtbot: QtBot) -> None:
    state = week()
    view = make(state, height=METRICS.header_px + 3 * METRICS.row_px)
    held = bar(view, state, 1)
    hold(view, spot(held.left + 30, held.y + 11), spot(held.left + 54, 3 * METRICS.row_px - 2))
    qtbot.wait(120)
    assert view.frame.scroll_px == 0
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, spot(held.left + 54, 3 * METRICS.row_px - 2))
    assert view.edits == [MoveTask(2, at(2026, 3, 3, 8))]


def test_that_a_dragged_summary_is_drawn_where_its_tasks_would_be_scheduled(make: Make) -> None:
    view = make(week())
    held = bar(view, week(), 0)
    hold(view, spot(held.left + 60, held.y + 11), spot(held.left + 60 + 5 * 24, held.y + 11))
    layout = view._layout()
    trial = view.pointer.drag(layout).trial
    build = trial.schedule
    assert build.start_of(1) == min(build.start_of(task) for task in (2, 3, 4)) == at(2026, 3, 9, 8)
    assert build.finish_of(1) == max(build.finish_of(task) for task in (2, 3, 4))


def test_that_frames_are_not_given_progress(make: Make) -> None:
    state = frames()
    view = make(state)
    assert all(handles.progress_x(layout_of(view, state), bar(view, state, row)) is None for row in range(5))
