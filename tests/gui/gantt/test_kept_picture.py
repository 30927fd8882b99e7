"""A chart that keeps its picture while the mouse does something shows what one drawn anew would."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.canvas import kept
from gui.canvas.painter import draw
from gui.canvas.time_scale import TimeScale
from gui.gantt.view import GanttView
from gui.theme import DARK, LIGHT, Theme
from tests.gui.gantt.plans import at, state_of, tried, week


@pytest.fixture
def view(qtbot: QtBot) -> GanttView:
    state = week()
    made = GanttView(lambda edit: tried(state, edit))
    qtbot.addWidget(made)
    made.resize(1000, 400)
    made.show()
    made.set_state(state)
    made.set_time_scale(TimeScale(at(2026, 3, 1), 900.0))
    made.select((2,))
    return made


def blank(view: GanttView, theme: Theme, ratio: float) -> QImage:
    image = QImage(round(1000 * ratio), round(400 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(theme.ground))
    return image


def painted(view: GanttView, theme: Theme, ratio: float) -> QImage:
    """What the chart shows next."""
    image = blank(view, theme, ratio)
    painter = QPainter(image)
    painter.setClipRect(0, 0, view.chart.width(), view.chart.chart_height)
    view.chart.paint_picture(painter, theme)
    painter.end()
    return image


def anew(view: GanttView, theme: Theme, ratio: float) -> QImage:
    image = blank(view, theme, ratio)
    painter = QPainter(image)
    painter.setClipRect(0, 0, view.chart.width(), view.chart.chart_height)
    draw(painter, view._picture().shapes(), theme)
    painter.end()
    return image


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_that_a_kept_picture_is_the_one_drawn_anew(
    view: GanttView, theme: Theme, ratio: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = 0

    def counted(*args: object) -> object:
        nonlocal copies
        copies += 1
        return drawn(*args)  # type: ignore[arg-type]  # handed on as they come

    drawn = kept._drawn
    monkeypatch.setattr(kept, "_drawn", counted)
    for x in (0.0, 150.0, 200.0, 260.0):
        view.pointer._move((x, 36.0), view.chart.hold_of(Qt.KeyboardModifier.NoModifier))
        assert painted(view, theme, ratio) == anew(view, theme, ratio)
    assert copies == 1


def test_that_whatever_else_changes_is_drawn_anew(view: GanttView) -> None:
    for change in (
        lambda: view.select((3,)),
        lambda: view.set_failed((3,)),
        lambda: view._frame.scroll_by(7),
        lambda: view.set_time_scale(TimeScale(at(2026, 3, 2), 900.0)),
        lambda: view.rearrange(frozenset({1})),
        lambda: view.looks.set_now(at(2026, 3, 3)),
        lambda: view.set_state(state_of(replace(week().plan, dependencies=()))),
    ):
        painted(view, LIGHT, 1.0)
        painted(view, LIGHT, 1.0)
        change()
        for _ in range(3):
            assert painted(view, LIGHT, 1.0) == anew(view, LIGHT, 1.0)
