"""Progress: how far a file is read or written, told to whoever watches this thread. It never knows who that is.

Whoever watches may raise, and nothing of the file comes of it then: that is how reading and writing are given up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Tell = Callable[[float], object]

_EVERY = 256
_watcher: ContextVar[Tell | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Tell | None) -> Iterator[None]:
    """Have a watcher told what share is done, from 0 to 1, while this lasts; None is nobody."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def tell(share: float) -> None:
    """So much is done. Raises what the watcher raises."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(share)


def told(rows: Sequence[T], begin: float = 0.0, end: float = 1.0) -> Iterator[T]:
    """The rows one after the other, telling now and then how far they are; all of them go from `begin` to `end`."""
    for number, row in enumerate(rows):
        if number % _EVERY == 0:
            tell(begin + (end - begin) * number / len(rows))
        yield row
