"""A table wider than its room: names that stay in sight, keys to its ends, and room made for it by a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.session.document import Document
from gui.gantt.cell_editing import CellEditing
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.view import GanttView
from tests.gui.gantt.plans import week

Key, LEFT, NONE = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NAMES = COLUMNS.index(Column.TASK)
Make = Callable[[], GanttView]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    """A view whose table has many columns and room for few."""

    def made() -> GanttView:
        document = Document(week().plan)
        view = GanttView(document.trial)
        view.editing = CellEditing(view)
        qtbot.addWidget(view)
        view.resize(1400, 400)
        view.show()
        qtbot.waitExposed(view)
        view.set_state(document.state)
        view.set_left_width(420)
        for column in (Column.START, Column.FINISH, Column.CONSTRAINT, Column.PREDECESSORS):
            view.table.set_column_shown(column, True)
        document.subscribe(view.set_state)
        view.edit_made.connect(document.execute)
        view.activateWindow()
        view.table.setFocus()
        qtbot.waitUntil(view.table.hasFocus)
        return view

    return made


def strip(widget: QWidget, width: int) -> QImage:
    """The left of what a widget shows."""
    return widget.grab(QRect(0, 0, width, widget.height())).toImage()


def test_that_names_look_the_same_however_far_columns_are_scrolled(make: Make) -> None:
    view = make()
    table, bar = view.table, view.table.horizontalScrollBar()
    width = table.columnWidth(NAMES) - 1
    before = [strip(part, width) for part in (table.viewport(), table.header.viewport())]
    bar.setValue(bar.maximum())
    assert bar.maximum() > 100
    assert table.frozen_px == width + 1
    assert [strip(part, width) for part in (table.viewport(), table.header.viewport())] == before
    bar.setValue(0)
    assert table.frozen_px == 0


def test_that_a_press_on_a_name_that_stays_is_one_on_the_name(make: Make) -> None:
    view = make()
    table = view.table
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    place = QPoint(60, table.rowViewportPosition(2) + 12)
    assert table.indexAt(place).column() == NAMES
    assert table.visualRect(table.task_model.index(2, NAMES)).left() == 0
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)
    assert (view.selection, table.column) == ((3,), Column.TASK)
    assert table.frozen_px
    QTest.keyClick(table, Key.Key_F2)
    assert view.editing.editor.x() == 0
    QTest.keyClick(view.editing.editor, Key.Key_Escape)
    QTest.mouseClick(table.viewport(), LEFT, NONE, QPoint(16, 12))
    assert table.task_model.rowCount() == 2
    sorted_by: list[Column] = []
    table.header.sort_asked.connect(lambda column, _: sorted_by.append(column))
    QTest.mouseClick(table.header.viewport(), LEFT, NONE, QPoint(60, 30))
    assert sorted_by == [Column.TASK]


def test_that_a_cell_that_is_gone_to_is_never_under_the_names(make: Make) -> None:
    view = make()
    table = view.table
    view.choose_row(1)
    for column in (*table.header.shown, *reversed(table.header.shown)):
        table.go_to(column)
        cell = table.visualRect(table.task_model.index(1, COLUMNS.index(column)))
        assert cell.left() >= (0 if column is Column.TASK else table.frozen_px)
        assert cell.right() <= table.viewport().width()


def test_that_names_do_not_stay_where_they_would_take_all_the_room(make: Make) -> None:
    view = make()
    view.set_left_width(160)
    table = view.table
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    assert table.frozen_px == 0


def test_that_home_and_end_go_through_a_row_and_with_control_through_the_table(make: Make) -> None:
    view = make()
    table = view.table
    view.choose_row(1)
    last = table.header.shown[-1]
    QTest.keyClick(table, Key.Key_End)
    assert (table.column, view.selection) == (last, (2,))
    QTest.keyClick(table, Key.Key_Home, SHIFT)
    assert table.block == table.header.shown
    assert table.horizontalScrollBar().value() == 0
    QTest.keyClick(table, Key.Key_End, CONTROL)
    end = view.selection
    assert (table.column, table.currentIndex().row()) == (last, table.task_model.rowCount() - 1)
    QTest.keyClick(table, Key.Key_Home, CONTROL)
    assert (table.column, view.selection) == (table.header.shown[0], (1,))
    QTest.keyClick(table, Key.Key_End, CONTROL | SHIFT)
    assert set(view.selection) >= {1, *end}
    QTest.keyClick(view.chart, Key.Key_Home, CONTROL)
    assert view.selection == (1,)


def test_that_the_table_becomes_as_wide_as_its_columns_and_as_it_was(make: Make) -> None:
    view = make()
    told: list[int] = []
    view.left_width_changed.connect(told.append)
    view.frame.widen()
    assert view.table.width() == view.table.header.least_px
    assert view.table.horizontalScrollBar().maximum() == 0
    view.frame.widen()
    assert view.table.width() == 420
    assert told[-1] == 420
    view.resize(700, 400)
    view.frame.widen()
    assert view.chart.width() > 150
