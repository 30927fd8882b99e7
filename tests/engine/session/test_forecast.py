"""What is predicted of one pass of a plan, and that a plan that cannot run has no forecast."""

from __future__ import annotations

from engine.program.predict import predict
from engine.session.document import Document
from engine.session.forecast import forecast
from tests.engine.model.strategies import office
from tests.engine.program.plans import CPU, compiled, copy_in, device_plan, pipeline, seeded


def test_that_a_forecast_is_the_end_of_one_predicted_pass() -> None:
    document = Document(pipeline(6))
    assert document.forecaster()() == predict(compiled(document.state.plan, CPU), CPU).end_ns_max


def test_that_it_lies_after_the_plans_finish_where_an_engine_is_short_of_lanes() -> None:
    document = Document(pipeline(6))
    found = document.forecaster()()
    assert found is not None
    assert found > document.state.schedule.project_finish


def test_that_a_plan_that_cannot_run_has_none() -> None:
    rows = [("load", copy_in("x"), 0), ("other", copy_in("x"), 1)]
    assert Document(device_plan(rows, buffers=[seeded("x")])).forecaster()() is None
    plan = Document(office())
    assert forecast(plan.state.plan, plan.state.schedule, CPU) is None
