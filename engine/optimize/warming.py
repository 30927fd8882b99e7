"""Warming: small problems of each kind solved for a moment, so that every compiled function lies in the disk cache."""

from __future__ import annotations

from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.portfolio import Portfolio
from engine.optimize.problem import Objective, Problem

_SLICES, _ITERATIONS = 8, 4


def warm() -> None:
    """Compiles what is not in the cache: a minute of one core the first time, a moment after."""
    shop, crew = (ResourceDraft(), ResourceDraft()), (ResourceDraft(capacity=2), ResourceDraft(capacity=3))
    for resources in (shop, crew):
        for aim in (Aim.lexicographic(Objective.MAKESPAN), Aim.lexicographic(Objective.TARDINESS, Objective.MAKESPAN)):
            portfolio = Portfolio(_small(resources), aim)
            for _ in range(_SLICES):
                portfolio.advance(_ITERATIONS)


def _small(resources: tuple[ResourceDraft, ...]) -> Problem:
    """Three jobs of two operations, on both resources in turn, which the rules do not solve to the bound."""
    draft = Draft(resources=list(resources))
    for job in range(3):
        for step in range(2):
            mode = ModeDraft(2 + 3 * job + step, ((((job + step) % 2), 1),))
            draft.operations.append(OperationDraft(modes=(mode,), due=4, job=job))
        draft.links.append(LinkDraft(before=2 * job, after=2 * job + 1))
    return draft.build()
