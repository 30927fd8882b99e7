"""Counters below the streams: steps over the time they are true for, folded and unfolded."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.formats import loom
from engine.trace.counters import Sample, Track
from gui.canvas.shapes import Boxes, Label
from gui.canvas.time_scale import TimeScale
from gui.timeline.counter_scene import steps
from gui.timeline.rows import Row, RowKind, rows_of, with_counters
from gui.timeline.scene import names_scene
from gui.timeline.words import counter_text
from tests.gui.shell import action, ended, show, shown, two_frames
from tests.gui.timeline.made_up import STREAMS

ROW = Row(RowKind.COUNTER, 0, "Power", 100, 24)
SCALE = TimeScale(0, 10.0, 100.0)


def track(*values: tuple[int, int, float], unit: str = "W") -> Track:
    return Track("Power", unit, tuple(Sample("Power", *value) for value in values))


def boxes(
    *values: tuple[int, int, float], unit: str = "W"
) -> list[tuple[tuple[tuple[float, float], ...], float, float]]:
    found = steps(track(*values, unit=unit), SCALE, ROW, 50)
    return [(box.spans, box.y, box.h) for box in found if isinstance(box, Boxes)]


def test_that_a_step_lies_over_its_samples_window_and_is_as_high_as_its_share_of_the_largest() -> None:
    assert boxes((0, 200, 50.0), (200, 500, 100.0)) == [(((0, 20),), 64, 10), (((20, 50),), 54, 20)]


def test_that_a_share_is_measured_against_a_hundred() -> None:
    assert boxes((0, 200, 50.0), unit="%") == [(((0, 20),), 64, 10)]


def test_that_nothing_is_drawn_where_nothing_was_sampled_and_zero_is_a_line() -> None:
    assert boxes((0, 100, 0.0), (500, 600, 0.0)) == [(((0, 10), (50, 60)), 73, 1)]
    assert boxes() == []


def test_that_samples_of_one_height_in_a_row_are_one_step_and_those_out_of_sight_none() -> None:
    assert boxes((0, 100, 7.0), (100, 300, 7.0), (5_000, 6_000, 7.0)) == [(((0, 30),), 54, 20)]


def test_that_counters_stand_below_all_rows_under_a_fold_and_folded_only_that_is_left() -> None:
    plain = rows_of(STREAMS, {"compute": "Compute"}, "Concurrency")
    folded, unfolded = with_counters(plain, "Counters", []), with_counters(plain, "Counters", ["Power", "Clock"])
    assert [row.kind for row in folded[len(plain) :]] == [RowKind.FOLD]
    assert [row.name for row in unfolded[len(plain) :]] == ["Counters", "Power", "Clock"]
    assert unfolded[-1].y == unfolded[-2].y + unfolded[-2].h >= plain[-1].y + plain[-1].h


@pytest.mark.parametrize(
    ("value", "unit", "text"), [(412.5, "W", "412 W"), (3.04, "GiB", "3.0 GiB"), (7.4, "%", "7 %"), (None, "W", "n/a")]
)
def test_that_a_counter_is_named_with_its_latest_value_and_unit(value: float | None, unit: str, text: str) -> None:
    samples = () if value is None else ((0, 1, value),)
    assert counter_text(track(*samples, unit=unit)) == text
    rows = with_counters(rows_of(STREAMS, {}, "Concurrency"), "Counters", ["Power"])
    labels = [shape.text for shape in names_scene(rows, 330, 400, 0, (text,)) if isinstance(shape, Label)]
    assert labels[-2:] == [text, "Power"]


async def test_that_a_run_keeps_what_the_machine_said_and_a_key_or_a_click_unfolds_it(
    qapp: QApplication, tmp_path: Path
) -> None:
    loom.save(tmp_path / "plan.loom", two_frames())
    async with shown(qapp) as (window, _):
        await show(window, str(tmp_path / "plan.loom"))
        window.bridge.run()
        await ended(window.bridge)
        kept = window.bridge.runs[-1].counters
        assert kept[0].name == "Processor"
        rows = window.timeline.body.rows
        assert [row.kind for row in rows].count(RowKind.FOLD) == 1
        assert rows[-1].kind is RowKind.FOLD
        action(window, "show_counters").trigger()
        shown_rows = [row.name for row in window.timeline.body.rows if row.kind is RowKind.COUNTER]
        assert shown_rows == [track.name for track in kept]
        fold = next(row for row in window.timeline.body.rows if row.kind is RowKind.FOLD)
        names = window.timeline.body.names
        at = QPoint(20, round(fold.y + fold.h / 2) - window.timeline.body.scroll_px + window.timeline.chart.axis_px)
        QTest.mouseClick(names, Qt.MouseButton.LeftButton, pos=at)
        assert window.timeline.body.rows[-1].kind is RowKind.FOLD
        assert not action(window, "show_counters").isChecked()
