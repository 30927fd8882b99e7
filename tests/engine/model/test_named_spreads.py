"""The ranges that have a name: each can be drawn from, and leans to the late side."""

from __future__ import annotations

import pytest

from engine.errors import PlanError
from engine.model import NAMED_SPREADS, NamedSpread, Spread, SpreadKind, name_of, named_spread
from engine.risk.distributions import TABLE, shape_of


@pytest.mark.parametrize("named", NAMED_SPREADS, ids=lambda named: named.key)
def test_that_each_is_a_distribution_that_is_later_than_planned_rather_than_earlier(named: NamedSpread) -> None:
    named.spread.check(named.name)
    assert named.why.endswith(".")
    assert name_of(named.spread) is named is named_spread(named.key)
    shape = shape_of(named.spread, 100_000)
    if shape.kind == TABLE and shape.table is not None:
        middle, nine = (shape.least + float(shape.table[place]) * shape.span for place in (128, 230))
        assert 100_000 <= middle < nine < 200_000
    else:
        assert shape.least == shape.greatest == 100_000


def test_that_no_two_have_a_key_a_name_or_a_spread_in_common() -> None:
    for part in ("key", "name", "spread"):
        assert len({getattr(each, part) for each in NAMED_SPREADS}) == len(NAMED_SPREADS)


def test_that_one_that_is_not_there_is_said_to_be_so_with_those_that_are() -> None:
    with pytest.raises(PlanError, match="no range called “magic”; there are fixed, machine"):
        named_spread("magic")
    assert name_of(Spread(SpreadKind.PERT, 1, 2, 3)) is None
