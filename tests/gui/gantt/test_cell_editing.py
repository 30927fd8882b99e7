"""Cells typed over in place, by real keys."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.model import Alternative, ConstraintKind, Resource, ResourceKind
from engine.schedule.cpm import schedule
from engine.session.document import Document
from engine.session.state import State
from gui.gantt.cell_editing import CellEditing
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.figures import figures_of
from gui.gantt.view import GanttView
from gui.habits import date_order
from tests.gui.gantt.plans import HOUR, WORKDAY, at, frames, week

Make = Callable[..., tuple[GanttView, CellEditing, Document]]
LEFT, NONE, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL, Key = Qt.KeyboardModifier.ControlModifier, Qt.Key


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    """A view over a document, with every column that a planner types into."""

    def made(state: State | None = None) -> tuple[GanttView, CellEditing, Document]:
        document = Document((state or week()).plan)
        view = GanttView(document.trial)
        editing = CellEditing(view)
        qtbot.addWidget(view)
        view.resize(1400, 400)
        view.show()
        qtbot.waitExposed(view)
        view.set_state(document.state)
        view.set_left_width(1000)
        for column in (Column.START, Column.FINISH, Column.PREDECESSORS):
            view.table.set_column_shown(column, True)
        document.subscribe(view.set_state)
        view.edit_made.connect(document.execute)
        view.activateWindow()
        view.table.setFocus()
        qtbot.waitUntil(view.table.hasFocus)
        return view, editing, document

    return made


def go(view: GanttView, row: int, column: Column) -> None:
    view.choose_row(row)
    view.table.go_to(column)


def write(view: GanttView, editing: CellEditing, text: str) -> None:
    """The first letter opens the cell, the others go into it."""
    QTest.keyClicks(view.table, text[0])
    QTest.keyClicks(editing.editor, text[1:])


def test_that_a_text_is_begun_taken_with_enter_and_the_next_row_chosen(make: Make) -> None:
    view, editing, document = make()
    go(view, 1, Column.DURATION)
    QTest.keyClicks(view.table, "5")
    assert editing.editor.isVisible()
    assert editing.editor.text() == "5"
    QTest.keyClicks(editing.editor, "d")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.plan.task(2).duration == 5 * WORKDAY
    assert document.state.undo_label == "Set the duration of “Frame”"
    assert not editing.editor.isVisible()
    assert view.selection == (3,)
    assert view.table.column is Column.DURATION
    assert view.table.hasFocus()


def test_that_f2_opens_what_is_there_and_escape_leaves_it(make: Make) -> None:
    view, editing, document = make()
    go(view, 1, Column.DURATION)
    QTest.keyClick(view.table, Key.Key_F2)
    assert (editing.editor.text(), editing.editor.selectedText()) == ("3d", "3d")
    QTest.keyClicks(editing.editor, "9d")
    QTest.keyClick(editing.editor, Key.Key_Escape)
    assert document.state.plan.task(2).duration == 3 * WORKDAY
    assert view.table.hasFocus()


def test_that_what_was_not_changed_is_no_edit(make: Make) -> None:
    """A start that is looked at and left must not become a constraint."""
    view, editing, document = make()
    go(view, 1, Column.START)
    QTest.keyClick(view.table, Key.Key_Return)
    assert editing.editor.text() == "2026-03-02 08:00"
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.revision == 0


def test_that_tab_goes_right_and_shift_tab_left(make: Make) -> None:
    view, editing, document = make()
    go(view, 1, Column.TASK)
    QTest.keyClick(view.table, Key.Key_F2)
    editing.editor.setText("Hull")
    QTest.keyClick(editing.editor, Key.Key_Tab)
    assert document.state.plan.task(2).name == "Hull"
    assert (view.table.column, view.selection) == (Column.DURATION, (2,))
    QTest.keyClick(view.table, Key.Key_F2)
    QTest.keyClick(editing.editor, Key.Key_Backtab, SHIFT)
    assert view.table.column is Column.TASK


def test_that_a_wrong_text_stays_with_a_sentence_until_it_is_mended(make: Make) -> None:
    view, editing, document = make()
    go(view, 1, Column.START)
    write(view, editing, "soon")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert editing.editor.isVisible()
    assert editing.editor.text() == "soon"
    assert editing.editor.note.isVisible()
    assert editing.editor.note.label.text().startswith("“soon” is no date: write 2026-03-03")
    interface = QAccessible.queryAccessibleInterface(editing.editor)
    assert interface.text(QAccessible.Text.Name) == "Start of Frame"
    assert interface.text(QAccessible.Text.Description).startswith("“soon” is no date")
    assert document.state.revision == 0
    QTest.keyClick(editing.editor, Key.Key_A, CONTROL)
    QTest.keyClicks(editing.editor, "2026-03-04")
    assert not editing.editor.note.isVisible()
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.plan.task(2).pin == at(2026, 3, 4, 8)


def test_that_a_press_elsewhere_takes_a_text_and_keeps_a_wrong_one(make: Make) -> None:
    view, editing, document = make()
    go(view, 1, Column.DURATION)
    write(view, editing, "4d")
    view.chart.setFocus()
    assert document.state.plan.task(2).duration == 4 * WORKDAY
    go(view, 1, Column.DURATION)
    view.table.setFocus()
    write(view, editing, "xx")
    view.chart.setFocus()
    assert editing.editor.isVisible()
    assert editing.editor.text() == "xx"
    cell = view.table.visualRect(view.table.task_model.index(4, 1)).center()
    QTest.mouseDClick(view.table.viewport(), LEFT, NONE, cell)
    assert editing.editor.text() == "xx"


def test_that_a_double_click_opens_a_cell(make: Make) -> None:
    view, editing, _ = make()
    cell = view.table.visualRect(view.table.task_model.index(2, 1)).center()
    QTest.mouseDClick(view.table.viewport(), LEFT, NONE, cell)
    assert editing.editor.isVisible()
    assert editing.editor.text() == "2d"
    assert editing.editor.geometry().contains(cell)


def test_that_a_typed_date_is_told_to_be_a_constraint(make: Make, qtbot: QtBot) -> None:
    view, editing, document = make()
    go(view, 4, Column.FINISH)
    write(view, editing, "fri")
    with qtbot.waitSignal(editing.told) as told:
        QTest.keyClick(editing.editor, Key.Key_Return)
    assert "“Paint” finishes no earlier than Fri 6 Mar 2026 17:00" in told.args[0]
    assert document.state.plan.task(5).constraint is ConstraintKind.FINISH_NO_EARLIER_THAN


def test_that_predecessors_are_typed_by_number(make: Make) -> None:
    view, editing, document = make()
    go(view, 4, Column.PREDECESSORS)
    write(view, editing, "3FS+1d")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.schedule.start_of(5) == at(2026, 3, 10, 8)
    model = view.table.task_model
    assert model.data(model.index(4, COLUMNS.index(Column.PREDECESSORS))) == "3FS+1d"
    document.undo()
    assert model.data(model.index(4, COLUMNS.index(Column.PREDECESSORS))) == ""


def test_that_control_enter_fills_all_that_are_chosen_in_one_step(make: Make) -> None:
    view, editing, document = make()
    view.select((5, 3, 2))
    view.table.go_to(Column.DURATION)
    write(view, editing, "2h")
    QTest.keyClick(editing.editor, Key.Key_Return, CONTROL)
    assert [document.state.plan.task(n).duration for n in (2, 3, 5)] == [2 * HOUR] * 3
    assert document.state.undo_label == "Fill Duration of 3 tasks"
    document.undo()
    assert document.state.plan == week().plan


def test_that_what_is_computed_says_so(make: Make, qtbot: QtBot) -> None:
    view, editing, _ = make()
    go(view, 1, Column.FLOAT)
    with qtbot.waitSignal(editing.told) as told:
        QTest.keyClick(view.table, Key.Key_F2)
    assert told.args == ["“Float” follows from the plan: it is not typed."]
    assert not editing.editor.isVisible()


def test_that_the_editor_stays_at_its_cell_and_goes_with_its_task(make: Make) -> None:
    view, editing, document = make()
    go(view, 4, Column.DURATION)
    QTest.keyClick(view.table, Key.Key_F2)
    before = editing.editor.y()
    view.rearrange(frozenset({1}))
    assert editing.editor.y() == before - 3 * view.table.rowHeight(0)
    plan = document.state.plan
    view.set_state(replace(document.state, plan=replace(plan, tasks=plan.tasks[:4]), revision=1))
    assert not editing.editor.isVisible()


def test_that_arrows_go_through_cells_and_a_name_still_folds(make: Make) -> None:
    view, _, _ = make()
    go(view, 0, Column.TASK)
    QTest.keyClick(view.table, Key.Key_Left)
    assert view.table.task_model.rowCount() == 2
    QTest.keyClick(view.table, Key.Key_Right)
    assert view.table.task_model.rowCount() == 5
    QTest.keyClick(view.table, Key.Key_Right)
    assert view.table.column is Column.DURATION
    QTest.keyClick(view.table, Key.Key_Right, SHIFT)
    assert view.table.block == (Column.DURATION, Column.FLOAT)
    QTest.keyClick(view.table, Key.Key_Space, SHIFT)
    assert view.table.block == view.table.header.shown
    QTest.keyClick(view.table, Key.Key_Left)
    assert len(view.table.block) == 1


def test_that_a_device_plan_is_typed_in_its_units(make: Make) -> None:
    view, editing, document = make(frames())
    go(view, 4, Column.DURATION)
    write(view, editing, "1.5 ms")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.plan.task(5).duration == 1_500_000


def test_that_the_order_of_dates_is_that_of_the_locale() -> None:
    assert [date_order(text).value for text in ("dd/MM/yyyy", "M/d/yy", "yyyy-MM-dd")] == ["D/M/Y", "M/D/Y", "Y/M/D"]


def test_that_a_press_on_a_cell_goes_there(make: Make) -> None:
    view, _, _ = make()
    at_start = COLUMNS.index(Column.START)
    cell = view.table.visualRect(view.table.task_model.index(2, at_start)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, NONE, cell)
    assert (view.table.column, view.selection) == (Column.START, (3,))
    assert view.table.currentIndex().column() == at_start
    assert QPoint(cell).x() > 0


def test_that_alternatives_are_typed_over_in_their_column_as_one_step(make: Make) -> None:
    plan = replace(week().plan, resources=(Resource(1, "Lathe 2", ResourceKind.MACHINE), Resource(2, "Lathe 3")))
    view, editing, document = make(State(plan, schedule(plan)))
    for column in (Column.ALTERNATIVES, Column.SKILL, Column.FAMILY):
        view.table.set_column_shown(column, True)
    go(view, 1, Column.ALTERNATIVES)
    write(view, editing, "lathe 2 (3h); Lathe 4")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert editing.editor.isVisible()
    assert editing.editor.accessibleDescription().startswith("“Lathe 4” is no machine or person of the plan")
    editing.editor.setText("lathe 2 (3h); Lathe 3")
    QTest.keyClick(editing.editor, Key.Key_Return)
    assert document.state.plan.alternatives == (Alternative(2, 1, duration=3 * HOUR), Alternative(2, 2))
    assert document.state.undo_label == "Set the alternatives of “Frame”"
    assert figures_of(document.state).text(1, Column.ALTERNATIVES) == "Lathe 2 (3h); Lathe 3"
    document.undo()
    assert document.state.plan.alternatives == ()
