"""Lengths and lags as conflicts and reasons say them."""

import pytest

from engine.model import DAY, Dependency, DependencyKind, Lag, LagKind
from engine.schedule import words
from tests.engine.model.strategies import HOUR, office


@pytest.mark.parametrize(
    ("ticks", "said"),
    [
        (-100 * 60, "-1 h 40 min"),
        (9 * HOUR, "1 d 1 h"),
        (101 * HOUR, "12.6 d"),
        (0, "0"),
        (210 * 60, "3.5 h"),
        (8 * HOUR, "1 d"),
        (20 * HOUR, "2.5 d"),
        (1800, "30 min"),
        (100 * 60, "1 h 40 min"),
    ],
)
def test_that_working_time_is_said_in_the_largest_unit_that_it_fills(ticks: int, said: str) -> None:
    assert words.length(office(), ticks) == said


@pytest.mark.parametrize(
    ("ticks", "said"), [(1230 * 60, "20.5 eh"), (DAY, "1 ed"), (36 * HOUR, "1.5 ed"), (40 * 60, "40 min"), (0, "0")]
)
def test_that_elapsed_time_is_never_said_in_elapsed_minutes(ticks: int, said: str) -> None:
    assert words.elapsed(ticks) == said


@pytest.mark.parametrize(
    ("lag", "said"),
    [
        (Lag(90 * 60), "FS + 1.5 h"),
        (Lag(-75 * 60), "FS - 1.25 h"),
        (Lag(100 * 60), "FS + 100 min"),
        (Lag(16 * HOUR), "FS + 2 d"),
        (Lag(1230 * 60, LagKind.ELAPSED), "FS + 20.5 eh"),
        (Lag(30 * 60, LagKind.ELAPSED), "FS + 0.5 eh"),
        (Lag(0), "FS + 0"),
    ],
)
def test_that_a_lag_is_said_as_exactly_as_it_was_typed(lag: Lag, said: str) -> None:
    assert words.link(office(), Dependency(1, 2, DependencyKind.FS, lag)) == said
