"""Devices: the way to each kind of device, made when first asked for and kept. It never knows a plan or a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from engine.errors import DeviceError
from engine.process.client import DeviceClient
from engine.process.connection import Connection, spawn

# What a person may choose, in the order of the menu, and why a kind cannot be chosen ("" where it can).
KINDS = {"cpu": "", "simulated": "", "cuda": "This version of Warploom has no CUDA device; choose cpu or simulated."}


class Devices:
    """One client a kind. `start` makes the connection to a device process; tests hand in their own."""

    def __init__(self, start: Callable[[str], Awaitable[Connection]] = spawn) -> None:
        self._start = start
        self._clients: dict[str, DeviceClient] = {}

    def client(self, kind: str) -> DeviceClient:
        """The client of a kind. Raises DeviceError when there is no such device."""
        reason = KINDS.get(kind, f"There is no device “{kind}”; choose one of {', '.join(KINDS)}.")
        if reason:
            raise DeviceError(reason)
        return self._clients.setdefault(kind, DeviceClient(kind, self._start))

    async def close(self) -> None:
        """Ends every device process, each within a bounded time."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()
