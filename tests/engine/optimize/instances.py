"""Small problems written by hand, and what is known of them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

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


def random_jobs(jobs: int, machines: int, seed: int) -> list[list[tuple[int, int]]]:
    """Jobs of the shape of Lawrence's and Taillard's: each once on every machine, 1 to 99 ticks."""
    random = np.random.Generator(np.random.PCG64(seed))
    return [
        [(int(machine), int(random.integers(1, 100))) for machine in random.permutation(machines)] for _ in range(jobs)
    ]


def random_project(count: int, seed: int) -> Problem:
    """A project of the shape of PSPLIB's: four resources, up to three that follow each activity."""
    random, draft = np.random.Generator(np.random.PCG64(seed)), Draft()
    draft.resources = [ResourceDraft(capacity=int(capacity)) for capacity in random.integers(10, 25, 4)]
    for _ in range(count):
        uses = tuple((at, int(random.integers(1, 11))) for at in range(4) if random.random() < 0.5)
        draft.operations.append(OperationDraft(modes=(ModeDraft(int(random.integers(1, 11)), uses=uses),)))
    for before in range(count):
        for after in sorted(set(random.integers(before + 1, before + 12, int(random.integers(1, 4))).tolist())):
            if after < count:
                draft.links.append(LinkDraft(before=before, after=after))
    return draft.build()


def read_jobs(path: Path) -> list[list[tuple[int, int]]]:
    """The jobs of a file of JSPLIB: their number and that of machines, then machine and ticks in turn."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    numbers = iter([int(word) for line in lines if line and not line[0].startswith("#") for word in line])
    jobs, machines = next(numbers), next(numbers)
    return [[(next(numbers), next(numbers)) for _ in range(machines)] for _ in range(jobs)]


def read_project(path: Path) -> Problem:
    """A file of Patterson's format: activities, resources, capacities, then ticks, units and who follows."""
    numbers = iter([int(word) for word in path.read_text(encoding="utf-8").split()])
    draft, count, kinds = Draft(), next(numbers), next(numbers)
    draft.resources = [ResourceDraft(capacity=next(numbers)) for _ in range(kinds)]
    for before in range(count):
        ticks = next(numbers)
        uses = tuple((at, units) for at in range(kinds) if (units := next(numbers)))
        draft.operations.append(OperationDraft(modes=(ModeDraft(ticks, uses=uses),)))
        draft.links += [LinkDraft(before=before, after=next(numbers) - 1) for _ in range(next(numbers))]
    return draft.build()
