"""RiskClient: the window's side of simulations. It never imports what simulates.

It has a process of its own beside that which solves: while a person drags, no search makes it wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from engine.errors import SolverError
from engine.process.connection import AnsweringProcess
from engine.process.risk_messages import RiskEnded, RiskReply, RiskRequest
from engine.process.solve_messages import Cancel

Listener = Callable[[RiskReply], object]

_GONE = "The process that simulates has ended; what it found is kept. Ask again to start it anew."


class RiskConnection(Protocol):
    """The way to what simulates: a process, or in tests the Sampler itself."""

    @property
    def is_open(self) -> bool:
        """Whether the other end still lives."""

    def send(self, request: RiskRequest | Cancel) -> None:
        """Asks, which ends the question before, or ends that one alone."""

    async def receive(self) -> RiskReply | None:
        """The next reply, or None once the other end has gone."""

    async def close(self) -> None:
        """Ends the other end and waits for that."""


class SamplerProcess(AnsweringProcess):
    """The pipes of the process that simulates."""

    OPTION = "--sample"


class RiskClient:
    """Requests, the newest of which ends the ones before; all calls belong to the loop's thread."""

    def __init__(self, start: Callable[[], Awaitable[RiskConnection]] = SamplerProcess.start) -> None:
        self._start = start
        self._connection: RiskConnection | None = None
        self._is_starting = asyncio.Lock()
        self._waiting: dict[int, tuple[Listener, asyncio.Future[RiskEnded]]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def ask(self, request: RiskRequest, hear: Listener) -> RiskEnded:
        """Answers go to `hear` until the end, which is returned. Raises SolverError where no process can be started.

        Cancelling the await ends the simulation, not its process.
        """
        connection = await self._connected()
        ended: asyncio.Future[RiskEnded] = asyncio.get_running_loop().create_future()
        self._waiting[request.risk] = hear, ended
        connection.send(request)
        try:
            return await ended
        except asyncio.CancelledError:
            if request.risk == max(self._waiting, default=request.risk):
                connection.send(Cancel())
            raise
        finally:
            self._waiting.pop(request.risk, None)

    async def close(self) -> None:
        """Ends the process."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
        if self._reading is not None:
            await asyncio.wait([self._reading])
            self._reading = None

    async def _connected(self) -> RiskConnection:
        async with self._is_starting:
            if self._connection is not None and self._connection.is_open:
                return self._connection
            await self.close()
            try:
                self._connection = await self._start()
            except OSError as error:
                raise SolverError(f"The process that simulates could not be started: {error}.") from error
            self._reading = asyncio.ensure_future(self._read(self._connection))
            return self._connection

    async def _read(self, connection: RiskConnection) -> None:
        while (reply := await connection.receive()) is not None:
            if reply.risk not in self._waiting:
                continue
            hear, ended = self._waiting[reply.risk]
            if not isinstance(reply, RiskEnded):
                hear(reply)
            elif not ended.done():
                ended.set_result(reply)
        if self._connection is connection:
            self._connection = None  # that it has ended is known by its pipe before anything else says so
            await connection.close()
        for number, (_, ended) in list(self._waiting.items()):
            if not ended.done():
                ended.set_result(RiskEnded(number, sentence=_GONE))
