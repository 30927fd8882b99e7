"""Laws of every schedule, on a few random plans; tests/stress has many more of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import Dependency, DependencyKind, Plan, Task
from engine.schedule import cpm
from tests.engine.schedule.laws import LAWS, free_float_is_all_there_is, free_float_is_free
from tests.engine.schedule.plans import HOUR, calendar_plan
from tests.engine.schedule.strategies import plans


@pytest.mark.parametrize("law", LAWS)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_that_a_law_of_schedules_holds(law: Callable[[Plan], None], data: st.DataObject) -> None:
    law(data.draw(plans(is_plain=LAWS[law])))


@pytest.mark.parametrize("law", [free_float_is_free, free_float_is_all_there_is])
@settings(deadline=None, max_examples=50)
@given(plan=plans(is_plain=True), delayed=st.sets(st.integers(1, 12)), hours=st.sampled_from((5, 30)))
def test_that_floats_count_the_leveling_delays_behind_a_task(
    law: Callable[[Plan], None], plan: Plan, delayed: set[int], hours: int
) -> None:
    law(plan.with_tasks(replace(task, delay=hours * HOUR) for task in plan.tasks if task.id in delayed))


def test_that_of_leaves_that_start_together_each_holds_what_waits_for_their_summary() -> None:
    """Else the order of rows would choose one."""
    leaves = [Task(2, "short", 1, parent=1), Task(3, "long", 9, parent=1)]
    waits = [Task(4, "waits", 20)]
    link = Dependency(1, 4, DependencyKind.SS)
    for rows in (leaves, leaves[::-1]):
        schedule = cpm.schedule(calendar_plan([Task(1, "S"), *rows, *waits], [link]))
        assert [int(schedule.free_float[schedule.rows[leaf.id]]) for leaf in leaves] == [0, 0]
