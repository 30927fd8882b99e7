"""The tables of a .loom file that only plans of a shop floor have: made, written and read. It never touches the disk.

A plan that uses none of this has none of these tables.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from engine.errors import FormatError
from engine.formats.loom.tables import rows_if_any, truth
from engine.model import Alternative, Changeover, Plan, TaskId, Transport

Row = tuple[Any, ...]

# Each by what makes it; the version that brought them is 4.
TABLES = {
    "task_shop": """CREATE TABLE task_shop (
  task INTEGER PRIMARY KEY,
  skill TEXT NOT NULL,             -- whoever has it may do the task
  family TEXT NOT NULL,            -- a machine is set up between tasks of two families
  is_unbreakable INTEGER NOT NULL  -- 1: done without a break within one working interval
) STRICT;""",
    "alternative": """CREATE TABLE alternative (
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  resource INTEGER NOT NULL,       -- may do it in the place of the one it is assigned to
  units REAL NOT NULL,
  duration INTEGER,                -- working ticks there; NULL: as long as where it is
  cost REAL NOT NULL
) STRICT;""",
    "dependency_longest": """CREATE TABLE dependency_longest (
  dependency INTEGER PRIMARY KEY,  -- position of a dependency
  longest INTEGER NOT NULL         -- the most that its lag may become, counted as that is
) STRICT;""",
    "resource_shop": """CREATE TABLE resource_shop (
  resource INTEGER PRIMARY KEY,
  cost_per_hour REAL NOT NULL,
  changeover INTEGER,              -- id of a changeover
  setup TEXT NOT NULL              -- the family it is set up for at the start of the plan
) STRICT;""",
    "resource_skill": """CREATE TABLE resource_skill (
  position INTEGER PRIMARY KEY, resource INTEGER NOT NULL, skill TEXT NOT NULL
) STRICT;""",
    "changeover": """CREATE TABLE changeover (
  position INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL
) STRICT;""",
    "changeover_family": """CREATE TABLE changeover_family (
  position INTEGER PRIMARY KEY, changeover INTEGER NOT NULL, family TEXT NOT NULL
) STRICT;""",
    "changeover_time": """CREATE TABLE changeover_time (
  position INTEGER PRIMARY KEY,
  changeover INTEGER NOT NULL,
  before TEXT NOT NULL,            -- family
  after TEXT NOT NULL,             -- family
  ticks INTEGER NOT NULL           -- working ticks between them; none where there is no row
) STRICT;""",
    "transport": """CREATE TABLE transport (
  position INTEGER PRIMARY KEY,
  origin INTEGER NOT NULL,         -- resource
  target INTEGER NOT NULL,         -- resource
  ticks INTEGER NOT NULL           -- of the clock
) STRICT;""",
}


class OfTask(NamedTuple):
    """What a task asks of a shop floor."""

    skill: str = ""
    family: str = ""
    is_unbreakable: bool = False


class OfResource(NamedTuple):
    """What a resource is on a shop floor."""

    skills: tuple[str, ...] = ()
    cost_per_hour: float = 0.0
    changeover: int | None = None
    setup: str = ""


def shop_tables(plan: Plan) -> Iterator[tuple[str, Iterable[Row]]]:
    """Rows of every one of the tables; of those that the plan does not need, none."""
    tasks, resources = plan.tasks, plan.resources
    asked = ((t.id, OfTask(t.skill, t.family, t.is_unbreakable)) for t in tasks)
    yield "task_shop", ((number, a.skill, a.family, int(a.is_unbreakable)) for number, a in asked if a != OfTask())
    found = plan.alternatives
    yield "alternative", _numbered((a.task, a.resource, float(a.units), a.duration, float(a.cost)) for a in found)
    links = enumerate(plan.dependencies)
    yield "dependency_longest", ((at, link.longest) for at, link in links if link.longest is not None)
    usual = (0.0, None, "")
    machines = ((r.id, (float(r.cost_per_hour), r.changeover, r.setup)) for r in resources)
    yield "resource_shop", ((number, *row) for number, row in machines if row != usual)
    yield "resource_skill", _numbered((r.id, skill) for r in resources for skill in r.skills)
    kinds = plan.changeovers
    yield "changeover", _numbered((c.id, c.name) for c in kinds)
    yield "changeover_family", _numbered((c.id, family) for c in kinds for family in c.families)
    yield (
        "changeover_time",
        _numbered(
            (c.id, before, after, ticks)
            for c in kinds
            for before, row in zip(c.families, c.ticks, strict=True)
            for after, ticks in zip(c.families, row, strict=True)
            if ticks
        ),
    )
    yield "transport", _numbered((t.origin, t.target, t.ticks) for t in plan.transports)


def _numbered(found: Iterable[Row]) -> Iterator[Row]:
    return ((at, *row) for at, row in enumerate(found))


def read_of_tasks(db: sqlite3.Connection) -> dict[TaskId, OfTask]:
    """What tasks ask, by id."""
    found = rows_if_any(db, "task_shop", "task:int skill:str family:str is_unbreakable:int", "task")
    return {task: OfTask(skill, family, truth(is_unbreakable)) for task, skill, family, is_unbreakable in found}


def read_longest(db: sqlite3.Connection) -> dict[int, int]:
    """The longest lag of dependencies that have one, by position."""
    return dict(rows_if_any(db, "dependency_longest", "dependency:int longest:int", "dependency"))


def read_of_resources(db: sqlite3.Connection) -> dict[int, OfResource]:
    """What resources are, by id."""
    skills: defaultdict[int, list[str]] = defaultdict(list)
    for number, skill in rows_if_any(db, "resource_skill", "resource:int skill:str"):
        skills[number].append(skill)
    columns = "resource:int cost_per_hour:float changeover:int? setup:str"
    known = {number: row for number, *row in rows_if_any(db, "resource_shop", columns, "resource")}
    usual = (0.0, None, "")
    return {
        number: OfResource(tuple(skills.get(number, ())), *known.get(number, usual)) for number in {*skills, *known}
    }


def read_alternatives(db: sqlite3.Connection) -> tuple[Alternative, ...]:
    """The alternatives of tasks."""
    columns = "task:int resource:int units:float duration:int? cost:float"
    return tuple(Alternative(*row) for row in rows_if_any(db, "alternative", columns))


def read_changeovers(db: sqlite3.Connection) -> tuple[Changeover, ...]:
    """The changeovers, each with its families and times. Raises FormatError where a time is of no family of it."""
    families: defaultdict[int, list[str]] = defaultdict(list)
    for number, family in rows_if_any(db, "changeover_family", "changeover:int family:str"):
        families[number].append(family)
    times: dict[tuple[int, str, str], int] = {}
    for number, before, after, ticks in rows_if_any(
        db, "changeover_time", "changeover:int before:str after:str ticks:int"
    ):
        if not {before, after} <= set(families[number]):
            raise FormatError(f"is damaged: changeover {number} has a time of a family that it does not have")
        times[number, before, after] = ticks
    return tuple(
        Changeover(
            number,
            name,
            tuple(families[number]),
            tuple(tuple(times.get((number, a, b), 0) for b in families[number]) for a in families[number]),
        )
        for number, name in rows_if_any(db, "changeover", "id:int name:str")
    )


def read_transports(db: sqlite3.Connection) -> tuple[Transport, ...]:
    """The times of transport."""
    return tuple(Transport(*row) for row in rows_if_any(db, "transport", "origin:int target:int ticks:int"))
