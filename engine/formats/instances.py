"""Benchmark instances as plans: their numbers read one by one, and the plan that they become. It never writes a file.

An instance knows no dates: one unit of its time is a minute of a plan that works always, from START on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import FormatError
from engine.formats.text import read_head
from engine.model import (
    DAY,
    Alternative,
    Assignment,
    Calendar,
    Clock,
    Dependency,
    Plan,
    PlanSettings,
    Resource,
    ResourceKind,
    Shift,
    Task,
    TaskId,
    Ticks,
)

UNIT: Ticks = 60
START: Ticks = 20_089 * DAY  # 2025-01-01
_MOST_BYTES = 1 << 25
_HEAD = 4096
MOST_TASKS = 200_000
_FIELD = ("time unit", "1 min")
_MOST_TIME = 120 * 365 * DAY // UNIT
_MACHINE = ResourceKind.MACHINE
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,18})?", re.ASCII)


def unit_of(plan: Plan) -> Ticks | None:
    """The ticks of a unit of time of a plan that was read from an instance, None for any other plan."""
    return UNIT if _FIELD in plan.fields else None


def read_text(path: str | Path) -> str:
    """The text of a file. Raises FormatError where it is too large."""
    data = read_head(path, _MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise FormatError(f"The file is larger than {_MOST_BYTES >> 20} MB.")
    return data.decode("ascii", "replace")


def read_numbers(path: str | Path) -> Numbers:
    """The numbers of a file. Raises FormatError where it holds anything else, or is too large."""
    return Numbers(read_text(path))


def looks_numeric(path: str | Path) -> bool:
    """Whether a file begins with digits and space, comments left out."""
    lines = [line for line in read_head(path, _HEAD).splitlines() if not line.lstrip().startswith(b"#")]
    text = b"".join(lines[:20])
    return bool(text.strip()) and not text.translate(None, b"0123456789.+- \t\r")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a file and the line it stands in; `text` has its fraction where it has one."""

    text: str
    line: int


class Numbers:
    """The numbers of a text, taken one after the other; lines that begin with # are left out. `first` is its line."""

    def __init__(self, text: str, first: int = 1) -> None:
        self._all: list[Number] = []
        for line, words in enumerate(text.splitlines(), start=first):
            if words.lstrip().startswith("#"):
                continue
            for word in words.split():
                if not _NUMBER.fullmatch(word):
                    raise FormatError(f"“{word[:20]}” is no number; an instance is made of numbers alone.", line=line)
                self._all.append(Number(word, line))
        self._at = 0
        if not self._all:
            raise FormatError("The file holds no numbers.")

    @property
    def left(self) -> int:
        """How many have not been taken."""
        return len(self._all) - self._at

    @property
    def line(self) -> int:
        """The line of the next one, or of the last."""
        return self._all[min(self._at, len(self._all) - 1)].line

    def skip_line(self, line: int) -> None:
        """Leave out what is left in a line, such as a mean that follows the size."""
        while self.left and self._all[self._at].line == line:
            self._at += 1

    def take(self, what: str, least: int = 0, most: int = 10**15) -> int:
        """The next number, which is `what`; FormatError unless it is whole and from `least` to `most`."""
        if not self.left:
            raise FormatError(f"The file ends where {what} should follow: it is cut off.", line=self.line)
        number = self._all[self._at]
        self._at += 1
        if "." in number.text or not least <= int(number.text) <= most:
            limits = f"from {least} on" if most == 10**15 else f"from {least} to {most}"
            raise FormatError(f"{number.text} cannot be {what}: it is a whole number {limits}.", line=number.line)
        return int(number.text)

    def is_next(self, *values: int) -> bool:
        """Whether these come next."""
        coming = self._all[self._at : self._at + len(values)]
        return [number.text for number in coming] == [str(value) for value in values]

    def end(self) -> None:
        """Raises FormatError where more follows."""
        if self.left:
            raise FormatError("More numbers follow than the size in the first line promises.", line=self.line)


@dataclass(frozen=True, slots=True)
class Step:
    """An operation of a job: pairs of a machine as the file counts it and a duration, the first one first."""

    ways: tuple[tuple[int, int], ...]


@dataclass
class InstanceDraft:
    """A plan being made of an instance; ids are given out in order."""

    tasks: list[Task] = field(default_factory=list)
    links: list[Dependency] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def task(self, name: str, duration: int, parent: TaskId | None = None, **named: str) -> TaskId:
        """Add a task of so many units of time; `named` are fields, such as its job and its operation."""
        number = len(self.tasks) + 1
        source = ".".join(named.values())
        fields = tuple(named.items())
        self.tasks.append(Task(number, name, duration * UNIT, parent, source=source, fields=fields))
        return number

    def plan(self, name: str) -> Plan:
        """The plan, checked. Raises FormatError where it would not end in the years that a plan knows."""
        longest = sum(task.duration for task in self.tasks) // UNIT
        if longest > _MOST_TIME:
            sentence = f"Its durations are {longest} units of time together; a plan holds at most {_MOST_TIME}."
            raise FormatError(f"{sentence} Divide them all by one number.")
        calendar = Calendar(1, "Always", ((Shift(0, DAY),),) * 7)
        return Plan(
            name,
            Clock.CALENDAR,
            START,
            tuple(self.tasks),
            tuple(self.links),
            calendar,
            tuple(self.resources),
            tuple(self.assignments),
            settings=PlanSettings(hours_per_day=24.0, hours_per_week=168.0, days_per_month=30.0),
            next_task_id=len(self.tasks) + 1,
            alternatives=tuple(self.alternatives),
            fields=(_FIELD, *(("note", note) for note in self.notes)),
        ).check()


def find_base(found: Iterable[int], machines: int, usual: int) -> tuple[int, str]:
    """What machines are counted from, 0 or 1, and a sentence that says so.

    A file that names machine 0 counts from 0, one that names as many as there are counts from 1; where it names
    neither it could be either, and `usual` is taken. Raises FormatError where it names both.
    """
    known = set(found)
    is_zero, is_one = 0 in known, machines in known
    if is_zero and is_one:
        sentence = f"It names machine 0 and machine {machines}, and has {machines} machines: it has one too few."
        raise FormatError(sentence)
    base = 0 if is_zero else 1 if is_one else usual
    said = f"Machines are counted from {base} in this file."
    other = 1 - base
    return base, said if is_zero or is_one else f"{said[:-1]}; it could also be from {other}, which changes no date."


def shop_plan(name: str, machines: int, jobs: Sequence[Sequence[Step]], base: int, note: str) -> Plan:
    """A job shop as a plan: a machine is a resource, a job a summary, an operation a task on its first machine."""
    draft = InstanceDraft(notes=[note])
    numbers = [base + place for place in range(machines)]
    draft.resources = [Resource(1 + n - base, f"Machine {n}", _MACHINE, source=str(n)) for n in numbers]
    for job, steps in enumerate(jobs, start=1):
        summary = draft.task(f"Job {job}", 0, job=str(job))
        before = 0
        for place, step in enumerate(steps, start=1):
            (machine, duration), others = step.ways[0], step.ways[1:]
            task = draft.task(f"{job}.{place}", duration, summary, job=str(job), operation=str(place))
            draft.assignments.append(Assignment(task, 1 + machine - base))
            all_ways = step.ways if others else ()
            draft.alternatives += [Alternative(task, 1 + m - base, duration=d * UNIT) for m, d in all_ways]
            if before:
                draft.links.append(Dependency(before, task))
            before = task
    return draft.plan(name)
