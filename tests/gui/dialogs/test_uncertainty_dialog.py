"""How certain tasks are, said in a dialog by keys, as one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QInputDialog, QWidget

from engine.formats import loom
from engine.model import PlanRisks, RiskDriver, Spread, SpreadKind, SpreadPreset, TaskRisk
from engine.model.named_spreads import named_spread
from gui.dialogs.uncertainty_dialog import UncertaintyDialog
from gui.main_window import MainWindow
from tests.gui.shell import action, emitted, settle, show, shown, three_days

DAY = 8 * 3600
EVEN = Spread(SpreadKind.TRIANGULAR, 80, 100, 120)
CONTROL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


@pytest.fixture
def house(tmp_path: Path) -> str:
    """Three tasks of a day each and two drivers; digging is of a family that has a range."""
    plan = three_days()
    tasks = (replace(plan.tasks[0], family="ground"), *plan.tasks[1:])
    drivers = (RiskDriver(1, "Weather"), RiskDriver(2, "Crew"))
    risks = PlanRisks(drivers, presets=(SpreadPreset("ground", EVEN),))
    loom.save(tmp_path / "house.loom", replace(plan, tasks=tasks, risks=risks))
    return str(tmp_path / "house.loom")


def asked(window: MainWindow, *tasks: int) -> UncertaintyDialog:
    window.activateWindow()
    settle(QApplication.instance())
    window.gantt.select(tasks)
    window.gantt.setFocus()
    QTest.keyClick(window, Qt.Key.Key_U, CONTROL_ALT)
    return next(each for each in window.findChildren(UncertaintyDialog) if each.isVisible())


def press_ok(dialog: UncertaintyDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def choose(dialog: UncertaintyDialog, kind: SpreadKind) -> None:
    """By the keys of the list of kinds."""
    fields = dialog.range
    while fields.kind.currentIndex() < fields.kind.findData(kind):
        QTest.keyClick(fields.kind, Qt.Key.Key_Down)


async def test_that_a_range_a_chance_and_a_driver_are_one_step(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        before = window.bridge.state.plan
        dialog = asked(window, 2)
        assert dialog.windowTitle() == "Uncertainty of “pour”"
        assert dialog.range.verdict.text() == "It takes as long as planned, in every case."
        choose(dialog, SpreadKind.PERT)
        assert [field.text() for field in dialog.range.numbers[:3]] == ["80%", "100%", "130%"]
        longest = dialog.range.numbers[2]
        longest.selectAll()
        QTest.keyClicks(longest, "200")
        assert dialog.range.verdict.text() == "Planned are 1 d: enough in 30 of 100 cases."
        QTest.keyClicks(dialog.chance, "75%")
        QTest.keyClicks(dialog.loadings.fields[1], "60")
        press_ok(dialog)
        risk = TaskRisk(Spread(SpreadKind.PERT, 80, 100, 200), 0.75, ((1, 0.6),))
        assert window.bridge.state.plan.task(2).risk == risk
        assert window.bridge.state.undo_label == "Change how certain “pour” is"
        window.bridge.undo()
        assert window.bridge.state.plan == before


async def test_that_percent_and_lengths_are_turned_into_each_other_and_shown(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 2)
        choose(dialog, SpreadKind.TRIANGULAR)
        QTest.keyClick(dialog.range.unit, Qt.Key.Key_Down)
        assert [field.text() for field in dialog.range.numbers[:3]] == ["384m", "1d", "1.3d"]
        shown_spread = dialog.range.picture.shown
        assert shown_spread is not None
        assert shown_spread.facts.mean == pytest.approx(DAY * (0.8 + 1 + 1.3) / 3, rel=1e-3)
        assert dialog.range.picture.accessibleDescription().startswith("planned 1 d mean 1 d 80 % within 1.1 d")
        QTest.keyClick(dialog.range.unit, Qt.Key.Key_Up)
        assert [field.text() for field in dialog.range.numbers[:3]] == ["80%", "100%", "130%"]


async def test_that_what_cannot_be_is_told_in_the_dialog(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 2)
        choose(dialog, SpreadKind.TRIANGULAR)
        dialog.range.numbers[1].selectAll()
        QTest.keyClicks(dialog.range.numbers[1], "140%")
        assert dialog.range.verdict.text() == "The range has a most likely length outside its range."
        press_ok(dialog)
        assert dialog.isVisible()
        assert dialog.wrong.text() == "The range has a most likely length outside its range."
        dialog.range.numbers[1].selectAll()
        QTest.keyClicks(dialog.range.numbers[1], "soon")
        press_ok(dialog)
        assert dialog.wrong.text() == "Most likely: “soon” is no number of a range: write 8d, 1.5w or 120%."


async def test_that_a_kind_of_work_gives_a_first_range(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 3)
        wanted = named_spread("delivery")
        while dialog.range.named.currentText() != wanted.name:
            dialog.range.named.setFocus()
            before = dialog.range.named.currentIndex()
            QTest.keyClick(dialog.range.named, Qt.Key.Key_Down)
            assert dialog.range.named.currentIndex() != before
        assert dialog.range.why.text() == wanted.why
        press_ok(dialog)
        assert window.bridge.state.plan.task(3).risk == TaskRisk(wanted.spread)


async def test_that_several_tasks_are_one_step_and_what_was_not_touched_stays(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 1)
        assert dialog.range.kind.currentText() == "That of its family: ±20 %"
        QTest.keyClicks(dialog.chance, "50")
        QTest.keyClicks(dialog.loadings.fields[2], "-40")
        choose(dialog, SpreadKind.UNIFORM)
        press_ok(dialog)
        spread = Spread(SpreadKind.UNIFORM, 80, 105, 130)
        assert window.bridge.state.plan.task(1).risk == TaskRisk(spread, 0.5, ((2, -0.4),))
        dialog = asked(window, 1, 2)
        assert dialog.range.is_various
        assert dialog.chance.placeholderText() == "various"
        QTest.keyClicks(dialog.loadings.fields[1], "30%")
        press_ok(dialog)
        plan = window.bridge.state.plan
        assert plan.task(1).risk == TaskRisk(spread, 0.5, ((2, -0.4), (1, 0.3)))
        assert plan.task(2).risk == TaskRisk(loadings=((1, 0.3),))
        assert window.bridge.state.undo_label == "Change how certain 2 tasks are"
        dialog = asked(window, 1, 2)
        QTest.keyClicks(dialog.loadings.fields[1], "x")
        press_ok(dialog)
        assert dialog.wrong.text().startswith("“30%x” does not say how far a task follows a driver")


async def test_that_a_range_of_several_tasks_that_leaves_out_what_is_planned_is_told(
    qapp: QApplication, house: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 2, 3)
        assert dialog.range.picture.shown is None
        assert dialog.note.text() == ""
        choose(dialog, SpreadKind.UNIFORM)
        pictured = dialog.note.text()
        assert pictured.startswith("For 2 tasks; the picture is that of ")
        for field, percent in ((dialog.range.numbers[2], "300"), (dialog.range.numbers[0], "200")):
            field.selectAll()
            QTest.keyClicks(field, percent)
        assert dialog.note.text().startswith(f"{pictured} “")
        assert dialog.note.text().endswith("is planned with 1d, which its range leaves out.")
        dialog.reject()


async def test_that_it_is_offered_where_tasks_are_selected(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        window.gantt.select(())
        settle(qapp)
        assert not action(window, "uncertainty").isEnabled()
        window.gantt.select((1, 2))
        settle(qapp)
        assert action(window, "uncertainty").isEnabled()


def choose_file(dialog: QWidget, path: Path) -> None:
    asking = next(each for each in dialog.findChildren(QFileDialog) if each.isVisible())
    asking.selectFile(str(path))
    asking.accept()


async def test_that_measured_values_come_from_a_column_of_a_table(
    qapp: QApplication, house: str, tmp_path: Path
) -> None:
    table = tmp_path / "taken.csv"
    table.write_text("Task,Taken (%)\nold,80\nolder,95\noldest,140\n")
    async with shown(qapp) as (window, _):
        await show(window, house)
        dialog = asked(window, 2)
        choose(dialog, SpreadKind.EMPIRICAL)
        QTest.mouseClick(dialog.range.sample, Qt.MouseButton.LeftButton)
        await emitted(window.bridge.sampling.columns_found, lambda: choose_file(dialog, table))
        column = next(each for each in dialog.findChildren(QInputDialog) if each.isVisible())
        assert column.comboBoxItems() == ["Task", "Taken (%)"]
        await emitted(window.bridge.sampling.refused, column.accept)
        assert "is neither a number nor a length of time" in dialog.wrong.text()
        QTest.mouseClick(dialog.range.sample, Qt.MouseButton.LeftButton)
        await emitted(window.bridge.sampling.columns_found, lambda: choose_file(dialog, table))
        column = next(each for each in dialog.findChildren(QInputDialog) if each.isVisible())
        column.setTextValue("Taken (%)")
        await emitted(window.bridge.sampling.sample_found, column.accept)
        assert dialog.range.values.text() == "80% 95% 140%"
        press_ok(dialog)
        taken = Spread(SpreadKind.EMPIRICAL, values=(80.0, 95.0, 140.0))
        assert window.bridge.state.plan.task(2).risk == TaskRisk(taken)
        again = asked(window, 2)
        assert not again.range.sample.isHidden()
        QTest.keyClick(again.range.values, Qt.Key.Key_End)
        QTest.keyClicks(again.range.values, " 150%")
        assert again.range.verdict.text() == "Planned are 1 d: enough in 37 of 100 cases."


async def test_that_tasks_counted_otherwise_are_given_percent_and_a_milestone_is_no_example(
    qapp: QApplication, tmp_path: Path
) -> None:
    plan = three_days()
    first, second = replace(plan.tasks[0], duration=0, is_milestone=True), replace(plan.tasks[1], is_elapsed=True)
    loom.save(tmp_path / "house.loom", replace(plan, tasks=(first, second, plan.tasks[2])))
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "house.loom"))
        dialog = asked(window, 1, 2, 3)
        choose(dialog, SpreadKind.UNIFORM)
        assert dialog.note.text() == "For 3 tasks; the picture is that of “pour”."
        QTest.keyClick(dialog.range.unit, Qt.Key.Key_Down)
        press_ok(dialog)
        assert dialog.wrong.text().startswith("Some of the tasks are counted in elapsed time")
        QTest.keyClick(dialog.range.unit, Qt.Key.Key_Up)
        press_ok(dialog)
        spread = Spread(SpreadKind.UNIFORM, 80, 105, 130)
        assert [task.risk for task in window.bridge.state.plan.tasks] == [TaskRisk(spread)] * 3
