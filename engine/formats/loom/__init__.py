"""The native format: a plan and its last runs as one SQLite file. It never leaves a half-written file.

Reading takes the bytes of the file and never opens it as a database, so that nothing is ever written to it or left
beside it. Saving writes beside, flushes and renames.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError, FormatError, PlanError
from engine.formats.counted import counted
from engine.formats.loom.branches import LoomBranch, read_branches
from engine.formats.loom.reading import read_plan
from engine.formats.loom.runs import read_runs
from engine.formats.loom.tables import HEAD, check_head, fill, is_loom
from engine.formats.loom.writing import to_bytes
from engine.formats.replacing import BACKUPS, write_file
from engine.formats.text import read_head
from engine.model import Plan
from engine.trace.recorded_run import RecordedRun

__all__ = ["SUFFIXES", "TITLE", "LoomBranch", "LoomFile", "load", "load_file", "save", "sniff"]

TITLE = "Warploom plan"
SUFFIXES: tuple[str, ...] = (".loom",)
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, eq=False, slots=True)
class LoomFile:
    """All that a file holds."""

    plan: Plan
    runs: tuple[RecordedRun, ...] = ()
    branches: tuple[LoomBranch, ...] = ()


def sniff(path: str | Path) -> bool:
    """Whether the file says of itself that it is a plan, of whatever version. Raises FormatError if unreadable."""
    return is_loom(read_head(path, HEAD))


def load(path: str | Path) -> Plan:
    """The plan of a file. Raises FormatError: one sentence with the path."""
    return load_file(path).plan


def load_file(path: str | Path) -> LoomFile:
    """The plan, the runs and the branches of a file. Raises FormatError: one sentence with the path."""
    data = read_head(path, _MOST_BYTES)
    try:
        check_head(data[:HEAD], len(data))
        with closing(sqlite3.connect(":memory:")) as db:
            fill(db, data)
            return LoomFile(read_plan(db), read_runs(db), read_branches(db))
    except FormatError as error:
        raise FormatError(f"{path} {error.sentence}.", path=str(path)) from error
    except PlanError as error:
        raise FormatError(f"{path} holds no valid plan. {error.sentence}", ids=error.ids, path=str(path)) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise FormatError(f"{path} is damaged: {' '.join(str(error).split())}.", path=str(path)) from error


def save(
    path: str | Path,
    plan: Plan,
    runs: Sequence[RecordedRun] = (),
    *,
    branches: Sequence[LoomBranch] = (),
    backups: int = BACKUPS,
    may_lose_tasks: bool = False,
) -> tuple[str, ...]:
    """Write a file, which holds all of a plan; `backups` earlier contents are kept as NAME~1 (the newest) and so on.

    A plan without tasks replaces one that has some only when `may_lose_tasks`. Raises FormatError: one sentence with
    the path; the file is then as it was.
    """
    if not (plan.tasks or may_lose_tasks):
        _check_nothing_is_lost(path)
    try:
        write_file(path, to_bytes(plan.check(), runs, branches), backups)
    except PlanError as error:
        raise FormatError(f"{path} was not written. {error.sentence}", ids=error.ids, path=str(path)) from error
    except (UnicodeEncodeError, OverflowError, ValueError, sqlite3.Error) as error:
        raise FormatError(f"{path} was not written: it has a name or number in it that no file holds.") from error
    return ()


def _check_nothing_is_lost(path: str | Path) -> None:
    try:
        count = len(load(path).tasks)
    except EngineError:
        return
    if count:
        tasks = counted(count, "1 task", "{count} tasks")
        what = f"{path} was not written: it holds {tasks}, and the plan to save has none."
        sentence = f"{what} Undo, or save under another name."
        raise FormatError(sentence, path=str(path))
