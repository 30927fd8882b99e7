"""Devices: the way to each kind of device, made when first asked for and kept. It never knows a plan or a run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from engine.errors import DeviceError
from engine.gpu import has_driver, is_gpu, no_driver
from engine.process.client import DeviceClient
from engine.process.connection import Connection, spawn
from engine.process.ring import release_tracker

# What a person may choose, in the order of the menu; "cuda:1" is the second GPU.
KINDS = ("cpu", "simulated", "cuda")


class Devices:
    """One client a kind. `start` makes the connection to a device process; tests hand in their own."""

    def __init__(self, start: Callable[[str], Awaitable[Connection]] = spawn) -> None:
        self._start = start
        self._clients: dict[str, DeviceClient] = {}

    def client(self, kind: str) -> DeviceClient:
        """The client of a kind. Raises DeviceError when there is no such device."""
        if is_gpu(kind):
            if not has_driver():
                raise DeviceError(no_driver("cpu", "simulated"))
        elif kind not in KINDS:
            raise DeviceError(f"There is no device “{kind}”; choose one of {', '.join(KINDS)}.")
        return self._clients.setdefault(kind, DeviceClient(kind, self._start))

    async def close(self) -> None:
        """Ends every device process, each within a bounded time, and whatever else was started for them."""
        clients, self._clients = self._clients, {}
        try:
            for client in clients.values():
                await client.close()
        finally:
            await asyncio.to_thread(release_tracker)
