"""The timeline as a person uses it: real wheel, mouse and key events on a window that is shown offscreen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from engine.trace.recorded_run import RecordedRun
from engine.trace.waits import Waits
from gui.canvas.time_scale import TimeScale
from gui.theme import DARK
from gui.timeline import view as view_module
from gui.timeline.following import FOLLOW_AT
from gui.timeline.rows import RowKind
from gui.timeline.run_view import KeptDevice, KeptRun
from gui.timeline.view import TimelineView
from tests.gui.timeline.made_up import COMPUTE, PLANNED, US, MadeUpRun, add

NO_KEY = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view(qtbot: QtBot) -> TimelineView:
    made = TimelineView()
    qtbot.addWidget(made)
    made.resize(1200, 320)
    with qtbot.waitExposed(made):
        made.show()
    return made


def wheel(view: TimelineView, notches: int, keys: Qt.KeyboardModifier = NO_KEY, x: float = 300, y: float = 150) -> None:
    at, port = QPointF(x, y), view.chart.viewport()
    event = QWheelEvent(
        at,
        QPointF(port.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def arrive(view: TimelineView, run: MadeUpRun, *operations: tuple[int, int, int, int, int], late_us: int = 0) -> None:
    add(run.timeline, *operations, late_us=late_us)
    view.spans_arrived(run.number, run.timeline.count)


def bar_point(view: TimelineView, kind: RowKind, index: int, at_ns: int) -> QPoint:
    row = next(row for row in view.body.rows if (row.kind, row.index) == (kind, index))
    y = view.chart.axis_px + row.y + row.h / 2 - view.body.scroll_px
    return QPointF(view.time_scale.x(at_ns), y).toPoint()


def header(view: TimelineView) -> str:
    return view.header.status.text()


def texts(view: TimelineView) -> list[str]:
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]


def test_that_an_empty_timeline_teaches(view: TimelineView) -> None:
    assert "Nothing has run yet." in texts(view)
    assert header(view) == ""
    assert not view.header.fit.isEnabled()


def test_that_a_run_shows_what_is_planned_at_once_and_says_where_its_instants_come_from(view: TimelineView) -> None:
    view.show_run(MadeUpRun())
    assert "Nothing has run yet." not in texts(view)
    assert [row.name for row in view.body.rows][:4] == ["Stream 1", "Stream 2", "Stream 3", "Copy engine in"]
    assert header(view) == "getting ready · H200-like · virtual clock"
    assert view.time_scale.x(0) >= 0
    assert view.time_scale.x(750 * US) <= view.time_scale.width_px


def test_that_the_words_are_honest_about_every_kind_of_stamp(view: TimelineView) -> None:
    run = MadeUpRun(stamps="wall")
    view.show_run(run)
    assert header(view) == "getting ready · cpu · wall clock"
    add(run.timeline, PLANNED[0])
    view.show_run(run)
    assert header(view) == "live · cpu · wall clock"
    for run.is_paused, run.stands_still, word in (
        (True, False, "pausing…"),
        (True, True, "paused"),
        (False, True, "going on…"),
        (False, False, "live"),
        (True, True, "paused"),
    ):
        view.show_run(run)
        assert header(view) == f"{word} · cpu · wall clock"
    run.progress = 1.0
    view.show_run(run)
    assert header(view) == "checking the results · cpu · wall clock"
    run.progress = 0.5
    run.outcome, run.device = "canceled", KeptDevice("H200", "inferred")
    view.show_run(run)
    assert header(view) == "canceled · H200 · inferred"
    run.outcome, run.device = None, None
    view.show_run(run)
    assert header(view) == "paused"


def test_that_a_run_that_failed_says_why(view: TimelineView) -> None:
    run = MadeUpRun()
    run.outcome, run.error, run.failed_task = "failed", "“denoise” failed: the device process was killed.", 22
    view.show_run(run)
    assert header(view) == "failed · H200-like · virtual clock"
    assert view.header.error.text() == "“denoise” failed: the device process was killed."


def test_that_frames_come_only_while_a_run_is_live_and_can_be_seen(view: TimelineView, qtbot: QtBot) -> None:
    assert not view._frames.isActive()
    run = MadeUpRun()
    view.show_run(run)
    assert view._frames.isActive()
    view.hide()
    assert not view._frames.isActive()
    view.show()
    assert view._frames.isActive()
    run.outcome = "finished"
    qtbot.waitUntil(lambda: not view._frames.isActive())
    assert header(view) == "finished · H200-like · virtual clock"
    view.show_run(None)
    assert not view._frames.isActive()


def test_that_a_live_run_is_followed_past_the_right_edge(view: TimelineView, qtbot: QtBot) -> None:
    run = MadeUpRun()
    view.show_run(run)
    arrive(view, run, *PLANNED, late_us=20_000)
    end = run.timeline.end_ns_max
    qtbot.waitUntil(lambda: abs(view.time_scale.x(end) - FOLLOW_AT * view.time_scale.width_px) < 2)
    assert view.is_following


def test_that_time_stands_still_while_the_results_are_checked(view: TimelineView, qtbot: QtBot) -> None:
    run = MadeUpRun(stamps="wall")
    view.show_run(run)
    run.progress = 1.0
    arrive(view, run, *PLANNED)
    qtbot.waitUntil(lambda: view._now_ns == run.timeline.end_ns_max)
    for _ in range(3):
        view._frame()
        assert view._now_ns == run.timeline.end_ns_max


def test_that_now_goes_on_in_a_pause_so_that_it_does_not_jump_after_it(
    view: TimelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [10**12]
    monkeypatch.setattr(view_module, "perf_counter_ns", lambda: clock[0])
    run = MadeUpRun(stamps="wall")
    view.show_run(run)
    arrive(view, run, *PLANNED, late_us=20_000)
    steps, before = [], run.timeline.end_ns_max
    for run.is_paused in (True, True, False, False):
        clock[0] += 16 * US
        view._frame()
        assert view._now_ns is not None
        steps.append(view._now_ns - before)
        before = view._now_ns
    assert steps == [16 * US] * 4


def test_that_a_run_is_followed_without_jumps(
    view: TimelineView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [10**12]
    monkeypatch.setattr(view_module, "perf_counter_ns", lambda: clock[0])
    run = MadeUpRun(stamps="wall")
    view.show_run(run)
    view._frames.stop()
    arrive(view, run, PLANNED[0], late_us=20_000)
    view._frames.stop()
    while not view.time_scale.x(0) < 0:
        view._frame()
    origins = []
    for _ in range(20):
        clock[0] += 16 * US
        view._frame()
        origins.append(view.time_scale.origin_ticks)
    steps = {after - before for before, after in pairwise(origins[1:])}
    assert all(abs(step - 16 * US) < view.time_scale.ticks_per_px for step in steps)
    assert abs(origins[-1] - origins[1] - 18 * 16 * US) < view.time_scale.ticks_per_px


def test_that_nothing_is_drawn_again_while_neither_time_nor_the_run_moves(view: TimelineView, qtbot: QtBot) -> None:
    run = MadeUpRun()
    view.show_run(run)
    arrive(view, run, PLANNED[0])
    view._frames.stop()
    for _ in range(60):
        view._frame()
    drawn: list[bool] = []
    view.chart.refresh = lambda: drawn.append(True)  # type: ignore[method-assign]
    view._frame()
    assert drawn == []
    arrive(view, run, PLANNED[1])
    view._frame()
    assert drawn == [True]


@pytest.mark.parametrize("keys", [NO_KEY, CTRL, SHIFT])
def test_that_any_turn_of_the_wheel_leaves_following_and_the_key_takes_it_up(
    view: TimelineView, qtbot: QtBot, keys: Qt.KeyboardModifier
) -> None:
    run = MadeUpRun()
    view.show_run(run)
    arrive(view, run, *PLANNED, late_us=5_000)
    wheel(view, 1, keys)
    assert not view.is_following
    held = view.time_scale
    arrive(view, run, (99, 0, 1, 20_000, 21_000))
    qtbot.waitUntil(lambda: view._now_ns == 21_000 * US)
    assert view.time_scale == held
    qtbot.keyClick(view, Qt.Key.Key_L)
    assert view.is_following
    assert 0 <= view.time_scale.x(21_000 * US) <= view.time_scale.width_px


def test_that_the_toggle_says_and_changes_whether_the_view_follows(view: TimelineView, qtbot: QtBot) -> None:
    heard: list[bool] = []
    view.following_changed.connect(heard.append)
    view.show_run(MadeUpRun())
    assert view.header.follow.text() == "follow ✓"
    qtbot.mouseClick(view.header.follow, Qt.MouseButton.LeftButton)
    assert not view.is_following
    assert view.header.follow.text() == "follow"
    qtbot.mouseClick(view.header.follow, Qt.MouseButton.LeftButton)
    assert heard == [True, False, True]


def test_that_the_next_live_run_is_followed_again_but_the_same_one_is_not(view: TimelineView) -> None:
    run = MadeUpRun()
    view.show_run(run)
    wheel(view, 1, SHIFT)
    view.show_run(run)
    assert not view.is_following
    view.show_run(MadeUpRun(2))
    assert view.is_following


def test_that_zooming_keeps_the_instant_under_the_cursor(view: TimelineView) -> None:
    view.show_run(MadeUpRun())
    before = view.time_scale
    wheel(view, 3, CTRL, x=421)
    assert view.time_scale.ticks_per_px < before.ticks_per_px
    assert abs(view.time_scale.x(before.tick(421)) - 421) <= 1
    wheel(view, -3, CTRL, x=421)
    assert abs(view.time_scale.x(before.tick(421)) - 421) <= 1


def test_that_the_wheel_with_shift_moves_time_and_alone_scrolls_rows_that_do_not_fit(view: TimelineView) -> None:
    view.resize(1200, 200)
    view.show_run(MadeUpRun())
    before = view.time_scale
    wheel(view, -1)
    assert view.body.scroll_px > 0
    assert view.time_scale == before
    wheel(view, -1, SHIFT)
    assert view.time_scale.origin_ticks > before.origin_ticks
    view.resize(1200, 500)
    assert view.body.scroll_px == 0


def test_that_dragging_moves_what_is_seen_and_leaves_following(view: TimelineView, qtbot: QtBot) -> None:
    view.show_run(MadeUpRun())
    before, port = view.time_scale, view.chart.viewport()
    picked: list[int] = []
    view.task_selected.connect(picked.append)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=QPoint(400, 100))
    qtbot.mouseMove(port, QPoint(430, 100))
    qtbot.mouseMove(port, QPoint(480, 100))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=QPoint(480, 100))
    assert not view.is_following
    assert abs(view.time_scale.x(before.tick(400)) - 480) <= 1
    assert picked == []


def test_that_a_click_on_a_bar_selects_its_task_and_one_on_the_ground_selects_none(
    view: TimelineView, qtbot: QtBot
) -> None:
    run = MadeUpRun()
    view.show_run(run)
    arrive(view, run, *PLANNED)
    picked: list[int] = []
    view.task_selected.connect(picked.append)
    port = view.chart.viewport()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=bar_point(view, RowKind.STREAM, 1, 400 * US))
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=bar_point(view, RowKind.ENGINE, 2, 725 * US))
    assert picked == [22, 33]
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=bar_point(view, RowKind.ENGINE, 2, 0))
    assert picked == [22, 33]
    assert view._selected is None


def test_that_hovering_says_what_a_bar_is_and_what_was_expected(
    view: TimelineView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _point, text, _widget: said.append(text))
    run = MadeUpRun()
    run.outcome = "finished"
    add(run.timeline, *PLANNED[:4], late_us=7)
    view.show_run(run)
    view.set_titles({21: "copy in, Frame <1>"})
    port = view.chart.viewport()
    qtbot.mouseMove(port, bar_point(view, RowKind.STREAM, 1, 150 * US))
    assert said[0].split("<br>") == [
        "<b>copy in, Frame &lt;1&gt;</b>",
        "Stream 2 · Copy engine in",
        "107 µs to 207 µs, 100 µs long",
        "expected 100 µs to 200 µs, 100 µs long",
    ]
    qtbot.mouseMove(port, bar_point(view, RowKind.STREAM, 1, 400 * US))
    assert said[1] == "<b>denoise</b><br>Stream 2 · Compute<br>expected 300 µs to 500 µs, 200 µs long"


def test_that_bars_too_close_to_tell_apart_say_how_many_they_are(
    view: TimelineView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _point, text, _widget: said.append(text))
    run = MadeUpRun()
    run.outcome, run.predicted = "finished", None
    add(run.timeline, *PLANNED)
    view.show_run(run)
    view.set_time_scale(TimeScale(-(2**31), 2.0**24))
    qtbot.mouseMove(view.chart.viewport(), bar_point(view, RowKind.ENGINE, 0, 0) + QPoint(0, 1))
    assert said[0].startswith("<b>3 operations, too close to tell apart here.")


def test_that_a_row_gets_a_lane_when_its_bars_overlap_and_a_bar_stays_where_it_was(
    view: TimelineView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _point, text, _widget: said.append(text))
    run = MadeUpRun()
    view.show_run(run)
    arrive(view, run, (12, 0, COMPUTE, 100, 300))
    compute = next(row for row in view.body.rows if (row.kind, row.index) == (RowKind.ENGINE, COMPUTE))
    assert compute.lanes == 1
    for frame, lanes in enumerate((2, 3, 4, 4)):
        arrive(view, run, (22 + frame, frame % 3, COMPUTE, 150, 310 + frame))
        compute = next(row for row in view.body.rows if (row.kind, row.index) == (RowKind.ENGINE, COMPUTE))
        assert (compute.lanes, compute.h) == (lanes, 16 * lanes)
        assert run.timeline.lanes("engine").lane.tolist() == [0, 1, 2, 3, 3][: frame + 2]
    run.outcome = "finished"
    view.show_run(run)
    point = bar_point(view, RowKind.ENGINE, COMPUTE, 200 * US)
    for lane in range(4):
        qtbot.mouseMove(view.chart.viewport(), point + QPoint(0, 16 * lane - 24))
    assert [word.split("<br>")[0] for word in said[:3]] == ["<b>denoise</b>", "<b>denoise</b>", "<b>copy out</b>"]
    assert "More than 4 at once" in said[3]
    assert not any("More than" in word for word in said[:3])


def test_that_two_charts_share_one_axis_without_echo(view: TimelineView) -> None:
    heard: list[TimeScale] = []
    view.time_scale_changed.connect(heard.append)
    view.set_time_scale(TimeScale(100 * US, 500.0, 40.0))
    assert heard == []
    assert (view.time_scale.origin_ticks, view.time_scale.ticks_per_px) == (100 * US, 500.0)
    assert view.time_scale.width_px == view.chart.width()
    view.show_run(MadeUpRun())
    assert heard == []
    wheel(view, 1, SHIFT)
    assert [scale.origin_ticks for scale in heard] == [view.time_scale.origin_ticks]
    view.set_following(True)
    view.set_time_scale(heard[0])
    assert view.is_following
    view.set_time_scale(TimeScale(0, 500.0, 40.0))
    assert not view.is_following
    assert len(heard) == 1


def test_that_spans_of_another_run_are_not_taken_for_this_one(view: TimelineView) -> None:
    run = MadeUpRun()
    view.show_run(run)
    add(run.timeline, *PLANNED)
    view.spans_arrived(7, 9)
    assert view._clock is None
    view.spans_arrived(1, 9)
    assert view._clock is not None


def test_that_keys_zoom_move_and_fit(view: TimelineView, qtbot: QtBot) -> None:
    view.show_run(MadeUpRun())
    fitted = view.time_scale
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.time_scale.ticks_per_px < fitted.ticks_per_px
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.time_scale.origin_ticks > fitted.origin_ticks
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.time_scale == fitted
    assert not view.is_following


def test_that_a_fitted_run_stays_fitted_when_the_window_grows(view: TimelineView) -> None:
    view.show_run(MadeUpRun())
    view.resize(1500, 320)
    assert view.time_scale.x(750 * US) > 0.85 * view.time_scale.width_px
    wheel(view, 1, CTRL)
    zoomed = view.time_scale.ticks_per_px
    view.resize(1200, 320)
    assert view.time_scale.ticks_per_px == zoomed


def test_that_hiding_the_axis_gives_its_room_to_the_rows(view: TimelineView, qtbot: QtBot) -> None:
    view.show_run(MadeUpRun())
    room = view.chart.chart_height
    view.show_axis(False)
    assert view.chart.chart_height == room + 48
    picked: list[int] = []
    view.task_selected.connect(picked.append)
    qtbot.mouseClick(view.chart.viewport(), Qt.MouseButton.LeftButton, pos=bar_point(view, RowKind.STREAM, 0, 50 * US))
    assert picked == [11]


def test_that_the_names_are_as_wide_as_the_table_above(view: TimelineView) -> None:
    view.set_left_width(410)
    assert view.body.names.width() == 410


def test_that_a_kept_run_is_shown_as_it_ended(view: TimelineView) -> None:
    run = MadeUpRun()
    add(run.timeline, *PLANNED)
    parts = np.stack(list(run.timeline.to_columns().values()), axis=1)
    recorded = RecordedRun(
        number=4, device="cpu", outcome="finished", stamps="wall", streams=run.timeline.streams, parts=parts,
        names=((11, "copy in"),), waits=Waits(((11, 12, 0), (12, 13, 0))), bound_ns=700 * US,
    )  # fmt: skip
    kept = KeptRun(recorded)
    view.show_run(kept)
    assert header(view) == "finished · cpu · wall clock"
    assert kept.metrics().bound_ns == 700 * US
    assert kept.metrics().span_ns == 750 * US
    assert kept.predicted is None
    gap = next(gap for gap in kept.metrics(1_000).gaps if gap.row == "compute")
    assert (gap.cause, gap.task) == ("dependency", 11)


def test_that_a_picture_of_the_timeline_changes_with_the_theme_and_with_what_arrived(
    view: TimelineView, qtbot: QtBot
) -> None:
    run = MadeUpRun()
    run.outcome = "finished"
    view.show_run(run)
    light = view.grab().toImage()
    add(run.timeline, *PLANNED)
    view.show_run(run)
    assert view.grab().toImage() != light
    full = view.grab().toImage()
    view.set_theme(DARK)
    dark = view.grab().toImage()
    assert dark != full
    point = bar_point(view, RowKind.STREAM, 0, 20 * US) + view.chart.mapTo(view, QPoint())
    assert dark.pixelColor(point.x(), point.y() + 5).name().lower() == DARK.copy_in.lower()


def test_that_leaving_the_chart_takes_the_tooltip_away(view: TimelineView, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[bool] = []
    view.chart.left.connect(lambda: gone.append(True))
    QApplication.sendEvent(view.chart, QEvent(QEvent.Type.Leave))
    assert gone == [True]


def test_that_a_run_that_repeats_its_plan_many_times_has_an_axis_of_its_own(view: TimelineView, qtbot: QtBot) -> None:
    told: list[TimeScale] = []
    view.time_scale_changed.connect(told.append)
    view.show_axis(False)
    run = MadeUpRun()
    run.repeat = 100
    view.show_run(run)
    assert view.chart.axis_px > 0
    arrive(view, run, *PLANNED, late_us=20_000)
    qtbot.waitUntil(lambda: view.time_scale.origin_ticks > 1000 * US)
    assert told == []
    mine = view.time_scale
    view.set_time_scale(TimeScale(0, 1.0 * US, 1200.0))
    assert view.time_scale.origin_ticks >= mine.origin_ticks
    assert view.is_following
    view.show_run(MadeUpRun(number=2))
    assert view.chart.axis_px == 0
    assert told[-1].x(0) >= 0


def test_that_a_scale_that_nobody_chose_does_not_end_following(view: TimelineView) -> None:
    view.show_run(MadeUpRun())
    view.set_time_scale(TimeScale(0, 2.0 * US, 1200.0), is_by_hand=False)
    assert view.is_following
    view.set_time_scale(TimeScale(0, 3.0 * US, 1200.0))
    assert not view.is_following
