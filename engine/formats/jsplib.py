"""Job shops as JSPLIB keeps them: read, never written.

`n m`, then for each of n jobs m pairs of a machine and a duration; or any number of pairs, ended by `-1 -1` (a job may
then come to a machine again). Lines that begin with # are comments. Machines are counted from 0, or from 1 where a file
does. Source: github.com/tamy0612/JSPLIB; the ending is that of github.com/ScheduleOpt/benchmarks.
"""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError, PlanError
from engine.formats.instances import MOST_TASKS, Numbers, Step, find_base, looks_numeric, read_numbers, shop_plan
from engine.formats.text import placed
from engine.model import Plan

TITLE = "Job shop (JSPLIB)"
SUFFIXES: tuple[str, ...] = (".jsp", ".txt")


def sniff(path: str | Path) -> bool:
    """Whether the file is made of numbers as a job shop is, whole."""
    if not looks_numeric(path) or Path(path).suffix.lower() == ".fjs":
        return False
    try:
        _read(path)
    except FormatError:
        return False
    return True


def load(path: str | Path) -> Plan:
    """The plan of a job shop. Raises FormatError: one sentence with the path and the line."""
    try:
        machines, jobs = _read(path)
        base, note = find_base((step.ways[0][0] for job in jobs for step in job), machines, 0)
        return shop_plan(Path(path).stem, machines, jobs, base, note)
    except (FormatError, PlanError) as error:
        raise placed(error, path, "line") from error


def _read(path: str | Path) -> tuple[int, list[list[Step]]]:
    numbers = read_numbers(path)
    count = numbers.take("the number of jobs", 1, MOST_TASKS)
    machines = numbers.take("the number of machines", 1, MOST_TASKS)
    if numbers.left == 2 * count * machines:
        jobs = [[_step(numbers, machines) for _ in range(machines)] for _ in range(count)]
    else:
        jobs = [_ended(numbers, machines) for _ in range(count)]
    numbers.end()
    if sum(map(len, jobs)) + count > MOST_TASKS:
        raise FormatError(f"It has more than {MOST_TASKS} jobs and operations.")
    return machines, jobs


def _ended(numbers: Numbers, machines: int) -> list[Step]:
    """The steps of a job up to its -1 -1."""
    steps = []
    while not numbers.is_next(-1, -1):
        steps.append(_step(numbers, machines))
    numbers.take("the end of a job", -1)
    numbers.take("the end of a job", -1)
    if not steps:
        raise FormatError("A job has no operation.", line=numbers.line)
    return steps


def _step(numbers: Numbers, machines: int) -> Step:
    return Step(((numbers.take("a machine", 0, machines), numbers.take("a duration")),))
