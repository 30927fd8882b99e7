"""Replacing a file so that there is a whole one at every moment, and backups of those before. It knows no format.

Written beside under a name of its own, flushed to the disk, then renamed over the old file, which stays as a backup.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from engine.formats.progress import tell
from engine.formats.text import file_error

BACKUPS = 3
_CHUNK = 1 << 20
_LEFTOVER = re.compile(r"\..*\.(\d+-\d+)-\d+\.saving", re.DOTALL)
_numbers = itertools.count(1)


def replace_file(path: Path, data: bytes, backups: int) -> None:
    """Put `data` in the place of a file, keeping up to `backups` earlier contents as NAME~1 (the newest), NAME~2 ...

    A symbolic link is followed, the mode of the file kept. Raises OSError; the old file is then as it was.
    """
    target = Path(os.path.realpath(path))
    if target.exists():
        os.close(os.open(target, os.O_WRONLY))  # renaming over a read-only file would be no trouble; it should be
    _remove_leftovers(target.parent)
    beside = _beside(target)
    try:
        _write(beside, data, target)
        if backups and target.exists():
            _keep_backup(target, backups)
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    _sync_folder(target.parent)


def write_file(path: str | Path, data: bytes, backups: int = BACKUPS) -> None:
    """As replace_file. Raises FormatError, one sentence with the path; the file is then as it was."""
    tell(1.0)
    try:
        replace_file(Path(path), data, backups)
    except OSError as error:
        raise file_error(error, path, "written") from error


def process_mark() -> str:
    """Names this process in file names: its id, and when it started, since ids are given out again."""
    return f"{os.getpid()}-{_started(os.getpid())}"


def is_alive(mark: str) -> bool:
    """Whether the process that a mark names still runs."""
    pid, _, started = mark.partition("-")
    return pid.isdecimal() and _started(int(pid)) == started


def _started(pid: int) -> str:
    """When a process started, in the system's own count; "0" where only its being there is known, "" if it is not."""
    if Path("/proc/self/stat").exists():
        with suppress(OSError):
            state, *rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            return "" if state in "ZX" else rest[18]
        return ""
    if os.name == "posix":
        with suppress(PermissionError):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return ""
    return "0"


def _beside(target: Path) -> Path:
    """A name of its own in the same folder; a long one is cut, so that it stays a name."""
    return target.with_name(f".{target.name[:40]}.{process_mark()}-{next(_numbers)}.saving")


def _remove_leftovers(folder: Path) -> None:
    """Remove what processes that died while they saved in this folder have left."""
    for left in folder.glob(".*.saving"):
        named = _LEFTOVER.fullmatch(left.name)
        if named and not is_alive(named[1]):
            with suppress(OSError):
                left.unlink()


def _write(path: Path, data: bytes, like: Path) -> None:
    mode = stat.S_IMODE(like.stat().st_mode) if like.exists() else None
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    try:
        if mode is not None:
            path.chmod(mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest[:_CHUNK]) :]
        os.fsync(file)
    finally:
        os.close(file)


def _keep_backup(target: Path, count: int) -> None:
    names = [target.with_name(f"{target.name}~{number}") for number in range(1, count + 1)]
    for older, newer in itertools.pairwise(reversed(names)):
        if newer.exists():
            newer.replace(older)
    try:
        names[0].hardlink_to(target)
    except OSError:  # a file system without links
        copy = _beside(target)
        shutil.copy2(target, copy)
        copy.replace(names[0])


def _sync_folder(folder: Path) -> None:
    """Make the new name last. The file is in its place by now: where folders cannot be flushed, there is no more."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
