"""Table and chart in a real window, by real mouse and keys."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QSplitter, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from engine.model import ConstraintKind, Dependency, DependencyKind
from engine.session.edits import AddLink, Edit, MoveTask, MoveTasks, RemoveLink, RemovePin, RenameTask, ResizeTask
from engine.session.state import State
from gui.canvas.shapes import Box
from gui.canvas.time_scale import TimeScale
from gui.gantt.bars import Bar, Layout
from gui.gantt.cells import Column
from gui.gantt.links import routes
from gui.gantt.rows import Rows
from gui.gantt.view import GanttView
from gui.theme import DARK, LIGHT, METRICS
from tests.gui.gantt.plans import COSTS, DAY, US, at, frames, state_of, tried, week

Make = Callable[[State], GanttView]
LEFT, NONE, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    """A shown view of a state; on a device plan a pixel is 10 µs and a visible tick 100 µs."""

    def made(state: State, height: int = 300) -> GanttView:
        view = GanttView(lambda edit: tried(state, edit, COSTS))
        qtbot.addWidget(view)
        time_bar = view.findChild(QScrollBar, "time")
        view.resize(1200, height + time_bar.sizeHint().height())
        view.show()
        qtbot.waitExposed(view)
        view.set_state(state)
        is_device = state.plan.calendar is None
        view.set_time_scale(TimeScale(-500 * US, 10_000.0) if is_device else TimeScale(at(2026, 2, 28), 1800.0))
        view.edits = []
        view.edit_made.connect(view.edits.append)
        return view

    return made


def bar(view: GanttView, state: State, row: int) -> Bar:
    return Layout(state, Rows.of(state), view.time_scale).bar(row)


def place(held: Bar, dx: float) -> QPoint:
    """A place of the viewport, so far right of a bar's start, in its middle."""
    return QPoint(round(held.left + dx), round(held.y + METRICS.header_px + 11))


def drag(view: GanttView, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
    press_and_move(view, start, end, modifier)
    QTest.mouseRelease(view.chart.viewport(), LEFT, modifier, end)


def press_and_move(view: GanttView, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier = NONE) -> None:
    target = view.chart.viewport()
    QTest.mousePress(target, LEFT, modifier, start)
    for step in range(1, 6):
        QTest.mouseMove(target, start + (end - start) * (step / 5))
    QApplication.processEvents()


def wheel(target: QWidget, place: QPointF, notches: int, modifier: Qt.KeyboardModifier) -> None:
    turn, no_button, phase = QPoint(0, 120 * notches), Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, target.mapToGlobal(place), QPoint(), turn, no_button, modifier, phase, False)
    QApplication.sendEvent(target, event)


def test_that_dragging_a_bar_moves_its_task_to_a_visible_tick(make: Make) -> None:
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    drag(view, place(held, 40), place(held, 72))
    assert view.edits == [MoveTask(5, 300 * US)]
    assert view.selection == (5,)


def test_that_alt_moves_it_freely(make: Make) -> None:
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    target = view.chart.viewport()
    drag(view, place(held, 40), place(held, 72), ALT)
    assert view.edits == [MoveTask(5, 320 * US)]
    assert target.isVisible()


def test_that_a_click_chooses_a_bar_and_changes_nothing(make: Make, qtbot: QtBot) -> None:
    state = frames(pin=440 * US)
    view = make(state)
    held = bar(view, state, 4)
    with qtbot.waitSignal(view.selection_changed) as chosen:
        QTest.mouseClick(view.chart.viewport(), LEFT, NONE, place(held, 40))
    assert chosen.args == [(5,)]
    assert view.edits == []
    assert view.table.selectionModel().isRowSelected(4)


def test_that_escape_drops_a_drag(make: Make) -> None:
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    press_and_move(view, place(held, 40), place(held, 90))
    QTest.keyClick(view.chart, Qt.Key.Key_Escape)
    QTest.mouseMove(view.chart.viewport(), place(held, 120))
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, place(held, 120))
    assert view.edits == []


def test_that_dragging_the_end_of_a_bar_resizes_it(make: Make) -> None:
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    drag(view, place(held, 79), place(held, 109))
    assert view.edits == [ResizeTask(5, 1100 * US)]


def test_that_dragging_a_dot_to_a_bar_links_them(make: Make) -> None:
    state = frames()
    view = make(state)
    held, target = bar(view, state, 4), bar(view, state, 3)
    drag(view, place(held, 80 + 11), place(target, 3))
    drag(view, place(held, -11), place(target, 48))
    assert view.edits == [AddLink(Dependency(5, 4)), AddLink(Dependency(5, 4, DependencyKind.SF))]


