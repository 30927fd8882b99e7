"""Laws of every schedule, on a few random plans; tests/stress has many more of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import Plan
from tests.engine.schedule.laws import LAWS
from tests.engine.schedule.strategies import plans


@pytest.mark.parametrize("law", LAWS)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_that_a_law_of_schedules_holds(law: Callable[[Plan], None], data: st.DataObject) -> None:
    law(data.draw(plans(is_plain=LAWS[law])))
