"""Ranges and chances as a person types them, and finds them again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PlanError
from engine.model import Dependency, Lag, LagKind, Spread, SpreadKind, Task
from engine.session.typed_spreads import (
    chance_text,
    ranged_change,
    ranged_lag,
    ranged_task,
    read_chance,
    read_spread,
    spread_text,
)
from tests.engine.model.strategies import office

DAY = 8 * 3600
WELD = Task(1, "Weld", 10 * DAY)
OF_WELD = ranged_task(office(), WELD)
TRIANGULAR, PERT = SpreadKind.TRIANGULAR, SpreadKind.PERT


def days(kind: SpreadKind, *numbers: float, deviation: float = 0.0) -> Spread:
    low, likely, high = (number * DAY for number in numbers)
    return Spread(kind, low, likely, high, deviation * DAY, is_percent=False)


@pytest.mark.parametrize(
    ("text", "wanted", "again"),
    [
        ("8d..10d..15d", days(TRIANGULAR, 8, 10, 15), "8d..10d..15d"),
        ("8..10..15d", days(TRIANGULAR, 8, 10, 15), "8d..10d..15d"),
        ("8 / 10 / 15", days(TRIANGULAR, 8, 10, 15), "8d..10d..15d"),
        ("8-10-15 d", days(TRIANGULAR, 8, 10, 15), "8d..10d..15d"),
        ("84h…2w", days(SpreadKind.UNIFORM, 10.5, 10.25, 10), None),
        ("1w to 10.5d", days(SpreadKind.UNIFORM, 5, 7.75, 10.5), "5d..10.5d"),
        ("80%..100%..150%", Spread(TRIANGULAR, 80, 100, 150), "80%..100%..150%"),
        ("±20%", Spread(TRIANGULAR, 80, 100, 120), "±20%"),
        ("+/- 2d", days(TRIANGULAR, 8, 10, 12), "8d..10d..12d"),
        ("12d ± 2d", days(TRIANGULAR, 10, 12, 14), "10d..12d..14d"),
        ("-10%..+30%", Spread(TRIANGULAR, 90, 100, 130), "90%..100%..130%"),
        ("-2d..+5d", days(TRIANGULAR, 8, 10, 15), "8d..10d..15d"),
        ("80-120%", Spread(SpreadKind.UNIFORM, 80, 100, 120), "80%..120%"),
        ("PERT: 8d, 10d, 15d", days(PERT, 8, 10, 15), "pert 8d 10d 15d"),
        ("pert 8d..15d", days(PERT, 8, 10, 15), "pert 8d 10d 15d"),
        ("uniform ±20%", Spread(SpreadKind.UNIFORM, 80, 100, 120), "80%..120%"),
        ("log-normal 10d 15d", days(SpreadKind.LOGNORMAL, 0, 10, 15), "lognormal 10d 15d"),
        ("lognormal 5d 10d 15d", days(SpreadKind.LOGNORMAL, 5, 10, 15), "lognormal 5d 10d 15d"),
        ("normal 10d ±2d", days(SpreadKind.NORMAL, 4, 10, 16, deviation=2), "normal 10d ±2d"),
        ("normal ±50%", Spread(SpreadKind.NORMAL, 0, 100, 250, 50), "normal 100% ±50%"),
        ("normal 10d 2d 7d 13d", days(SpreadKind.NORMAL, 7, 10, 13, deviation=2), "normal 10d ±2d 7d 13d"),
        ("As planned", Spread(SpreadKind.FIXED), "as planned"),
        (" none ", None, ""),
    ],
)
def test_that_a_range_is_read_and_written_as_people_do(text: str, wanted: Spread | None, again: str | None) -> None:
    if again is None:
        with pytest.raises(PlanError, match="shortest length above its longest"):
            read_spread(OF_WELD, text)
        return
    assert read_spread(OF_WELD, text) == wanted
    assert spread_text(OF_WELD, wanted) == again


def test_that_values_are_kept_in_their_order() -> None:
    found = read_spread(OF_WELD, "values 9d 8d; 12d")
    assert found == Spread(SpreadKind.EMPIRICAL, is_percent=False, values=(9.0 * DAY, 8.0 * DAY, 12.0 * DAY))
    assert spread_text(OF_WELD, found) == "values 9d 8d 12d"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("soon", "“soon” is no range: write 8d..10d..15d, 80%..100%..150%, ±20%, or pert 8d 10d 15d."),
        ("8d", "“8d” is no range"),
        ("values", "“values” is no range"),
        ("8d..100%", "“8d..100%” has percent and lengths of time in it: write all of it in one of them."),
        ("12d..10d..15d", "“12d..10d..15d” has a most likely length outside its range."),
        ("-12d..+3d", "“-12d..+3d” may take less than no time at all"),
        ("8ed..9ed", "“8ed..9ed” is counted in working time, so write 3h or 2d in place of “8ed”."),
        ("normal 10d ±0d", "“normal 10d ±0d” needs a standard deviation above zero."),
        ("lognormal 15d 10d", "“lognormal 15d 10d” needs a least length below the middle one"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlanError) as refused:
        read_spread(OF_WELD, text)
    assert refused.value.sentence.startswith(sentence)
    assert refused.value.ids == (1,)


def test_that_elapsed_lengths_have_their_own_units() -> None:
    curing = ranged_task(office(), replace(WELD, is_elapsed=True))
    found = read_spread(curing, "1..2..4ed")
    assert found == Spread(TRIANGULAR, 86_400, 2 * 86_400, 4 * 86_400, is_percent=False)
    assert spread_text(curing, found) == "1ed..2ed..4ed"


def test_that_a_lag_and_a_change_may_be_below_zero_and_one_number_alone() -> None:
    change = ranged_change(office(), WELD)
    assert read_spread(change, "+5d") == days(SpreadKind.UNIFORM, 5, 5, 5)
    assert spread_text(change, days(SpreadKind.UNIFORM, -2, -2, -2)) == "-2d"
    assert read_spread(change, "±2d") == days(TRIANGULAR, -2, 0, 2)
    lag = ranged_lag(office(), Dependency(2, 3, lag=Lag(3 * DAY)))
    assert read_spread(lag, "-1d..2d..4d") == days(TRIANGULAR, -1, 2, 4)
    assert read_spread(lag, "±1d") == days(TRIANGULAR, 2, 3, 4)
    drying = ranged_lag(office(), Dependency(2, 3, lag=Lag(3 * DAY, LagKind.ELAPSED)))
    assert read_spread(drying, "1..2ed") == Spread(SpreadKind.UNIFORM, 86_400, 129_600, 172_800, is_percent=False)


@given(
    st.sampled_from((SpreadKind.UNIFORM, TRIANGULAR, PERT, SpreadKind.NORMAL)),
    st.lists(st.integers(0, 10**7), min_size=3, max_size=3).map(sorted),
    st.integers(1, 10**6),
    st.booleans(),
)
def test_that_what_is_written_is_read_back(kind: SpreadKind, ends: list[int], far: int, is_percent: bool) -> None:
    low, likely, high = (float(each) for each in ends)
    unit = 0.01 if is_percent else 1.0
    deviation = far * unit if kind is SpreadKind.NORMAL else 0.0
    likely = (low + high) / 2 if kind is SpreadKind.UNIFORM else likely
    spread = Spread(kind, low * unit, likely * unit, high * unit, deviation, is_percent)
    again = read_spread(OF_WELD, spread_text(OF_WELD, spread))
    assert again is not None
    assert (again.kind, again.is_percent) == (spread.kind, spread.is_percent)
    numbers = (again.low, again.high, again.deviation)
    assert numbers == pytest.approx((spread.low, spread.high, spread.deviation))
    assert again.likely == pytest.approx(spread.likely, abs=0.5)


@pytest.mark.parametrize(("text", "wanted"), [("30%", 0.3), ("30", 0.3), ("", 1.0), ("0,5 %", 0.005), ("0", 0.0)])
def test_that_a_chance_is_percent(text: str, wanted: float) -> None:
    assert read_chance(text) == wanted
    assert read_chance(chance_text(wanted)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("often", "“often” is no chance"),
        ("120%", "“120%” is no chance"),
        ("0.3", "“0.3” may be 0.3 % or 30 %: write it with its % sign."),
    ],
)
def test_that_a_chance_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        read_chance(text)
