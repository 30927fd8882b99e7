"""The axis as shapes: labels that fit, and stay in sight."""

from datetime import datetime
from itertools import pairwise

from gui.canvas.axis import axis_shapes
from gui.canvas.shapes import Boxes, Label
from gui.canvas.time_scale import TimeScale
from gui.theme import METRICS

MARCH_9 = int((datetime(2026, 3, 9) - datetime(1970, 1, 1)).total_seconds())
DAY = 86_400


TOPS = (0, METRICS.tiers_px[0], METRICS.tiers_px[0] + METRICS.tiers_px[1])


def wide(text: str, px: int, is_bold: bool) -> float:
    return len(text) * px * 0.6


def labels(scale: TimeScale, is_calendar: bool) -> list[Label]:
    return [shape for shape in axis_shapes(scale, is_calendar, wide) if isinstance(shape, Label)]


def test_that_no_label_runs_out_of_the_axis_or_into_the_next() -> None:
    for ticks_per_px in (9.0, 1200.0, 31_000.0):
        for origin in range(0, 40_000_000, 3_333_333):
            found = labels(TimeScale(origin, ticks_per_px, 700), False)
            for tier in TOPS:
                places = [(label.x, label.x + label.w) for label in found if label.y == tier]
                assert all(left >= 0 and right <= 700 for left, right in places)
                assert all(a[1] < b[0] for a, b in pairwise(places))


def test_that_a_month_begun_out_of_sight_keeps_its_name_at_the_left_edge() -> None:
    upper = [label for label in labels(TimeScale(MARCH_9, DAY / 30, 600), True) if label.y == 0]
    assert (upper[0].text, upper[0].x) == ("March 2026", 4.0)


def test_that_an_instant_out_of_sight_has_no_label() -> None:
    middle = [label.text for label in labels(TimeScale(1_000_000, 12_000.0, 1000), False) if label.y == TOPS[1]]
    assert middle == ["5 ms", "10 ms"]


def test_that_the_tiers_fill_the_header() -> None:
    assert sum(METRICS.tiers_px) == METRICS.header_px
    assert all(px > METRICS.tier_text_px for px in METRICS.tiers_px)


def test_that_marks_stand_where_a_drag_snaps() -> None:
    scale = TimeScale(0, 12_500.0, 800)
    (marks,) = (s for s in axis_shapes(scale, False, wide) if isinstance(s, Boxes) and s.y == METRICS.header_px - 3)
    places = {left + 0.5 for left, _ in marks.spans}
    assert {scale.x(mark) for mark in scale.marks(False)} == places
    assert scale.snapped(1_240_000, False) == 1_200_000