def test_that_a_link_drawn_after_scrolling_ends_where_the_mouse_is(make: Make) -> None:
    state = frames()
    view = make(state, height=METRICS.header_px + 3 * METRICS.row_px)
    held = bar(view, state, 1)
    press_and_move(view, place(held, 100 + 11), place(held, 130))
    wheel(view.chart.viewport(), QPointF(130, 100), -1, NONE)
    target = bar(view, state, 3)
    under = place(target, 3) - QPoint(0, 2 * METRICS.row_px)
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, under)
    assert view.edits == [AddLink(Dependency(2, 4))]


def test_that_another_state_drops_a_drag(make: Make) -> None:
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    press_and_move(view, place(held, 40), place(held, 90))
    view.set_state(frames(pin=100 * US))
    QTest.mouseRelease(view.chart.viewport(), LEFT, NONE, place(held, 90))
    assert view.edits == []


def test_that_the_picture_shows_a_ghost_while_dragging_and_none_after(make: Make) -> None:
    state = frames()
    view = make(state)
    view.set_theme(LIGHT)
    held = bar(view, state, 4)
    where = QPoint(round(held.right + 30), round(held.y + 48 + 8))
    QTest.mouseMove(view.chart.viewport(), QPoint(900, 250))
    before = view.chart.grab().toImage().pixelColor(where)
    press_and_move(view, place(held, 40), place(held, 100))
    during = view.chart.grab().toImage().pixelColor(where)
    QTest.keyClick(view.chart, Qt.Key.Key_Escape)
    view.select(())
    after = view.chart.grab().toImage().pixelColor(where)
    assert before == after != during


def test_that_a_chosen_link_is_deleted_by_key(make: Make) -> None:
    state = week()
    view = make(state)
    layout = Layout(state, Rows.of(state), view.time_scale)
    (way,) = [found.points for found in routes(layout, 0, 4) if found.link.dependency == Dependency(2, 3)]
    x, y = way[-2][0], (way[-2][1] + way[-1][1]) / 2
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, QPoint(round(x), round(y) + METRICS.header_px))
    QTest.keyClick(view.chart, Qt.Key.Key_Delete)
    assert view.edits == [RemoveLink(Dependency(2, 3))]


def test_that_a_chosen_pin_is_deleted_by_key(make: Make) -> None:
    state = frames(pin=600 * US)
    view = make(state)
    held = bar(view, state, 4)
    pin = QPoint(round(held.left) - 3, round(held.y) + METRICS.header_px + 3)
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, pin)
    QTest.keyClick(view.chart, Qt.Key.Key_Delete)
    assert view.edits == [RemovePin(5)]


def test_that_delete_with_only_a_task_chosen_leaves_links_alone(make: Make) -> None:
    view = make(week())
    view.select((2,))
    assert not view.pointer.delete()
    assert view.edits == []


@pytest.mark.parametrize("widget", ["table", "chart"])
def test_that_keys_mean_the_same_in_table_and_chart(make: Make, widget: str) -> None:
    state = frames()
    view = make(state)
    target = getattr(view, widget)
    QTest.keyClick(target, Qt.Key.Key_Down)
    assert view.selection == (1,)
    QTest.keyClick(target, Qt.Key.Key_End)
    assert view.selection == (5,)
    QTest.keyClick(target, Qt.Key.Key_Up)
    assert view.selection == (4,)
    QTest.keyClick(target, Qt.Key.Key_Home)
    QTest.keyClick(target, Qt.Key.Key_Left)
    assert view.table.task_model.rowCount() == 2
    QTest.keyClick(target, Qt.Key.Key_Right)
    assert view.table.task_model.rowCount() == 5


def test_that_a_summary_folds_by_its_triangle_and_stays_folded(make: Make) -> None:
    state = week()
    view = make(state)
    QTest.mouseClick(view.table.viewport(), LEFT, NONE, QPoint(16, 12))
    assert view.table.task_model.rowCount() == 2
    view.set_state(state)
    assert view.table.task_model.rowCount() == 2


def test_that_another_document_is_shown_unfolded_fitted_and_with_nothing_chosen(make: Make) -> None:
    view = make(week())
    view.select((1,))
    view.fold_chosen(True)
    view.set_state(week())
    assert view.table.task_model.rowCount() == 5
    assert view.selection == ()
    assert 0 < bar(view, week(), 0).left < bar(view, week(), 0).right < view.chart.width()


