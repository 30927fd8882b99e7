"""Plans as a person handles them: nothing is lost without a question."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from engine.formats import loom
from engine.session.autosave import Recovery
from engine.session.document import Document
from engine.session.edits import RenameTask
from engine.session.jobs import Outcome
from gui.dialogs.recovery_dialog import RecoveryDialog
from gui.main_window import MainWindow
from tests.gui.shell import action, answer, emitted, question, show, shown, until


def change_elsewhere(path: str) -> None:
    """Another program saves the same file."""
    other = Document.load(path)
    other.execute(RenameTask(1, "theirs"))
    other.save()


async def save_after_a_change(window: MainWindow, path: str) -> None:
    """Edit a plan whose file changes meanwhile, and save it."""
    await show(window, path)
    window.bridge.execute(RenameTask(1, "mine"))
    change_elsewhere(path)
    await emitted(window.bridge.file_changed, action(window, "save").trigger)


async def test_that_a_file_changed_meanwhile_is_asked_about_and_cancel_leaves_it(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, heard):
        await save_after_a_change(window, house)
        assert "house.loom" in question(window).text()
        assert "house.loom~1" in question(window).informativeText()
        QTest.keyClick(question(window), Qt.Key.Key_Escape)
        assert loom.load(house).task(1).name == "theirs"
        assert window.bridge.state.is_dirty
        assert heard.failures == []


async def test_that_a_file_changed_meanwhile_can_be_overwritten(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await save_after_a_change(window, house)
        await emitted(window.bridge.message, lambda: answer(window, "Overwrite"))
        assert loom.load(house).task(1).name == "mine"
        assert loom.load(f"{house}~1").task(1).name == "theirs"
        assert not window.bridge.state.is_dirty


@pytest.mark.parametrize("is_leaving", [False, True])
async def test_that_the_plan_can_be_saved_beside_a_file_changed_meanwhile(
    qapp: QApplication, house: str, tmp_path: Path, *, is_leaving: bool
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "mine"))
        change_elsewhere(house)
        if is_leaving:
            window.close()
            await emitted(window.bridge.file_changed, lambda: answer(window, "Save"))
        else:
            await emitted(window.bridge.file_changed, action(window, "save").trigger)
        answer(window, "Save under another name…")
        dialog = window.findChild(QFileDialog)
        dialog.selectFile(str(tmp_path / "beside.loom"))
        await emitted(window.bridge.message, dialog.accept)
        assert loom.load(house).task(1).name == "theirs"
        assert loom.load(tmp_path / "beside.loom").task(1).name == "mine"
        await until(lambda: (window.bridge.state is None) == is_leaving)


@pytest.mark.parametrize("name", ["new_plan", "new_device_plan", "training-step", "close", "quit"])
async def test_that_a_run_is_asked_about_before_its_plan_is_left(qapp: QApplication, frames: str, name: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        window.bridge.set_repeat(10_000)
        window.bridge.run()
        job = window.bridge.current_run
        action(window, name).trigger()
        answer(window, "Stay")
        assert (window.bridge.current_run, window.bridge.state.path) == (job, frames)
        window.bridge.execute(RenameTask(1, "mine"))
        action(window, name).trigger()
        answer(window, "End the run")
        await emitted(window.bridge.document_opened, lambda: answer(window, "Discard"))
        await until(lambda: job.outcome is Outcome.CANCELED)


def left(tmp_path: Path, path: str, kept: int, *, is_newer: bool = True) -> Recovery:
    """Work that a crash left."""
    return Recovery(path, kept, is_newer, str(tmp_path / f"kept {kept}"), str(tmp_path / f"note {kept}"))


async def test_that_all_work_that_crashes_left_is_offered_by_folder_and_time(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        found = (
            left(tmp_path, "/a/house.loom", 1_700_000_000),
            left(tmp_path, "/b/house.loom", 1_600_000_000, is_newer=False),
            left(tmp_path, "", 1_500_000_000),
        )
        window.bridge.unsaved_work_found.emit(found)
        dialog = window.findChild(RecoveryDialog)
        words = [dialog.list.item(row).text() for row in range(dialog.list.count())]
        assert words[0].startswith("house.loom in /a\nkept ")
        assert words[1].startswith("house.loom in /b\nkept ")
        assert words[1].endswith("and the file was saved later")
        assert words[2].startswith("A plan that was never saved\nkept ")
        assert len({text.splitlines()[1] for text in words}) == 3
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
        assert window.bridge.state is None


async def test_that_work_a_crash_left_is_thrown_away_or_taken_up_one_by_one(
    qapp: QApplication, house: str, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        found = (left(tmp_path, "/a/gone.loom", 1_700_000_000), left(tmp_path, house, 1_600_000_000))
        for each in found:
            shutil.copy(house, each.autosave)
        window.bridge.unsaved_work_found.emit(found)
        dialog = window.findChild(RecoveryDialog)
        buttons = {button.text(): button for button in dialog.findChildren(QPushButton)}
        buttons["Throw away"].click()
        await until(lambda: not Path(found[0].autosave).exists())
        assert dialog.isVisible()
        await emitted(window.bridge.document_opened, buttons["Recover"].click)
        assert (window.bridge.state.path, window.bridge.state.is_dirty) == (house, True)
        assert not [each for each in window.findChildren(RecoveryDialog) if each.isVisible()]


async def test_that_unsaved_changes_are_asked_about_before_older_work_is_taken_up(
    qapp: QApplication, house: str, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.bridge.execute(RenameTask(1, "mine"))
        window.bridge.unsaved_work_found.emit((left(tmp_path, house, 1_700_000_000),))
        window.findChild(RecoveryDialog).list.itemDoubleClicked.emit(None)
        answer(window, "Cancel")
        assert window.bridge.state.plan.task(1).name == "mine"
