"""What holds of every leveled plan, tried on a few; tests/stress tries it on many."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.model import (
    Assignment,
    Calendar,
    Clock,
    Dependency,
    DependencyKind,
    Plan,
    Resource,
    Shift,
    Task,
)
from engine.schedule.leveling import LevelOptions
from engine.schedule.leveling_options import Scheme
from tests.engine.schedule.leveled_plans import START, options, plans, simple_plans
from tests.engine.schedule.leveling_laws import check_leveled, check_leveled_back, check_load, check_simple
from tests.engine.schedule.plans import HOUR

few = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@few
@given(plans())
def test_that_the_load_is_what_is_used_hour_by_hour(plan: Plan) -> None:
    check_load(plan)


@few
@given(plans(), options())
def test_that_no_resource_has_more_to_do_than_it_can_without_a_reason(plan: Plan, how: LevelOptions) -> None:
    check_leveled(plan, how)


@few
@given(simple_plans(), st.sampled_from(Scheme), st.permutations(range(9)))
def test_that_simple_plans_are_leveled_as_if_hour_by_hour(plan: Plan, scheme: Scheme, order: list[int]) -> None:
    check_simple(plan, scheme, order)


@few
@given(plans(), options())
def test_that_a_plan_from_its_finish_is_leveled_toward_its_start(plan: Plan, how: LevelOptions) -> None:
    check_leveled_back(plan, how)


def test_that_a_night_worker_brings_nothing_forward_that_stays() -> None:
    """The last task works by night and ends with one that waits for a task of priority 1000: in its own time, the end
    of a night and the next day's end are the same, in that of the others they are not.
    """
    night = Calendar(2, "Night", (((Shift(0, 6 * HOUR), Shift(22 * HOUR, 24 * HOUR)),) * 5 + ((), ())))
    tasks = (
        Task(1, "S", 0),
        Task(2, "a", 0, parent=1, is_elapsed=True),
        Task(3, "stays", 8 * HOUR, parent=1, is_elapsed=True, ignores_resource_calendars=True, priority=1000),
        Task(4, "b", 0),
        Task(5, "c", 2 * HOUR),
    )
    links = (Dependency(1, 4), Dependency(2, 5), Dependency(4, 5, DependencyKind.FF))
    resources = (Resource(1, "night", calendar=2), Resource(2, "both", capacity=2.0))
    staff = (Assignment(3, 2, 0.5), Assignment(5, 1, 0.5, work=16_200), Assignment(5, 2, 2.0))
    plan = Plan("nights", Clock.CALENDAR, START, tasks, links, Calendar.standard(), next_task_id=6)
    plan = replace(plan, calendars=(night,), resources=resources, assignments=staff).check()
    check_leveled_back(plan, LevelOptions())
