"""The timeline's rows, shapes and what lies under a point, with numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engine.trace.timeline import Timeline
from gui.canvas.shapes import Box, Boxes, Label, Line
from gui.canvas.time_scale import TimeScale
from gui.timeline.rows import Row, RowKind, height_of, rows_of
from gui.timeline.scene import Picture, hit, names_scene, scene
from tests.gui.timeline.made_up import COMPUTE, HOST, IN, PLANNED, STREAMS, US, add, timeline_of

ENGINES = {"copy_in": "Copy engine in", "compute": "Compute", "copy_out": "Copy engine out"}
ROWS = rows_of(STREAMS, ENGINES, "Concurrency")
# One pixel is a microsecond; the picture shows 0 to 1000 µs.
SCALE = TimeScale(0, 1.0 * US, 1000.0)


def width_of(text: str, px: int, is_bold: bool) -> float:
    return 6.0 * len(text)


def picture(actual: Timeline, **changes: object) -> Picture:
    return replace(Picture(actual, timeline_of(PLANNED), ROWS), **changes)


def drawn(shown: Picture, scale: TimeScale = SCALE, height: int = 400) -> list[object]:
    return list(scene(shown, scale, height, width_of))


def boxes(shapes: list[object], fill: str) -> list[tuple[float, float, float]]:
    return sorted((s.x, s.w, s.y) for s in single(shapes) if s.fill == fill)


def single(shapes: list[object]) -> list[Box]:
    """Every rectangle, those drawn together too."""
    together = [s for s in shapes if isinstance(s, Boxes)]
    apart = [Box(left, s.y, right - left, s.h, s.fill) for s in together for left, right in s.spans]
    return [*(s for s in shapes if isinstance(s, Box)), *apart]


def row_top(kind: RowKind, index: int) -> float:
    return next(row.y for row in ROWS if (row.kind, row.index) == (kind, index))


def test_that_rows_are_streams_then_engines_then_concurrency() -> None:
    names = [row.name for row in ROWS]
    assert names == [*STREAMS, "Copy engine in", "Compute", "Copy engine out", "Concurrency"]
    assert [row.index for row in ROWS[3:6]] == [0, 1, 2]
    assert all(below.y >= above.y + above.h for above, below in pairwise(ROWS))
    assert height_of(ROWS) >= ROWS[-1].y + ROWS[-1].h
    assert [row.name for row in rows_of(("Main",), {"host": "Host"}, "Concurrency")] == ["Main", "Host", "Concurrency"]


def test_that_a_bar_stands_in_its_streams_row_and_in_its_engines_row_in_the_engines_color() -> None:
    shapes = drawn(picture(timeline_of(((12, 0, COMPUTE, 100, 300),))))
    found = boxes(shapes, "compute")
    assert [(x, w) for x, w, _ in found] == [(100, 199), (100, 199)]
    tops = [y for _, _, y in found]
    assert row_top(RowKind.STREAM, 0) < tops[0] < row_top(RowKind.STREAM, 1)
    assert row_top(RowKind.ENGINE, COMPUTE) < tops[1] < row_top(RowKind.ENGINE, COMPUTE) + 24


def test_that_predicted_bars_are_outlines_drawn_before_the_actual_ones() -> None:
    shapes = drawn(picture(timeline_of(PLANNED, late_us=5)))
    outlines = [i for i, s in enumerate(shapes) if isinstance(s, Box) and s.outline == "baseline"]
    assert len(outlines) == 2 * len(PLANNED)
    assert all(not shapes[i].fill for i in outlines)  # type: ignore[attr-defined]
    first_actual = min(i for i, s in enumerate(shapes) if isinstance(s, Box) and s.fill == "copy_in")
    assert min(outlines) < first_actual


def test_that_a_label_is_written_only_where_it_fits_in_what_can_be_seen_of_its_bar() -> None:
    shown = picture(timeline_of(((11, 0, IN, 0, 60), (21, 1, IN, 60, 100))))
    labels = [s for s in drawn(shown) if isinstance(s, Label)]
    assert {(label.x, label.text) for label in labels} == {(4, "copy in")}
    cut = [s for s in drawn(shown, TimeScale(5 * US, 1.0 * US, 1000.0)) if isinstance(s, Label)]
    assert {label.x for label in cut} == {4}
    assert [s for s in drawn(shown, TimeScale(20 * US, 1.0 * US, 1000.0)) if isinstance(s, Label)] == []


def test_that_names_do_not_write_over_each_other_where_an_engine_does_two_things_at_once() -> None:
    shown = picture(timeline_of(((12, 0, COMPUTE, 0, 200), (22, 1, COMPUTE, 20, 220))))
    placed = sorted((label.y, label.x) for label in drawn(shown) if isinstance(label, Label))
    streams, engine = (row_top(RowKind.STREAM, 0), row_top(RowKind.STREAM, 1)), row_top(RowKind.ENGINE, COMPUTE)
    assert placed == [(streams[0], 4), (streams[1], 24), (engine, 24)]


def test_that_the_strip_is_as_high_as_streams_are_at_work() -> None:
    shown = picture(timeline_of(((11, 0, IN, 0, 100), (22, 1, COMPUTE, 50, 100))))
    strip = sorted((s.x, s.w, s.h) for s in single(drawn(shown)) if s.fill == "compute:60")
    step = strip[0][2]
    assert strip == [(0, 50, step), (50, 50, 2 * step)]


def test_that_nothing_is_drawn_after_now_and_a_line_stands_there() -> None:
    shapes = drawn(picture(timeline_of(((11, 0, IN, 0, 100), (12, 0, COMPUTE, 100, 300))), now_ns=60 * US))
    assert boxes(shapes, "copy_in")[0][:2] == (0, 59)
    assert boxes(shapes, "compute") == []
    line = shapes[-1]
    assert isinstance(line, Line)
    assert line.color == "critical"
    assert line.points == ((60, 0), (60, 400))
    later = drawn(picture(timeline_of(((11, 0, IN, 0, 100),)), now_ns=2000 * US))
    assert not any(isinstance(s, Line) and s.color == "critical" for s in later)


def test_that_a_selected_task_is_outlined_in_every_row_it_is_in() -> None:
    shapes = drawn(picture(timeline_of(PLANNED), selected=22))
    assert sum(isinstance(s, Box) and s.outline == "accent" for s in shapes) == 2


def test_that_the_operation_that_failed_is_outlined_where_it_was_expected() -> None:
    shapes = drawn(picture(timeline_of(PLANNED[:4]), failed=22))
    critical = [s for s in shapes if isinstance(s, Box) and s.outline == "critical"]
    assert [(s.x, s.w) for s in critical] == [(300, 200), (300, 200)]
    assert not any(
        isinstance(s, Box) and s.outline == "critical" for s in drawn(picture(timeline_of(PLANNED), failed=22))
    )


def test_that_rows_out_of_sight_draw_nothing() -> None:
    shapes = drawn(picture(timeline_of(PLANNED), scroll_px=30), height=20)
    tops = [s.y for s in shapes if isinstance(s, Box)]
    assert tops
    assert all(-24 < y < 24 for y in tops)


@pytest.mark.parametrize("operations", [200, 20_000])
def test_that_a_dense_run_draws_no_more_shapes_than_there_are_pixels(operations: int) -> None:
    timeline = Timeline(STREAMS, {})
    index = np.arange(operations)
    start = index * (1_000 * US) // operations
    zero = np.zeros_like(index)
    timeline.extend(np.stack((index, zero, zero, zero + 1, index % 3, index % 3, start, start + 10), axis=1))
    shapes = scene(Picture(timeline, None, ROWS), SCALE, 400, width_of)
    assert len(shapes) < 7 * SCALE.width_px
    assert boxes(list(shapes), "copy_in")


def test_that_a_point_finds_the_bar_under_it_and_else_the_predicted_one() -> None:
    shown = picture(timeline_of(PLANNED[:1]))
    actual = hit(shown, SCALE, 50, row_top(RowKind.STREAM, 0) + 12)
    assert actual is not None
    assert (actual.span.task, actual.count, actual.is_predicted) == (11, 1, False)
    expected = hit(shown, SCALE, 400, row_top(RowKind.ENGINE, COMPUTE) + 12)
    assert expected is not None
    assert (expected.span.task, expected.is_predicted) == (22, True)
    assert hit(shown, SCALE, 900, row_top(RowKind.STREAM, 0) + 12) is None
    assert hit(shown, SCALE, 50, row_top(RowKind.CONCURRENCY, 0) + 4) is None
    assert hit(shown, SCALE, 50, 10_000) is None


def test_that_a_point_between_two_bars_finds_the_nearer_one() -> None:
    shown = replace(picture(timeline_of(((11, 0, IN, 0, 100), (12, 0, COMPUTE, 100, 300)))), predicted=None)
    y = row_top(RowKind.STREAM, 0) + 12
    assert [hit(shown, SCALE, x, y).span.task for x in (99, 100, 101)] == [11, 12, 12]  # type: ignore[union-attr]


def test_that_scrolled_rows_are_found_where_they_are_seen() -> None:
    shown = picture(timeline_of(PLANNED), scroll_px=24)
    found = hit(shown, SCALE, 150, row_top(RowKind.STREAM, 1) - 24 + 12)
    assert found is not None
    assert found.span.task == 21


def test_that_host_work_has_a_color_of_its_own() -> None:
    timeline = timeline_of(())
    add(timeline, (11, 0, HOST, 0, 50))
    rows = rows_of(STREAMS, ENGINES | {"host": "Host"}, "Concurrency")
    shapes = list(scene(Picture(timeline, None, rows), SCALE, 400, width_of))
    assert len(boxes(shapes, "host")) == 2


# Two kernels at once, then a third while the second still runs: the first two streams, then the first again.
SIDE_BY_SIDE = ((12, 0, COMPUTE, 0, 200), (22, 1, COMPUTE, 100, 300), (32, 0, COMPUTE, 200, 400))


def rows_for(*timelines: Timeline) -> tuple[Row, ...]:
    """As the view lays them."""
    return rows_of(
        STREAMS, ENGINES, "Concurrency", lambda kind, row: max(t.lanes(kind.value).count(row) for t in timelines)
    )


def compute_row(rows: tuple[Row, ...]) -> Row:
    return next(row for row in rows if (row.kind, row.index) == (RowKind.ENGINE, COMPUTE))


def test_that_a_row_whose_bars_overlap_grows_by_lanes_and_the_others_make_room() -> None:
    rows = rows_for(timeline_of(SIDE_BY_SIDE))
    assert [(row.lanes, row.h) for row in rows] == [(1, 24)] * 4 + [(2, 32), (1, 24), (1, 32)]
    assert [row.y for row in rows[5:]] == [row.y + 8 for row in ROWS[5:]]
    three = rows_for(timeline_of((*SIDE_BY_SIDE, (31, 2, COMPUTE, 150, 250))))
    assert (compute_row(three).lanes, compute_row(three).h) == (3, 48)
    assert compute_row(rows_for(timeline_of(()), timeline_of(SIDE_BY_SIDE))).lanes == 2, "as planned, before it happens"


def test_that_bars_that_overlap_stand_in_lanes_of_their_own_each_with_its_name() -> None:
    timeline = timeline_of(SIDE_BY_SIDE)
    rows = rows_for(timeline)
    shapes = list(scene(Picture(timeline, timeline, rows), SCALE, 400, width_of))
    top = compute_row(rows).y
    bars = [(s.x, s.w, s.y - top, s.h) for s in shapes if isinstance(s, Box) and s.fill == "compute" and s.y > top]
    assert bars == [(0, 199, 3, 10), (200, 199, 3, 10), (100, 199, 19, 10)]
    outlines = [(s.x, s.y - top, s.h) for s in shapes if isinstance(s, Box) and s.outline == "baseline" and s.y > top]
    assert outlines == [(0, 1, 14), (200, 1, 14), (100, 17, 14)]
    labels = [(s.x, s.y - top, s.h) for s in shapes if isinstance(s, Label) and s.y >= top]
    assert labels == [(4, 0, 16), (204, 0, 16), (104, 16, 16)]
    streams = [(s.y - row_top(RowKind.STREAM, 0), s.h) for s in shapes if isinstance(s, Box) and s.fill == "compute"]
    assert streams[:2] == [(5, 14), (5, 14)], "rows without overlap are as they were"


def test_that_a_bar_is_outlined_where_it_was_planned_also_when_another_ended_first() -> None:
    planned = timeline_of(SIDE_BY_SIDE)
    actual = timeline_of(())
    actual.like = planned
    add(actual, (22, 1, COMPUTE, 90, 190), (12, 0, COMPUTE, 0, 210))
    rows = rows_for(actual, planned)
    shapes = list(scene(Picture(actual, planned, rows), SCALE, 400, width_of))
    top = compute_row(rows).y
    bars = {s.x: s.y - top for s in shapes if isinstance(s, Box) and s.fill == "compute" and s.y > top}
    assert bars == {0: 3, 90: 19}


def test_that_a_point_finds_the_bar_of_its_lane() -> None:
    timeline = timeline_of(SIDE_BY_SIDE)
    rows = rows_for(timeline)
    shown, top = Picture(timeline, None, rows), compute_row(rows).y
    assert [hit(shown, SCALE, 150, top + y).span.task for y in (1, 15, 16, 31)] == [12, 12, 22, 22]  # type: ignore[union-attr]
    assert hit(shown, SCALE, 50, top + 20) is None
    assert hit(shown, SCALE, 350, top + 5).is_crowded is False  # type: ignore[union-attr]


def test_that_the_operation_that_failed_is_outlined_in_its_lane() -> None:
    planned, rows = timeline_of(SIDE_BY_SIDE), rows_for(timeline_of(SIDE_BY_SIDE))
    shapes = scene(Picture(timeline_of(()), planned, rows, failed=22), SCALE, 400, width_of)
    critical = [(s.x, s.y, s.h) for s in shapes if isinstance(s, Box) and s.outline == "critical"]
    assert critical == [(100, row_top(RowKind.STREAM, 1) + 2, 20), (100, compute_row(rows).y + 17, 14)]


def test_that_more_at_once_than_lanes_share_the_last_and_a_point_there_says_so() -> None:
    timeline = timeline_of(tuple((task, task % 3, COMPUTE, task, 100 + task) for task in range(6)))
    rows = rows_for(timeline)
    shown, row = Picture(timeline, None, rows), compute_row(rows)
    assert (row.lanes, row.h) == (4, 64)
    found = [hit(shown, SCALE, 50, row.y + 16 * lane + 8) for lane in range(4)]
    assert [each.is_crowded for each in found if each is not None] == [False, False, False, True]


def test_that_lanes_of_bars_too_narrow_to_tell_apart_stay_lanes() -> None:
    timeline = timeline_of(tuple((n, n % 2, COMPUTE, 10 * n, 10 * n + 19) for n in range(500)))
    rows = rows_for(timeline)
    far = TimeScale(0, 100.0 * US, 1000.0)
    shapes = scene(Picture(timeline, None, rows), far, 400, width_of)
    top = compute_row(rows).y
    tops = {s.y - top for s in shapes if isinstance(s, Box) and s.fill == "compute" and top < s.y < top + 32}
    assert tops == {3, 19}
    assert len(shapes) < 1000


def test_that_rows_laid_before_a_lane_was_needed_show_its_bars_in_the_last_they_have() -> None:
    timeline = timeline_of(SIDE_BY_SIDE)
    shapes = list(scene(Picture(timeline, None, ROWS), SCALE, 400, width_of))
    assert len(boxes(shapes, "compute")) == 6
    assert hit(Picture(timeline, None, ROWS), SCALE, 250, row_top(RowKind.ENGINE, COMPUTE) + 12) is not None


def test_that_names_stand_beside_their_rows() -> None:
    labels = [s for s in names_scene(ROWS, 330, 400, 10) if isinstance(s, Label)]
    assert [(label.text, label.y) for label in labels] == [(row.name, row.y - 10) for row in ROWS]


def test_that_headings_part_streams_from_engines_of_the_same_name_and_only_then() -> None:
    rows = rows_of(("Compute", "Host"), ENGINES, "Concurrency", headings=("Streams", "Engines"))
    names = [row.name for row in rows]
    assert names[:4] == ["Streams", "Compute", "Host", "Engines"]
    assert all(below.y >= above.y + above.h for above, below in pairwise(rows))
    assert [row for row in rows_of(STREAMS, ENGINES, "x", headings=("a", "b")) if row.kind is RowKind.HEADING] == []
    said = [shape.text for shape in names_scene(rows, 300, 400, 0) if isinstance(shape, Label)]
    assert said == names
    shown = Picture(timeline_of(PLANNED), None, rows)
    assert hit(shown, SCALE, 50, rows[0].y + 5) is None
    assert hit(shown, SCALE, 50, rows[1].y + 5) is not None


def test_that_of_a_run_that_ended_early_no_later_iteration_is_outlined() -> None:
    planned = timeline_of(PLANNED)
    planned.extend(np.array([(11, 1, 0, 1, 0, IN, 800 * US, 900 * US)], np.int64))
    shown = picture(timeline_of(((11, 0, IN, 0, 100),)), predicted=planned)
    row = next(row for row in ROWS if row.kind is RowKind.STREAM)
    assert hit(shown, SCALE, 850, row.y + 12) is not None
    shown = replace(shown, last_predicted=0)
    assert hit(shown, SCALE, 850, row.y + 12) is None
    assert not [s for s in drawn(shown) if isinstance(s, Box) and s.outline == "baseline" and s.x == 800]
