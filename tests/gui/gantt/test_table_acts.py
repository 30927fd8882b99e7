"""The task table in the window: its actions, its keys before the window's, and what is said of an entry."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from engine.formats import loom
from engine.model import Assignment, Resource
from gui.gantt.columns import COLUMNS, Column
from gui.main_window import MainWindow
from tests.gui.shell import action, settle, show, shown, three_days, two_frames, until

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier


async def open_house(window: MainWindow, folder: Path) -> None:
    loom.save(folder / "house.loom", three_days())
    await show(window, str(folder / "house.loom"))
    window.activateWindow()
    window.gantt.table.setFocus()
    await until(window.gantt.table.hasFocus)
    window.gantt.choose_row(0)


async def test_that_a_key_that_is_a_shortcut_is_a_letter_in_the_table(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        followed: list[bool] = []
        action(window, "follow").triggered.connect(lambda: followed.append(True))
        QTest.keyClick(window.gantt.table, Key.Key_L)
        editor = window.commands.table.editing.editor
        assert editor.isVisible()
        assert editor.text().casefold() == "l"
        assert followed == []
        QTest.keyClick(editor, Key.Key_Return)
        assert window.bridge.state.plan.task(1).name.casefold() == "l"
        assert window.bridge.state.undo_label == "Rename “dig”"


async def test_that_a_typed_start_is_explained_in_the_status_line(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await open_house(window, tmp_path)
        window.gantt.table.set_column_shown(Column.START, True)
        window.gantt.table.go_to(Column.START)
        QTest.keyClick(window.gantt.table, Key.Key_F2)
        editor = window.commands.table.editing.editor
        editor.setText("2026-03-04")
        QTest.keyClick(editor, Key.Key_Return)
        assert heard.messages[-1] == "“dig” starts no earlier than Wed 4 Mar 2026 08:00 from now on."
        action(window, "undo").trigger()
        assert window.bridge.state.plan == three_days()


async def test_that_find_and_filter_are_reached_by_their_keys(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        QTest.keyClick(window, Key.Key_F, CONTROL)
        desk = window.gantt.desk
        assert desk.finder.text.hasFocus()
        QTest.keyClicks(desk.finder.text, "bu")
        assert window.gantt.selection == (3,)
        QTest.keyClick(window, Key.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
        assert desk.filters.text.hasFocus()
        QTest.keyClicks(desk.filters.text, "po")
        assert desk.filters.chip.text() == "1 of 3 rows, filtered"
        QTest.keyClick(window, Key.Key_F, CONTROL | Qt.KeyboardModifier.AltModifier)
        assert len(window.gantt.table.task_model.rows) == 3


async def test_that_columns_are_remembered_by_the_next_window(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        action(window, "columns").trigger()
        (menu,) = window.gantt.table.header.findChildren(QMenu)
        next(each for each in menu.actions() if each.text() == "Deadline").trigger()
        menu.close()
        assert not window.gantt.table.isColumnHidden(COLUMNS.index(Column.DEADLINE))
        other = MainWindow(window.bridge, window._appearance, lambda: 3.0)
        loom.save(tmp_path / "other.loom", three_days())
        await show(other, str(tmp_path / "other.loom"))
        settle(qapp)
        assert not other.gantt.table.isColumnHidden(COLUMNS.index(Column.DEADLINE))
        loom.save(tmp_path / "frames.loom", two_frames())
        await show(other, str(tmp_path / "frames.loom"))
        assert other.gantt.table.isColumnHidden(COLUMNS.index(Column.DEADLINE))
        other.deleteLater()


async def test_that_several_columns_are_chosen_in_one_go(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        header = window.gantt.table.header
        action(window, "columns").trigger()
        (menu,) = header.findChildren(QMenu)
        for word, key in (
            ("dea", Key.Key_Space),
            ("work", Key.Key_Return),
            ("dea", Key.Key_Space),
            ("pred", Key.Key_Enter),
        ):
            menu._since.invalidate()  # a moment later
            QTest.keyClicks(menu, word)
            QTest.keyClick(menu, key)
            assert menu.isVisible()
        assert {Column.WORK, Column.PREDECESSORS, Column.NUMBER} <= set(header.shown)
        assert Column.DEADLINE not in header.shown
        checked = {each.text() for each in menu.actions() if each.isChecked()}
        assert {"Work", "Predecessors", "No."} <= checked
        skill = next(each for each in menu.actions() if each.text() == "Skill")
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(skill).center())
        assert menu.isVisible()
        assert Column.SKILL in header.shown
        QTest.keyClick(menu, Key.Key_Escape)
        assert not menu.isVisible()


async def test_that_a_letter_again_and_again_goes_through_all_that_begin_with_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await open_house(window, tmp_path)
        action(window, "columns").trigger()
        (menu,) = window.gantt.table.header.findChildren(QMenu)
        found = []
        for _ in range(6):
            QTest.keyClick(menu, Key.Key_S)
            found.append(menu.activeAction().text())
        assert found == ["Sort up", "Sort down", "Start", "Skill", "Start variance", "Sort up"]
        menu.close()


async def test_that_overloaded_tasks_are_found_out_by_a_worker(qapp: QApplication, tmp_path: Path) -> None:
    plan = replace(three_days(), resources=(Resource(1, "Ann"),), assignments=(Assignment(1, 1), Assignment(2, 1)))
    loom.save(tmp_path / "house.loom", plan)
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "house.loom"))
        action(window, "filter").trigger()
        actions = {each.text(): each for each in window.gantt.desk.filters.kinds.menu().actions()}
        actions["Overloaded"].trigger()
        await until(lambda: len(window.gantt.table.task_model.rows) == 2)
        assert window.gantt.desk.filters.chip.text() == "2 of 3 rows, filtered"
