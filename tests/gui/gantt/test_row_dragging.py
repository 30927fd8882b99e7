"""Rows of the table that are carried elsewhere, in numbers and by a real mouse."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.model import Dependency
from engine.session.row_edits import MoveRows
from gui.gantt.columns import COLUMNS, Column
from gui.gantt.grouping import Grouping
from gui.gantt.row_drops import drop_between, steps_aside
from gui.gantt.rows import Rows
from gui.gantt.view import GanttView
from gui.theme import METRICS
from tests.gui.gantt.plans import week
from tests.gui.gantt.views import shown_view

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize(
    ("task", "gap", "depth", "parent", "before", "at_depth"),
    [
        (5, 2, 1, 1, 3, 1),
        (5, 2, 0, 1, 3, 1),
        (5, 2, 2, 2, None, 2),
        (5, 4, 1, 1, None, 1),
        (5, 4, 0, None, None, 0),
        (5, 0, 7, None, 1, 0),
        (4, 5, 0, None, None, 0),
        (4, 5, 3, 5, None, 1),
        (2, 4, 1, 1, None, 1),
        (3, 3, 2, 2, None, 2),
        (1, 5, 0, None, None, 0),
        (1, 2, 1, None, 5, 0),
    ],
)
def test_that_rows_go_between_two_others_as_deep_as_those_allow(
    task: int, gap: int, depth: int, parent: int | None, before: int | None, at_depth: int
) -> None:
    """Build holds Frame, Roof and Built; Paint stands below it."""
    plan = week().plan
    drop = drop_between(plan, Rows.of(week()), (task,), gap, depth, is_aside=True)
    assert drop is not None
    assert (drop.parent, drop.before, drop.depth) == (parent, before, at_depth)
    drop.edit().apply(replace(plan, dependencies=()))


@pytest.mark.parametrize(("task", "gap", "depth", "parent"), [(5, 2, 2, 1), (4, 5, 1, None), (3, 3, 2, 1)])
def test_that_a_task_becomes_a_summary_only_of_rows_that_were_carried_aside(
    task: int, gap: int, depth: int, parent: int | None
) -> None:
    drop = drop_between(week().plan, Rows.of(week()), (task,), gap, depth)
    assert drop is not None
    assert drop.parent == parent


@pytest.mark.parametrize(
    ("right_px", "is_by_name", "levels"),
    [(0, True, 0), (20, True, 0), (-27, True, 0), (28, True, 1), (-28, True, -1), (45, True, 2), (300, False, 0)],
)
def test_that_rows_go_aside_by_their_names_and_not_by_the_way_a_hand_wanders(
    right_px: int, is_by_name: bool, levels: int
) -> None:
    assert steps_aside(right_px, is_by_name) == levels


def test_that_nothing_is_dropped_into_a_folded_summary_nor_among_sorted_rows() -> None:
    folded = Rows.of(week(), frozenset({1}))
    drop = drop_between(week().plan, folded, (5,), 1, 1)
    assert drop is not None
    assert (drop.parent, drop.before) == (None, None)
    rows = Rows.of(week())
    assert drop_between(week().plan, replace(rows, plan_rows=rows.plan_rows[::-1]), (5,), 2, 0) is None
    assert drop_between(week().plan, replace(rows, headings={0: "Crew"}), (5,), 2, 0) is None


@pytest.fixture
def view(qtbot: QtBot) -> GanttView:
    state = week()
    view = shown_view(qtbot, state, 300)
    view.edits = []
    view.edit_made.connect(view.edits.append)
    return view


Carry = Callable[[int, int, int], None]


def place(view: GanttView, row: int, dx: int = 0, dy: int = 12) -> QPoint:
    left = view.table.columnViewportPosition(COLUMNS.index(Column.TASK))
    return QPoint(left + 60 + dx, row * METRICS.row_px + dy)


def carry(view: GanttView, start: QPoint, end: QPoint) -> None:
    target = view.table.viewport()
    QTest.mousePress(target, LEFT, NONE, start)
    for step in range(1, 6):
        QTest.mouseMove(target, start + (end - start) * (step / 5))


def test_that_a_row_is_carried_above_another(view: GanttView) -> None:
    carry(view, place(view, 4), place(view, 2, dy=-3))
    assert view.row_dragging.mark.isVisible()
    QTest.mouseRelease(view.table.viewport(), LEFT, NONE, place(view, 2, dy=-3))
    assert view.edits == [MoveRows((5,), 1, 3)]
    assert not view.row_dragging.mark.isVisible()


def test_that_a_row_is_carried_in_and_out_sideways(view: GanttView) -> None:
    for row, dx in ((2, 2 * METRICS.indent_px), (3, -2 * METRICS.indent_px)):
        carry(view, place(view, row), place(view, row, dx))
        QTest.mouseRelease(view.table.viewport(), LEFT, NONE, place(view, row, dx))
    assert view.edits == [MoveRows((3,), 2, None), MoveRows((4,), None, 5)]
    after = view.edits[1].apply(week().plan)
    assert Dependency(3, 4) in after.dependencies


def test_that_a_row_held_at_another_column_is_carried_up_and_down_and_never_aside(view: GanttView) -> None:
    left = view.table.columnViewportPosition(COLUMNS.index(Column.DURATION))
    start = QPoint(left + 20, 2 * METRICS.row_px + 12)
    for end in (start + QPoint(-90, 3), start + QPoint(60, 0)):
        carry(view, start, end)
        assert not view.row_dragging.mark.isVisible()
        QTest.mouseRelease(view.table.viewport(), LEFT, NONE, end)
    assert view.edits == []
    end = start + QPoint(-90, 2 * METRICS.row_px)
    carry(view, start, end)
    QTest.mouseRelease(view.table.viewport(), LEFT, NONE, end)
    assert view.edits == [MoveRows((3,), 1, None)]


def test_that_keys_do_nothing_to_rows_while_they_are_carried(view: GanttView) -> None:
    carry(view, place(view, 4), place(view, 2, dy=-3))
    assert view.is_held
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_X, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(view.table, key)
    assert view.row_dragging.mark.isVisible()
    assert view.edits == []
    assert view.selection == (5,)
    QTest.mouseRelease(view.table.viewport(), LEFT, NONE, place(view, 2, dy=-3))
    assert view.edits == [MoveRows((5,), 1, 3)]
    assert not view.is_held


def test_that_several_chosen_rows_are_carried_together_and_a_click_chooses_one(view: GanttView) -> None:
    view.select((2, 5))
    carry(view, place(view, 4), place(view, 3, dy=1))
    QTest.mouseRelease(view.table.viewport(), LEFT, NONE, place(view, 3, dy=1))
    assert view.edits == [MoveRows((2, 5), 1, 4)]
    assert set(view.selection) == {2, 5}
    QTest.mouseClick(view.table.viewport(), LEFT, NONE, place(view, 4))
    assert view.selection == (5,)


def test_that_escape_and_a_drop_outside_drop_and_a_click_moves_nothing(view: GanttView) -> None:
    target = view.table.viewport()
    carry(view, place(view, 4), place(view, 1))
    QTest.keyClick(view.table, Qt.Key.Key_Escape)
    assert not view.row_dragging.mark.isVisible()
    QTest.mouseRelease(target, LEFT, NONE, place(view, 1))
    carry(view, place(view, 4), QPoint(-300, 30))
    QTest.mouseRelease(target, LEFT, NONE, QPoint(-300, 30))
    QTest.mouseClick(target, LEFT, NONE, place(view, 2))
    assert view.edits == []
    assert view.selection == (3,)


def test_that_rows_that_are_sorted_or_grouped_stay_and_it_is_said(view: GanttView) -> None:
    told: list[str] = []
    view.row_dragging.told.connect(told.append)
    for arrange in (lambda: view.desk.sort(Column.DURATION), lambda: view.desk.group(Grouping.STATUS)):
        arrange()
        carry(view, place(view, 3), place(view, 1))
        QTest.mouseRelease(view.table.viewport(), LEFT, NONE, place(view, 1))
        assert view.edits == []
        assert "Show every row" in told.pop()
        view.desk.clear()
    carry(view, place(view, 4), QPoint(-300, 30))
    QTest.mouseRelease(view.table.viewport(), LEFT, NONE, QPoint(-300, 30))
    assert told == []
