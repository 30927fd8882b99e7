"""Sorting, filtering, grouping, finding and choosing columns in a real view, by real mouse and keys."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.model import Clock, Progress
from engine.session.edits import AddTask, Edit, RenameTask, ResizeTask
from engine.session.state import State
from gui.canvas.painter import text_width
from gui.canvas.shapes import Box, Label
from gui.gantt.arranging import Arrangement
from gui.gantt.bars import BarKind
from gui.gantt.cells import PAD_PX
from gui.gantt.column_memory import ColumnMemory
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.extras import Extras
from gui.gantt.grouping import Grouping
from gui.gantt.hit import hit_at
from gui.gantt.scene import still_scene
from gui.gantt.view import GanttView
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, frames, state_of, tried, week
from tests.gui.gantt.views import names, shown_view

Make = Callable[[State], GanttView]
LEFT, NONE, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    return partial(shown_view, qtbot)


def edited(state: State, edit: Edit) -> State:
    return replace(tried(state, edit), revision=state.revision + 1)


def press_header(view: GanttView, column: Column) -> None:
    header = view.table.header
    section = COLUMNS.index(column)
    QTest.mouseClick(header.viewport(), LEFT, NONE, QPoint(header.sectionViewportPosition(section) + 20, 30))


def test_that_a_header_sorts_up_down_and_back(make: Make) -> None:
    view = make(week())
    plain = names(view)
    press_header(view, Column.DURATION)
    assert names(view) == ["Paint", "Build", "Built", "Roof", "Frame"]
    assert view.table.header.sort_mark == (Column.DURATION, False)
    press_header(view, Column.DURATION)
    assert names(view) == ["Build", "Frame", "Roof", "Built", "Paint"]
    press_header(view, Column.DURATION)
    assert names(view) == plain
    assert view.table.header.sort_mark is None


def test_that_a_sorted_table_stays_sorted_after_an_edit_and_keeps_the_choice(make: Make) -> None:
    state = week()
    view = make(state)
    view.select((5,))
    press_header(view, Column.DURATION)
    view.set_state(replace(tried(state, ResizeTask(5, 9 * WORKDAY)), revision=1))
    assert names(view)[-1] == "Paint"
    assert view.selection == (5,)
    assert view.table.selectionModel().isRowSelected(4)


def test_that_rows_stay_folded_through_edits_of_any_kind_and_are_sorted_once_more_after_them(make: Make) -> None:
    view = make(week())
    view.select((1,))
    view.fold_chosen(True)
    for edit, shown in (
        (RenameTask(5, "Varnish"), ["Build", "Varnish"]),
        (AddTask("Garden"), ["Build", "Varnish", "Garden"]),
        (RenameTask(5, "Paint"), ["Build", "Paint", "Garden"]),
    ):
        assert view.state is not None
        view.set_state(edited(view.state, edit))
        assert names(view) == shown
    view.desk.sort(Column.TASK, is_falling=True)
    assert names(view) == ["Paint", "Garden", "Build"]
    view.desk.clear()
    assert names(view) == ["Build", "Paint", "Garden"]


def test_that_another_document_is_shown_in_its_own_order(make: Make) -> None:
    view = make(week())
    press_header(view, Column.DURATION)
    view.desk.open_filter()
    QTest.keyClicks(view.desk.filters.text, "roof")
    view.set_state(week())
    assert len(names(view)) == 5
    assert not view.desk.arrangement
    assert not view.desk.filters.isVisible()


def test_that_a_filter_is_typed_counted_and_cleared(make: Make) -> None:
    view = make(week())
    view.desk.open_filter()
    assert view.desk.filters.text.hasFocus() or view.desk.filters.isVisible()
    QTest.keyClicks(view.desk.filters.text, "roof")
    assert names(view) == ["Build", "Roof"]
    assert view.desk.filters.chip.text() == "1 of 5 rows, filtered"
    QTest.keyClick(view.desk.filters.text, Qt.Key.Key_Escape)
    assert len(names(view)) == 5
    assert not view.desk.filters.isVisible()


def test_that_a_filter_unfolds_what_holds_what_it_shows(make: Make) -> None:
    view = make(week())
    view.select((1,))
    view.fold_chosen(True)
    view.desk.open_filter()
    QTest.keyClicks(view.desk.filters.text, "roof")
    assert names(view) == ["Build", "Roof"]


def test_that_traits_are_chosen_in_a_menu(make: Make) -> None:
    view = make(week())
    view.desk.open_filter()
    filters = view.desk.filters
    actions = {action.text(): action for action in filters.kinds.menu().actions()}
    actions["Milestone"].trigger()
    assert names(view) == ["Build", "Built"]
    assert filters.kinds.text() == "Milestone"
    filters.clear_button.click()
    assert filters.kinds.text() == "Any task"
    assert view.desk.arrangement == Arrangement()


def test_that_overloads_are_wanted_only_while_they_are_asked_for(make: Make, qtbot: QtBot) -> None:
    view = make(week())
    view.desk.open_filter()
    actions = {action.text(): action for action in view.desk.filters.kinds.menu().actions()}
    with qtbot.waitSignal(view.desk.overloads_wanted) as told:
        actions["Overloaded"].trigger()
    assert told.args == [True]
    assert names(view) == []
    view.desk.show_overloads(frozenset({3}))
    assert names(view) == ["Build", "Roof"]


def test_that_changed_tasks_are_those_of_the_last_edit(make: Make) -> None:
    state = week()
    view = make(state)
    view.set_state(replace(tried(state, ResizeTask(3, 3 * WORKDAY)), revision=1))
    assert [view.table.is_changed(row, Column.FINISH) for row in range(5)] == [True, False, True, True, False]
    view.desk.open_filter()
    actions = {action.text(): action for action in view.desk.filters.kinds.menu().actions()}
    actions["Changed by the last edit"].trigger()
    assert names(view) == ["Build", "Roof", "Built"]


def test_that_groups_stand_under_headings_with_their_number_and_what_they_come_to(make: Make) -> None:
    view = make(week())
    view.desk.open_filter()
    view.desk.filters.grouping.setCurrentIndex(2)
    assert names(view) == ["Critical (3)", "Frame", "Roof", "Built", "With float (1)", "Paint"]
    model = view.table.task_model
    columns = [
        COLUMNS.index(each) for each in (Column.TASK, Column.DURATION, Column.FLOAT, Column.START, Column.FINISH)
    ]
    assert [model.data(model.index(0, at)) for at in columns] == [
        "Critical (3)",
        "5 d",
        "0",
        "Mon 2 Mar 2026 08:00",
        "Fri 6 Mar 2026 17:00",
    ]
    assert model.sentence(0) == "Group: Critical (3)"
    view.desk.clear()
    assert names(view) == ["Build", "Frame", "Roof", "Built", "Paint"]


def test_that_a_heading_folds_its_group_and_is_no_task_to_keys_and_clicks(make: Make) -> None:
    view = make(week())
    view.desk.group(Grouping.CRITICALITY)
    view.select((4,))
    QTest.keyClick(view.chart, Qt.Key.Key_Down)
    assert view.selection == (5,)
    QTest.keyClick(view.chart, Qt.Key.Key_Up)
    assert view.selection == (4,)
    QTest.keyClick(view.chart, Qt.Key.Key_Home)
    assert view.selection == (2,)
    QTest.keyClick(view.chart, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert sorted(view.selection) == [2, 3, 4, 5]
    at = view.table.visualRect(view.table.task_model.index(0, COLUMNS.index(Column.TASK))).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert names(view) == ["Critical (3)", "With float (1)", "Paint"]
    assert sorted(view.selection) == [2, 3, 4, 5]
    view.set_state(replace(week(), revision=1))
    assert names(view) == ["Critical (3)", "With float (1)", "Paint"]
    view.desk.reveal(3)
    assert names(view) == ["Critical (3)", "Frame", "Roof", "Built", "With float (1)", "Paint"]
    assert view.selection == (3,)
    QTest.keyClick(view.chart, Qt.Key.Key_Left)
    assert names(view) == ["Critical (3)", "With float (1)", "Paint"]
    view.desk.group(Grouping.STATUS)
    assert len(names(view)) == 5


def test_that_the_chart_draws_a_group_from_its_first_start_to_its_last_finish_and_nothing_to_hold(make: Make) -> None:
    view = make(week())
    view.desk.group(Grouping.CRITICALITY)
    layout = view._layout()
    heading, frame, built = layout.bar(0), layout.bar_of(2), layout.bar_of(4)
    assert heading.kind is BarKind.HEADING
    assert (heading.left, heading.right) == (frame.left, built.right)
    assert hit_at(layout, ((heading.left + heading.right) / 2, heading.y + 12)) is None
    drawn = still_scene(layout, Extras(400.0, text_width))
    boxes = [each for each in drawn if isinstance(each, Box) and each.y == heading.y + 10.5 and each.h == 3]
    assert [each.fill for each in boxes] == ["muted"]
    assert not [each for each in drawn if isinstance(each, Label) and each.y < METRICS.row_px]


def test_that_find_goes_on_around_the_end_and_back(make: Make) -> None:
    view = make(week())
    view.desk.open_find()
    finder = view.desk.finder
    QTest.keyClicks(finder.text, "buil")
    assert (view.selection, finder.count.text()) == ((1,), "1 of 2")
    QTest.keyClick(finder.text, Qt.Key.Key_Return)
    assert (view.selection, finder.count.text()) == ((4,), "2 of 2")
    QTest.keyClick(finder.text, Qt.Key.Key_Return)
    assert (view.selection, finder.count.text()) == ((1,), "1 of 2")
    QTest.keyClick(finder.text, Qt.Key.Key_Return, SHIFT)
    assert view.selection == (4,)
    QTest.keyClicks(finder.text, "x")
    assert finder.count.text() == "Nothing found"
    QTest.keyClick(finder.text, Qt.Key.Key_Escape)
    assert not finder.isVisible()


def test_that_what_is_found_is_unfolded(make: Make) -> None:
    view = make(week())
    view.select((1,))
    view.fold_chosen(True)
    view.desk.open_find()
    QTest.keyClicks(view.desk.finder.text, "roof")
    assert view.selection == (3,)
    assert "Roof" in names(view)


def test_that_rows_are_found_in_the_order_they_stand_and_not_where_they_are_filtered_away(make: Make) -> None:
    view = make(week())
    press_header(view, Column.DURATION)
    press_header(view, Column.DURATION)
    assert names(view) == ["Build", "Frame", "Roof", "Built", "Paint"]
    view.desk.open_find()
    QTest.keyClicks(view.desk.finder.text, "a")
    found = []
    for _ in range(3):
        found.append(view.selection[0])
        QTest.keyClick(view.desk.finder.text, Qt.Key.Key_Return)
    assert found == [2, 5, 2]
    view.desk.open_filter()
    QTest.keyClicks(view.desk.filters.text, "paint")
    view.desk.open_find()
    view.desk.finder.text.setText("frame")
    assert view.desk.finder.count.text() == "Nothing found"
    assert view.desk.filters.chip.text() == "1 of 5 rows, filtered, sorted by Duration"


def test_that_a_task_that_is_pointed_out_is_shown_though_it_was_filtered_away(make: Make) -> None:
    view = make(week())
    view.desk.open_filter()
    QTest.keyClicks(view.desk.filters.text, "paint")
    view.desk.reveal(2)
    assert view.selection == (2,)
    assert not view.desk.arrangement


def test_that_what_an_edit_makes_or_changes_out_of_sight_of_the_filter_is_said(make: Make, qtbot: QtBot) -> None:
    view = make(week())
    told: list[str] = []
    view.desk.told.connect(told.append)
    view.desk.open_filter()
    QTest.keyClicks(view.desk.filters.text, "paint")
    view.select((5,))
    view.set_state(edited(view.state, AddTask("Doors", after=5)))
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["The filter hides “Doors”: View ▸ Table ▸ Show every row brings it in sight."]
    view.set_state(edited(view.state, RenameTask(5, "Varnish")))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert "“Varnish”" in told[1]
    view.desk.clear()
    view.set_state(edited(view.state, AddTask("Windows", after=5)))
    qtbot.wait(20)
    assert len(told) == 2


@pytest.mark.parametrize("column", [Column.DURATION, Column.FLOAT])
def test_that_a_title_is_whole_while_its_column_sorts(make: Make, column: Column) -> None:
    view = make(week())
    header = view.table.header
    for press in range(3):
        needed = header.title_px(column) + 1.5 * PAD_PX
        assert header.sectionSize(COLUMNS.index(column)) >= needed, press
        press_header(view, column)


def test_that_the_menu_sorts_and_moves_the_present_column_by_keys(make: Make) -> None:
    view = make(week())
    header = view.table.header
    actions = {action.text(): action for action in header._menu(Column.DURATION).actions()}
    actions["Sort down"].trigger()
    assert names(view) == ["Build", "Frame", "Roof", "Built", "Paint"]
    actions["Move right"].trigger()
    assert header.shown == (Column.TASK, Column.FLOAT, Column.DURATION)
    assert not {action.text(): action for action in header._menu(Column.DURATION).actions()}["Move right"].isEnabled()
    assert not actions["The plan's own order"].isEnabled()
    {action.text(): action for action in header._menu(None).actions()}["Deadline"].trigger()
    assert Column.DEADLINE in header.shown
    {action.text(): action for action in header._menu(Column.TASK).actions()}["The plan's own order"].trigger()
    assert header.sort_mark is None


def test_that_columns_are_found_again_each_clock_its_own(make: Make) -> None:
    QSettings().clear()
    view = make(week())
    header = view.table.header
    memory = ColumnMemory(header)
    memory.take_up(Clock.CALENDAR)
    assert header.shown == (Column.TASK, Column.DURATION, Column.FLOAT)
    header._choose(Column.PREDECESSORS, True)
    header.moveSection(header.visualIndex(COLUMNS.index(Column.FLOAT)), header.visualIndex(0) + 1)
    header.resizeSection(COLUMNS.index(Column.DURATION), 133)
    left = header.shown
    assert {Column.NUMBER, Column.PREDECESSORS} <= set(left)
    memory.take_up(Clock.DEVICE)
    assert header.shown == (Column.TASK, Column.DURATION, Column.FLOAT)
    other = make(week()).table.header
    ColumnMemory(other).take_up(Clock.CALENDAR)
    assert other.shown == left
    assert other.sectionSize(COLUMNS.index(Column.DURATION)) == 133
    QSettings().clear()


def test_that_the_menu_of_a_device_plan_offers_its_own_columns(make: Make) -> None:
    texts = {action.text() for action in make(frames()).table.header._menu(None).actions()}
    assert {"Operation", "Stream", "Buffers", "Cost"} <= texts
    assert not {"Deadline", "Constraint", "% complete"} & texts


def test_that_left_and_right_go_through_the_cells_and_the_present_one_comes_in_sight(make: Make) -> None:
    view = make(week())
    for column in (Column.START, Column.FINISH, Column.CONSTRAINT, Column.DEADLINE):
        view.table.set_column_shown(column, True)
    view.choose_row(1)
    view.table.go_to(Column.DEADLINE)
    assert view.table.currentIndex() == view.table.task_model.index(1, COLUMNS.index(Column.DEADLINE))
    right = view.table.columnViewportPosition(COLUMNS.index(Column.DEADLINE)) + view.table.columnWidth(
        COLUMNS.index(Column.DEADLINE)
    )
    assert 0 < right <= view.table.viewport().width()
    assert view.table.step_column(1) is False


def test_that_the_keyboard_leaves_a_column_that_is_hidden(make: Make) -> None:
    view = make(week())
    view.choose_row(1)
    view.table.go_to(Column.FLOAT)
    view.table.set_column_shown(Column.FLOAT, False)
    assert (view.table.column, view.table.block) == (Column.TASK, (Column.TASK,))


def test_that_a_screen_reader_hears_rows_with_their_progress_and_cells_with_their_titles(make: Make) -> None:
    plan = week().plan
    frame = replace(plan.tasks[1], progress=Progress(40.0, plan.start))
    model = make(state_of(plan.with_task(frame))).table.task_model
    says = [
        model.data(model.index(1, COLUMNS.index(column)), Qt.ItemDataRole.AccessibleTextRole)
        for column in (Column.TASK, Column.DURATION, Column.DEADLINE)
    ]
    assert says == [
        "Frame, Mon 2 Mar 2026 08:00 to Wed 4 Mar 2026 17:00, 40 %, critical",
        "Duration of Frame: 3 d",
        "Deadline of Frame: none",
    ]


def choose(view: GanttView, *titles: str) -> None:
    for name in titles:
        {action.text(): action for action in view.table.header._menu(None).actions()}[name].trigger()


def is_seen(view: GanttView, column: Column) -> bool:
    header, section = view.table.header, COLUMNS.index(column)
    left = header.sectionViewportPosition(section)
    return left >= 0 and left + header.sectionSize(section) <= view.table.viewport().width()


def test_that_the_table_widens_for_a_column_that_is_chosen_and_tells_so(make: Make) -> None:
    view = make(week())
    assert view.table.width() == METRICS.left_width_px
    told: list[int] = []
    view.left_width_changed.connect(told.append)
    choose(view, "Deadline", "Resources")
    assert told[-1] == view.table.width()
    assert METRICS.left_width_px < view.table.width() <= 600
    assert all(is_seen(view, column) for column in view.table.header.shown)
    assert view.table.horizontalScrollBar().maximum() == 0


def test_that_the_table_leaves_the_chart_half_and_scrolls_to_what_has_no_room(make: Make, qtbot: QtBot) -> None:
    view = make(week())
    choose(view, "Deadline", "Resources", "Constraint", "Calendar", "Priority", "Work", "Free float")
    assert view.table.width() == 600
    assert is_seen(view, Column.FREE_FLOAT)
    assert not is_seen(view, Column.TASK)
    with qtbot.assertNotEmitted(view.left_width_changed):
        choose(view, "Work")  # hides it
    choose(view, "Start")
    assert is_seen(view, Column.START)
