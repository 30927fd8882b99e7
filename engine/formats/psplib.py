"""Projects under resource limits as PSPLIB keeps them, .sm and Patterson's .rcp: read, never written.

.rcp: `N R`, R capacities, then for each of N jobs its duration, what it uses of each resource, how many jobs follow it,
and those, counted from 1. .sm says the same in sections with titles; jobs of several modes and resources that are used
up are not read. Source: Kolisch and Sprecher, European Journal of Operational Research 96 (1996).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.instances import MOST_TASKS, InstanceDraft, Numbers, looks_numeric, read_numbers, read_text
from engine.formats.text import placed, read_head
from engine.model import Assignment, Dependency, Plan, Resource

TITLE = "Project under resource limits (PSPLIB)"
SUFFIXES: tuple[str, ...] = (".sm", ".rcp")
_HEAD = 4096
_MOST_RESOURCES = 100
_SECTIONS = ("PRECEDENCE RELATIONS", "REQUESTS/DURATIONS", "RESOURCEAVAILABILITIES")


@dataclass(frozen=True, slots=True)
class _Job:
    duration: int
    uses: tuple[int, ...]
    followers: tuple[int, ...]


_Project = tuple[list[int], list[_Job]]


def sniff(path: str | Path) -> bool:
    """Whether the file has the sections of .sm, or is made of numbers as an .rcp is, whole."""
    if not looks_numeric(path):
        head = read_head(path, _HEAD)
        return head.lstrip().startswith(b"*") and b"PRECEDENCE RELATIONS" in head
    try:
        _read_rcp(read_numbers(path))
    except FormatError:
        return False
    return True


def load(path: str | Path) -> Plan:
    """The plan of a project. Raises FormatError: one sentence with the path and the line."""
    try:
        is_rcp = Path(path).suffix.lower() == ".rcp" or looks_numeric(path)
        capacities, jobs = _read_rcp(read_numbers(path)) if is_rcp else _read_sm(path)
        return _plan(Path(path).stem, capacities, jobs)
    except (FormatError, PlanError) as error:
        raise placed(error, path, "line") from error


def _plan(name: str, capacities: list[int], jobs: list[_Job]) -> Plan:
    draft = InstanceDraft()
    for number, capacity in enumerate(capacities, start=1):
        if capacity:
            draft.resources.append(Resource(number, f"Resource {number}", capacity=float(capacity)))
        elif any(job.uses[number - 1] for job in jobs):
            raise FormatError(f"A job uses resource {number}, of which there is nothing.")
    for number, job in enumerate(jobs, start=1):
        task = draft.task(f"Job {number}", job.duration, job=str(number))
        draft.assignments += [Assignment(task, n, float(units)) for n, units in enumerate(job.uses, start=1) if units]
        draft.links += [Dependency(task, after) for after in dict.fromkeys(job.followers)]
    return draft.plan(name)


def _read_rcp(numbers: Numbers) -> _Project:
    count = numbers.take("the number of jobs", 1, MOST_TASKS)
    resources = numbers.take("the number of resources", 0, _MOST_RESOURCES)
    capacities = [numbers.take("a capacity", 0, 10**9) for _ in range(resources)]
    jobs = []
    for _ in range(count):
        duration = numbers.take("a duration")
        uses = tuple(numbers.take("what a job uses", 0, 10**9) for _ in range(resources))
        followers = numbers.take("the number of jobs that follow", 0, count)
        jobs.append(_Job(duration, uses, tuple(numbers.take("a job", 1, count) for _ in range(followers))))
    numbers.end()
    return capacities, jobs


def _read_sm(path: str | Path) -> _Project:
    lines = read_text(path).splitlines()
    count = _said(lines, "jobs (incl. supersource/sink )")
    resources = _said(lines, "- renewable")
    for kind in ("- nonrenewable", "- doubly constrained"):
        if _said(lines, kind, 0):
            raise FormatError(f"It has resources that are used up ({kind[2:]}); give it renewable ones alone.")
    if not 1 <= count <= MOST_TASKS or not 0 <= resources <= _MOST_RESOURCES:
        raise FormatError(f"It has {count} jobs and {resources} resources; a plan holds up to {MOST_TASKS} tasks.")
    followers = dict(_followers(lines, count))
    work = dict(_work(lines, count, resources))
    missing = next((n for n in range(1, count + 1) if n not in followers or n not in work), None)
    if missing is not None:
        raise FormatError(f"Job {missing} of {count} is missing from its sections: the file is cut off.")
    *_, last = _rows(lines, _SECTIONS[2])
    capacities = [last.take("a capacity", 0, 10**9) for _ in range(resources)]
    last.end()
    jobs = [_Job(*work[number], followers[number]) for number in range(1, count + 1)]
    return capacities, jobs


def _followers(lines: list[str], count: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    for row in _rows(lines, _SECTIONS[0]):
        number = row.take("a job", 1, count)
        row.take("the number of modes", 1)
        found = row.take("the number of jobs that follow", 0, count)
        yield number, tuple(row.take("a job", 1, count) for _ in range(found))
        row.end()


def _work(lines: list[str], count: int, resources: int) -> Iterator[tuple[int, tuple[int, tuple[int, ...]]]]:
    for row in _rows(lines, _SECTIONS[1]):
        number, line = row.take("a job", 1, count), row.line
        if row.take("a mode", 1) != 1 or row.left != resources + 1:
            sentence = f"The line of job {number} has no duration and {resources} uses, as a job of one mode has."
            raise FormatError(f"{sentence} Jobs of several modes are not read.", line=line)
        yield number, (row.take("a duration"), tuple(row.take("what a job uses", 0, 10**9) for _ in range(resources)))


def _rows(lines: list[str], title: str) -> list[Numbers]:
    """The rows of numbers of a section; headings and rules between them are left out."""
    begin = next((at for at, line in enumerate(lines) if line.strip().startswith(title)), None)
    if begin is None:
        raise FormatError(f"The section “{title}” is missing.")
    found = []
    for at in range(begin + 1, len(lines)):
        line = lines[at].strip()
        if line.startswith("*"):
            break
        if line and re.fullmatch(r"[\d\s]+", line, re.ASCII):
            found.append(Numbers(line, at + 1))
    if not found:
        raise FormatError(f"The section “{title}” has no row.", line=begin + 1)
    return found


def _said(lines: list[str], title: str, usual: int | None = None) -> int:
    """The number behind a title and a colon."""
    for at, line in enumerate(lines, start=1):
        name, colon, value = line.partition(":")
        if colon and name.strip() == title:
            digits = value.split()[:1]
            if not digits or not re.fullmatch(r"\d{1,9}", digits[0], re.ASCII):
                raise FormatError(f"“{title}” is no number.", line=at)
            return int(digits[0])
    if usual is None:
        raise FormatError(f"“{title}” is not said in it: it is no single-mode file of PSPLIB.")
    return usual