def test_that_the_next_revision_leaves_folds_choice_and_scale_alone(make: Make) -> None:
    state = week()
    view = make(state)
    view.select((1,))
    view.fold_chosen(True)
    scale = view.time_scale
    view.set_state(replace(tried(state, ResizeTask(5, 3600)), revision=1))
    assert view.table.task_model.rowCount() == 2
    assert (view.selection, view.time_scale) == ((1,), scale)


def test_that_a_click_in_the_table_chooses_the_task_and_finds_its_bar(make: Make) -> None:
    state = frames()
    view = make(state)
    view.set_time_scale(TimeScale(10**9, 10_000.0))
    QTest.mouseClick(view.table.viewport(), LEFT, NONE, QPoint(100, 3 * METRICS.row_px + 12))
    assert view.selection == (4,)
    assert 0 < bar(view, state, 3).left < view.chart.width()


def test_that_table_and_chart_scroll_as_one(make: Make) -> None:
    state = frames()
    view = make(state, height=METRICS.header_px + 3 * METRICS.row_px)
    wheel(view.table.viewport(), QPointF(50, 30), -1, NONE)
    assert view.table.verticalScrollBar().value() == 2 * METRICS.row_px
    assert view.table.rowAt(5) == 2
    wheel(view.chart.viewport(), QPointF(50, 100), 1, NONE)
    assert view.table.verticalScrollBar().value() == 0
    view.choose_row(4)
    assert view.table.verticalScrollBar().value() == 2 * METRICS.row_px


@pytest.mark.parametrize(("height", "most"), [(700, 0), (METRICS.header_px + 3 * METRICS.row_px, 2 * METRICS.row_px)])
def test_that_the_scroll_bar_reaches_as_far_as_the_rows_do(make: Make, height: int, most: int) -> None:
    view = make(frames(), height=height)
    bars = {found.objectName(): found for found in view.findChildren(QScrollBar)}
    assert (bars["rows"].minimum(), bars["rows"].maximum()) == (0, most)
    assert bars["rows"].pageStep() == view.chart.chart_height


def test_that_rows_of_the_table_are_at_the_height_of_their_bars(make: Make) -> None:
    state = frames()
    view = make(state)
    for row in range(5):
        top = view.table.viewport().mapTo(view, QPoint(0, view.table.rowViewportPosition(row))).y()
        assert top == METRICS.header_px + bar(view, state, row).y


def test_that_control_and_wheel_zoom_at_the_cursor_and_tell_the_scale(make: Make, qtbot: QtBot) -> None:
    view = make(frames())
    under = view.time_scale.tick(400)
    with qtbot.waitSignal(view.time_scale_changed) as told:
        wheel(view.chart.viewport(), QPointF(400, 100), 2, Qt.KeyboardModifier.ControlModifier)
    assert view.time_scale.tick(400) == under
    assert told.args == [view.time_scale]


def test_that_a_scale_from_outside_is_shown_and_not_told(make: Make, qtbot: QtBot) -> None:
    view = make(frames())
    with qtbot.assertNotEmitted(view.time_scale_changed):
        view.set_time_scale(TimeScale(5 * US, 2_000.0, 77))
    assert (view.time_scale.origin_ticks, view.time_scale.ticks_per_px) == (5 * US, 2_000.0)
    assert view.time_scale.width_px == view.chart.width()


def test_that_fit_shows_the_whole_plan_and_keeps_doing_so_when_the_window_grows(make: Make) -> None:
    state = frames()
    view = make(state)
    view.fit()
    for width in (1200, 800):
        view.resize(width, 300)
        QApplication.processEvents()
        assert view.time_scale.x(0) > 0
        assert view.chart.width() * 0.9 < view.time_scale.x(state.schedule.project_finish) < view.chart.width()


def test_that_the_left_column_can_be_set_and_is_told_when_dragged(make: Make, qtbot: QtBot) -> None:
    view = make(frames())
    with qtbot.assertNotEmitted(view.left_width_changed):
        view.set_left_width(400)
        QApplication.processEvents()
    assert view.table.width() == 400
    handle = view.findChild(QSplitter).handle(1)
    QTest.mousePress(handle, LEFT, NONE, QPoint(0, 100))
    with qtbot.waitSignal(view.left_width_changed) as told:
        QTest.mouseMove(handle, QPoint(-60, 100))
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(-60, 100))
    assert told.args == [view.table.width()]
    assert view.table.width() < 400


