"""Warming: small problems of each kind solved for a moment, so that every compiled function is loaded, or compiled."""

from __future__ import annotations

from engine.optimize.aim import Aim
from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.portfolio import Portfolio
from engine.optimize.problem import Objective, Problem

_SLICES, _ITERATIONS, _MOVES = 8, 4, 2_000
# Ticks of jobs on machines; no machine is busy as long as the best plan takes, so a search does not end at once.
_JOBS = ((4, 7, 2), (3, 1, 8), (6, 5, 3), (2, 9, 4))


def warm() -> None:
    """A minute of one core the first time, half a second where the disk cache has it."""
    from engine.optimize.jobshop.search import JobShopSearch  # loads numba

    makespan, tardiness = Aim.lexicographic(Objective.MAKESPAN), Aim.lexicographic(Objective.TARDINESS)
    for aim in (makespan, tardiness):
        for problem in (_shop(1), _shop(2)):
            portfolio = Portfolio(problem, aim)
            for _ in range(_SLICES):
                portfolio.advance(_ITERATIONS)
        JobShopSearch(_shop(1), aim, 0, patience=1).advance(_MOVES)  # walks that end at once, so that it relinks


def _shop(capacity: int) -> Problem:
    """Jobs whose operations run on three machines in different orders, or in crews of `capacity`."""
    draft = Draft(resources=[ResourceDraft(capacity=capacity) for _ in range(3)])
    for job, ticks in enumerate(_JOBS):
        for place, length in enumerate(ticks):
            machine = (place * (1 + job % 2) + job) % 3
            draft.operations.append(OperationDraft(modes=(ModeDraft(length, ((machine, 1),)),), due=9, job=job))
            if place:
                here = len(draft.operations) - 1
                draft.links.append(LinkDraft(before=here - 1, after=here))
    return draft.build()
