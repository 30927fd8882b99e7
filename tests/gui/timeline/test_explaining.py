"""Gaps and the critical path in the timeline: pointed at, clicked, gone to with the keyboard, and drawn."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from gui.canvas.shapes import Box, Boxes, Dash, Line
from gui.timeline.rows import RowKind
from gui.timeline.view import TimelineView
from tests.gui.timeline.made_up import COMPUTE, PLANNED, US, MadeUpRun, add
from tests.gui.timeline.test_view import bar_point


@pytest.fixture
def view(qtbot: QtBot) -> TimelineView:
    made = TimelineView()
    qtbot.addWidget(made)
    made.resize(1200, 320)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def told(view: TimelineView) -> list[str]:
    heard: list[str] = []
    view.explaining.explained.connect(heard.append)
    return heard


def shown(view: TimelineView) -> MadeUpRun:
    run = MadeUpRun()
    add(run.timeline, *PLANNED)
    run.outcome = "finished"
    view.set_titles({11: "copy in, Frame 0"})
    view.show_run(run)
    return run


def test_that_a_gap_under_the_mouse_says_why_the_row_stood_idle(view: TimelineView, qtbot: QtBot) -> None:
    shown(view)
    qtbot.mouseMove(view.chart.viewport(), bar_point(view, RowKind.ENGINE, COMPUTE, 50 * US))
    assert QToolTip.text() == "Idle 100 µs: compute waits for copy in, Frame 0"


def test_that_a_click_on_a_gap_says_it_too_and_a_click_on_a_bar_takes_it_back(
    view: TimelineView, qtbot: QtBot, told: list[str]
) -> None:
    shown(view)
    point = bar_point(view, RowKind.ENGINE, COMPUTE, 50 * US)
    qtbot.mouseClick(view.chart.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert told == ["Idle 100 µs: compute waits for copy in, Frame 0"]
    outlines = [shape for shape in view._shapes() if isinstance(shape, Box) and shape.dash is Dash.DASHED]
    assert [(box.outline, round(box.x)) for box in outlines] == [("accent", round(view.time_scale.x(0)))]
    qtbot.mouseClick(
        view.chart.viewport(), Qt.MouseButton.LeftButton, pos=bar_point(view, RowKind.ENGINE, COMPUTE, 150 * US)
    )
    assert view.explaining.chosen is None


def test_that_the_key_g_goes_from_gap_to_gap_and_brings_each_into_view(
    view: TimelineView, qtbot: QtBot, told: list[str]
) -> None:
    shown(view)
    view.chart.zoom(50)
    seen = set()
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_G)
        gap = view.explaining.chosen
        assert gap is not None
        assert view.time_scale.origin_ticks <= (gap.start_ns + gap.end_ns) // 2 <= view.time_scale.end_ticks
        seen.add((gap.row, gap.start_ns))
    assert len(seen) == len(set(told)) == 3
    view.explaining.go(-1)
    assert told[-1] == told[-3]


def test_that_without_a_run_there_is_nothing_to_explain(view: TimelineView, told: list[str]) -> None:
    view.explaining.go(1)
    assert told == ["No engine waited between two operations."]
    assert view.explaining.words(None, QPointF(5, 5)) == ""


def test_that_the_critical_path_is_a_strip_under_its_bars_and_a_thread_between_streams(view: TimelineView) -> None:
    run = shown(view)
    before = view._shapes()
    view.explaining.show_path(True)
    added = view._shapes()[len(before) :]
    path = run.metrics().path
    strips = [shape for shape in added if isinstance(shape, Boxes)]
    # Once on the row of the stream, and once on that of the engine.
    assert sum(len(strip.spans) for strip in strips) == 2 * len(path.spans)
    assert {strip.fill for strip in strips} == {"critical"}
    streams = [run.timeline.span_at(row).stream for row in path.spans]
    threads = [shape for shape in added if isinstance(shape, Line)]
    assert len(threads) >= sum(a != b for a, b in itertools.pairwise(streams)) > 0
    view.explaining.show_path(False)
    assert view._shapes() == before


def test_that_a_live_run_has_no_critical_path_yet(view: TimelineView) -> None:
    run = MadeUpRun()
    add(run.timeline, *PLANNED[:3])
    view.show_run(run)
    before = len(view._shapes())
    view.explaining.show_path(True)
    assert len(view._shapes()) == before
