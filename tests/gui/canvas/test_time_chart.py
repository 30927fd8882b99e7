"""The chart over time in a real window: wheel, buttons, axis."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.canvas.shapes import Box, Shape
from gui.canvas.time_chart import TimeChart
from gui.canvas.time_scale import TimeScale
from gui.theme import DARK, LIGHT, METRICS


def shapes() -> list[Shape]:
    return [Box(0, 0, 50, 10, "copy_in")]


@pytest.fixture
def chart(qtbot: QtBot) -> TimeChart:
    made = TimeChart(shapes)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    qtbot.waitExposed(made)
    made.set_time_scale(TimeScale(1_000_000, 5_000.0))
    return made


def wheel(chart: TimeChart, x: int, notches: int, modifiers: Qt.KeyboardModifier) -> None:
    place = QPointF(x, 100)
    event = QWheelEvent(
        place,
        chart.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart.viewport(), event)


def test_that_the_scale_takes_the_width_of_the_chart(chart: TimeChart) -> None:
    assert chart.time_scale.width_px == 1000
    chart.resize(700, 300)
    assert chart.time_scale.width_px == 700


@pytest.mark.parametrize("notches", [1, -1, 5])
def test_that_the_wheel_with_control_zooms_at_the_cursor(chart: TimeChart, qtbot: QtBot, notches: int) -> None:
    before = chart.time_scale
    with qtbot.waitSignal(chart.scale_changed):
        wheel(chart, 333, notches, Qt.KeyboardModifier.ControlModifier)
    after = chart.time_scale
    assert after.tick(333) == before.tick(333)
    assert after.ticks_per_px == pytest.approx(before.ticks_per_px / 1.25**notches)


def test_that_the_wheel_with_shift_pans(chart: TimeChart) -> None:
    before = chart.time_scale
    wheel(chart, 333, -1, Qt.KeyboardModifier.ShiftModifier)
    assert chart.time_scale.origin_ticks > before.origin_ticks
    assert chart.time_scale.ticks_per_px == before.ticks_per_px


def test_that_a_plain_wheel_is_handed_on_and_leaves_time_alone(chart: TimeChart, qtbot: QtBot) -> None:
    before = chart.time_scale
    with qtbot.waitSignal(chart.wheel_turned) as turned:
        wheel(chart, 333, -1, Qt.KeyboardModifier.NoModifier)
    assert turned.args == [3 * METRICS.row_px]
    assert chart.time_scale == before


def test_that_the_middle_button_drags_time_along(chart: TimeChart) -> None:
    held = chart.time_scale.tick(400)
    target, button = chart.viewport(), Qt.MouseButton.MiddleButton
    QTest.mousePress(target, button, pos=QPoint(400, 150))
    QTest.mouseMove(target, QPoint(430, 150))
    QTest.mouseRelease(target, button, pos=QPoint(430, 150))
    assert chart.time_scale.tick(430) == held
    QTest.mouseMove(target, QPoint(500, 150))
    assert chart.time_scale.tick(430) == held


def test_that_showing_another_scale_tells_nobody(chart: TimeChart, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(chart.scale_changed):
        chart.set_time_scale(TimeScale(7, 3.0, 55))
    assert chart.time_scale == TimeScale(7, 3.0, 1000)


def test_that_zooming_by_the_buttons_keeps_the_middle(chart: TimeChart) -> None:
    before = chart.time_scale.tick(500)
    chart.zoom(2)
    assert chart.time_scale.tick(500) == before


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_picture_is_drawn_under_the_axis_in_the_themes_colors(chart: TimeChart, theme: object) -> None:
    chart.set_theme(theme)
    image = chart.grab().toImage()
    assert image.pixelColor(20, METRICS.header_px + 5).name().upper() == theme.copy_in
    assert image.pixelColor(200, METRICS.header_px + 50).name().upper() == theme.ground
    assert image.pixelColor(999, 2).name().upper() == theme.panel


def test_that_nobody_scrolls_farther_than_half_a_window_past_what_there_is(chart: TimeChart) -> None:
    chart.bounds = (0, 10_000_000)
    for _ in range(40):
        chart.pan(-300)
    assert chart.time_scale.x(10_000_000) == 500
    for _ in range(80):
        chart.pan(300)
    assert chart.time_scale.x(0) == 500
    chart.set_time_scale(TimeScale(90_000_000, 5_000.0))
    chart.pan(-100)
    assert chart.time_scale.origin_ticks == 90_000_000
    chart.pan(100)
    assert chart.time_scale.origin_ticks == 89_500_000
