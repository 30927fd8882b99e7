"""What dates of the critical path method break of a shop floor, each in a sentence that names the tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model import (
    Assignment,
    Calendar,
    Dependency,
    DependencyKind,
    Lag,
    LagKind,
    Plan,
    Progress,
    Resource,
    Split,
    Task,
    Transport,
)
from engine.schedule.conflicts import Conflict
from engine.schedule.cpm import schedule
from engine.schedule.shop_conflicts import find_shop_conflicts
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline
from tests.engine.schedule.test_setups import painted


def shop(*links: Dependency, **changes: object) -> Plan:
    """Three tasks of six, three and three hours in the standard week; nobody does any of them."""
    tasks = (Task(1, "a", 6 * HOUR), Task(2, "b", 3 * HOUR), Task(3, "c", 3 * HOUR))
    plan = replace(office(), tasks=tasks, dependencies=links, calendar=Calendar.standard())
    return replace(plan, **changes).check()  # type: ignore[arg-type]


def found(plan: Plan) -> tuple[Conflict, ...]:
    return find_shop_conflicts(schedule(plan))


def test_that_a_longest_lag_that_is_exceeded_names_both_tasks_and_the_lengths() -> None:
    late = Dependency(1, 3, longest=2 * HOUR)
    (conflict,) = found(shop(Dependency(1, 2), Dependency(2, 3), late))
    assert (conflict.task, conflict.kind, conflict.chain) == (3, "longest lag", (1, 3))
    assert conflict.sentence == (
        "“c” starts Tue 4 Mar 2025 09:00, 3 h after “a” finishes: at most 2 h may lie between them."
    )
    assert found(shop(Dependency(1, 2), Dependency(2, 3), replace(late, longest=3 * HOUR))) == ()


@pytest.mark.parametrize(
    ("kind", "longest", "is_broken"),
    [
        (DependencyKind.SS, 9 * HOUR, False),
        (DependencyKind.SS, 8 * HOUR, True),
        (DependencyKind.FF, 6 * HOUR, False),
        (DependencyKind.SF, 11 * HOUR, True),
    ],
)
def test_that_each_kind_counts_between_its_own_ends(kind: DependencyKind, longest: int, is_broken: bool) -> None:
    lag = Lag(-20 * HOUR)
    links = (Dependency(1, 2), Dependency(2, 3), Dependency(1, 3, kind, lag, longest=longest))
    assert bool(found(shop(*links))) is is_broken


def test_that_elapsed_lags_count_every_hour_and_what_began_is_past_helping() -> None:
    lag = Lag(0, LagKind.ELAPSED)
    plan = shop(Dependency(1, 2), Dependency(2, 3), Dependency(1, 3, lag=lag, longest=17 * HOUR))
    (conflict,) = found(plan)
    assert "18 eh after “a” finishes: at most 17 eh may lie" in conflict.sentence
    begun = replace(plan.task(3), progress=Progress(10, actual_start=MONDAY + 25 * HOUR))
    assert found(plan.with_tasks([begun])) == ()


def test_that_a_task_in_one_piece_that_night_or_noon_interrupts_says_when() -> None:
    plan = shop()
    (conflict,) = found(plan.with_tasks([replace(plan.task(1), is_unbreakable=True)]))
    assert conflict.kind == "in one piece"
    assert conflict.sentence == (
        "“a” is to be done in one piece, but it stops Mon 3 Mar 2025 12:00 and goes on Mon 13:00; "
        "no working interval is longer than 4 h."
    )
    assert found(plan.with_tasks([replace(plan.task(2), is_unbreakable=True)])) == ()
    paused = replace(plan.task(2), is_unbreakable=True, splits=(Split(HOUR, HOUR),))
    assert found(plan.with_tasks([paused]))[0].sentence.endswith("but it pauses: join its parts.")


def test_that_a_set_up_without_time_names_what_was_done_before() -> None:
    first, second = found(painted(Dependency(1, 2), Dependency(2, 3)))
    assert first.sentence == (
        "“a” starts Mon 3 Mar 2025 08:00, but the plan starts Mon 08:00, and to set up “Booth” from “red” to “blue” "
        "takes 1 h."
    )
    assert (second.task, second.kind, second.chain) == (2, "set-up", (1, 2))
    assert "but “a” is done there Mon 11:00, and to set up “Booth” from “blue” to “red” takes 2 h" in second.sentence


def test_that_transport_without_time_names_both_machines() -> None:
    resources = (Resource(1, "Saw"), Resource(2, "Mill"))
    plan = shop(
        Dependency(2, 3),
        resources=resources,
        assignments=(Assignment(2, 1), Assignment(3, 2)),
        transports=(Transport(1, 2, 1800),),
    )
    (conflict,) = found(plan)
    assert (conflict.task, conflict.kind, conflict.chain) == (3, "transport", (2, 3))
    assert conflict.sentence == (
        "“c” starts Mon 3 Mar 2025 11:00, but “b” is done Mon 11:00, and from “Saw” to “Mill” it takes 30 min."
    )
    assert found(replace(plan, dependencies=(Dependency(2, 3, lag=Lag(HOUR // 2)),)))
    # An hour later is noon: by one o'clock it is there.
    assert found(replace(plan, dependencies=(Dependency(2, 3, lag=Lag(HOUR)),))) == ()
    assert found(replace(plan, transports=(Transport(2, 1, 1800),))) == ()


def test_that_a_device_plan_has_none() -> None:
    assert found(pipeline()) == ()
