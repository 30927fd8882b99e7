"""Flexible job shops as the sets of Brandimarte, Hurink and others keep them: read, never written.

`n m`, perhaps with a mean that is left out, then for each of n jobs: how many operations, and for each of those how
many machines may do it, and as many pairs of a machine and a duration. Machines are counted from 0 or from 1: where a
file leaves that open, from 1 in one named .fjs, as most of those are, else from 0.
Source: Brandimarte, Annals of Operations Research 41 (1993); github.com/SchedulingLab/fjsp-instances.
"""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.instances import MOST_TASKS, Step, find_base, looks_numeric, read_numbers, shop_plan
from engine.formats.text import placed
from engine.model import Plan

TITLE = "Flexible job shop (FJSPLIB)"
SUFFIXES: tuple[str, ...] = (".fjs", ".txt")
_MOST_WAYS = 2_000_000


def sniff(path: str | Path) -> bool:
    """Whether the file is made of numbers as a flexible job shop is, whole."""
    if not looks_numeric(path):
        return False
    try:
        _read(path)
    except FormatError:
        return False
    return True


def load(path: str | Path) -> Plan:
    """The plan of a flexible job shop, each operation on the machine that is named first.

    Raises FormatError: one sentence with the path and the line.
    """
    try:
        machines, jobs = _read(path)
        usual = int(Path(path).suffix.lower() == ".fjs")
        found = (machine for job in jobs for step in job for machine, _ in step.ways)
        base, note = find_base(found, machines, usual)
        return shop_plan(Path(path).stem, machines, jobs, base, note)
    except (FormatError, PlanError) as error:
        raise placed(error, path, "line") from error


def _read(path: str | Path) -> tuple[int, list[list[Step]]]:
    numbers = read_numbers(path)
    line = numbers.line
    count = numbers.take("the number of jobs", 1, MOST_TASKS)
    machines = numbers.take("the number of machines", 1, MOST_TASKS)
    numbers.skip_line(line)
    jobs: list[list[Step]] = []
    tasks = ways = 0
    for _ in range(count):
        steps: list[Step] = []
        for _ in range(numbers.take("the number of operations of a job", 1, MOST_TASKS)):
            choices = numbers.take("the number of machines of an operation", 1, machines)
            step = Step(
                tuple((numbers.take("a machine", 0, machines), numbers.take("a duration")) for _ in range(choices))
            )
            if len({machine for machine, _ in step.ways}) < choices:
                raise FormatError("An operation names a machine twice.", line=numbers.line)
            steps.append(step)
            tasks, ways = tasks + 1, ways + choices
            if tasks + count > MOST_TASKS or ways > _MOST_WAYS:
                raise FormatError(f"It has more than {MOST_TASKS} operations, or {_MOST_WAYS} ways of doing them.")
        jobs.append(steps)
    numbers.end()
    return machines, jobs
