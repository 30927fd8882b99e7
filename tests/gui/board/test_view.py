"""The board in the window, with a real mouse and real keys."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.model import Alternative, TaskId
from gui.board.layout import BoardBar
from gui.board.view import BoardView
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.board.plans import MONDAY, many, shop
from tests.gui.gantt.plans import DAY, HOUR
from tests.gui.shell import action, emitted, settle, show, shown, until

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workshop(tmp_path: Path) -> str:
    """The shop in a file."""
    loom.save(tmp_path / "shop.loom", shop().plan)
    return str(tmp_path / "shop.loom")


async def boarded(window: MainWindow, path: str, app: QApplication) -> BoardView:
    await show(window, path)
    QTest.keyClick(window, Qt.Key.Key_8, Qt.KeyboardModifier.ControlModifier)
    settle(app)
    return window.pages.board


def bar(board: BoardView, task: TaskId) -> BoardBar:
    layout = board._layout()
    return next(each for each in layout.bars(900) if each.slot.task.id == task)


def middle(board: BoardView, task: TaskId) -> QPoint:
    found = bar(board, task)
    return QPoint(round((found.left + found.right) / 2), round(found.top) + METRICS.header_px + 8)


async def test_that_the_board_takes_the_place_of_the_chart_and_gives_it_back(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        assert board.isVisible()
        assert not window.gantt.isVisible()
        assert board.chart.hasFocus()
        assert action(window, "show_board").isChecked()
        assert board.chart.time_scale.origin_ticks == window.gantt.time_scale.origin_ticks
        action(window, "show_board").trigger()
        assert window.gantt.isVisible()


async def test_that_a_plan_that_is_seen_whole_is_so_on_a_board_of_another_width(
    qapp: QApplication, workshop: str
) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        for do in (lambda: window.resize(window.width() - 200, window.height()), action(window, "fit").trigger):
            do()
            settle(qapp)
            dates, scale = window.bridge.state.schedule, board.chart.time_scale
            assert 0 < scale.x(dates.project_start) < 0.1 * board.chart.width()
            assert 0.9 * board.chart.width() < scale.x(dates.project_finish) < board.chart.width()
        board.chart.zoom(4)
        assert window.gantt.time_scale.ticks_per_px == board.chart.time_scale.ticks_per_px
        window.resize(window.width() + 100, window.height())
        settle(qapp)
        assert board.chart.time_scale.ticks_per_px == window.gantt.time_scale.ticks_per_px


async def test_that_a_click_chooses_a_task_for_the_whole_window(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        QTest.mouseClick(board.chart.viewport(), LEFT, pos=middle(board, 4))
        assert window.gantt.selection == (4,)
        QTest.mouseClick(board.chart.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, middle(board, 1))
        assert set(window.gantt.selection) == {1, 4}
        QTest.mouseClick(board.chart.viewport(), LEFT, pos=QPoint(5, METRICS.header_px + 300))
        assert window.gantt.selection == ()


async def test_that_a_bar_is_dragged_to_another_resource_and_undone_in_one_step(
    qapp: QApplication, workshop: str
) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        view, press = board.chart.viewport(), middle(board, 1)
        down = QPoint(press.x(), middle(board, 4).y())
        QTest.mousePress(view, LEFT, pos=press)
        QTest.mouseMove(view, down)
        settle(qapp)
        QTest.mouseRelease(view, LEFT, pos=down)
        plan = window.bridge.state.plan
        assert [each.resource for each in plan.assignments if each.task == 1] == [2]
        window.bridge.undo()
        assert window.bridge.state.plan.assignments == shop().plan.assignments


async def test_that_rows_go_on_under_a_bar_that_is_held_at_the_edge(qapp: QApplication, tmp_path: Path) -> None:
    loom.save(tmp_path / "many.loom", many(200, 100).plan)
    async with shown(qapp) as (window, _):
        board = await boarded(window, str(tmp_path / "many.loom"), qapp)
        view, press = board.chart.viewport(), middle(board, 5)
        QTest.mousePress(view, LEFT, pos=press)
        QTest.mouseMove(view, QPoint(press.x(), view.height() - 4))
        await until(lambda: board._bar.value() > 100)
        QTest.keyClick(board.chart, Qt.Key.Key_Escape)
        stopped = board._bar.value()
        await asyncio.sleep(0.1)
        assert board._bar.value() == stopped
        QTest.mouseRelease(view, LEFT, pos=press)
        assert window.bridge.state.undo_label == ""


async def test_that_a_band_over_the_ground_chooses_every_bar_that_it_touches(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        view, layout = board.chart.viewport(), board._layout()
        found = {each.slot.task.id: each for each in layout.bars(900)}
        low = max(each.top for each in found.values()) + 60
        right = max(each.right for each in found.values()) + 10
        start, end = QPoint(round(right), round(low) + METRICS.header_px), middle(board, 4)
        touched = {task for task, each in found.items() if each.right >= end.x() and each.top + 16 >= found[4].top + 8}
        QTest.mousePress(view, LEFT, pos=start)
        QTest.mouseMove(view, end)
        settle(qapp)
        words = [shape.text for shape in board._picture().shapes() if hasattr(shape, "text")]
        assert ("1 task" if len(touched) == 1 else f"{len(touched)} tasks") in words
        QTest.mouseRelease(view, LEFT, pos=end)
        assert set(window.gantt.selection) == touched
        assert 4 in touched
        QTest.mouseClick(view, LEFT, pos=start)
        assert window.gantt.selection == ()
        QTest.mouseClick(view, LEFT, pos=middle(board, 1))
        shift = Qt.KeyboardModifier.ControlModifier
        QTest.mousePress(view, LEFT, shift, start)
        QTest.mouseMove(view, end)
        QTest.mouseRelease(view, LEFT, shift, end)
        assert set(window.gantt.selection) == touched | {1}
        QTest.mousePress(view, LEFT, pos=start)
        QTest.mouseMove(view, end)
        QTest.keyClick(board.chart, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, LEFT, pos=end)
        assert window.gantt.selection == ()


async def test_that_escape_lets_a_drag_go(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        view, press = board.chart.viewport(), middle(board, 1)
        QTest.mousePress(view, LEFT, pos=press)
        QTest.mouseMove(view, press + QPoint(60, 0))
        QTest.keyClick(board.chart, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, LEFT, pos=press + QPoint(60, 0))
        assert window.bridge.state.undo_label == ""


async def test_that_keys_choose_move_and_hand_over(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        chart = board.chart
        QTest.keyClick(chart, Qt.Key.Key_Down)
        assert window.gantt.selection == (1,)
        QTest.keyClick(chart, Qt.Key.Key_Right)
        assert window.gantt.selection == (3,)
        QTest.keyClick(chart, Qt.Key.Key_Home)
        QTest.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        assert MONDAY < window.bridge.state.schedule.start_of(1) <= MONDAY + DAY
        QTest.keyClick(chart, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert [each.resource for each in window.bridge.state.plan.assignments if each.task == 1] == [2]
        QTest.keyClick(chart, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        assert [each.resource for each in window.bridge.state.plan.assignments if each.task == 1] == [1]


async def test_that_the_board_has_a_left_side_of_its_own_width_which_is_found_again(
    qapp: QApplication, workshop: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, workshop)
        window.gantt.frame.widen()
        window.docks.set_left_width(700)
        board = await boarded(window, workshop, qapp)
        assert board.names.width() == METRICS.left_width_px
        QTest.mousePress(handle := board._sides.handle(1), LEFT, pos=QPoint(0, 300))
        QTest.mouseMove(handle, QPoint(-100, 300))
        QTest.mouseRelease(handle, LEFT, pos=QPoint(-100, 300))
        settle(qapp)
        assert (dragged := board.names.width()) < METRICS.left_width_px - 50
        load = window.docks.workload.load.names
        assert load.width() == dragged + 1
        window.docks.keep_layout()
        action(window, "show_board").trigger()
        settle(qapp)
        assert (window.gantt.table.width(), load.width()) == (700, 701)
        other = MainWindow(window.bridge, window._appearance, lambda: 0.0)
        other.show()
        action(other, "show_board").trigger()
        settle(qapp)
        assert other.pages.board.names.width() == dragged
        action(other, "restore_docks").trigger()
        assert other.pages.board.names.width() == METRICS.left_width_px
        other.hide()
        other.deleteLater()


async def test_that_overloads_are_told_beside_the_names(qapp: QApplication, workshop: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, workshop, qapp)
        while not board._loads:
            await emitted(window.bridge.workload.board.answered)
        words = [shape.text for shape in board._name_shapes(330.0) if hasattr(shape, "text")]
        assert "Saw" in words
        assert any("overloaded" in text for text in words)


async def test_that_an_empty_board_says_what_fills_it(qapp: QApplication, house: str) -> None:
    async with shown(qapp) as (window, _):
        board = await boarded(window, house, qapp)
        texts = [shape.text for shape in board._picture().shapes() if hasattr(shape, "text")]
        assert texts[0] == "Nobody does anything yet"
        assert "Ctrl+Alt+R" in texts[1]


async def test_that_a_bar_carried_to_a_named_machine_lasts_as_long_as_there_in_one_step(
    qapp: QApplication, tmp_path: Path
) -> None:
    plan = replace(shop().plan, alternatives=(Alternative(1, 2, duration=3 * HOUR),))
    loom.save(tmp_path / "named.loom", plan)
    async with shown(qapp) as (window, _):
        board = await boarded(window, str(tmp_path / "named.loom"), qapp)
        view, press = board.chart.viewport(), middle(board, 1)
        down = QPoint(press.x(), middle(board, 4).y())
        QTest.mousePress(view, LEFT, pos=press)
        QTest.mouseMove(view, down)
        settle(qapp)
        QTest.mouseRelease(view, LEFT, pos=down)
        changed = window.bridge.state.plan
        assert [each.resource for each in changed.assignments if each.task == 1] == [2]
        assert changed.task(1).duration == 3 * HOUR
        window.bridge.undo()
        assert window.bridge.state.plan == plan
