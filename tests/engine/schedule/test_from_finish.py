"""Plans dated from their finish: what is asked of a date that comes too early is kept to or listed, and why is said."""

from __future__ import annotations

import pytest

from engine.model import Dependency, DependencyKind, PlanSettings, Task
from engine.schedule import cpm
from engine.schedule.reasons import reason
from engine.schedule.schedule import Schedule
from tests.engine.schedule.plans import at, calendar_plan
from tests.engine.schedule.test_complaints import Kind, asks, days, scheduled, span

FRIDAY = at("2025-03-14 17:00")


def dated(kind: Kind, text: str, *, honors_dates: bool = True) -> Schedule:
    """Three tasks in a row, the second of which asks for something."""
    settings = PlanSettings(is_from_finish=True, finish=FRIDAY, honors_dates=honors_dates)
    tasks = [days(1, 2), days(2, 5, **asks(kind, text)), days(3, 1)]
    return scheduled(tasks, [Dependency(1, 2), Dependency(2, 3)], settings=settings)


@pytest.mark.parametrize("honors_dates", [True, False])
@pytest.mark.parametrize(
    ("kind", "text", "honored"),
    [
        (Kind.START_NO_EARLIER_THAN, "2025-03-13 08:00", ("03-13 08:00", "03-19 17:00")),
        (Kind.FINISH_NO_EARLIER_THAN, "2025-03-20 17:00", ("03-14 08:00", "03-20 17:00")),
        (Kind.MUST_START_ON, "2025-03-13 08:00", ("03-13 08:00", "03-19 17:00")),
        (Kind.MUST_FINISH_ON, "2025-03-17 17:00", ("03-11 08:00", "03-17 17:00")),
    ],
)
def test_that_what_would_come_too_early_is_listed_once_with_what_waits_for_it(
    kind: Kind, text: str, honored: tuple[str, str], honors_dates: bool
) -> None:
    schedule = dated(kind, text, honors_dates=honors_dates)
    assert span(schedule, 2) == (honored if honors_dates else ("03-07 08:00", "03-13 17:00"))
    (conflict,) = schedule.conflicts
    assert (conflict.task, conflict.kind, conflict.chain) == (2, kind.value, (3, 2))
    assert conflict.sentence.endswith("but “t3”, which waits for it, starts Fri 14 Mar 2025 08:00.")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.START_NO_EARLIER_THAN, "2025-03-05 08:00"),
        (Kind.FINISH_NO_EARLIER_THAN, "2025-03-13 17:00"),
        (Kind.START_NO_LATER_THAN, "2025-03-05 08:00"),
        (Kind.FINISH_NO_LATER_THAN, "2025-03-05 17:00"),
        (Kind.MUST_START_ON, "2025-03-05 08:00"),
        (Kind.MUST_FINISH_ON, "2025-03-13 17:00"),
    ],
)
def test_that_what_can_be_kept_is_no_conflict(kind: Kind, text: str) -> None:
    assert dated(kind, text).conflicts == ()


def test_that_the_last_task_is_held_back_by_the_finish_of_the_plan() -> None:
    settings = PlanSettings(is_from_finish=True, finish=FRIDAY)
    task = days(1, 2, **asks(Kind.START_NO_EARLIER_THAN, "2025-03-14 08:00"))
    (conflict,) = scheduled([task], settings=settings).conflicts
    assert conflict.chain == (1,)
    assert conflict.sentence.endswith("but the plan finishes Fri 14 Mar 2025 17:00.")


def test_that_why_is_said_by_what_waits_for_a_task() -> None:
    settings = PlanSettings(is_from_finish=True, finish=FRIDAY)
    late = asks(Kind.FINISH_NO_LATER_THAN, "2025-03-10 17:00")
    tasks = [days(1, 2), Task(2, "S"), days(3, 1, parent=2), days(4, 1, **late), days(5, 1)]
    links = [Dependency(1, 2), Dependency(5, 3, DependencyKind.FF)]
    plan = calendar_plan(tasks, links, settings=settings)
    schedule = cpm.schedule(plan)
    assert [reason(plan, schedule, task) for task in (1, 3, 4, 5)] == [
        ("starts Wed 08:00 because t3, which waits for it, is to start Fri 08:00",),
        ("starts Fri 08:00 because the plan is scheduled from its finish, Fri 17:00",),
        ("starts Mon 08:00 because it must not finish after Mon 17:00",),
        ("starts Fri 08:00 because t3, which waits for it, is to finish Fri 17:00",),
    ]
