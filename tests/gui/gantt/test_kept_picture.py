"""A chart that keeps its picture while the mouse does something shows what one drawn anew would."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from engine.session.edits import MoveTask
from gui.canvas.axis import axis_shapes
from gui.canvas.kept import KeptPicture
from gui.canvas.painter import draw, text_width
from gui.canvas.time_scale import TimeScale
from gui.gantt.view import GanttView
from gui.theme import DARK, LIGHT, Theme
from tests.gui.gantt.plans import DAY, at, state_of, tried, week
from tests.gui.gantt.test_links import hub


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

    def counted(*args: object) -> None:
        nonlocal copies
        copies += 1
        drawn(*args)  # type: ignore[arg-type]  # handed on as they come

    drawn = KeptPicture._draw
    monkeypatch.setattr(KeptPicture, "_draw", counted)
    for x in (0.0, 150.0, 200.0, 260.0):
        view.pointer._move((x, 36.0), view.chart.hold_of(Qt.KeyboardModifier.NoModifier))
        assert painted(view, theme, ratio) == anew(view, theme, ratio)
    assert copies == 1


def test_that_whatever_else_changes_is_drawn_anew(view: GanttView) -> None:
    for change in (
        lambda: view.select((3,)),
        lambda: view.set_failed((3,)),
        lambda: view.frame.scroll_by(7),
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


def axes(view: GanttView, theme: Theme, ratio: float) -> tuple[QImage, QImage]:
    """The axis as the chart shows it next, and as it is drawn anew."""
    images = blank(view, theme, ratio), blank(view, theme, ratio)
    painter = QPainter(images[0])
    view.chart._axis._kept.paint(painter, view.chart._axis_picture(), view.chart._axis.size().toSize(), theme)
    painter.end()
    painter = QPainter(images[1])
    draw(painter, axis_shapes(view.chart.time_scale, view.chart.is_calendar, text_width), theme)
    painter.end()
    return images


def doings(view: GanttView, chance: random.Random) -> list[Callable[[], object]]:
    """What a person may do next."""
    state, scale = view.state, view.time_scale
    assert state is not None
    task, far = chance.choice(state.plan.tasks).id, chance.randint(-3, 3)
    start = state.schedule.start_of(task) + far * DAY
    at_px = chance.uniform(0, 600), chance.uniform(0, 300)
    return [
        lambda: None,
        lambda: view.frame.scroll_by(chance.choice((-72, -7, 7, 24, 72))),
        lambda: view.chart.zoom(chance.choice((0.8, 1.25)), at_px[0]),
        lambda: view.set_time_scale(replace(scale, origin_ticks=scale.origin_ticks + far * DAY // 3)),
        lambda: view.select(() if far < 0 else (task,)),
        lambda: view.pointer._move(at_px, view.chart.hold_of(Qt.KeyboardModifier.NoModifier)),
        lambda: view.set_state(replace(tried(state, MoveTask(task, start)), revision=state.revision + 1)),
    ]


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0])
def test_that_whatever_a_person_does_the_picture_is_the_one_drawn_anew(view: GanttView, ratio: float) -> None:
    chance = random.Random(round(ratio * 100))
    view.set_state(hub(60, 3))
    for _ in range(40):
        chance.choice(doings(view, chance))()
        assert painted(view, LIGHT, ratio) == anew(view, LIGHT, ratio)
        kept_axis, drawn_axis = axes(view, LIGHT, ratio)
        assert kept_axis == drawn_axis
