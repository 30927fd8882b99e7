"""Paths of tasks against a walk over every link by hand, readable and compiled."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import Dependency, Plan, Task
from engine.schedule import compiled_passes, cpm, plain_passes
from engine.schedule.network import leaf_links
from engine.schedule.task_paths import (
    DRIVES,
    FOLLOWS,
    IS_DRIVEN,
    LEADS,
    counted,
    find_paths,
    is_driving,
)
from tests.engine.schedule.plans import HOUR, calendar_plan
from tests.engine.schedule.strategies import plans


def reached(links: Iterable[tuple[int, int]], tasks: set[int]) -> set[int]:
    """What links lead to from some tasks, those left out."""
    known, found = list(links), set(tasks)
    while new := {after for before, after in known if before in found} - found:
        found |= new
    return found - tasks


@given(plans(), st.data())
@settings(deadline=None, max_examples=150)
def test_that_paths_are_those_that_a_walk_finds(plan: Plan, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from([task.id for task in plan.tasks]), min_size=1, max_size=3))
    schedule = cpm.schedule(plan)
    leaves = {leaf for task in chosen for leaf in plan.leaves(task)}
    links = [(before, after) for before, after, _ in leaf_links(plan)]
    found = cpm.task_paths(schedule, chosen)
    flags = {task.id: int(found[row]) for row, task in enumerate(plan.tasks) if task.id not in plan.children}
    leading, following = reached(((b, a) for a, b in links), leaves), reached(links, leaves)
    assert {task for task, flag in flags.items() if flag & LEADS} == leading
    assert {task for task, flag in flags.items() if flag & FOLLOWS} == following
    assert {task for task, flag in flags.items() if flag & DRIVES} <= leading
    assert {task for task, flag in flags.items() if flag & IS_DRIVEN} <= following
    assert not any(flags.get(task) for task in chosen)
    assert counted(schedule, found)[::2] == (len(leading), len(following))


@given(plans(summaries=0), st.data())
@settings(deadline=None, max_examples=100)
def test_that_driving_paths_are_chains_of_driving_links(plan: Plan, data: st.DataObject) -> None:
    task = data.draw(st.sampled_from([task.id for task in plan.tasks]))
    schedule = cpm.schedule(plan)
    found = cpm.task_paths(schedule, [task])
    flags = {each.id: int(found[row]) for row, each in enumerate(plan.tasks)}
    back = [(after, before) for before, after in schedule.driving]
    assert {each for each, flag in flags.items() if flag & DRIVES} == reached(back, {task})
    assert {each for each, flag in flags.items() if flag & IS_DRIVEN} == reached(schedule.driving, {task})
    for before, after in schedule.driving:
        assert is_driving(schedule, plan.rows[before], plan.rows[after])


@given(plans(), st.data())
@settings(deadline=None, max_examples=50)
def test_that_the_compiled_walk_equals_the_readable_one(plan: Plan, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(plan.tasks) - 1), min_size=1, max_size=3))
    basis = cpm.schedule(plan).basis
    assert np.array_equal(find_paths(basis, rows, plain_passes.FOLD), find_paths(basis, rows, compiled_passes.FOLD))


def test_that_a_summary_which_a_link_leads_through_is_on_the_path() -> None:
    tasks = [Task(9, "Part"), Task(1, "in it", HOUR, 9), Task(2, "before", HOUR), Task(3, "after", HOUR)]
    schedule = cpm.schedule(calendar_plan(tasks, [Dependency(2, 9), Dependency(9, 3)]))
    assert cpm.task_paths(schedule, [2]).tolist() == [FOLLOWS | IS_DRIVEN] * 2 + [0, FOLLOWS | IS_DRIVEN]
    assert cpm.task_paths(schedule, [3]).tolist() == [LEADS | DRIVES] * 3 + [0]
