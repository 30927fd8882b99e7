"""While the mouse holds something of the plan no action changes the plan under it, in chart, table and board."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from engine.formats import loom
from gui.actions import BY_ID, TABLE
from gui.actions.row import waits_for_release
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.board.plans import shop
from tests.gui.board.test_view import boarded, middle
from tests.gui.shell import action, settle, show, shown

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def planned(tmp_path: Path) -> str:
    loom.save(tmp_path / "shop.loom", shop().plan)
    return str(tmp_path / "shop.loom")


def on_chart(window: MainWindow) -> tuple[QWidget, QPoint]:
    layout = window.gantt._layout()
    bar = next(layout.bar(row) for row in range(len(layout.rows)) if layout.bar(row).right - layout.bar(row).left > 30)
    return window.gantt.chart.viewport(), QPoint(round(bar.left + 12), round(bar.y) + METRICS.header_px + 9)


def on_table(window: MainWindow) -> tuple[QWidget, QPoint]:
    return window.gantt.table.viewport(), QPoint(80, METRICS.row_px + 12)


def on_board(window: MainWindow) -> tuple[QWidget, QPoint]:
    board = window.pages.board
    layout = board._layout()
    task = next(bar.slot.task.id for row in range(len(layout.rows.rows)) for bar in layout.bars(row))
    return board.chart.viewport(), middle(board, task)


@pytest.mark.parametrize("press", [on_chart, on_table, on_board])
async def test_that_no_action_changes_the_plan_while_the_mouse_holds_something(
    qapp: QApplication, planned: str, press: Callable[[MainWindow], tuple[QWidget, QPoint]]
) -> None:
    async with shown(qapp) as (window, _):
        await (boarded(window, planned, qapp) if press is on_board else show(window, planned))
        settle(qapp)
        before = window.bridge.state
        target, start = press(window)
        QTest.mousePress(target, LEFT, pos=start)
        for step in range(1, 6):
            QTest.mouseMove(target, start + QPoint(0, 8 * step))
        assert window.pages.is_held()
        for row in TABLE:
            if waits_for_release(row):
                action(window, row.id).trigger()
        for key in (Key.Key_Delete, Key.Key_F2, Key.Key_Insert, Key.Key_Tab):
            QTest.keyClick(window.focusWidget(), key)
        settle(qapp)
        assert window.bridge.state is before
        assert not [each for each in window.findChildren(QDialog) if each.isVisible()]
        assert window.pages.is_held()
        QTest.keyClick(window.pages.plan_page, Key.Key_Escape)
        QTest.keyClick(window.focusWidget(), Key.Key_Escape)
        assert not window.pages.is_held()
        QTest.mouseRelease(target, LEFT, pos=start + QPoint(0, 40))
        assert window.bridge.state is before
        action(window, "delete").trigger()
        assert window.bridge.state is not before


def test_that_all_that_edits_waits_and_saving_leaving_looking_and_stopping_a_run_do_not() -> None:
    waiting = {row.id for row in TABLE if waits_for_release(row)}
    assert {
        "delete",
        "undo",
        "cut",
        "paste",
        "nudge_later",
        "indent",
        "settings",
        "take_offer",
        "new_branch",
    } <= waiting
    assert not waiting & {"save", "quit", "zoom_in", "fit", "cancel", "pause", "show_load", "shortcuts"}
    assert {"take_advice", "close", "open"} <= waiting
    assert waiting < set(BY_ID)
