"""How fast a chart scrolls on while something is dragged near its edge."""

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.gantt.edge_scroll import MOST_PX_S, EdgeScroll, pace

SIZE, MIDDLE = (800.0, 300.0), (400.0, 150.0)


@pytest.mark.parametrize(
    ("at", "speed"),
    [
        ((400.0, 150.0), (0.0, 0.0)),
        ((33.0, 260.0), (0.0, 0.0)),
        ((16.0, 150.0), (-MOST_PX_S / 2, 0.0)),
        ((784.0, 150.0), (MOST_PX_S / 2, 0.0)),
        ((0.0, 300.0), (-MOST_PX_S, MOST_PX_S)),
        ((-5000.0, -5000.0), (-MOST_PX_S, -MOST_PX_S)),
        ((9000.0, 9000.0), (MOST_PX_S, MOST_PX_S)),
    ],
)
def test_that_it_is_faster_the_nearer_to_an_edge_and_never_faster_than_that(
    at: tuple[float, float], speed: tuple[float, float]
) -> None:
    assert pace(at, MIDDLE, SIZE) == speed


def test_that_what_was_pressed_near_an_edge_scrolls_only_once_it_is_carried_toward_it() -> None:
    press = (790.0, 150.0)
    assert pace(press, press, SIZE) == (0.0, 0.0)
    assert pace((780.0, 150.0), press, SIZE) == (0.0, 0.0)
    assert pace((799.0, 150.0), press, SIZE)[0] > 0


def test_that_it_goes_on_until_it_is_stopped_and_a_late_window_does_not_jump(qtbot: QtBot) -> None:
    went: list[tuple[float, float]] = []
    owner = QObject()
    edge = EdgeScroll(lambda right, down: went.append((right, down)), owner)
    edge.go((MOST_PX_S, 0.0))
    qtbot.waitUntil(lambda: len(went) > 3)
    edge.stop()
    before = len(went)
    qtbot.wait(60)
    assert len(went) == before
    assert all(0 < right <= MOST_PX_S * 0.05 + 1 and down == 0 for right, down in went)
