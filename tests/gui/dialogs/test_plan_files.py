"""Plans as a person handles them: nothing is lost without a question."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from engine.formats import loom
from engine.session.document import Document
from engine.session.edits import RenameTask
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
