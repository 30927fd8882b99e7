"""Dates of some rows ahead of the whole schedule: those that it has, or none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import ConstraintKind, Dependency, Plan, Task
from engine.schedule import ahead, compiled_passes, cpm
from engine.schedule.ahead import Ahead
from tests.engine.schedule.compiled import date_by_compiled_alone
from tests.engine.schedule.plans import HOUR, at, calendar_plan
from tests.engine.schedule.strategies import HOURS, plans
from tests.engine.schedule.test_passes import edits


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    date_by_compiled_alone(monkeypatch)


def teller(plan: Plan) -> Ahead:
    return Ahead(cpm.schedule(plan), compiled_passes.date_early, compiled_passes.FOLD)


def moved(plan: Plan, task: Task, start: int) -> Plan:
    return plan.with_task(replace(task, constraint=ConstraintKind.START_NO_EARLIER_THAN, constraint_at=start))


def chain(count: int) -> Plan:
    """Tasks of a day in a row, half of them in a summary."""
    summary = Task(count + 1, "half", 0)
    tasks = [Task(n, f"t{n}", 8 * HOUR, summary.id if n > count // 2 else None) for n in range(1, count + 1)]
    links = tuple(Dependency(n, n + 1) for n in range(1, count))
    first, second = tasks[: count // 2], tasks[count // 2 :]
    return replace(calendar_plan((*first, summary, *second), links), next_task_id=count + 2)


@given(plans(), st.data())
@settings(deadline=None, max_examples=60)
def test_that_rows_asked_for_have_the_dates_of_the_whole_schedule(plan: Plan, data: st.DataObject) -> None:
    told = teller(plan)
    for _ in range(3):
        after = data.draw(edits(plan))
        rows = np.array(data.draw(st.lists(st.integers(0, len(plan.tasks) - 1), max_size=5, unique=True)), dtype=int)
        found = told.dates(after, rows)
        if found is not None:
            whole = cpm.schedule(after)
            assert found[0][rows].tolist() == whole.start[rows].tolist()
            assert found[1][rows].tolist() == whole.finish[rows].tolist()


@given(plans(), HOURS)
@settings(deadline=None, max_examples=30)
def test_that_what_was_told_of_one_edit_leaves_nothing_for_the_next(plan: Plan, start: int) -> None:
    leaf = next(task for task in plan.tasks if not plan.is_summary(task.id))
    rows, told = np.arange(len(plan.tasks)), teller(plan)
    first = told.dates(moved(plan, leaf, start), rows)
    told.dates(moved(plan, leaf, start + 99 * HOUR), rows)
    again = told.dates(moved(plan, leaf, start), rows)
    assert (first is None) == (again is None)
    if first is not None and again is not None:
        assert [column.tolist() for column in first] == [column.tolist() for column in again]


def test_that_a_move_is_told_down_the_chain_and_in_the_summary_around_it() -> None:
    plan = chain(10)
    after = moved(plan, plan.tasks[2], at("2025-03-17 08:00"))
    found = teller(plan).dates(after, np.arange(len(plan.tasks)))
    assert found is not None
    whole = cpm.schedule(after)
    assert found[0].tolist() == whole.start.tolist()
    assert found[1].tolist() == whole.finish.tolist()


def test_that_rows_far_behind_what_was_asked_for_are_left_as_they_were() -> None:
    plan = chain(10)
    told = teller(plan).dates(moved(plan, plan.tasks[0], at("2025-03-17 08:00")), np.array([1]))
    assert told is not None
    before = cpm.schedule(plan)
    assert told[0][1] > before.start[1]
    assert told[0][4] == before.start[4]


def test_that_too_much_to_date_at_once_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = chain(10)
    after = moved(plan, plan.tasks[0], at("2025-03-17 08:00"))
    monkeypatch.setattr(ahead, "MOST_NODES", 5)
    told = teller(plan)
    assert told.dates(after, np.array([3])) is not None
    assert told.dates(after, np.array([9])) is None


def test_that_links_rows_and_settings_are_left_to_the_whole_schedule() -> None:
    plan, rows = chain(6), np.array([0])
    told = teller(plan)
    assert told.dates(plan, rows) is None
    assert told.dates(replace(plan, dependencies=plan.dependencies[1:]), rows) is None
    assert told.dates(replace(plan, settings=replace(plan.settings, is_longest_path=True)), rows) is None
    assert told.dates(plan.with_tasks([replace(plan.tasks[0], duration=HOUR, deadline=1)]), rows) is not None
