"""Delays by which tasks start at wanted instants: alike from both sets of passes, and dated as any others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import Dependency, Plan, Task
from engine.schedule import compiled_passes, cpm
from engine.schedule.columns import NONE
from engine.schedule.delays import find_delays
from engine.schedule.leveling import with_delays
from tests.engine.schedule.plans import HOUR, at, calendar_plan
from tests.engine.schedule.strategies import plans
from tests.engine.schedule.test_passes import assert_equal_schedules

MONDAY = "2026-06-01 08:00"


def two_in_a_row() -> Plan:
    """A day of a, then b, which was once delayed by a day."""
    tasks = (Task(1, "a", 8 * HOUR), Task(2, "b", HOUR, delay=24 * HOUR))
    return calendar_plan(tasks, (Dependency(1, 2),), MONDAY)


def test_that_a_delay_is_counted_from_where_a_task_is_once_those_before_it_are_delayed() -> None:
    dated = cpm.schedule(two_in_a_row())
    wanted = {1: at("2026-06-02 08:00"), 2: at("2026-06-04 08:00")}
    assert cpm.delays_to(dated, wanted) == {1: 24 * HOUR, 2: 24 * HOUR}
    assert cpm.delays_to(dated, {2: at("2026-06-01 09:00")}) == {2: 0}  # a is in its way


@given(plans(), st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_that_compiled_passes_find_the_delays_that_readable_ones_find(plan: Plan, seed: int) -> None:
    dated, chance = cpm.schedule(plan), np.random.default_rng(seed)
    later = dated.start + chance.integers(-30, 90, len(dated.start)) * HOUR
    starts = np.where(chance.random(len(later)) < 0.7, later, NONE)
    network = dated.basis.network
    found = find_delays(network, starts, compiled_passes.date_early)
    assert found.tolist() == find_delays(network, starts, None).tolist()
    assert (found >= 0).any() or not (found != NONE).any()


@given(plans(), st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_that_a_plan_with_other_delays_is_dated_as_from_the_beginning(plan: Plan, seed: int) -> None:
    chance, dated = np.random.default_rng(seed), cpm.schedule(plan)
    found = {task.id: int(chance.integers(0, 50)) * HOUR for task in plan.tasks if chance.random() < 0.5}
    after = with_delays(plan, found)
    assert_equal_schedules(cpm.delayed(dated, after), cpm.schedule(after))
    back = replace(plan, settings=replace(plan.settings, is_from_finish=True))
    after = with_delays(back, {task: -delay for task, delay in found.items()})
    assert_equal_schedules(cpm.delayed(cpm.schedule(back), after), cpm.schedule(after))
