"""The threads beside the loop's: one that waits for events, one that makes calls which block. They decide nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Generic, TypeVar

from engine.runtime.surfaced import Surfaced

T = TypeVar("T")


class Worker(Generic[T]):
    """A daemon thread that does `work` for one item after another. `begin` is called first, on the thread."""

    def __init__(self, name: str, begin: Callable[[], object], work: Callable[[T], None]) -> None:
        self._items: SimpleQueue[tuple[T] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, args=(begin, work), name=name, daemon=True)
        self._thread.start()

    def put(self, item: T) -> None:
        """Queue an item."""
        self._items.put((item,))

    def close(self) -> None:
        """Do what is queued, then join."""
        self._items.put(None)
        self._thread.join()

    def _serve(self, begin: Callable[[], object], work: Callable[[T], None]) -> None:
        begin()
        while (item := self._items.get()) is not None:
            with Surfaced():
                work(item[0])


class Inbox(Generic[T]):
    """What threads tell the loop's: items in order, a batch a call of `take`, and the loop woken once for it."""

    def __init__(self, take: Callable[[list[T]], None]) -> None:
        self._take = take
        self._items: list[T] = []
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """From now on the running loop takes what comes."""
        self._loop = asyncio.get_running_loop()

    def post(self, item: T) -> None:
        """Tell the loop, from any thread. What comes after the loop has closed is lost: nobody waits for it."""
        with self._lock:
            self._items.append(item)
            is_first = len(self._items) == 1
        if is_first and self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            items, self._items = self._items, []
        self._take(items)
