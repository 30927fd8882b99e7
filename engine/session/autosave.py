"""Autosave: unsaved work kept where a crash cannot reach it, and found again. It never touches the plan's own file.

A plan with a file is kept beside it, as .NAME.loom.PROCESS.autosave, others in the person's state folder, where a note
says of each autosave whose it is. Names hold the process, so two running programs never meet: what belongs to a living
process is neither offered nor removed. Every function here blocks on the disk.
"""

from __future__ import annotations

import itertools
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from engine.errors import FormatError
from engine.formats import loom
from engine.formats.replacing import is_alive, process_mark, replace_file
from engine.formats.text import file_error
from engine.session.keeping import kept_branches, kept_plan, kept_runs
from engine.session.state import State

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Recovery:
    """Work that a process left when it died. `path` is the plan's file, or empty when it never had one.

    `time` is when it was kept, in seconds since 1970 UTC; `is_newer` says that the plan's file is older or gone.
    """

    path: str
    time: int
    is_newer: bool
    autosave: str
    note: str


class Autosave:
    """The autosave of one document. Any thread may call its methods; the newest state wins."""

    def __init__(self) -> None:
        self._name = f"{process_mark()}-{next(_numbers)}"
        self._lock = Lock()
        self._file: Path | None = None
        self._written = -1
        self._cleared = -1

    def write(self, state: State) -> None:
        """Keep a state that is not saved; forget the one before when it is. Raises FormatError in one sentence."""
        with self._lock:
            if state.revision <= max(self._written, self._cleared):
                return
            if state.is_dirty:
                self._keep(state)
            else:
                self._remove()
            self._written = state.revision

    def clear(self, revision: int) -> None:
        """Forget what was kept: all states up to this revision are saved, or shall not be kept."""
        with self._lock:
            self._cleared = max(self._cleared, revision)
            if self._written <= revision:
                self._remove()

    @property
    def _note(self) -> Path:
        return folder() / f"{self._name}.json"

    def _keep(self, state: State) -> None:
        elsewhere = folder() / f"{self._name}.loom"
        if not state.path:
            self._save(elsewhere, state)
            return
        path = Path(os.path.realpath(state.path))
        try:
            self._save(path.with_name(f".{path.name}.{self._name}.autosave"), state)
        except FormatError:  # a folder that is read-only or gone, a name that gets too long
            self._save(elsewhere, state)

    def _save(self, file: Path, state: State) -> None:
        if file != self._file:
            before, self._file = self._file, file
            self._write_note(state.path, file)
            if before is not None:
                _unlink(before)
        plan, runs, branches = kept_plan(state), kept_runs(state), kept_branches(state)
        loom.save(file, plan, runs, branches=branches, backups=0, may_lose_tasks=True)

    def _write_note(self, path: str, file: Path) -> None:
        try:
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._note, json.dumps([path, str(file)]).encode(), backups=0)
        except OSError as error:
            raise file_error(error, self._note, "written") from error

    def _remove(self) -> None:
        if self._file is not None:
            _unlink(self._file)
            _unlink(self._note)
            self._file = None


def folder() -> Path:
    """Where notes lie, and the autosaves of plans without a file."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "warploom" / "autosave"


def orphans() -> list[Recovery]:
    """All work that processes left when they died, the newest first."""
    found = [_recovery(note) for note in folder().glob("*.json") if not is_alive(note.stem.rpartition("-")[0])]
    return sorted((each for each in found if each is not None), key=lambda each: -each.time)


def find(path: str | Path) -> Recovery | None:
    """The newest work left of the plan in this file, or None."""
    wanted = os.path.realpath(path)
    return next((each for each in orphans() if each.path and os.path.realpath(each.path) == wanted), None)


def discard(recovery: Recovery) -> None:
    """Remove what was left."""
    _unlink(Path(recovery.autosave))
    _unlink(Path(recovery.note))


def _recovery(note: Path) -> Recovery | None:
    """What a note tells of, or None, and the note removed, when there is nothing behind it."""
    try:
        path, file = json.loads(note.read_bytes())
        kept = Path(file).stat().st_mtime_ns
        is_newer = not (path and Path(path).exists()) or Path(path).stat().st_mtime_ns <= kept
    except (OSError, ValueError, TypeError):
        _unlink(note)
        return None
    return Recovery(path, kept // 1_000_000_000, is_newer, file, str(note))


def _unlink(file: Path) -> None:
    with suppress(OSError):
        file.unlink()
