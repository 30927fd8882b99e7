"""forecast: how long one pass of a device plan should take. It never runs a plan, and never says why it cannot run."""

from __future__ import annotations

from engine.errors import EngineError
from engine.model import Clock, Plan, Ticks
from engine.program.compiler import compile_plan
from engine.program.predict import predict
from engine.program.profile import DeviceProfile
from engine.schedule.schedule import Schedule


def forecast(plan: Plan, dates: Schedule, profile: DeviceProfile, folder: str = "") -> Ticks | None:
    """The predicted end of one pass in ns, None for a plan that could not run.

    It may lie after the plan's finish: a schedule knows links and streams, and only the prediction knows that an
    engine does so much at once and no more. Takes milliseconds to seconds; any thread may call it.
    """
    if plan.clock is not Clock.DEVICE:
        return None
    try:
        return predict(compile_plan(plan, dates, profile, folder), profile).end_ns_max
    except EngineError:
        return None
