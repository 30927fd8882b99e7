"""The board's picture is kept while only what lies on top of it changes, and then it is what it would be drawn anew."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from engine.schedule.leveling import loads
from engine.session.edits import MoveTask
from gui.board import view as board_view
from gui.board.layout import BoardLayout
from gui.board.scene import Extras, still_scene
from gui.board.view import BoardView
from gui.canvas.painter import draw
from gui.canvas.shapes import Shape
from gui.canvas.time_scale import TimeScale
from gui.gantt.coloring import ColorBy
from gui.theme import LIGHT
from tests.gui.board.plans import MONDAY, many, shop
from tests.gui.gantt.plans import DAY, tried


@pytest.fixture
def board(qtbot: QtBot) -> BoardView:
    """The shop on a board of its own."""
    view = BoardView(lambda edit: tried(shop(), edit))
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.set_state(shop())
    view.set_time_scale(TimeScale(MONDAY - DAY, 900.0))
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[BoardLayout]:
    """How often what stays was drawn."""
    found: list[BoardLayout] = []

    def counted(layout: BoardLayout, extras: Extras) -> list[Shape]:
        found.append(layout)
        return still_scene(layout, extras)

    monkeypatch.setattr(board_view, "still_scene", counted)
    return found


def pixels(image: QImage) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).copy()


def painted(board: BoardView) -> np.ndarray:
    """What is under the axis as the chart paints it."""
    return _painted(board, lambda painter: board.chart.paint_picture(painter, LIGHT))


def anew(board: BoardView) -> np.ndarray:
    """The same with nothing kept."""
    return _painted(board, lambda painter: draw(painter, board._picture().shapes(), LIGHT))


def _painted(board: BoardView, paint: Callable[[QPainter], None]) -> np.ndarray:
    image = QImage(board.chart.width(), board.chart.chart_height, QImage.Format.Format_RGB32)
    image.fill(LIGHT.ground)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return pixels(image)


def test_that_the_plan_is_drawn_once_while_others_are_chosen_and_anew_when_it_is_another(
    board: BoardView, drawn: list[BoardLayout]
) -> None:
    first = painted(board)
    for selection in ((1,), (3, 4), ()):
        board.set_selection(selection)
        assert (painted(board) == anew(board)).all()
    drawn.clear()
    board.set_selection((1,))
    assert (painted(board) != first).any()
    assert drawn == []
    for change in (
        lambda: board.set_state(tried(shop(), MoveTask(1, MONDAY + DAY))),
        lambda: board.set_color_by(ColorBy.RESOURCE),
        lambda: board.chart.pan(40),
        lambda: board.chart.zoom(2),
        lambda: board.show_loads((shop(), loads(shop().plan, shop().schedule))),
        lambda: board.offered.show(tried(shop(), MoveTask(3, MONDAY + DAY))),
        lambda: board.offered.show(None),
    ):
        before = painted(board)
        drawn.clear()
        change()
        assert (painted(board) != before).any()
        assert len(drawn) == 1
        assert (painted(board) == anew(board)).all()


def test_that_a_drag_draws_the_plan_anew_only_where_it_would_go_to_another_row(
    board: BoardView, drawn: list[BoardLayout]
) -> None:
    layout = board._layout()
    assert layout is not None
    bar = next(each for each in layout.bars(400) if each.slot.task.id == 1)
    at = ((bar.left + bar.right) / 2, bar.top + 8)
    board.chart.pressed.emit(at, board.pointer._reach)
    for dx, dy, times in ((20, 0, 1), (40, 2, 0), (60, -2, 0), (60, 44, 1), (80, 44, 0)):
        drawn.clear()
        board.chart.moved.emit((at[0] + dx, at[1] + dy), False)
        assert (painted(board) == anew(board)).all()
        assert len(drawn) == times + 1  # once more anew
    board.drop_drag()
    assert (painted(board) == anew(board)).all()


def test_that_what_is_offered_is_a_ghost_where_it_differs(board: BoardView) -> None:
    state = many(300, 9)
    board.set_state(state)
    board.set_time_scale(TimeScale(MONDAY, 900.0))
    moved = replace(state, schedule=tried(state, MoveTask(1, MONDAY + 3 * DAY)).schedule)
    board.offered.show(moved)
    assert (painted(board) == anew(board)).all()
