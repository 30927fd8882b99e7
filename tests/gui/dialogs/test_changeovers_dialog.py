"""Changeovers, transport and what machines can do, said in dialogs, each as one step."""

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox

from engine.formats import loom
from engine.model import Changeover, Transport
from gui.dialogs.changeovers_dialog import ChangeoversDialog
from gui.dialogs.resources_dialog import ResourcesDialog
from gui.main_window import MainWindow
from tests.gui.dialogs.shops import COLORS, small_shop
from tests.gui.shell import action, show, shown

Key = Qt.Key
CONTROL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
Kind = TypeVar("Kind", bound=QDialog)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """The small shop in a file."""
    loom.save(tmp_path / "shop.loom", small_shop())
    return str(tmp_path / "shop.loom")


def opened(window: MainWindow, name: str, kind: type[Kind]) -> Kind:
    action(window, name).trigger()
    return next(each for each in window.findChildren(kind) if each.isVisible())


def press_ok(dialog: QDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)


async def test_that_a_matrix_is_typed_and_another_pasted_as_one_step(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        before = window.bridge.state.plan
        dialog = opened(window, "changeovers", ChangeoversDialog)
        assert dialog.matrix.texts() == (("", "30m"), ("45m", ""))
        assert dialog.used.text() == "Used by Lathe 1."
        dialog.matrix.put((("1h",),), 0, 1)
        dialog.families.setText("red, blue, green")
        dialog.families.editingFinished.emit()
        assert dialog.matrix.texts() == (("", "1h", ""), ("45m", "", ""), ("", "", ""))
        QTest.mouseClick(dialog.add, LEFT)
        QGuiApplication.clipboard().setText("\tA\tB\nA\t\t15\nB\t20m\t")
        QTest.keyClick(dialog.matrix, Key.Key_V, CONTROL)
        assert dialog.families.text() == "A, B"
        press_ok(dialog)
        three = Changeover(1, "Colors", ("red", "blue", "green"), ((0, 3600, 0), (2700, 0, 0), (0, 0, 0)))
        pasted = Changeover(2, "New changeover", ("A", "B"), ((0, 900), (1200, 0)))
        assert window.bridge.state.plan.changeovers == (three, pasted)
        assert window.bridge.state.undo_label == "Change changeovers and transport"
        window.bridge.undo()
        assert window.bridge.state.plan == before


async def test_that_what_is_no_time_is_told_and_cells_are_copied_and_emptied(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = opened(window, "changeovers", ChangeoversDialog)
        dialog.matrix.put((("soon",),), 0, 1)
        press_ok(dialog)
        assert dialog.isVisible()
        assert dialog.wrong.text().startswith("From “red” to “blue”: “soon” is no time of a set-up")
        dialog.matrix.selectAll()
        QTest.keyClick(dialog.matrix, Key.Key_C, CONTROL)
        assert QGuiApplication.clipboard().text() == "\tsoon\n45m\t"
        QTest.keyClick(dialog.matrix, Key.Key_Delete)
        press_ok(dialog)
        assert window.bridge.state.plan.changeovers[0].ticks == ((0, 0), (0, 0))


async def test_that_transport_is_a_row_a_way_and_a_changeover_goes(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = opened(window, "changeovers", ChangeoversDialog)
        QTest.mouseClick(dialog.remove, LEFT)
        dialog.tabs.setCurrentIndex(1)
        QTest.mouseClick(dialog.transport.add, LEFT)
        press_ok(dialog)
        assert dialog.wrong.text().startswith("From “Lathe 1” to “Lathe 2”: “” is no time of transport")
        QTest.keyClicks(dialog.transport.rows[0].length, "20")
        QTest.mouseClick(dialog.transport.add, LEFT)
        assert dialog.transport.rows[1].target.currentText() == "Ann"
        QTest.mouseClick(dialog.transport.rows[1].remove, LEFT)
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert plan.transports == (Transport(1, 2, 1200),)
        assert (plan.changeovers, plan.resources[0].changeover) == ((), None)


async def test_that_skills_costs_and_changeovers_of_resources_are_one_step(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = opened(window, "resources", ResourcesDialog)
        first, second, _ = (row.machine for row in dialog.rows)
        assert (first.changeover.currentText(), first.setup.currentText()) == (COLORS.name, "red")
        assert second.skills.text() == "turning"
        QTest.keyClicks(second.skills, ", cutting")
        second.cost.setValue(42.5)
        second.changeover.setCurrentIndex(1)
        second.setup.setCurrentText("BLUE")
        press_ok(dialog)
        lathe = window.bridge.state.plan.resources[1]
        found = (lathe.skills, lathe.cost_per_hour, lathe.changeover, lathe.setup)
        assert found == (("turning", "cutting"), 42.5, 1, "blue")
        assert window.bridge.state.plan.resources[0] == small_shop().resources[0]
        window.bridge.undo()
        assert window.bridge.state.plan == small_shop()
