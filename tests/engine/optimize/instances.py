"""Small problems written by hand, and what is known of them."""

from collections.abc import Sequence

from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import Problem

# Fisher and Thompson 1963: jobs of (machine, ticks); 55 is the least makespan.
FT06 = (
    ((2, 1), (0, 3), (1, 6), (3, 7), (5, 3), (4, 6)),
    ((1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)),
    ((2, 5), (3, 4), (5, 8), (0, 9), (1, 1), (4, 7)),
    ((1, 5), (0, 5), (2, 5), (3, 3), (4, 8), (5, 9)),
    ((2, 9), (1, 3), (4, 5), (5, 4), (0, 3), (3, 1)),
    ((1, 3), (3, 3), (5, 9), (0, 10), (4, 4), (2, 1)),
)


def shop(jobs: Sequence[Sequence[tuple[int, int]]]) -> Problem:
    """A job shop: operations of a job follow one another, each on its machine."""
    draft = Draft()
    machines = 1 + max(machine for job in jobs for machine, _ in job)
    draft.resources = [ResourceDraft() for _ in range(machines)]
    for number, job in enumerate(jobs):
        for place, (machine, ticks) in enumerate(job):
            draft.operations.append(OperationDraft(modes=(ModeDraft(ticks, uses=((machine, 1),)),), job=number))
            if place:
                here = len(draft.operations) - 1
                draft.links.append(LinkDraft(before=here - 1, after=here))
    return draft.build()
