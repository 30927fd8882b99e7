"""What a range says of a length, against formulas of the textbooks."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import PlanError
from engine.model import Spread, SpreadKind
from engine.session.spread_facts import spread_facts

PLANNED = 100_000
TRIANGULAR = Spread(SpreadKind.TRIANGULAR, 80, 100, 150)
PERT = Spread(SpreadKind.PERT, 80, 100, 150)
LOGNORMAL = Spread(SpreadKind.LOGNORMAL, 0, 100, 150)
NORMAL = Spread(SpreadKind.NORMAL, 70, 100, 130, 10)
VALUES = Spread(SpreadKind.EMPIRICAL, values=(80.0, 90.0, 90.0, 140.0))


@pytest.mark.parametrize(
    ("spread", "mean"),
    [
        (Spread(SpreadKind.FIXED), 100),
        (Spread(SpreadKind.UNIFORM, 80, 0, 150), 115),
        (TRIANGULAR, (80 + 100 + 150) / 3),
        (PERT, (80 + 4 * 100 + 150) / 6),
        (LOGNORMAL, 100 * np.exp((np.log(1.5) / 1.2815515655) ** 2 / 2)),
        (NORMAL, 100),
        (VALUES, (80 / 2 + 90 + 90 + 140 / 2) / 3),
    ],
)
def test_that_the_mean_is_that_of_the_distribution(spread: Spread, mean: float) -> None:
    assert spread_facts(spread, PLANNED).mean == pytest.approx(mean / 100 * PLANNED, rel=2e-3)


def test_that_it_says_how_sure_a_length_is() -> None:
    facts = spread_facts(TRIANGULAR, PLANNED)
    assert facts.chance_within(100_000) == pytest.approx(20 * 20 / (70 * 20), abs=1e-3)
    assert facts.sure_by(0.8) == pytest.approx(150_000 - np.sqrt(0.2 * 70 * 50) * 1000, rel=1e-3)
    assert spread_facts(LOGNORMAL, PLANNED).sure_by(0.9) == pytest.approx(150_000, rel=1e-3)
    assert spread_facts(Spread(SpreadKind.FIXED), PLANNED).chance_within(PLANNED) == 1


@pytest.mark.parametrize("spread", [TRIANGULAR, PERT, LOGNORMAL, NORMAL])
def test_that_the_curve_is_as_dense_as_the_quantiles_say(spread: Spread) -> None:
    facts = spread_facts(spread, PLANNED)
    ticks, heights = np.array(facts.density).T
    assert heights.max() == 1
    area = np.concatenate(([0.0], np.cumsum((heights[1:] + heights[:-1]) * np.diff(ticks))))
    for share in (0.1, 0.5, 0.8, 0.95):
        within = np.interp(facts.sure_by(share), ticks, area / area[-1])
        assert within == pytest.approx(share, abs=6e-3)


def test_that_measured_values_are_steps_and_a_certain_length_one_place() -> None:
    assert spread_facts(Spread(SpreadKind.FIXED), PLANNED).density == ((100_000.0, 1.0),)
    ticks, heights = np.array(spread_facts(VALUES, PLANNED).density).T
    assert (ticks[0], ticks[-1]) == pytest.approx((80_000, 140_000), rel=1e-3)
    assert heights[ticks < 90_000].min() > heights[ticks > 95_000].max()


def test_that_what_is_no_distribution_is_refused() -> None:
    with pytest.raises(PlanError, match="most likely length outside"):
        spread_facts(Spread(SpreadKind.PERT, 80, 60, 150), PLANNED)
