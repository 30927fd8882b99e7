"""Which files are offered again: those a person opened or saved to, of whatever program, and no others."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from engine.formats import csv, gan, loom
from engine.session.edits import RenameTask
from gui.dialogs.table_dialog import TableDialog
from gui.main_window import MainWindow
from tests.engine.model.strategies import office
from tests.gui.shell import action, emitted, show, shown, until


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    """A plan of another program."""
    path = tmp_path / "bureau.gan"
    gan.save(path, office())
    return str(path)


def recent(window: MainWindow) -> list[str]:
    """The files that the Welcome page offers, where none of them is one of the latest."""
    return list(window.commands.files.recent)


def offered(window: MainWindow) -> list[QPushButton]:
    """Their buttons."""
    buttons = window.welcome.findChildren(QPushButton)
    return [each for each in buttons if each.property("role") == "recent" and not each.isHidden()]


async def test_that_a_foreign_file_is_offered_again_and_opens_as_one(qapp: QApplication, foreign: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, foreign)
        assert recent(window) == [foreign]
        await emitted(window.bridge.document_opened, action(window, "close").trigger)
        (button,) = offered(window)
        await emitted(window.bridge.document_opened, button.click)
        state = window.bridge.state
        assert (state.path, state.is_dirty, state.plan.name) == ("", False, office().name)
        assert window.bridge.findings.is_comparing


async def test_that_a_table_is_offered_again_once_it_was_opened(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "house.csv"
    csv.save(path, office())
    async with shown(qapp) as (window, _):
        await emitted(window.bridge.importing.table_found, lambda: window.bridge.open(str(path)))
        assert recent(window) == []
        dialog = window.findChild(TableDialog)
        await emitted(window.bridge.file_used, dialog.import_button.click)
        assert recent(window) == [str(path)]


async def test_that_a_foreign_plan_is_offered_under_its_new_name_once_it_is_saved(
    qapp: QApplication, foreign: str, tmp_path: Path
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, foreign)
        window.bridge.execute(RenameTask(1, "mine"))
        ours, copy = str(tmp_path / "ours.loom"), str(tmp_path / "copy.xml")
        await emitted(window.bridge.message, lambda: window.bridge.save(copy))
        assert (recent(window), window.bridge.state.is_dirty) == ([foreign], True)
        await emitted(window.bridge.file_used, lambda: window.bridge.save(ours))
        assert (recent(window), window.bridge.state.is_dirty) == ([ours, foreign], False)


async def test_that_a_plan_that_was_only_looked_at_is_not_offered(qapp: QApplication, foreign: str, house: str) -> None:
    """So does a picture of the window."""
    async with shown(qapp) as (window, _):
        for path in (foreign, house):
            await window.bridge.load(path)
        assert recent(window) == []


async def test_that_a_file_that_was_offered_and_is_gone_is_said_in_a_sentence_and_offered_no_more(
    qapp: QApplication, foreign: str
) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, foreign)
        await emitted(window.bridge.document_opened, action(window, "close").trigger)
        (button,) = offered(window)
        Path(foreign).rename(f"{foreign}.moved")
        await emitted(window.bridge.failed, button.click)
        assert heard.failures == [(f"There is no file {foreign}.", ())]
        await until(lambda: offered(window) == [])


async def test_that_the_plan_menu_lists_them_each_with_a_key(qapp: QApplication, foreign: str, tmp_path: Path) -> None:
    ours = str(tmp_path / "R&D.loom")
    async with shown(qapp) as (window, _):
        menu = action(window, "open_recent").menu()
        menu.aboutToShow.emit()
        assert [(entry.text(), entry.isEnabled()) for entry in menu.actions()] == [("No plan was opened yet", False)]
        for path in (foreign, ours):
            loom.save(ours, office())
            await show(window, path)
        Path(foreign).unlink()
        QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(window, Qt.Key.Key_R)
        assert menu.isVisible()
        (entry,) = menu.actions()  # what is gone is not offered
        assert entry.text().startswith("&1   R&&D.loom")
        await emitted(window.bridge.document_opened, lambda: QTest.keyClick(menu, Qt.Key.Key_1))
        assert window.bridge.state.path == ours
