"""Spill: columns in a file without a name, so that what a long run leaves takes disk and no memory.

It never has a name that could be left behind: the system takes the file away with the process, however that ends.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# Room for so many rows is laid out; the disk gives only what is reserved of it.
MOST_ROWS = 1 << 24
# Which folder: one that lies on a disk, as that for temporary files often does not.
FOLDER = "WARPLOOM_CACHE_DIR"
_ITEM = np.dtype(np.int64).itemsize


class Spill:
    """`width` int64 columns with room for MOST_ROWS rows. Raises OSError where the system has no such files."""

    def __init__(self, width: int) -> None:
        if not (hasattr(os, "posix_fallocate") and hasattr(mmap, "MADV_DONTNEED")):
            raise OSError("columns stay in memory on this system")
        size = width * MOST_ROWS * _ITEM
        self._file = _nameless()
        weakref.finalize(self, os.close, self._file)
        os.ftruncate(self._file, size)
        self._map = mmap.mmap(self._file, size)
        self.data: NDArray[np.int64] = np.frombuffer(self._map, np.int64).reshape(width, MOST_ROWS)

    def reserve(self, first: int, last: int) -> None:
        """Have the disk give rows `first` to `last`. Raises OSError when it is full: to write there would be fatal.

        They are written as zeros, too: a page that is first touched through the map costs thirty times as much, and a
        block of rows kept the window waiting for a tenth of a second.
        """
        if last > MOST_ROWS:
            raise OSError(f"a table has more than {MOST_ROWS:,} rows")
        zeros = memoryview(bytes((last - first) * _ITEM))
        for column in range(len(self.data)):
            place = (column * MOST_ROWS + first) * _ITEM
            os.posix_fallocate(self._file, place, len(zeros))
            done = 0
            while done < len(zeros):
                done += os.pwrite(self._file, zeros[done:], place + done)

    def rest(self, count: int) -> None:
        """The first `count` rows are seldom asked for: the memory they take is given back, the disk has them."""
        length = count * _ITEM // mmap.PAGESIZE * mmap.PAGESIZE
        for column in range(len(self.data) if length else 0):
            self._map.madvise(mmap.MADV_DONTNEED, column * MOST_ROWS * _ITEM, length)


def _nameless() -> int:
    """A new file that no folder lists."""
    folder = os.environ.get(FOLDER)
    if folder:
        with suppress(OSError):
            Path(folder).mkdir(parents=True, exist_ok=True)
    file, name = tempfile.mkstemp(prefix="warploom-", dir=folder or None)
    Path(name).unlink()
    return file
