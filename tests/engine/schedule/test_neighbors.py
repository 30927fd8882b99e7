"""The links of one task are those that a look at all of the plan's finds."""

from dataclasses import replace

import pytest

from engine.model import Dependency, DependencyKind, Lag, Plan
from engine.schedule.cpm import schedule
from engine.schedule.neighbors import links_after, links_before
from engine.session.document import Document
from engine.session.edits import ChangeLink, MoveTask
from tests.gui.gantt.plans import COSTS, DAY, frames, week


def linked() -> Plan:
    """Links between leaves, from and into a summary, and two between one pair."""
    more = (Dependency(5, 1), Dependency(3, 5), Dependency(2, 3, DependencyKind.SS, Lag(60)), Dependency(2, 5))
    return replace(week().plan, dependencies=(*week().plan.dependencies, *more[1:]))


def into_summary() -> Plan:
    plan = week().plan
    return replace(plan, dependencies=(*plan.dependencies, Dependency(5, 1)))


def cyclic() -> Plan:
    plan = week().plan
    return replace(plan, dependencies=(*plan.dependencies, Dependency(4, 2)))


@pytest.mark.parametrize("plan", [week().plan, linked(), into_summary(), cyclic()])
def test_that_the_links_of_every_task_are_found(plan: Plan) -> None:
    dates = schedule(plan)
    for task in plan.tasks:
        assert links_before(dates, task.id) == tuple(d for d in plan.dependencies if d.successor == task.id)
        assert links_after(dates, task.id) == tuple(d for d in plan.dependencies if d.predecessor == task.id)


def test_that_the_order_on_a_stream_is_found_too() -> None:
    dates = schedule(frames().plan, COSTS)
    pairs = {(link.predecessor, link.successor) for link in (*links_before(dates, 4), *links_after(dates, 4))}
    assert pairs == {pair for pair in dates.stream_links if 4 in pair}


def test_that_links_are_found_after_edits() -> None:
    document = Document(linked())
    state = document.execute(ChangeLink(Dependency(2, 5), Dependency(4, 5)))
    state = document.execute(MoveTask(2, state.plan.start + DAY))
    assert links_before(state.schedule, 5) == tuple(d for d in state.plan.dependencies if d.successor == 5)
    assert links_after(state.schedule, 2) == tuple(d for d in state.plan.dependencies if d.predecessor == 2)