def test_that_a_chosen_task_that_is_gone_is_chosen_no_more(make: Make, qtbot: QtBot) -> None:
    state = frames()
    view = make(state)
    view.select((5,))
    shorter = state_of(type(state.plan)("one", state.plan.clock, tasks=state.plan.tasks[:1], next_task_id=6), COSTS)
    with qtbot.waitSignal(view.selection_changed) as told:
        view.set_state(shorter)
    assert told.args == [()]


def test_that_an_estimated_duration_says_where_it_comes_from(make: Make) -> None:
    view = make(frames())
    model = view.table.task_model
    tip = Qt.ItemDataRole.ToolTipRole
    assert "cpu-default" in model.data(model.index(1, 1), tip)
    assert model.data(model.index(4, 1), tip) is None


def test_that_a_bar_tells_its_dates_under_the_mouse(make: Make) -> None:
    state = frames()
    view = make(state)
    where = place(bar(view, state, 1), 30)
    target = view.chart.viewport()
    QApplication.sendEvent(target, QHelpEvent(QHelpEvent.Type.ToolTip, where, target.mapToGlobal(where)))
    assert QToolTip.text() == "Copy in, 0 ms to 1 ms, critical"
    QToolTip.hideText()


def test_that_a_screen_reader_finds_table_chart_and_rows(make: Make) -> None:
    view = make(frames())
    for widget, name in ((view.table, "Tasks"), (view.chart, "Gantt chart")):
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name) == name
    model = view.table.task_model
    assert model.data(model.index(2, 0), Qt.ItemDataRole.AccessibleTextRole) == "Blur, 1 ms to 3 ms, critical"
    assert view.table.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert view.chart.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_that_the_focus_can_be_seen(make: Make, qtbot: QtBot) -> None:
    view = make(frames())
    view.set_theme(LIGHT)
    view.activateWindow()
    view.select((3,))
    edge = QPoint(800, METRICS.header_px + 3 * METRICS.row_px - 1)
    view.table.setFocus()
    qtbot.waitUntil(view.table.hasFocus)
    without = view.chart.grab().toImage().pixelColor(edge)
    view.chart.setFocus()
    qtbot.waitUntil(view.chart.hasFocus)
    assert view.chart.grab().toImage().pixelColor(edge) != without


def test_that_start_and_finish_can_be_shown(make: Make) -> None:
    view = make(week())
    assert view.table.isColumnHidden(3)
    view.table.set_column_shown(Column.START, True)
    assert not view.table.isColumnHidden(3)


def test_that_a_view_without_a_plan_teaches(qtbot: QtBot) -> None:
    view = GanttView(lambda edit: frames())
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.set_theme(DARK)
    image = view.chart.grab().toImage()
    ground = image.pixelColor(5, 100)
    middle = METRICS.header_px + view.chart.chart_height // 2
    assert any(image.pixelColor(x, middle + 12) != ground for x in range(image.width()))
    view.fit()
    view.choose_row(0)
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, QPoint(100, 100))


def test_that_an_edit_is_typed_as_one(make: Make) -> None:
    """What leaves the view is a value the document can apply."""
    state = frames()
    view = make(state)
    held = bar(view, state, 4)
    drag(view, place(held, 40), place(held, 72))
    edit: Edit = view.edits[0]
    assert edit.apply(state.plan, state.schedule).task(5).pin == 300 * US


def test_that_several_are_chosen_with_control_and_shift_in_chart_and_table(make: Make) -> None:
    state = frames()
    view = make(state)
    target, control, shift = (
        view.chart.viewport(),
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ShiftModifier,
    )
    QTest.mouseClick(target, LEFT, NONE, place(bar(view, state, 1), 40))
    QTest.mouseClick(target, LEFT, control, place(bar(view, state, 4), 40))
    assert view.selection == (5, 2)
    assert [view.table.selectionModel().isRowSelected(row) for row in range(5)] == [False, True, False, False, True]
    cell = view.table.visualRect(view.table.task_model.index(2, 1)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, shift, cell)
    assert view.selection == (3, 4, 5)
    assert view.edits == []


def test_that_several_are_dragged_together_and_a_click_on_one_chooses_it_alone(make: Make) -> None:
    state = frames()
    view = make(state)
    view.select((5, 4))
    held = bar(view, state, 4)
    drag(view, place(held, 40), place(held, 72))
    assert view.edits == [MoveTasks((5, 4), 300 * US)]
    assert view.selection == (5, 4)
    QTest.mouseClick(view.chart.viewport(), LEFT, NONE, place(held, 40))
    assert view.selection == (5,)


