"""Branches beside the plan of a .loom file: each plan of them is kept as the bytes of a whole .loom file of its own.

So any SQLite tool can take one out and read it as a plan. Branches that began alike share what they began from. It
never touches the disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from engine.errors import FormatError
from engine.formats.loom.reading import read_plan
from engine.formats.loom.runs import read_runs
from engine.formats.loom.tables import HEAD, check_head, fill, rows
from engine.model import Plan
from engine.trace.recorded_run import RecordedRun

Row = tuple[Any, ...]
Encode = Callable[[Plan, Sequence[RecordedRun]], bytes]


@dataclass(frozen=True, eq=False, slots=True)
class LoomBranch:
    """What is tried beside the main plan: `base` is what both had in common, `plan` what it is now."""

    letter: str
    name: str
    base: Plan
    plan: Plan
    runs: tuple[RecordedRun, ...] = ()


def branch_tables(branches: Sequence[LoomBranch], encode: Encode) -> Iterator[tuple[str, Iterator[Row]]]:
    """The rows of both tables."""
    bases: list[Plan] = []
    places: list[int] = []
    for branch in branches:
        place = next((at for at, base in enumerate(bases) if base is branch.base), len(bases))
        places.append(place)
        if place == len(bases):
            bases.append(branch.base)
    yield "branch_base", ((place, encode(base, ())) for place, base in enumerate(bases))
    yield (
        "branch",
        (
            (position, each.letter, each.name, place, encode(each.plan, each.runs))
            for position, (each, place) in enumerate(zip(branches, places, strict=True))
        ),
    )


def read_branches(db: sqlite3.Connection) -> tuple[LoomBranch, ...]:
    """The branches in their order. Raises sqlite3.Error, or FormatError and PlanError, each with a sentence."""
    bases = {position: _plan(data)[0] for position, data in rows(db, "branch_base", "position:int plan:blob")}
    found = []
    for letter, name, base, data in rows(db, "branch", "letter:str name:str base:int plan:blob"):
        if base not in bases:
            raise FormatError(f"is damaged: what the branch “{name:.60}” began from is missing")
        found.append(LoomBranch(letter, name, bases[base], *_plan(data)))
    return tuple(found)


def _plan(data: bytes) -> tuple[Plan, tuple[RecordedRun, ...]]:
    check_head(data[:HEAD], len(data))
    with closing(sqlite3.connect(":memory:")) as db:
        fill(db, data)
        return read_plan(db), read_runs(db)
