"""The span ring: rows of int64 in shared memory, from the one process that writes them to the one that reads them.

It never waits: a full ring takes fewer rows than it is given, and the writer keeps the rest.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.trace.timeline import PARTS

Rows = NDArray[np.int64]

# The names of the rings that this process made and has not removed.
_owned: set[str] = set()

# The two running counts lie on cache lines of their own: each is stored by one side only.
_WRITTEN, _READ, _HEADER = 0, 8, 16


class Ring:
    """`capacity` rows of PARTS and two running counts, rows written and rows read.

    The window's side creates it, reads, and unlinks it; the device's side attaches and writes. A row is stored before
    the count that admits it, so a reader sees whole rows even when the writer was killed.
    """

    def __init__(self, memory: SharedMemory, capacity: int, *, is_owner: bool) -> None:
        self._memory = memory
        self._is_owner = is_owner
        self._capacity = capacity
        width = len(PARTS)
        cells: Rows = np.ndarray(_HEADER + capacity * width, dtype=np.int64, buffer=memory.buf)
        self._counts = cells[:_HEADER]
        self._rows = cells[_HEADER:].reshape(capacity, width)

    @classmethod
    def create(cls, capacity: int) -> Ring:
        """A new, empty ring of `capacity` rows, known to other processes by its `name`.

        Raises OSError when there is no memory for it: a page that is missing later would end whoever writes there.
        """
        size = (_HEADER + capacity * len(PARTS)) * np.dtype(np.int64).itemsize
        memory = SharedMemory(create=True, size=size)
        try:
            _reserve(memory, size)
        except OSError:
            memory.close()
            memory.unlink()
            raise
        _owned.add(memory.name)
        ring = cls(memory, capacity, is_owner=True)
        ring._counts[:] = 0
        return ring

    @classmethod
    def attach(cls, name: str, capacity: int) -> Ring:
        """The ring another process made; that process unlinks it."""
        return cls(_attached(name), capacity, is_owner=False)

    @property
    def name(self) -> str:
        """What the other process attaches by."""
        return self._memory.name

    @property
    def capacity(self) -> int:
        """How many rows it holds."""
        return self._capacity

    @property
    def written(self) -> int:
        """How many rows were ever written."""
        return int(self._counts[_WRITTEN])

    @property
    def is_waiting(self) -> bool:
        """Whether rows wait to be read."""
        return self.space < self._capacity

    @property
    def space(self) -> int:
        """How many rows can be written before one that was not read would be lost."""
        return self._capacity - (self.written - int(self._counts[_READ]))

    def write(self, rows: Rows) -> int:
        """Stores as many of `rows` (n, 9) as there is space for, and returns how many those were."""
        count = min(len(rows), self.space)
        written = self.written
        self._rows[(written + np.arange(count)) % self._capacity] = rows[:count]
        self._counts[_WRITTEN] = written + count
        return count

    def read(self) -> Rows:
        """A copy of the rows (n, 9) not read so far, in the order they were written; their space is free again."""
        read, written = int(self._counts[_READ]), self.written
        rows = self._rows[np.arange(read, written) % self._capacity]
        self._counts[_READ] = written
        return rows

    def close(self) -> None:
        """Lets go of the memory, and removes it if this side made it. Safe to call twice."""
        # The memory cannot be unmapped while an array looks into it.
        self._counts = self._rows = np.empty((0, 0), dtype=np.int64)
        self._memory.close()
        if self._is_owner:
            self._is_owner = False
            _owned.discard(self._memory.name)
            with suppress(FileNotFoundError):
                self._memory.unlink()


def release_tracker() -> None:
    """Once no ring is left: ends the process that Python has remove the shared memory of one that was killed.

    It would end by itself, but after this one. Takes some milliseconds; any thread may call it.
    """
    tracker: Any = resource_tracker._resource_tracker  # noqa: SLF001
    if not _owned:
        tracker._stop()  # noqa: SLF001


def _reserve(memory: SharedMemory, size: int) -> None:
    """Has the system set the pages aside, where it can be asked to."""
    file = getattr(memory, "_fd", -1)
    if file >= 0 and hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)


def _attached(name: str) -> SharedMemory:
    """Shared memory that is not ours to remove.

    Before Python 3.13 attaching registers it for removal at this process's end all the same, which would take it away
    from the window; there is no argument against it, so the registration is left out while it is opened.
    """
    if sys.version_info >= (3, 13):
        return SharedMemory(name, track=False)
    if os.name != "posix":  # only there is anything registered
        return SharedMemory(name)
    register, resource_tracker.register = resource_tracker.register, lambda *_: None
    try:
        return SharedMemory(name)
    finally:
        resource_tracker.register = register
