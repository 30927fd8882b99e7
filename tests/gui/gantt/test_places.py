"""Where rows stand when others come or go, and when one is gone to from far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from engine.model import Task
from engine.session.state import State
from gui.gantt.arranging import Filter
from gui.gantt.view import GanttView
from gui.theme import METRICS
from tests.gui.gantt.plans import WORKDAY, state_of, week
from tests.gui.gantt.views import names, shown_view

Make = Callable[[State], GanttView]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    return partial(shown_view, qtbot)


def long_list() -> State:
    """Three hundred tasks, every third of them named otherwise."""
    state = week()
    tasks = tuple(Task(at, f"{'roof' if at % 3 == 0 else 'wall'} {at}", WORKDAY) for at in range(1, 301))
    return state_of(replace(state.plan, tasks=tasks, dependencies=(), assignments=(), next_task_id=301))


def top_of(view: GanttView, task: int) -> int:
    """How far below the top of the table the row of a task stands."""
    return view.table.rowViewportPosition(view.table.task_model.rows.row_of[task])


def test_that_what_is_looked_at_stays_where_it_is_when_rows_are_filtered_and_shown_again(make: Make) -> None:
    view = make(long_list())
    view.choose_row(149)
    before = top_of(view, 150)
    view.desk.set_filter(Filter(text="roof"))
    assert top_of(view, 150) == before
    view.desk.clear()
    assert top_of(view, 150) == before
    view.desk.set_filter(Filter(text="wall"))
    assert 0 <= min(top_of(view, 149), top_of(view, 151)) < view.table.viewport().height()
    view.desk.set_filter(Filter(text="roof 3"))
    assert names(view) == ["roof 3", *(f"roof {at}" for at in range(30, 40, 3)), "roof 300"]
    view.desk.set_filter(Filter())
    assert len(names(view)) == 300


def test_that_a_row_that_is_gone_to_from_far_stands_in_the_middle(make: Make) -> None:
    view = make(long_list())
    view.desk.reveal(200)
    high = view.table.viewport().height()
    assert abs(top_of(view, 200) + METRICS.row_px / 2 - high / 2) <= METRICS.row_px
    before = top_of(view, 200)
    view.step_row(1)
    assert top_of(view, 200) == before
