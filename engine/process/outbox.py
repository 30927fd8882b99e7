"""Outbox: rows on their way into the ring, kept while it is full. It never drops or overwrites one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from engine.process.ring import Ring, Rows

# How long rows wait before a full ring is tried again: one frame of a 60 Hz screen.
RETRY_SECONDS = 0.016


class Outbox:
    """Writes rows to a ring in order, and tells the reader with `announce(written)`, the running count of rows."""

    def __init__(self, ring: Ring, announce: Callable[[int], None]) -> None:
        self._ring = ring
        self._announce = announce
        self._kept: deque[Rows] = deque()
        self._retry: asyncio.TimerHandle | None = None
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    def put(self, rows: Rows) -> None:
        """Takes rows (n, 9); what the ring has no space for is written once the reader has made some."""
        self._kept.append(rows)
        self._is_empty.clear()
        if self._retry is None:
            self._write()

    async def emptied(self) -> None:
        """Waits until every row lies in the ring."""
        await self._is_empty.wait()

    def close(self) -> None:
        """Stops trying."""
        if self._retry is not None:
            self._retry.cancel()

    def _write(self) -> None:
        self._retry = None
        before = self._ring.written
        while self._kept:
            rows = self._kept.popleft()
            count = self._ring.write(rows)
            if count < len(rows):
                self._kept.appendleft(rows[count:])
                self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._write)
                break
        else:
            self._is_empty.set()
        if self._ring.written > before:
            self._announce(self._ring.written)
