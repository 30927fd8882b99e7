"""What holds of every leveled plan, on 2,000 of them each."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.model import Plan
from engine.schedule.leveling import LevelOptions
from engine.schedule.leveling_options import Scheme
from tests.engine.schedule.leveled_plans import options, plans, simple_plans
from tests.engine.schedule.leveling_laws import check_leveled, check_leveled_back, check_load, check_simple

many = settings(max_examples=2_000, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(plans())
def test_that_the_load_is_what_is_used_hour_by_hour(plan: Plan) -> None:
    check_load(plan)


@many
@given(plans(), options())
def test_that_no_resource_has_more_to_do_than_it_can_without_a_reason(plan: Plan, how: LevelOptions) -> None:
    check_leveled(plan, how)


@many
@given(simple_plans(), st.sampled_from(Scheme), st.permutations(range(9)))
def test_that_simple_plans_are_leveled_as_if_hour_by_hour(plan: Plan, scheme: Scheme, order: list[int]) -> None:
    check_simple(plan, scheme, order)


@many
@given(plans(), options())
def test_that_a_plan_from_its_finish_is_leveled_toward_its_start(plan: Plan, how: LevelOptions) -> None:
    check_leveled_back(plan, how)
