"""What no other program's file holds of a shop floor and of what is not certain, as sentences. It never writes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.formats.counted import counted
from engine.model import Plan, PlanRisks


def shop_losses(plan: Plan, *, is_table: bool = False) -> tuple[str, ...]:
    """One sentence for each kind of thing that is left out, none for a plan that has none of it.

    A table has columns for what tasks ask for: alternatives, families and skills, and for ranges and chances.
    """
    return (*(() if is_table else _of_tasks(plan)), *_losses(plan), *_uncertain(plan, is_table=is_table))


def _of_tasks(plan: Plan) -> Iterator[str]:
    alternatives = len({each.task for each in plan.alternatives})
    one = "Other machines that may do a task are left out: of 1 task."
    yield from _said(alternatives, one, "Other machines that may do a task are left out: of {count} tasks.")
    skills = sum(bool(task.skill) for task in plan.tasks)
    one = "Skills that tasks ask for are left out: of 1 task."
    yield from _said(skills, one, "Skills that tasks ask for are left out: of {count} tasks.")
    families = sum(bool(task.family) for task in plan.tasks)
    yield from _said(families, "Families are left out: of 1 task.", "Families are left out: of {count} tasks.")


def _losses(plan: Plan) -> Iterator[str]:
    skills = sum(bool(each.skills) for each in plan.resources)
    one = "Skills of resources are left out: of 1 resource."
    yield from _said(skills, one, "Skills of resources are left out: of {count} resources.")
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


def _uncertain(plan: Plan, *, is_table: bool) -> Iterator[str]:
    risks = [task.risk for task in plan.tasks if task.risk is not None]
    ranges = sum(bool(risk.loadings) or not is_table for risk in risks)
    ranges += sum(link.spread is not None for link in plan.dependencies)
    yield from _said(
        ranges, "What is not certain is left out: of 1 row.", "What is not certain is left out: of {count} rows."
    )
    if plan.risks != PlanRisks():
        yield "Risk drivers, risk events and ranges of families are left out."


def _said(count: int, one: str, many: str) -> Iterator[str]:
    if count:
        yield counted(count, one, many)
