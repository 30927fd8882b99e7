"""FileMark: what a document's file was when it was last read or written. It never reads or writes one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from engine.errors import ChangedFileError

# What tells a file from what it was before.
Seen = tuple[int, ...]


class FileMark:
    """The mark of one document's file. Any thread may call its methods; each blocks on the disk.

    A file is another one when it was replaced, or its length or time of change is another. One that is gone is not:
    nothing is lost by writing it anew.
    """

    def __init__(self) -> None:
        self._path = ""
        self._seen: Seen | None = None
        self._lock = Lock()

    def see(self, path: str | Path) -> None:
        """Take the file as it is now for what the document knows."""
        self._path, self._seen = os.path.realpath(path), _look(path)

    def doubt(self, path: str | Path) -> None:
        """Take the file for one that the document does not know."""
        self._path, self._seen = os.path.realpath(path), None

    def know(self, seen: Seen) -> None:
        """Take what another() found for what the document knows."""
        with self._lock:
            self._seen = seen

    def another(self) -> Seen | None:
        """What the document's file is now, where that is another one than it knows; else None."""
        with self._lock:
            found = _look(self._path) if self._path else None
            return None if found == self._seen else found

    @contextmanager
    def replacing(self, path: str, *, may_overwrite: bool) -> Iterator[None]:
        """Around the writing of a file. Raises ChangedFileError first if it is the document's, and another by now."""
        with self._lock:
            if not may_overwrite and self._is_another(path):
                name = Path(path).name
                raise ChangedFileError(f"{name} was changed by something else since it was opened here.", path=path)
            yield
            self.see(path)

    def _is_another(self, path: str) -> bool:
        return os.path.realpath(path) == self._path and _look(path) not in (None, self._seen)


def _look(path: str | Path) -> Seen | None:
    """What a file is now; None for one that is not there."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
