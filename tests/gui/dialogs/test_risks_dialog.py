"""Drivers, events and ranges of families, entered in one dialog by keys, as one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from engine.formats import loom
from engine.model import (
    DriverCorrelation,
    Impact,
    Plan,
    Progress,
    RiskDriver,
    RiskEvent,
    Spread,
    SpreadKind,
    SpreadPreset,
    Task,
)
from engine.model.named_spreads import named_spread
from gui.dialogs.risks_dialog import RisksDialog
from gui.main_window import MainWindow
from tests.gui.dialogs.shops import small_shop
from tests.gui.gantt.plans import HOUR
from tests.gui.shell import emitted, settle, show, shown

DAY = 8 * 3600
CONTROL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """The small shop in a file: a task is red, one blue, one of no family."""
    loom.save(tmp_path / "shop.loom", small_shop())
    return str(tmp_path / "shop.loom")


def asked(window: MainWindow, *tasks: int) -> RisksDialog:
    window.activateWindow()
    window.gantt.select(tasks)
    QTest.keyClick(window, Key.Key_E, CONTROL_ALT)
    return next(each for each in window.findChildren(RisksDialog) if each.isVisible())


def press_ok(dialog: RisksDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)


def named(dialog: RisksDialog, name: str) -> None:
    """Makes a driver: its name is typed at once."""
    QTest.mouseClick(dialog.drivers.add, LEFT)
    field = dialog.drivers.list.findChild(QLineEdit)
    QTest.keyClick(field, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Key.Key_Return)
    settle(QApplication.instance())  # a table takes a text once its field has seen the key


def correlate(dialog: RisksDialog, row: int, column: int, text: str) -> None:
    matrix = dialog.drivers.matrix
    matrix.setFocus()
    matrix.setCurrentCell(row, column)
    QTest.keyClick(matrix, Key.Key_F2)
    field = matrix.findChild(QLineEdit)
    QTest.keyClick(field, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Key.Key_Return)
    settle(QApplication.instance())  # a table takes a text once its field has seen the key


async def test_that_drivers_and_their_correlations_are_entered(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window)
        for name in ("Weather", "Crew", "Steel"):
            named(dialog, name)
        correlate(dialog, 1, 0, "0.9")
        assert dialog.drivers.matrix.texts() == (("1", "0.9", ""), ("0.9", "1", ""), ("", "", "1"))
        press_ok(dialog)
        risks = window.bridge.state.plan.risks
        assert risks.drivers == (RiskDriver(1, "Weather"), RiskDriver(2, "Crew"), RiskDriver(3, "Steel"))
        assert risks.correlations == (DriverCorrelation(1, 2, 0.9),)
        assert window.bridge.state.undo_label == "Set the risk drivers"


async def test_that_a_matrix_that_is_none_is_refused_in_one_sentence(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window)
        for name in ("Weather", "Crew", "Steel"):
            named(dialog, name)
        dialog.drivers.matrix.setCurrentCell(0, 0)
        QGuiApplication.clipboard().setText("1\t0.9\t0.9\n0.9\t1\t-0.9\n0.9\t-0.9\t1\n")
        QTest.keyClick(dialog.drivers.matrix, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        press_ok(dialog)
        assert dialog.isVisible()
        wanted = "The correlations of the risk drivers contradict each other: no drivers can have them all."
        assert dialog.wrong.text() == wanted
        correlate(dialog, 1, 2, "often")
        press_ok(dialog)
        assert dialog.wrong.text().startswith("“often” between “Crew” and “Steel” is no correlation")
        dialog.drivers.list.setCurrentCell(2, 0)
        QTest.mouseClick(dialog.drivers.remove, LEFT)
        assert dialog.drivers.matrix.texts() == (("1", "0.9"), ("0.9", "1"))
        press_ok(dialog)
        assert window.bridge.state.plan.risks.correlations == (DriverCorrelation(1, 2, 0.9),)


async def test_that_an_event_changes_the_selected_tasks_and_others(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        before = window.bridge.state.plan
        dialog = asked(window, 2)
        dialog.tabs.setCurrentWidget(dialog.events)
        events = dialog.events
        QTest.mouseClick(events.add, LEFT)
        QTest.keyClicks(events.name, "Strike")
        assert events.rows[0].task.text() == "2 pour"
        events.chance.selectAll()
        QTest.keyClicks(events.chance, "15%")
        QTest.keyClicks(events.rows[0].change, "2d..5d")
        QTest.mouseClick(events.add_task, LEFT)
        QTest.keyClicks(events.rows[1].task, "nobody")
        QTest.keyClicks(events.rows[1].change, "20%")
        press_ok(dialog)
        assert dialog.wrong.text() == "“nobody” is no task of the plan: write the number of its row, or its name."
        events.rows[1].task.selectAll()
        QTest.keyClicks(events.rows[1].task, "build")
        press_ok(dialog)
        longer = Spread(SpreadKind.UNIFORM, 2 * DAY, 3.5 * DAY, 5 * DAY, is_percent=False)
        impacts = (Impact(2, longer), Impact(3, Spread(SpreadKind.UNIFORM, 20, 20, 20)))
        assert window.bridge.state.plan.risks.events == (RiskEvent(1, "Strike", 0.15, impacts),)
        window.bridge.undo()
        assert window.bridge.state.plan == before


async def test_that_an_event_with_something_that_cannot_be_is_not_left(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window, 1)
        events = dialog.events
        dialog.tabs.setCurrentWidget(events)
        for name in ("Strike", "Flood"):
            QTest.mouseClick(events.add, LEFT)
            QTest.keyClicks(events.name, name)
            QTest.keyClicks(events.rows[0].change, "1d")
        events.chance.setText("often")
        events.list.setCurrentRow(0)
        assert (events.list.currentRow(), events.name.text()) == (1, "Flood")
        assert dialog.wrong.text().startswith("“often” is no chance")
        events.chance.setText("5%")
        events.list.setCurrentRow(0)
        assert (events.name.text(), events.chance.text()) == ("Strike", "20%")
        QTest.mouseClick(events.remove, LEFT)
        press_ok(dialog)
        assert [event.name for event in window.bridge.state.plan.risks.events] == ["Flood"]


async def test_that_families_have_ranges_typed_or_by_their_kind_of_work(qapp: QApplication, shop: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window)
        families = dialog.families
        dialog.tabs.setCurrentWidget(families)
        for _row in range(3):
            QTest.mouseClick(families.add, LEFT)
        assert [row.family.currentText() for row in families.rows] == ["red", "blue", ""]
        QTest.keyClicks(families.rows[0].range, "±20%")
        QTest.keyClicks(families.rows[1].range, "soon")
        press_ok(dialog)
        assert dialog.wrong.text().startswith("Family “blue”: “soon” is no range")
        wanted = named_spread("routine")
        named_box = families.rows[1].named
        while named_box.currentText() != wanted.name:
            QTest.keyClick(named_box, Key.Key_Down)
        press_ok(dialog)
        presets = window.bridge.state.plan.risks.presets
        assert presets == (
            SpreadPreset("red", Spread(SpreadKind.TRIANGULAR, 80, 100, 120)),
            SpreadPreset("blue", wanted.spread),
        )
        again = asked(window)
        press_ok(again)
        assert window.bridge.state.undo_label == "Set the ranges of families"
        assert window.bridge.state.plan.risks.presets == presets


def finished() -> Plan:
    """Five red tasks that took longer and longer."""
    plan = small_shop()
    tasks = tuple(
        Task(
            number,
            f"old {number}",
            DAY,
            family="red",
            progress=Progress(100, plan.start + 8 * HOUR, plan.start + 8 * HOUR + (number + 3) * HOUR // 2),
        )
        for number in range(1, 6)
    )
    return replace(plan, tasks=tasks, assignments=(), alternatives=(), next_task_id=6)


async def test_that_ranges_of_families_come_from_a_finished_plan(qapp: QApplication, shop: str, tmp_path: Path) -> None:
    loom.save(tmp_path / "last year.loom", finished())
    async with shown(qapp) as (window, _):
        await show(window, shop)
        dialog = asked(window)
        dialog.tabs.setCurrentWidget(dialog.families)
        sampling = window.bridge.sampling
        for path, signal in ((shop, sampling.refused), (tmp_path / "last year.loom", sampling.experience_found)):
            QTest.mouseClick(dialog.families.learn, LEFT)
            asking = next(each for each in dialog.findChildren(QFileDialog) if each.isVisible())
            asking.selectFile(str(path))
            await emitted(signal, asking.accept)
            assert ("no tasks are finished" in dialog.wrong.text()) is (path == shop)
        entered = {row.family.currentText(): row.range.text() for row in dialog.families.rows}
        assert entered == dict.fromkeys(("", "red"), "values 25% 31.25% 37.5% 43.75% 50%")
        press_ok(dialog)
        assert len(window.bridge.state.plan.risks.presets) == 2
