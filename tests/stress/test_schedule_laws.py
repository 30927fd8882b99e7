"""Laws of every schedule, and the compiled passes against the readable ones, on thousands of random plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import Plan
from engine.schedule import cpm
from tests.engine.schedule.laws import LAWS
from tests.engine.schedule.strategies import plans
from tests.engine.schedule.test_passes import assert_edits_are_dated_alike, assert_passes_are_alike

MANY = settings(deadline=None, max_examples=2_000)


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> Iterator[None]:
    """Dates come from the compiled passes."""
    known = list(cpm._engines)
    cpm.use_compiled()
    yield
    cpm._engines[:] = known


@pytest.mark.parametrize("law", LAWS)
@MANY
@given(data=st.data())
def test_that_a_law_of_schedules_holds(law: Callable[[Plan], None], data: st.DataObject) -> None:
    law(data.draw(plans(is_plain=LAWS[law])))


@MANY
@given(plans())
def test_that_the_compiled_passes_equal_the_readable_ones(plan: Plan) -> None:
    assert_passes_are_alike(plan)


@MANY
@given(plans(), st.data())
def test_that_after_an_edit_dating_only_what_changed_gives_the_same(plan: Plan, data: st.DataObject) -> None:
    assert_edits_are_dated_alike(plan, data)
