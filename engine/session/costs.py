"""Costs: what each operation of a device plan takes by its profile, typed over or not. It never changes a plan."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import EngineError
from engine.model import Plan, TaskId, Ticks
from engine.program.profile import estimate_durations, load_profile


def costs_of(plan: Plan) -> dict[TaskId, Ticks]:
    """The cost in nanoseconds of each operation that can run; none where the plan's profile cannot be read."""
    try:
        profile = load_profile(plan.settings.profile)
    except EngineError:
        return {}
    typed = [replace(task, is_duration_typed=False) for task in plan.tasks if task.operation and task.is_duration_typed]
    return estimate_durations(plan.with_tasks(typed), profile)
