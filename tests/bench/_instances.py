"""Benchmark instances beside the repository as Problems, and what is known of them. It never solves one."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.optimize.draft import Draft, LinkDraft, ModeDraft, OperationDraft, ResourceDraft
from engine.optimize.problem import Problem

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "instances"


@dataclass(frozen=True, slots=True)
class Known:
    """An instance: its kind (jsp, fjsp, rcpsp), the best bounds known, its critical path where listed, its file."""

    name: str
    kind: str
    lower: int
    upper: int
    path: int | None
    file: Path


@cache
def known() -> dict[str, Known]:
    """Every instance whose file is there, by name; none where the folder is missing."""
    listed = FOLDER / "best_known.csv"
    if not listed.is_file():
        return {}
    found = {}
    with listed.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            said = dict(pair.split("=") for pair in row["reference_ubs"].split(";") if "=" in pair)
            path = int(said["cpm"]) if "cpm" in said else None
            bounds = (int(row["lower_bound"]), int(row["upper_bound"]))
            instance = Known(row["instance"], row["problem"], *bounds, path, FOLDER / row["file"])
            if instance.file.is_file():
                found[instance.name] = instance
    return found


def problem_of(instance: Known) -> Problem:
    """The instance, its numbers untouched."""
    numbers = [int(word) for word in instance.file.read_text(encoding="ascii").split()]
    if instance.kind == "rcpsp":
        return _project(numbers)
    return _shop(numbers, is_flexible=instance.kind == "fjsp")


def _shop(numbers: list[int], *, is_flexible: bool) -> Problem:
    jobs, machines = numbers[:2]
    draft = Draft(resources=[ResourceDraft() for _ in range(machines)])
    at = 2
    for job in range(jobs):
        steps = machines
        if is_flexible:
            steps, at = numbers[at], at + 1
        for step in range(steps):
            choices = 1
            if is_flexible:
                choices, at = numbers[at], at + 1
            pairs = [(numbers[at + 2 * each], numbers[at + 2 * each + 1]) for each in range(choices)]
            at += 2 * choices
            modes = tuple(ModeDraft(ticks, uses=((machine, 1),)) for machine, ticks in pairs)
            draft.operations.append(OperationDraft(modes=modes, job=job))
            if step:
                here = len(draft.operations) - 1
                draft.links.append(LinkDraft(before=here - 1, after=here))
    return draft.build()


def _project(numbers: list[int]) -> Problem:
    count, kinds = numbers[:2]
    draft = Draft(resources=[ResourceDraft(capacity=each) for each in numbers[2 : 2 + kinds]])
    at = 2 + kinds
    for here in range(count):
        ticks, units, followers = numbers[at], numbers[at + 1 : at + 1 + kinds], numbers[at + 1 + kinds]
        at += 2 + kinds
        uses = tuple((kind, each) for kind, each in enumerate(units) if each)
        draft.operations.append(OperationDraft(modes=(ModeDraft(ticks, uses=uses),)))
        draft.links += [LinkDraft(before=here, after=each - 1) for each in numbers[at : at + followers]]
        at += followers
    return draft.build()


def check(problem: Problem, modes: list[int], starts: list[int]) -> int:
    """The makespan of dates, by a look at every link and resource; AssertionError where a rule is broken.

    It is written apart from the engine, for instances: no calendars, pins, changeovers or lags.
    """
    ends = [start + int(problem.duration[mode]) for start, mode in zip(starts, modes, strict=True)]
    for before, after in zip(problem.link_from.tolist(), problem.link_to.tolist(), strict=True):
        assert starts[after] >= ends[before], f"operation {after} starts before {before} has finished"
    changes: dict[int, list[tuple[int, int]]] = {}
    for operation, mode in enumerate(modes):
        assert problem.first_mode[operation] <= mode < problem.first_mode[operation + 1], "a mode of another operation"
        assert starts[operation] >= 0
        for use in range(problem.first_use[mode], problem.first_use[mode + 1]):
            units = int(problem.use_units[use])
            of_resource = changes.setdefault(int(problem.use_resource[use]), [])
            of_resource += [(starts[operation], units), (ends[operation], -units)]
    for resource, each in changes.items():
        used = 0
        for _, units in sorted(each):
            used += units
            assert used <= problem.capacity[resource], f"resource {resource} is used beyond its capacity"
    return max(ends, default=0)
