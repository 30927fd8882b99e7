"""How certain a task is, typed into columns of the table, copied and pasted, by real keys in a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import PlanRisks, Spread, SpreadKind, SpreadPreset, Task, TaskRisk
from gui.bridge.risking import Risk
from gui.canvas.shapes import Label
from gui.gantt.cell_editor import CellEditor
from gui.gantt.cells import cell_shapes
from gui.gantt.columns import COLUMNS as EVERY
from gui.gantt.columns import Column
from gui.gantt.figures import figures_of
from gui.gantt.words import instant_text
from gui.main_window import MainWindow
from tests.gui.gantt.sure import answers_of as sureness
from tests.gui.shell import action, show, shown, three_days

DAY = 8 * 3600
COLUMN_PLACES = {column: place for place, column in enumerate(EVERY)}
COLUMNS = (Column.RANGE, Column.OPTIMISTIC, Column.LIKELY, Column.PESSIMISTIC, Column.CHANCE)
CONTROL, Key = Qt.KeyboardModifier.ControlModifier, Qt.Key


@pytest.fixture
def house(tmp_path: Path) -> str:
    """Three days of work in a file; digging is of a family that has a range."""
    plan = three_days()
    tasks = (replace(plan.tasks[0], family="ground", duration=2 * DAY), *plan.tasks[1:])
    risks = PlanRisks(presets=(SpreadPreset("ground", Spread(SpreadKind.TRIANGULAR, 80, 100, 120)),))
    loom.save(tmp_path / "house.loom", replace(plan, tasks=tasks, risks=risks))
    return str(tmp_path / "house.loom")


def go(window: MainWindow, task: int, column: Column) -> CellEditor:
    for each in COLUMNS:
        window.gantt.table.set_column_shown(each, True)
    window.activateWindow()
    window.gantt.table.setFocus()
    window.gantt.select((task,))
    window.gantt.table.go_to(column)
    return window.gantt.table.findChild(CellEditor)


def enter(window: MainWindow, editor: CellEditor, text: str, then: Key = Key.Key_Return) -> None:
    QTest.keyClicks(window.gantt.table, text[0])
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, then)


def task(window: MainWindow, number: int) -> Task:
    return window.bridge.state.plan.task(number)


def words(window: MainWindow, number: int) -> list[str]:
    state = window.bridge.state
    return [figures_of(state).text(state.plan.rows[number], column) for column in COLUMNS]


async def test_that_a_range_is_typed_told_readably_and_undone(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, heard):
        await show(window, house)
        editor = go(window, 2, Column.RANGE)
        enter(window, editor, "12h..1d..2d")
        assert editor.isVisible()
        assert editor.accessibleDescription() == "“12h..1d..2d” has a most likely length outside its range."
        QTest.keyClick(editor, Key.Key_A, CONTROL)
        QTest.keyClicks(editor, "4h..1d..3d")
        QTest.keyClick(editor, Key.Key_Return)
        assert task(window, 2).risk == TaskRisk(Spread(SpreadKind.TRIANGULAR, DAY / 2, DAY, 3 * DAY, 0, False))
        assert words(window, 2) == ["4 h – 1 d – 3 d", "4 h", "1 d", "3 d", ""]  # noqa: RUF001
        assert window.bridge.state.undo_label == "Set the range of “pour”"
        go(window, 2, Column.RANGE)
        enter(window, editor, "2d..3d")
        assert heard.messages[-1] == "“pour” is planned with 1d, which its range leaves out."
        QTest.keyClick(window, Key.Key_Z, CONTROL)
        QTest.keyClick(window, Key.Key_Z, CONTROL)
        assert task(window, 2).risk is None


async def test_that_three_columns_make_one_range_and_chance_a_chance(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        editor = go(window, 2, Column.OPTIMISTIC)
        enter(window, editor, "50%", Key.Key_Tab)
        assert words(window, 2) == ["50–100–100 %", "50 %", "100 %", "100 %", ""]  # noqa: RUF001
        QTest.keyClick(window.gantt.table, Key.Key_Right)
        enter(window, editor, "3d", Key.Key_Tab)
        assert words(window, 2) == ["4 h – 1 d – 3 d", "4 h", "1 d", "3 d", ""]  # noqa: RUF001
        enter(window, editor, "25%")
        assert task(window, 2).risk.chance == 0.25
        assert words(window, 2)[-1] == "25 %"
        go(window, 2, Column.LIKELY)
        enter(window, editor, "5d")
        assert editor.accessibleDescription() == "“pour” has a most likely length outside its range."
        QTest.keyClick(editor, Key.Key_Escape)


async def test_that_numbers_come_from_a_spreadsheet_and_go_back(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        go(window, 2, Column.OPTIMISTIC)
        QGuiApplication.clipboard().setText("1d\t2d\t4d\t90%\n80%\t100%\t200%\t\n")
        action(window, "paste").trigger()
        assert task(window, 2).risk == TaskRisk(Spread(SpreadKind.TRIANGULAR, DAY, 2 * DAY, 4 * DAY, 0, False), 0.9)
        assert task(window, 3).risk == TaskRisk(Spread(SpreadKind.TRIANGULAR, 80, 100, 200))
        go(window, 2, Column.OPTIMISTIC)
        QGuiApplication.clipboard().setText("9d\t10d\t12d")
        action(window, "paste").trigger()
        assert words(window, 2)[0] == "9–10–12 d"  # noqa: RUF001
        go(window, 2, Column.RANGE)
        action(window, "copy").trigger()
        assert QGuiApplication.clipboard().text() == "9d..10d..12d"
        go(window, 1, Column.RANGE)
        action(window, "paste").trigger()
        assert words(window, 1)[0] == "9–10–12 d"  # noqa: RUF001


async def test_that_the_range_of_a_family_is_pale_and_not_typed_over(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        editor = go(window, 1, Column.RANGE)
        state, rows = window.bridge.state, window.gantt.table.task_model.rows
        (label,) = cell_shapes(state, rows, (0, Column.RANGE), 100, lambda text, *_: text)
        assert isinstance(label, Label)
        assert (label.text, label.color, label.is_italic) == ("±20 %", "muted", True)
        QTest.keyClick(window.gantt.table, Key.Key_F2)
        assert editor.text() == ""
        QTest.keyClicks(editor, "as planned")
        QTest.keyClick(editor, Key.Key_Return)
        state = window.bridge.state
        (label,) = cell_shapes(state, rows, (0, Column.RANGE), 100, lambda text, *_: text)
        assert isinstance(label, Label)
        assert (label.text, label.color, label.is_italic) == ("as planned", "text", False)


async def test_that_rows_are_sorted_by_how_uncertain_they_are(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        editor = go(window, 3, Column.RANGE)
        enter(window, editor, "1d..4d")
        keys = figures_of(window.bridge.state)
        assert keys.keys(Column.RANGE).tolist() == [400_000, 0, 3_000_000]
        assert keys.keys(Column.PESSIMISTIC).argsort().tolist()[0] == 2


async def test_that_what_samples_say_stands_in_two_columns_while_it_is_known(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, house)
        sure = (Column.SURE_FINISH, Column.CRITICALITY)
        for column in sure:
            window.gantt.table.set_column_shown(column, True)
        state = window.bridge.state
        window.gantt.table.set_column_shown(Column.FINISH, True)
        window.gantt.table.fit_columns()
        widths = [window.gantt.table.columnWidth(COLUMN_PLACES[each]) for each in (Column.FINISH, Column.SURE_FINISH)]
        assert widths[0] == widths[1]
        end = int(state.schedule.finish[2])
        found = sureness(state.plan, (end, end + DAY), critical={1: 0.25, 2: 0.999})
        found.row_finish[:] = [[end, end, end + number, end] for number in (0, 7200, 3600)]
        window.bridge.risking.changed.emit(Risk(state, found))
        told = [[figures_of(state).text(row, column) for column in sure] for row in range(3)]
        assert [words for _, words in told] == ["25 %", "99 %", "0 %"]
        assert told[1][0] == instant_text(state.plan, end + 7200)
        model = window.gantt.table.task_model
        tip = model.index(1, COLUMN_PLACES[Column.SURE_FINISH]).data(Qt.ItemDataRole.ToolTipRole)
        assert tip == f"P80 of “pour” in 1,000 samples: {instant_text(state.plan, end + 7200)}"
        window.gantt.desk.sort(Column.SURE_FINISH, is_falling=True)
        assert [task.id for task in window.gantt.table.task_model.rows.tasks] == [2, 3, 1]
        found.row_finish[0, 2] = end + 9000
        window.bridge.risking.changed.emit(Risk(state, found))
        assert [task.id for task in window.gantt.table.task_model.rows.tasks] == [1, 2, 3]
        window.bridge.risking.changed.emit(Risk(state, None, found, is_trial=True))
        assert figures_of(state).text(0, Column.CRITICALITY) == "25 %"
        editor = go(window, 1, Column.CRITICALITY)
        QTest.keyClick(window.gantt.table, Key.Key_F2)
        assert not editor.isVisible()
        window.bridge.risking.changed.emit(None)
        assert figures_of(state).text(0, Column.CRITICALITY) == ""
