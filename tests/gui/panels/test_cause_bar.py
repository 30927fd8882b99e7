"""The bar of idle time by cause: as wide as the shares, and said in words."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.canvas.shapes import Box
from gui.panels.cause_bar import CauseBar
from gui.theme import DARK


def test_that_each_cause_is_as_wide_as_its_share_and_the_largest_are_said(qtbot: QtBot) -> None:
    bar = CauseBar()
    qtbot.addWidget(bar)
    bar.resize(200, 8)
    bar.show_totals({"dependency": 600, "engine_busy": 250, "launch": 50, "no_work": 100})
    bar.set_theme(DARK)
    boxes = [shape for shape in bar.shapes() if isinstance(shape, Box)]
    assert [(round(box.x), round(box.w)) for box in boxes] == [(0, 119), (120, 49), (170, 9), (180, 19)]
    assert len({box.fill for box in boxes}) == 4
    assert bar.words() == "waiting 60 %, engine busy 25 %, no work 10 %"
    assert bar.accessibleName() == bar.words()
    assert "launch: 50 ns" in bar.toolTip()


def test_that_no_idle_time_is_an_empty_bar(qtbot: QtBot) -> None:
    bar = CauseBar()
    qtbot.addWidget(bar)
    assert bar.shapes() == []
    assert bar.words() == ""
