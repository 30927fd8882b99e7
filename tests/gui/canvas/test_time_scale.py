"""The time scale: instants to pixels and back, exactly."""

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.canvas.time_scale import TimeScale

MONDAY = int((datetime(2026, 3, 2) - datetime(1970, 1, 1)).total_seconds())
HOUR, DAY = 3600, 86_400
TWO_WEEKS = 14 * DAY

scales = st.builds(
    TimeScale,
    st.integers(-(10**15), 10**16),
    st.floats(1.0, 1e9, allow_nan=False),
    st.floats(100, 4000, allow_nan=False),
)


@given(scales, st.integers(0, 4000))
def test_that_a_pixel_becomes_an_instant_and_the_same_pixel_again(scale: TimeScale, pixel: int) -> None:
    assert abs(scale.x(scale.tick(pixel)) - pixel) <= 0.5 + 1e-6
    if scale.ticks_per_px > 1.001:
        assert round(scale.x(scale.tick(pixel))) == pixel


@given(scales, st.integers(-(10**6), 10**6))
def test_that_an_instant_becomes_a_place_and_the_same_instant_again(scale: TimeScale, offset: int) -> None:
    tick = scale.origin_ticks + offset
    assert scale.tick(scale.x(tick)) == tick


@given(scales, st.floats(0.01, 100), st.integers(0, 4000))
def test_that_zooming_keeps_the_instant_under_the_cursor(scale: TimeScale, factor: float, at: int) -> None:
    assert scale.zoomed(factor, at).tick(at) == scale.tick(at)


@given(scales, st.integers(-3000, 3000))
def test_that_panning_there_and_back_is_no_change(scale: TimeScale, dx: int) -> None:
    assert scale.panned(dx).panned(-dx) == scale


def test_that_no_zoom_goes_closer_than_a_tick_a_pixel_or_farther_than_two_weeks() -> None:
    scale = TimeScale(0, 1000.0)
    assert scale.zoomed(1e12, 500).ticks_per_px == 1.0
    assert scale.zoomed(1e-12, 500, is_calendar=True).ticks_per_px == TWO_WEEKS
    assert scale.zoomed(1e-15, 500).ticks_per_px == TWO_WEEKS * 10**9


def test_that_fitting_shows_both_ends_with_room_at_both_sides() -> None:
    scale = TimeScale.fitted(1_000_000, 14_000_000, 1300)
    assert 0 < scale.x(1_000_000) < 1300 * 0.05
    assert 1300 * 0.95 < scale.x(14_000_000) < 1300


def test_that_fitting_a_plan_without_any_length_shows_its_start() -> None:
    scale = TimeScale.fitted(5, 5, 1000)
    assert 0 <= scale.x(5) <= 1000


def test_that_an_instant_a_century_away_is_still_exact() -> None:
    scale = TimeScale(MONDAY * 10**9, 1.0)
    assert scale.tick(7) == MONDAY * 10**9 + 7


@pytest.mark.parametrize("is_calendar", [True, False])
@given(ticks_per_px=st.floats(1.0, TWO_WEEKS), offset=st.integers(-(10**9), 10**9))
def test_that_what_is_snapped_is_a_mark_and_stays_where_it_is(
    is_calendar: bool, ticks_per_px: float, offset: int
) -> None:
    scale = TimeScale(MONDAY + offset, ticks_per_px)
    mark = scale.snapped(MONDAY + offset, is_calendar)
    assert scale.snapped(mark, is_calendar) == mark
    assert mark in scale.panned(500).marks(is_calendar)


@pytest.mark.parametrize("is_calendar", [True, False])
@given(ticks_per_px=st.floats(1.0, TWO_WEEKS), offset=st.integers(-(10**9), 10**9))
def test_that_a_step_forth_goes_later_and_a_step_back_earlier(
    is_calendar: bool, ticks_per_px: float, offset: int
) -> None:
    tick = MONDAY + offset
    scale = TimeScale(tick, ticks_per_px)
    before, after = scale.stepped(tick, -1, is_calendar), scale.stepped(tick, 1, is_calendar)
    assert before < tick < after
    assert scale.stepped(before, 1, is_calendar) in {tick, after}


@pytest.mark.parametrize("is_calendar", [True, False])
@given(ticks_per_px=st.floats(1.0, TWO_WEEKS))
def test_that_labels_keep_a_distance_and_the_tiers_cover_the_view(is_calendar: bool, ticks_per_px: float) -> None:
    scale = TimeScale(MONDAY, ticks_per_px, 1300)
    upper, middle, lower = scale.tiers(is_calendar)
    for tier, least_px in ((upper, 60), (middle, 60), (lower, 20)):
        ticks = [tick for tick, _ in tier]
        assert ticks[0] <= scale.origin_ticks
        assert all(b - a >= least_px * ticks_per_px for a, b in pairwise(ticks))
    assert len(lower) >= len(middle) >= len(upper)
    assert {tick for tick, _ in middle if tick >= scale.origin_ticks} <= {tick for tick, _ in lower} or is_calendar
