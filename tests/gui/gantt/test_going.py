"""Going to dates, to the ends of the plan, and to a bar, in the whole window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from gui.dialogs.goal_dialog import GoalDialog
from gui.gantt.sight import NEAR
from gui.main_window import MainWindow
from tests.gui.gantt.plans import US, at, week
from tests.gui.shell import action, settle, show, shown

ALT, CONTROL_SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier),
)


@pytest.fixture
def planned(tmp_path: Path) -> str:
    """The week, of which Paint starts a year later, in a file."""
    plan = week().plan
    late = [
        replace(task, is_manual=True, manual_start=at(2027, 3, 1, 8)) if task.id == 5 else task for task in plan.tasks
    ]
    loom.save(tmp_path / "week.loom", replace(plan, tasks=tuple(late)))
    return str(tmp_path / "week.loom")


def asked(window: MainWindow) -> GoalDialog:
    QTest.keyClick(window, Qt.Key.Key_G, CONTROL_SHIFT)
    return next(dialog for dialog in window.findChildren(GoalDialog) if dialog.isVisible())


def share(window: MainWindow, tick: int) -> float:
    scale = window.gantt.time_scale
    return scale.x(tick) / scale.width_px


@pytest.mark.parametrize(
    ("typed", "goal"),
    [
        ("2026-03-10", at(2026, 3, 10, 8)),
        ("3 Mar", at(2026, 3, 3, 8)),
        ("1999-12-31", at(1999, 12, 31, 8)),
        ("4 Mar 2026 13:00", at(2026, 3, 4, 13)),
    ],
)
async def test_that_a_typed_date_is_shown(typed: str, goal: int, qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        action(window, "go_start").trigger()
        dialog = asked(window)
        QTest.keyClicks(dialog.text, typed)
        assert dialog.said.text().strip()
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert share(window, goal) == pytest.approx(NEAR, abs=0.002)


async def test_that_sums_count_on_from_the_date_that_was_gone_to(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        action(window, "zoom_in").trigger()
        for typed, goal in (("9 Mar 2026", at(2026, 3, 9)), ("+2w", at(2026, 3, 23)), ("-1w", at(2026, 3, 16))):
            dialog = asked(window)
            QTest.keyClicks(dialog.text, typed)
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            assert window.gantt.time_scale.tick(window.gantt.time_scale.width_px * NEAR) // 86_400 == goal // 86_400


async def test_that_what_is_no_date_stays_with_a_sentence(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        before = window.gantt.time_scale
        dialog = asked(window)
        for typed in ("soon", "+99999999999999w", "3 ms"):
            dialog.text.clear()
            QTest.keyClicks(dialog.text, typed)
            assert not dialog.said.text().strip()
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            assert dialog.isVisible()
            assert "is no date" in dialog.said.text()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
        assert window.gantt.time_scale == before


async def test_that_a_device_plan_takes_lengths_of_time(qapp: QApplication, frames: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, frames)
        settle(qapp)
        for typed, goal in (("250 us", 250 * US), ("3 ms", 3000 * US), ("+1ms", 4000 * US)):
            dialog = asked(window)
            QTest.keyClicks(dialog.text, typed)
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            assert share(window, goal) == pytest.approx(NEAR, abs=0.01)
            assert window.timeline.time_scale.origin_ticks == window.gantt.time_scale.origin_ticks


async def test_that_keys_go_to_both_ends_and_to_the_selected_bar(qapp: QApplication, planned: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, planned)
        settle(qapp)
        window.gantt.set_time_scale(replace(window.gantt.time_scale, ticks_per_px=900.0))
        dates = window.bridge.state.schedule
        QTest.keyClick(window.gantt.chart, Qt.Key.Key_End, ALT)
        assert share(window, dates.project_finish) == pytest.approx(1 - NEAR, abs=0.002)
        QTest.keyClick(window.gantt.table, Qt.Key.Key_Home, ALT)
        assert share(window, dates.project_start) == pytest.approx(NEAR, abs=0.002)
        window.gantt.select((5,))
        QTest.keyClick(window.gantt.table, Qt.Key.Key_F5, CONTROL_SHIFT)
        assert share(window, dates.start_of(5)) == pytest.approx(NEAR, abs=0.002)
        assert window.gantt.selection == (5,)
