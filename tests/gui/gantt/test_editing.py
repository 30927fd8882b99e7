"""The keyboard's way of every gesture, in the window, and the choice that a pin is given."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from engine.formats import loom
from engine.model import Dependency, Lag, Split
from engine.session.state import State
from gui.canvas.time_scale import TimeScale
from gui.main_window import MainWindow
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, at, week
from tests.gui.shell import action, settle, show, shown

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
ALT, SHIFT, CONTROL = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@asynccontextmanager
async def planned(qapp: QApplication, tmp_path: Path) -> AsyncIterator[MainWindow]:
    """The week in a window; an hour a pixel, days the visible ticks."""
    loom.save(tmp_path / "week.loom", week().plan)
    async with shown(qapp) as (window, _):
        window.resize(1300, 700)
        await show(window, str(tmp_path / "week.loom"))
        window.gantt.set_time_scale(TimeScale(at(2026, 2, 28), 3600.0))
        window.gantt.chart.setFocus()
        settle(qapp)
        yield window


def press(window: MainWindow, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> State:
    held = Qt.KeyboardModifier.NoModifier
    for each in modifiers:
        held |= each
    QTest.keyClick(window, key, held)
    state = window.bridge.state
    assert state is not None
    return state


def drag(window: MainWindow, task: int, pixels: int) -> None:
    layout = window.gantt._layout()
    bar = layout.bar_of(task)
    start = QPoint(round(bar.left + min(12, (bar.right - bar.left) / 2)), round(bar.y + METRICS.header_px + 9))
    viewport = window.gantt.chart.viewport()
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 6):
        QTest.mouseMove(viewport, start + QPoint(pixels * step // 5, 0))
    QTest.mouseRelease(viewport, LEFT, pos=start + QPoint(pixels, 0))


async def test_that_keys_move_resize_and_progress_the_chosen_task_and_undo_takes_each_back(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with planned(qapp, tmp_path) as window:
        window.gantt.select((5,))
        before = window.bridge.state.plan
        assert press(window, Key.Key_Right, ALT).schedule.start_of(5) == at(2026, 3, 3, 8)
        assert press(window, Key.Key_Left, ALT).schedule.start_of(5) == at(2026, 3, 2, 8)
        press(window, Key.Key_Z, CONTROL)
        assert press(window, Key.Key_Right, CONTROL, ALT).plan.task(5).duration == 2 * WORKDAY
        start_later = press(window, Key.Key_Right, CONTROL, ALT, SHIFT)
        assert (start_later.schedule.start_of(5), start_later.plan.task(5).duration) == (at(2026, 3, 4, 8), WORKDAY)
        assert press(window, Key.Key_Left, CONTROL, ALT, SHIFT).plan.task(5).duration == 2 * WORKDAY
        assert press(window, Key.Key_Left, CONTROL, ALT).plan.task(5).duration == WORKDAY
        assert press(window, Key.Key_PageUp, ALT).plan.task(5).progress.percent == 10
        assert press(window, Key.Key_PageDown, ALT).plan.task(5).progress is None
        for _ in range(8):
            press(window, Key.Key_Z, CONTROL)
        assert window.bridge.state.plan == before


async def test_that_the_same_keys_do_the_same_with_the_focus_in_the_table(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        table = window.gantt.table
        window.gantt.select((5,))
        table.setFocus()
        for key, modifiers in ((Key.Key_Right, ALT), (Key.Key_Right, ALT | CONTROL), (Key.Key_PageUp, ALT)):
            QTest.keyClick(table, key, modifiers)
        task = window.bridge.state.plan.task(5)
        assert (task.pin, task.duration, task.progress.percent) == (at(2026, 3, 3, 8), 2 * WORKDAY, 10)
        QTest.keyClick(table, Key.Key_Right, ALT | SHIFT)
        assert window.bridge.state.plan.task(5).parent == 1


async def test_that_keys_split_and_join_and_rows_are_indented_and_moved(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        window.gantt.select((2,))
        assert press(window, Key.Key_M, CONTROL, ALT).plan.task(2).splits == (Split(WORKDAY, WORKDAY),)
        assert press(window, Key.Key_J, CONTROL, ALT).plan.task(2).splits == ()
        window.gantt.select((3,))
        assert [task.id for task in press(window, Key.Key_Up, ALT, SHIFT).plan.tasks] == [1, 3, 2, 4, 5]
        assert [task.id for task in press(window, Key.Key_Down, ALT, SHIFT).plan.tasks] == [1, 2, 3, 4, 5]
        assert press(window, Key.Key_Left, ALT, SHIFT).plan.task(3).parent is None
        window.gantt.select((5,))
        assert press(window, Key.Key_Right, ALT, SHIFT).plan.task(5).parent == 3
        assert window.gantt.selection == (5,)


async def test_that_keys_follow_links_find_names_and_fold_all(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        window.gantt.select((3,))
        press(window, Key.Key_Down, CONTROL)
        assert window.gantt.selection == (4,)
        press(window, Key.Key_Up, CONTROL)
        press(window, Key.Key_Up, CONTROL)
        assert window.gantt.selection == (2,)
        press(window, Key.Key_Up, CONTROL)
        assert window.gantt.selection == (2,)
        assert "Frame" in window.status.text
        press(window, Key.Key_G, CONTROL)
        QTest.keyClicks(QApplication.focusWidget(), "pai")
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
        assert window.gantt.selection == (5,)
        press(window, Key.Key_C, ALT, SHIFT)
        assert window.gantt.table.task_model.rowCount() == 2
        press(window, Key.Key_X, ALT, SHIFT)
        assert window.gantt.table.task_model.rowCount() == 5


async def test_that_links_are_taken_away_by_key(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        window.gantt.select((3,))
        assert press(window, Key.Key_U, CONTROL, SHIFT).plan.dependencies == (Dependency(3, 4),)
        press(window, Key.Key_Z, CONTROL)
        window.gantt.select((2, 3, 4))
        assert press(window, Key.Key_U, CONTROL, SHIFT).plan.dependencies == ()
        assert len(press(window, Key.Key_Z, CONTROL).plan.dependencies) == 2


async def test_that_the_tools_of_the_menu_are_taken_for_one_drag(qapp: QApplication, tmp_path: Path) -> None:
    async with planned(qapp, tmp_path) as window:
        action(window, "split").trigger()
        drag(window, 2, 24)
        assert len(window.bridge.state.plan.task(2).splits) == 1
        action(window, "draw").trigger()
        viewport = window.gantt.chart.viewport()
        start = QPoint(300, METRICS.header_px + 4 * METRICS.row_px + 12)
        QTest.mousePress(viewport, LEFT, pos=start)
        QTest.mouseMove(viewport, start + QPoint(60, 0))
        QTest.mouseRelease(viewport, LEFT, pos=start + QPoint(60, 0))
        assert [task.id for task in window.bridge.state.plan.tasks] == [1, 2, 3, 4, 5, 6]
        assert window.gantt.selection == (6,)
        assert press(window, Key.Key_Z, CONTROL).plan.tasks[-1].id == 5


@pytest.mark.parametrize("way", ["keep", "lag", "remove", "escape", "edit"])
async def test_that_a_drag_that_leaves_a_pin_offers_what_to_make_of_it(
    qapp: QApplication, tmp_path: Path, way: str
) -> None:
    async with planned(qapp, tmp_path) as window:
        offer = window.gantt.pointer.offer
        assert not offer.isVisible()
        drag(window, 3, 4 * 24)
        pinned = window.bridge.state
        assert offer.isVisible()
        assert pinned.plan.task(3).pin == at(2026, 3, 9, 8)
        bar = window.gantt._layout().bar_of(3)
        assert abs(offer.geometry().center().y() - METRICS.header_px - bar.y - METRICS.row_px / 2) <= 2
        assert 0 < offer.geometry().left() - bar.right < 30
        if way == "escape":
            QTest.keyClick(window.gantt.chart, Key.Key_Escape)
        elif way == "edit":
            action(window, "undo").trigger()
        else:
            button: QPushButton = getattr(offer, way)
            button.setFocus()
            QTest.keyClick(button, Key.Key_Space)
        after = window.bridge.state
        assert not offer.isVisible()
        assert after.plan.task(3).pin == (None if way in {"lag", "remove", "edit"} else at(2026, 3, 9, 8))
        if way == "lag":
            assert Dependency(2, 3, lag=Lag(2 * WORKDAY)) in after.plan.dependencies
            assert after.schedule.start_of(3) == at(2026, 3, 9, 8)
        if way in {"lag", "remove"}:
            assert press(window, Key.Key_Z, CONTROL).plan == pinned.plan
            assert press(window, Key.Key_Z, CONTROL).plan.task(3).pin is None


async def test_that_a_task_without_predecessors_is_not_offered_a_lag_and_a_key_does_the_same(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with planned(qapp, tmp_path) as window:
        offer = window.gantt.pointer.offer
        drag(window, 5, 24)
        assert (offer.keep.isVisible(), offer.lag.isVisible(), offer.remove.isVisible()) == (True, False, True)
        drag(window, 3, 24)
        assert offer.lag.isVisible()
        after = press(window, Key.Key_L, CONTROL, ALT)
        assert after.plan.task(3).pin is None
        assert Dependency(2, 3, lag=Lag(WORKDAY)) in after.plan.dependencies
        assert after.undo_label == "Turn pins into lags"