def test_that_keys_choose_several(make: Make) -> None:
    view = make(frames())
    view.choose_row(1)
    QTest.keyClick(view.chart, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view.chart, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selection == (4, 3, 2)
    QTest.keyClick(view.chart, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert view.selection == (3, 2)
    QTest.keyClick(view.chart, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert set(view.selection) == {1, 2, 3, 4, 5}


def test_that_a_window_of_another_size_is_no_deed_of_a_person(make: Make, qtbot: QtBot) -> None:
    view = make(frames())
    view.fit()
    with qtbot.assertNotEmitted(view.time_scale_changed), qtbot.waitSignal(view.refitted):
        view.resize(view.width() - 100, view.height())
        QApplication.processEvents()


def test_that_an_empty_plan_on_a_calendar_shows_weeks_which_its_first_task_leaves(make: Make, qtbot: QtBot) -> None:
    full = week()
    view = make(state_of(replace(full.plan, tasks=(), dependencies=())))
    view.fit()
    scale = view.time_scale
    assert 5 * 7 < (scale.end_ticks - scale.origin_ticks) / 86_400 < 8 * 7
    assert 0 < scale.x(full.plan.start) < 100
    with qtbot.waitSignal(view.refitted):
        view.resize(view.width() - 100, view.height())
    scale = view.time_scale
    view.set_state(replace(full, revision=1))
    view.resize(view.width() - 100, view.height())
    QApplication.processEvents()
    assert view.time_scale.ticks_per_px == scale.ticks_per_px


def test_that_what_happened_is_drawn_again_only_when_it_is_other(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    view, drawn = make(frames()), []
    monkeypatch.setattr(view.chart, "refresh", lambda: drawn.append(True))
    for end in (1000, 1000, 2000):
        view.set_actuals({2: (0, end * US)})
    assert len(drawn) == 2


def test_that_a_screen_reader_is_told_the_chosen_bar(make: Make) -> None:
    view = make(week())
    assert name_of(view.chart) == "Gantt chart"
    view.select((2,))
    assert name_of(view.chart) == "Gantt chart: Frame, Mon 2 Mar 2026 08:00 to Wed 4 Mar 2026 17:00, critical"
    view.choose_row(4)
    assert name_of(view.chart).startswith("Gantt chart: Paint, ")
    view.select(())
    assert name_of(view.chart) == "Gantt chart"


def test_that_what_a_bar_looks_like_is_said_as_well(make: Make) -> None:
    state = week()
    out = replace(state.plan.task(5), is_active=False)
    late = replace(state.plan.task(3), deadline=at(2026, 3, 3, 17))
    view = make(state_of(state.plan.with_tasks([out, late])))
    endings = {1: ", summary, critical", 3: ", critical, deadline missed", 4: ", milestone, critical"}
    for task, ending in {**endings, 5: ", taken out of the plan"}.items():
        view.select((task,))
        assert name_of(view.chart).endswith(ending)


def name_of(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_that_what_an_edit_moved_is_tinted_until_the_next_one(make: Make) -> None:
    view = make(week())
    before = week()
    moved = replace(tried(before, MoveTask(5, before.schedule.start_of(5) + DAY)), revision=1)
    view.set_state(moved)
    assert tints(view) == 1
    view.set_state(replace(moved, is_dirty=True))
    assert tints(view) == 1
    renamed = replace(moved, plan=RenameTask(5, "Varnish").apply(moved.plan, moved.schedule), revision=2)
    view.set_state(renamed)
    assert tints(view) == 0


def tints(view: GanttView) -> int:
    return sum(isinstance(shape, Box) and shape.fill == "changed" for shape in view._picture().shapes())


def test_that_a_pin_and_a_deadline_say_what_they_are(make: Make) -> None:
    state = week()
    task = replace(state.plan.task(5), deadline=at(2026, 3, 4, 17))
    held = replace(task, constraint=ConstraintKind.START_NO_LATER_THAN, constraint_at=at(2026, 3, 5, 8))
    view = make(state_of(state.plan.with_tasks([held])))
    y = 4 * METRICS.row_px + 3.0
    pin, deadline = view.time_scale.x(at(2026, 3, 5, 8)) - 3, view.time_scale.x(at(2026, 3, 4, 17))
    assert view.chart._tip((pin, y)) == "It should start no later than Thu 5 Mar 2026 08:00."
    assert view.chart._tip((deadline, y)) == "Deadline Wed 4 Mar 2026 17:00: 2 d to spare."
    assert view.chart._tip((deadline + 300, y)) == ""
