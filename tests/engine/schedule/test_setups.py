"""Set-ups: what a machine changes over between the tasks that stand on it, and whether there is time for it."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Assignment, Calendar, Changeover, Dependency, Lag, Plan, Resource, ResourceKind, Task
from engine.schedule.cpm import schedule
from tests.engine.model.strategies import HOUR, MONDAY, office

COLORS = Changeover(1, "Colors", ("blue", "red"), ((0, 2 * HOUR), (HOUR, 0)))


def painted(*links: Dependency, **machine: object) -> Plan:
    """A blue, a red and a red task on one machine, each of three hours, and one that nobody does."""
    tasks = (
        Task(1, "a", 3 * HOUR, family="blue"),
        Task(2, "b", 3 * HOUR, family="red"),
        Task(3, "c", 3 * HOUR, family="red"),
        Task(4, "d", 3 * HOUR, family="blue"),
    )
    booth = replace(Resource(1, "Booth", ResourceKind.MACHINE, changeover=1, setup="red"), **machine)  # type: ignore[arg-type]
    return replace(
        office(),
        tasks=tasks,
        dependencies=links,
        calendar=Calendar.standard(),
        resources=(booth,),
        assignments=tuple(Assignment(n, 1) for n in (1, 2, 3)),
        changeovers=(COLORS,),
    ).check()


CHAIN = (Dependency(1, 2, lag=Lag(2 * HOUR)), Dependency(2, 3))


def test_that_a_machine_is_set_up_where_the_family_changes_and_from_what_it_was_at_the_start() -> None:
    setups = schedule(painted(*CHAIN)).setups
    assert set(setups) == {1, 2}  # c is red as b, d stands on no machine
    first, second = setups[1], setups[2]
    assert (first.before, first.family, first.to_family, first.ticks) == (None, "red", "blue", HOUR)
    assert (second.before, second.ticks, second.is_short) == (1, 2 * HOUR, False)
    # a is done Monday 11:00; b starts at 14:00, lunch between; two hours of work before that it is 11:00.
    assert (second.start, second.finish) == (MONDAY + 3 * HOUR, MONDAY + 6 * HOUR)


def test_that_a_set_up_without_time_for_it_is_short() -> None:
    assert schedule(painted(*CHAIN)).setups[1].is_short  # a starts with the plan
    close = schedule(painted(Dependency(1, 2), Dependency(2, 3))).setups
    assert close[2].is_short
    assert not schedule(painted(*CHAIN, setup="blue")).setups.keys() - {2}


def test_that_only_machines_that_do_one_thing_at_once_are_set_up() -> None:
    assert not schedule(painted(*CHAIN, capacity=2.0)).setups
    assert not schedule(painted(*CHAIN, changeover=None)).setups
    idle = painted(*CHAIN)
    idle = idle.with_task(replace(idle.task(2), is_active=False))
    assert schedule(idle).setups[3].before == 1
