"""What the View menu changes in the picture of the chart, by real keys in a real window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar

from engine.formats import loom
from engine.model import Baseline, BaselineTask
from gui.main_window import MainWindow
from gui.theme import LIGHT, METRICS
from tests.gui.shell import action, settle, show, shown, three_days

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
LATER = 2 * 3600


@pytest.fixture
def promised(tmp_path: Path) -> str:
    """Three tasks of a day, promised two hours later than they are."""
    plan, start = three_days(), 1_772_409_600 + 8 * 3600
    dates = (BaselineTask(task.id, start + LATER, start + LATER + 9 * 3600, 8 * 3600) for task in plan.tasks)
    loom.save(tmp_path / "plan.loom", replace(plan, baselines=(Baseline(1, "agreed", tuple(dates)),)))
    return str(tmp_path / "plan.loom")


def color_at(window: MainWindow, task: int, dy: float) -> QColor:
    """What is painted under the middle of a task's bar, so far from the upper edge of its row."""
    layout = window.gantt._layout()
    bar = layout.bar_of(task)
    return color_of(window, (bar.left + bar.right) / 2 + 20, bar.y + dy)


def color_of(window: MainWindow, x: float, y: float) -> QColor:
    image = window.gantt.chart.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(x * ratio), round((y + METRICS.header_px) * ratio))


async def test_that_bars_take_the_color_that_was_chosen_by_keys(qapp: QApplication, promised: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, promised)
        assert color_at(window, 1, 11).name() == LIGHT.accent.lower()
        for key, name, fill in (
            (Key.Key_R, "color_resource", LIGHT.idle),
            (Key.Key_C, "color_criticality", LIGHT.critical),
        ):
            QTest.keyClick(window, Key.Key_U, CONTROL)
            QTest.keyClick(window, key)
            settle(qapp)
            assert color_at(window, 1, 11).name() == fill.lower()
            assert action(window, name).isChecked()
        assert not action(window, "color_kind").isChecked()


async def test_that_a_baseline_is_shown_and_hidden_and_others_are_not_offered(
    qapp: QApplication, promised: str
) -> None:
    async with shown(qapp) as (window, _):
        await show(window, promised)
        window.gantt.fit()
        settle(qapp)
        assert action(window, "baseline_1").isChecked()
        assert not action(window, "baseline_2").isEnabled()
        scale = window.gantt.time_scale
        x, y = scale.x(1_772_409_600 + 8 * 3600 + LATER + 2 * 3600), METRICS.actual_top_px + 1
        assert color_of(window, x, y).name() == LIGHT.baseline.lower()
        action(window, "baseline_none").trigger()
        settle(qapp)
        assert color_of(window, x, y).name() != LIGHT.baseline.lower()


async def test_that_the_bar_under_the_chart_scrolls_time(qapp: QApplication, promised: str) -> None:
    async with shown(qapp) as (window, _):
        await show(window, promised)
        for _ in range(4):
            action(window, "zoom_in").trigger()
        settle(qapp)
        bar = window.gantt.findChild(QScrollBar, "time")
        before = window.gantt.time_scale.origin_ticks
        assert bar.maximum() > 0
        bar.setValue(0)
        assert window.gantt.time_scale.origin_ticks < before
        bar.triggerAction(QScrollBar.SliderAction.SliderToMaximum)
        state = window.bridge.state
        assert window.gantt.time_scale.end_ticks == pytest.approx(
            state.schedule.project_finish, abs=window.gantt.time_scale.ticks_per_px
        )
