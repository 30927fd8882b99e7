"""The compiled passes against the readable ones, whole and in part."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import ConstraintKind, Dependency, DependencyKind, Lag, LagKind, Plan, Task
from engine.schedule import compiled_passes, cpm, plain_passes
from engine.schedule.columns import Dates
from engine.schedule.network import Network
from engine.schedule.schedule import Schedule
from engine.session.edits import RemoveTask
from tests.engine.schedule.compiled import date_by_compiled_alone
from tests.engine.schedule.plans import HOUR, at, calendar_plan
from tests.engine.schedule.strategies import HOURS, lags, plans, tasks, with_link


def assert_equal(one: Dates, two: Dates) -> None:
    for name, left, right in zip(Dates._fields, one, two, strict=True):
        assert np.array_equal(left, right), name


@given(plans())
@settings(deadline=None, max_examples=50)
def test_that_the_compiled_passes_equal_the_readable_ones(plan: Plan) -> None:
    assert_passes_are_alike(plan)


@given(plans(), st.integers(-40, 40))
@settings(deadline=None, max_examples=20)
def test_that_delays_toward_the_start_are_alike(plan: Plan, hours: int) -> None:
    backward = replace(plan.settings, is_from_finish=True, finish=None)
    delayed = [replace(task, delay=hours * HOUR) for task in plan.tasks[::2]]
    assert_passes_are_alike(replace(plan, settings=backward).with_tasks(delayed))


def assert_passes_are_alike(plan: Plan) -> None:
    network = Network.of(plan, {})
    compiled = Network.of(plan, {}, compiled_passes.arrange)
    assert np.array_equal(network.order, compiled.order)
    assert np.array_equal(network.links.out, compiled.links.out)
    assert_equal(plain_passes.compute_dates(network), compiled_passes.compute_dates(compiled))


@given(plans(), st.data())
@settings(deadline=None, max_examples=50)
def test_that_after_an_edit_dating_only_what_changed_gives_the_same(plan: Plan, data: st.DataObject) -> None:
    assert_edits_are_dated_alike(plan, data)


def assert_edits_are_dated_alike(plan: Plan, data: st.DataObject) -> None:
    schedule = cpm.schedule(plan)
    for _ in range(3):
        plan = data.draw(edits(plan))
        schedule = cpm.schedule(plan, previous=schedule)
        full = cpm.schedule(plan)
        assert_equal(schedule.basis.dates, full.basis.dates)
        assert_equal_schedules(schedule, full)


def test_that_a_lag_in_percent_of_a_summary_follows_its_length() -> None:
    lag = Lag(100, LagKind.PERCENT)
    tasks = (Task(1, "Phase", 2 * HOUR), Task(2, "Part", HOUR, parent=1), Task(3, "Next", HOUR))
    plan = calendar_plan(tasks, [Dependency(1, 3, DependencyKind.SS, lag)])
    longer = plan.with_task(replace(plan.task(1), duration=3 * HOUR))
    dates = [cpm.schedule(longer, previous=known).start_of(3) for known in (cpm.schedule(plan), None)]
    assert dates == [at("2025-03-03 11:00")] * 2


@st.composite
def edits(draw: st.DrawFn, plan: Plan) -> Plan:
    """The plan with a task moved, resized, changed, added or removed, or with a link more, less or of another lag."""
    match draw(st.integers(0, 6)):
        case 0:
            task = draw(st.sampled_from(plan.tasks))
            kind = ConstraintKind.START_NO_EARLIER_THAN
            return plan.with_task(replace(task, constraint=kind, constraint_at=draw(HOURS)))
        case 1:
            task = draw(st.sampled_from(plan.tasks))
            return plan.with_task(replace(task, duration=draw(st.integers(0, 40)) * HOUR))
        case 2:
            task = draw(st.sampled_from(plan.tasks))
            other = draw(tasks(task.id, task.parent, False))
            return plan if plan.is_summary(task.id) else plan.with_task(other)
        case 3 if plan.dependencies:
            place = draw(st.integers(0, len(plan.dependencies) - 1))
            links = list(plan.dependencies)
            links[place : place + 1] = draw(st.sampled_from([[], [replace(links[place], lag=draw(lags()))]]))
            return replace(plan, dependencies=tuple(links))
        case 4 | 5:
            return draw(reshapes(plan))
    ids = st.sampled_from([task.id for task in plan.tasks])
    return with_link(plan, Dependency(draw(ids), draw(ids), draw(st.sampled_from(DependencyKind)), draw(lags())))


@st.composite
def reshapes(draw: st.DrawFn, plan: Plan) -> Plan:
    """The plan with a task more, at the end or in any other, or with a task less and all it holds."""
    if draw(st.booleans()):
        left = RemoveTask(draw(st.sampled_from(plan.tasks)).id).apply(plan)
        return left if left.tasks else plan
    parent = draw(st.none() | st.sampled_from([task.id for task in plan.tasks]))
    row = len(plan.tasks) if parent is None else plan.rows[parent] + 1
    new = draw(tasks(plan.next_task_id, parent, False))
    return replace(plan, tasks=(*plan.tasks[:row], new, *plan.tasks[row:]), next_task_id=new.id + 1).check()


def assert_equal_schedules(one: Schedule, two: Schedule) -> None:
    for field in fields(one):
        if field.name != "basis":
            left, right = getattr(one, field.name), getattr(two, field.name)
            assert np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right, field.name
    assert (one.driving, one.conflicts, one.segments) == (two.driving, two.conflicts, two.segments)


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    date_by_compiled_alone(monkeypatch)


LEFT_OUT = """
import inspect, pkgutil
from importlib import import_module
from numba.core.dispatcher import Dispatcher
from engine import schedule
from engine.schedule import cpm

cpm.use_compiled()
modules = [import_module(f"engine.schedule.{each.name}") for each in pkgutil.iter_modules(schedule.__path__)]
compiled = {each for module in modules for each in vars(module).values() if isinstance(each, Dispatcher)}
called = {name for each in compiled for name in each.py_func.__code__.co_names}
entries = [each for each in compiled if each.py_func.__name__ not in called]
print(len(entries), *(each.py_func.__name__ for each in entries if len(each.signatures) != 1))
"""


def test_that_what_is_loaded_behind_the_window_is_every_compiled_function() -> None:
    """Those that only others of them call come with these."""
    found = subprocess.run([sys.executable, "-c", LEFT_OUT], check=True, capture_output=True, text=True).stdout.split()
    assert int(found[0]) >= 10
    assert found[1:] == []
