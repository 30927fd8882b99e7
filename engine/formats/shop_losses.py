"""What of a shop floor no other program's file holds, as sentences. It never decides what is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.formats.counted import counted
from engine.model import Plan


def shop_losses(plan: Plan) -> tuple[str, ...]:
    """One sentence for each kind of thing that is left out, none for a plan that has none of it."""
    return tuple(_losses(plan))


def _losses(plan: Plan) -> Iterator[str]:
    alternatives = len({each.task for each in plan.alternatives})
    one = "Other machines that may do a task are left out: of 1 task."
    yield from _said(alternatives, one, "Other machines that may do a task are left out: of {count} tasks.")
    skills = sum(bool(task.skill) for task in plan.tasks) + sum(bool(each.skills) for each in plan.resources)
    yield from _said(skills, "Skills are left out: 1 place.", "Skills are left out: {count} places.")
    families = sum(bool(task.family) for task in plan.tasks)
    yield from _said(families, "Families are left out: of 1 task.", "Families are left out: of {count} tasks.")
    whole = sum(task.is_unbreakable for task in plan.tasks)
    one = "That a task is not to be interrupted is left out: 1 task."
    yield from _said(whole, one, "That a task is not to be interrupted is left out: {count} tasks.")
    longest = sum(link.longest is not None for link in plan.dependencies)
    yield from _said(longest, "Longest lags are left out: 1 link.", "Longest lags are left out: {count} links.")
    others: tuple[tuple[str, Iterable[object]], ...] = (
        ("Changeovers are left out.", plan.changeovers),
        ("Times of transport are left out.", plan.transports),
        ("Costs of an hour are left out.", [each for each in plan.resources if each.cost_per_hour]),
    )
    yield from (sentence for sentence, found in others if found)
    if plan.settings.frozen_until is not None:
        yield "That the near future is frozen is left out."


def _said(count: int, one: str, many: str) -> Iterator[str]:
    if count:
        yield counted(count, one, many)
