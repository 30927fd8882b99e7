"""New tasks typed as rows of the table, in a window with real keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog

from engine.model import Clock
from engine.session.edits import RenameTask
from gui.gantt.arranging import Filter
from gui.gantt.columns import Column
from gui.main_window import MainWindow
from tests.gui.gantt.plans import WORKDAY
from tests.gui.shell import action, settle, show, shown, until

Key = Qt.Key


def names(window: MainWindow) -> list[str]:
    return [task.name for task in window.bridge.state.plan.tasks]


def typed(text: str, key: Key = Key.Key_Return) -> None:
    field = QApplication.focusWidget()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, key)


async def begun(window: MainWindow, *tasks: int) -> None:
    """These are chosen, the keyboard is in the table, and Ins is pressed."""
    window.activateWindow()
    await until(window.isActiveWindow)
    window.gantt.select(tasks)
    window.gantt.table.setFocus()
    QTest.keyClick(window.gantt.table, Key.Key_Insert)


async def test_that_many_tasks_are_typed_one_below_the_other(qapp: QApplication) -> None:
    async with shown(qapp) as (window, _):
        window.bridge.new(Clock.CALENDAR)
        await begun(window)
        for number in range(1, 16):
            typed(f"task {number}")
        assert names(window) == [f"task {number}" for number in range(1, 16)]
        assert not [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Escape)
        assert len(names(window)) == window.gantt.table.task_model.rowCount() == 15
        assert window.gantt.selection == (15,)
        assert QApplication.focusWidget() is window.gantt.table
        window.bridge.undo()
        assert names(window)[-1] == "task 14"


async def test_that_a_row_between_others_stays_chosen_once_it_is_named(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        await begun(window, 1)
        assert window.gantt.table.task_model.rowCount() == 4
        typed("survey")
        assert names(window) == ["dig", "survey", "pour", "build"]
        assert window.gantt.selection == (4,)
        QTest.keyClick(window.gantt.table, Key.Key_Insert)
        typed("permit", Key.Key_Tab)
        assert names(window) == ["dig", "survey", "permit", "pour", "build"]
        assert window.gantt.table.column is Column.DURATION
        QTest.keyClicks(window.gantt.table, "5")
        typed("d")
        assert window.bridge.state.plan.task(5).duration == 5 * WORKDAY


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Return])
async def test_that_a_row_that_is_dropped_leaves_no_trace(qapp: QApplication, house: str, key: Key) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "survey"))
        window.bridge.undo()
        before = window.bridge.state
        await begun(window, 1)
        typed("", key)
        settle(qapp)
        assert window.bridge.state is before
        assert before.redo_label
        assert window.gantt.table.task_model.rowCount() == 3
        assert window.gantt.selection == (1,)
        assert QApplication.focusWidget() is window.gantt.table
        assert heard.failures == []


async def test_that_a_press_elsewhere_keeps_a_name_and_drops_a_row_without_one(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        await begun(window, 1)
        table = window.gantt.table
        below = table.visualRect(table.task_model.index(2, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=below)
        settle(qapp)
        assert names(window) == ["dig", "pour", "build"]
        assert window.gantt.selection == (2,)
        await begun(window, 1)
        QTest.keyClicks(QApplication.focusWidget(), "survey")
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=below)
        settle(qapp)
        assert names(window) == ["dig", "survey", "pour", "build"]


async def test_that_a_name_is_kept_when_the_plan_changes_under_it(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        await begun(window, 3)
        QTest.keyClicks(QApplication.focusWidget(), "roof")
        window.bridge.execute(RenameTask(1, "survey"))
        await until(lambda: len(names(window)) == 4)
        assert names(window) == ["survey", "pour", "build", "roof"]


async def test_that_a_name_goes_with_the_plan_that_it_was_typed_for(
    qapp: QApplication, house: str, frames: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        await begun(window, 3)
        QTest.keyClicks(QApplication.focusWidget(), "roof")
        await show(window, frames)
        settle(qapp)
        assert "roof" not in names(window)
        assert not window.commands.table.new_row.editor.isVisible()


async def test_that_a_dialog_asks_where_no_row_could_be_seen(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.desk.set_filter(Filter(text="pour"))
        await begun(window, 2)
        assert window.findChild(QInputDialog).isVisible()
        window.findChild(QInputDialog).reject()
        window.gantt.desk.clear()
        action(window, "show_board").trigger()
        settle(qapp)
        action(window, "add_task").trigger()
        assert [each for each in window.findChildren(QInputDialog) if each.isVisible()]
