"""Branches in the window: made, edited, seen under the bars, listed, merged and deleted, by mouse and keys."""

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit

from engine.formats import loom
from engine.session.document import Document
from engine.session.edits import RenameTask, ResizeTask
from engine.session.scenarios import MAIN
from gui.dialogs.merge_dialog import MergeDialog
from gui.dialogs.notes_dialog import NotesDialog
from gui.main_window import MainWindow
from tests.gui.shell import action, answer, emitted, ended, settle, show, shown, three_days, two_frames, until

DAY = 8 * 3600


async def opened(window: MainWindow, folder: Path) -> None:
    loom.save(folder / "house.loom", three_days())
    await show(window, str(folder / "house.loom"))


def type_name(window: MainWindow, text: str) -> None:
    dialog = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    line = dialog.findChild(QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def begin(window: MainWindow, name: str) -> int:
    action(window, "new_branch").trigger()
    type_name(window, name)
    return scenarios(window).active_id


def scenarios(window: MainWindow):
    return window.bridge.branching.scenarios


def dialog_of(window: MainWindow) -> MergeDialog:
    return next(each for each in window.findChildren(MergeDialog) if each.isVisible())


async def test_that_a_branch_is_begun_by_name_and_edits_change_it_alone(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        bar = window.gantt.desk.branches
        assert not bar.isVisible()
        fast = begin(window, "Fast")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        settle(qapp)
        assert [button.text() for button in bar.buttons] == ["M  Main", "A  Fast"]
        assert bar.buttons[1].isChecked()
        assert window.windowTitle().startswith("House · house.loom · Fast")
        QTest.mouseClick(bar.buttons[0], Qt.MouseButton.LeftButton)
        assert window.bridge.state.plan.task(2).duration == DAY
        assert not action(window, "undo").isEnabled()
        action(window, "next_branch").trigger()
        assert (scenarios(window).active_id, window.bridge.state.undo_label) == (fast, "Resize “pour”")
        assert bar.buttons[1].isChecked()
        assert heard.failures == []


async def test_that_the_bars_of_other_branches_show_and_are_told(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await opened(window, tmp_path)
        begin(window, "Fast")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        gantt = window.gantt
        assert [each.name for each in gantt.looks.branches] == ["Main"]
        layout = gantt._layout()
        bar = layout.bar(1)
        assert gantt._tip((bar.left + 2, bar.y + 20)).startswith("In “Main”: Mon 2 Mar 2026 08:00 to Mon 2 Mar 2026")
        assert "In “" not in gantt._tip((layout.bar(0).left + 2, layout.bar(0).y + 20))
        action(window, "show_branches").trigger()
        assert gantt.looks.branches == ()
        assert "In “" not in gantt._tip((bar.left + 2, bar.y + 20))


async def test_that_the_list_says_what_each_branch_comes_to_and_a_click_goes_to_the_task(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await opened(window, tmp_path)
        begin(window, "Slow")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        panel = window.docks.scenarios.panel
        action(window, "show_scenarios").trigger()
        await until(lambda: len(panel.changes.entries) == 2 and panel.branches.entries[1].texts[3] != "")
        assert panel.branches.entries[1].texts[:2] == ("▶ A", "Slow")
        assert panel.branches.entries[1].texts[3:] == ("+2 d", "1", "0", "0")
        assert panel.changes.sentence.text() == "1 task differs in 2 places."
        assert [entry.texts for entry in panel.changes.entries] == [
            ("pour", "Duration", "1 d", "3 d", "+2 d"),
            ("pour", "Finish", "Mon 2 Mar 2026 17:00", "Wed 4 Mar 2026 17:00", "+2 d"),
        ]
        table = panel.changes.table
        at = table.visualRect(table.model().index(1, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert window.gantt.selection == (2,)
        panel.branches.table.setFocus()
        panel.branches.table.selectRow(0)
        QTest.keyClick(panel.branches.table, Qt.Key.Key_Return)
        assert scenarios(window).active_id == MAIN


async def test_that_every_title_of_the_list_of_branches_is_seen_in_a_window_of_1380_pixels(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        window.setMinimumSize(0, 0)
        window.resize(1380, 860)
        await opened(window, tmp_path)
        begin(window, "Second saw on Saturdays")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        panel = window.docks.scenarios.panel
        action(window, "show_scenarios").trigger()
        await until(lambda: len(panel.branches.entries) == 2 and panel.branches.entries[1].texts[3] != "")
        settle(qapp)
        table = panel.branches.table
        assert window.width() == 1380
        header = table.horizontalHeader()
        assert all(header.sectionSize(each) >= header.sectionSizeHint(each) for each in range(header.count()))
        assert not table.horizontalScrollBar().isVisible()


async def test_that_a_merge_lets_the_person_choose_and_is_one_step(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        branching = window.bridge.branching
        fast = begin(window, "Fast")
        window.bridge.execute(RenameTask(2, "cast"))
        window.bridge.execute(ResizeTask(3, 2 * DAY))
        action(window, "main_branch").trigger()
        window.bridge.execute(RenameTask(2, "fill"))
        before = window.bridge.state.plan
        await emitted(branching.merge_found, action(window, "merge_branch").trigger)
        dialog = dialog_of(window)
        settle(qapp)
        item = dialog.list.topLevelItem(0)
        assert [item.text(column) for column in range(4)] == ["The name of “pour”", "pour", "cast", "fill"]
        dialog.list.setFocus()
        QTest.keyClick(dialog.list, Qt.Key.Key_Space)
        assert [item.checkState(column) for column in (2, 3)] == [Qt.CheckState.Unchecked, Qt.CheckState.Checked]
        await emitted(branching.merged, dialog.accept_merge)
        plan = window.bridge.state.plan
        assert (plan.task(2).name, plan.task(3).duration) == ("fill", 2 * DAY)
        assert window.bridge.state.undo_label == "Merge “Fast”"
        assert heard.fixes[-1][0] == "Delete the branch"
        action(window, "undo").trigger()
        assert window.bridge.state.plan is before
        assert scenarios(window).find(fast) is not None


async def test_that_a_merge_takes_the_branchs_unless_told_and_a_canceled_one_changes_nothing(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        branching = window.bridge.branching
        begin(window, "Fast")
        window.bridge.execute(RenameTask(2, "cast"))
        action(window, "main_branch").trigger()
        window.bridge.execute(RenameTask(2, "fill"))
        before = window.bridge.state
        await emitted(branching.merge_found, action(window, "merge_branch").trigger)
        QTest.keyClick(dialog_of(window), Qt.Key.Key_Escape)
        assert window.bridge.state is before
        settle(qapp)
        await emitted(branching.merge_found, action(window, "merge_branch").trigger)
        await emitted(branching.merged, dialog_of(window).accept_merge)
        assert window.bridge.state.plan.task(2).name == "cast"
        action(window, "merge_branch").trigger()
        await until(lambda: any("nothing to merge" in message for message in heard.messages))


async def test_that_a_branch_takes_in_the_main_plan(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        branching = window.bridge.branching
        fast = begin(window, "Fast")
        window.bridge.execute(RenameTask(2, "cast"))
        action(window, "main_branch").trigger()
        window.bridge.execute(ResizeTask(3, 2 * DAY))
        await emitted(branching.merge_found, action(window, "update_branch").trigger)
        assert dialog_of(window).windowTitle() == "Take in the main plan"
        await emitted(branching.merged, dialog_of(window).accept_merge)
        plan = window.bridge.state.plan
        assert (scenarios(window).active_id, plan.task(2).name, plan.task(3).duration) == (fast, "cast", 2 * DAY)
        assert heard.messages[-1] == "“Fast” has taken in what the main plan changed."
        settle(qapp)
        await emitted(branching.merge_found, action(window, "update_branch").trigger)
        assert heard.messages[-1].startswith("There is nothing to take in")


async def test_that_an_edit_behind_the_dialog_has_the_merge_shown_anew(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await opened(window, tmp_path)
        branching = window.bridge.branching
        begin(window, "Fast")
        window.bridge.execute(RenameTask(2, "cast"))
        await emitted(branching.merge_found, action(window, "merge_branch").trigger)
        dialog = dialog_of(window)
        window.bridge.execute(RenameTask(3, "raise"))
        await emitted(branching.merge_found, dialog.accept_merge)
        assert scenarios(window).main.plan.task(2).name == "pour"


async def test_that_a_deleted_branch_is_asked_about_and_can_be_brought_back(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        fast = begin(window, "Fast")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        action(window, "delete_branch").trigger()
        answer(window, "Cancel")
        assert scenarios(window).active_id == fast
        settle(qapp)
        action(window, "delete_branch").trigger()
        answer(window, "Delete")
        assert [each.name for each in scenarios(window).branches] == ["Main"]
        assert not window.gantt.desk.branches.isVisible()
        label, back = heard.fixes[-1]
        assert label == "Bring it back"
        back()
        assert window.bridge.state.plan.task(2).duration == 3 * DAY
        action(window, "undo").trigger()
        assert window.bridge.state.plan.task(2).duration == DAY


async def test_that_a_branch_gets_another_name_and_a_copy(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await opened(window, tmp_path)
        begin(window, "Fast")
        action(window, "rename_branch").trigger()
        type_name(window, "Cheap")
        action(window, "duplicate_branch").trigger()
        type_name(window, "Cheaper")
        assert [each.name for each in scenarios(window).branches] == ["Main", "Cheap", "Cheaper"]
        action(window, "new_branch").trigger()
        type_name(window, "Cheap")
        assert heard.failures[-1][0] == "There is a branch “Cheap” already: choose another name."


async def test_that_branches_are_saved_and_a_copy_says_that_they_are_not(qapp: QApplication, tmp_path: Path) -> None:
    async with shown(qapp) as (window, _):
        await opened(window, tmp_path)
        begin(window, "Fast")
        window.bridge.execute(ResizeTask(2, 3 * DAY))
        assert window.isWindowModified()
        await emitted(window.bridge.file_used, action(window, "save").trigger)
        assert not window.isWindowModified()
        assert Document.load(tmp_path / "house.loom").scenarios.branches[1].plan.task(2).duration == 3 * DAY
        await emitted(window.bridge.losses_found, lambda: window.bridge.save(str(tmp_path / "house.xml")))
        notes = next(each for each in window.findChildren(NotesDialog) if each.isVisible())
        texts = [notes.list.item(row).text() for row in range(notes.list.count())]
        assert "Branches are not kept: the copy holds “Fast”, and leaves out “Main”." in texts


async def test_that_a_run_belongs_to_the_branch_it_was_started_in(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "frames.loom", two_frames())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "frames.loom"))
        fast = begin(window, "Fast")
        action(window, "run").trigger()
        action(window, "main_branch").trigger()
        assert window.bridge.branch_run is None
        assert window._run is None
        await ended(window.bridge)
        await asyncio.sleep(0)
        await until(lambda: len(scenarios(window).branch(fast).runs) == 1)
        assert window.bridge.runs == ()
        action(window, "next_branch").trigger()
        assert window._run is window.bridge.current_run
