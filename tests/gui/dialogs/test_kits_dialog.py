"""Kernels of a person's own in the window: taken in, trusted, named by an operation, run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from engine.formats import loom
from engine.session.jobs import Outcome
from gui.dialogs.kits_dialog import KitsDialog
from gui.main_window import MainWindow
from tests.engine.runtime.test_kit import TOML, WORK, kit, plan_of
from tests.gui.shell import action, answer, emitted, ended, question, settle, show, shown, until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A plan beside its kit."""
    kit(tmp_path)
    loom.save(tmp_path / "plan.loom", plan_of())
    return tmp_path / "plan.loom"


def dialog_of(window: MainWindow) -> KitsDialog:
    return next(each for each in window.findChildren(KitsDialog) if each.isVisible())


async def test_that_a_run_asks_before_it_runs_code_and_not_again(qapp: QApplication, path: Path) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, str(path))
        action(window, "run").trigger()
        assert "Run the code in" in question(window).text()
        answer(window, "Do not run it")
        assert window.bridge.current_run is None
        action(window, "run").trigger()
        answer(window, "Trust and go on")
        await ended(window.bridge)
        assert heard.messages[-1] == "The run finished; its results equal the reference."
        action(window, "run").trigger()
        await ended(window.bridge)
        assert window.bridge.current_run is not None
        assert window.bridge.current_run.outcome is Outcome.FINISHED


async def test_that_trust_is_shown_and_taken_back(qapp: QApplication, path: Path) -> None:
    async with shown(qapp) as (window, _):
        await show(window, str(path))
        window.activateWindow()
        await until(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        dialog = dialog_of(window)
        branch = dialog.tree.topLevelItem(0)
        assert (branch.text(0), branch.child(0).text(0)) == ("own", "twice")
        assert branch.child(0).text(1) == "Python, reference"
        dialog.buttons["trust"].click()
        answer(window, "Trust and go on")
        assert dialog.tree.topLevelItem(0).text(2) == "trusted: its code may run"
        assert window.bridge.kits.trusts(str(path.parent / "own"))
        dialog.buttons["trust"].click()
        assert not window.bridge.kits.trusts(str(path.parent / "own"))


async def test_that_a_kit_is_taken_in_and_offered_to_operations(qapp: QApplication, path: Path) -> None:
    other = path.parent / "second"
    shutil.copytree(path.parent / "own", other)
    (other / "kit.toml").write_text(TOML.replace("twice", "thrice"))
    (other / "work.py").write_text(WORK.replace("twice", "thrice"))
    async with shown(qapp) as (window, heard):
        await show(window, str(path))
        action(window, "kits").trigger()
        dialog = dialog_of(window)
        dialog.buttons["take"].click()
        files = dialog.findChild(QFileDialog)
        await emitted(window.bridge.state_changed, lambda: files.fileSelected.emit(str(other / "kit.toml")))
        assert [dialog.tree.topLevelItem(row).text(0) for row in range(2)] == ["own", "second"]
        files.close()
        dialog.close()
        window.bridge.undo()
        assert [each.kit for each in window.bridge.state.plan.kernels] == ["own"]
        window.bridge.redo()
        window.gantt.choose_row(1)
        action(window, "operation").trigger()
        settle(qapp)
        form = window.findChildren(QApplication.activeModalWidget().__class__)[-1].form
        names = [form.kernel.itemText(row) for row in range(form.kernel.count())]
        assert names[:2] == ["twice", "thrice"]
        assert not heard.failures


async def test_that_a_broken_kit_says_why_in_one_sentence(qapp: QApplication, path: Path) -> None:
    (path.parent / "own" / "kit.toml").write_text("[twice")
    async with shown(qapp) as (window, heard):
        await show(window, str(path))
        await emitted(window.bridge.failed, lambda: window.bridge.kits.read_again("own"))
        assert "kit.toml” is not TOML" in heard.failures[-1][0]
