"""Plans that a table has columns for come back as they were, through text and through workbooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from engine.formats import SavingFormat, csv, xlsx
from engine.model import Plan
from tests.engine.formats.table_plans import table_plans
from tests.engine.formats.tables import essence


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(plan=table_plans())
def test_that_a_plan_comes_back_as_it_was(suffix: str, plan: Plan, tmp_path: Path) -> None:
    known: SavingFormat = xlsx if suffix == ".xlsx" else csv
    path = tmp_path / f"plan{suffix}"
    assert known.save(path, plan) == ()
    assert essence(known.load(path)) == essence(plan)
