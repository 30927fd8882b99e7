"""How else a task may be done, said in its dialog by keys, as one step."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from engine.formats import loom
from engine.model import Alternative
from gui.dialogs.ways_dialog import WaysDialog
from gui.main_window import MainWindow
from tests.gui.dialogs.shops import small_shop
from tests.gui.gantt.plans import HOUR
from tests.gui.shell import action, settle, show, shown


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """The small shop in a file."""
    loom.save(tmp_path / "shop.loom", small_shop())
    return str(tmp_path / "shop.loom")


def asked(window: MainWindow, task: int) -> WaysDialog:
    window.gantt.select((task,))
    action(window, "ways").trigger()
    return next(each for each in window.findChildren(WaysDialog) if each.isVisible())


def press_ok(dialog: WaysDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


async def test_that_ways_of_doing_a_task_are_changed_as_one_step(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        before = window.bridge.state.plan
        dialog = asked(window, 2)
        assert dialog.verdict.text() == "Now on Lathe 1 (1d). It may also be done on Lathe 2 (3h)."
        dialog.family.setCurrentText("RED")
        dialog.skill.setCurrentText("flying")
        assert dialog.verdict.text().endswith("Lathe 2 (3h). Nobody has the skill “flying”.")
        dialog.skill.setCurrentText("turning")
        dialog.in_one_piece.setChecked(True)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert dialog.rows[1].resource.currentText() == "Ann"
        QTest.keyClicks(dialog.rows[1].duration, "2d")
        dialog.rows[1].cost.setValue(12.5)
        assert dialog.verdict.text() == "Now on Lathe 1 (1d). It may also be done on Lathe 2 (3h), Ann (2d)."
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert (plan.task(2).family, plan.task(2).skill, plan.task(2).is_unbreakable) == ("red", "turning", True)
        assert plan.alternatives == (Alternative(2, 2, duration=3 * HOUR), Alternative(2, 3, 1.0, 16 * HOUR, 12.5))
        assert window.bridge.state.undo_label == "Change how “pour” may be done"
        window.bridge.undo()
        assert window.bridge.state.plan == before


async def test_that_an_alternative_is_taken_away_and_what_cannot_be_is_told(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window, 2)
        dialog.rows[0].duration.setText("soon")
        assert dialog.verdict.text().startswith("“soon” is no length of time")
        press_ok(dialog)
        assert dialog.isVisible()
        assert dialog.wrong.text().startswith("“soon” is no length of time")
        QTest.mouseClick(dialog.rows[0].remove, Qt.MouseButton.LeftButton)
        assert dialog.rows == []
        assert dialog.verdict.text() == "It is done by Lathe 1, and by nobody else."
        press_ok(dialog)
        assert window.bridge.state.plan.alternatives == ()


async def test_that_a_new_alternative_is_at_first_on_a_machine_that_does_not_do_it_already(
    qapp: QApplication, shop: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window, 1)
        for expected in ("Lathe 2", "Ann"):
            QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
            assert dialog.rows[-1].resource.currentText() == expected
        assert dialog.verdict.text() == "Now on Lathe 1 (1d). It may also be done on Lathe 2 (1d), Ann (1d)."


async def test_that_it_is_asked_of_one_task_that_is_no_summary(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        window.gantt.select((1, 2))
        settle(qapp)
        assert not action(window, "ways").isEnabled()
        window.gantt.select((2,))
        settle(qapp)
        assert action(window, "ways").isEnabled()
