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

# Tasks of a plan that is packed within a millisecond or two.
SMALL = 100

Listener = Callable[[RiskReply], object]
Waiting = dict[int, tuple[Listener, asyncio.Future[RiskEnded]]]

_GONE = "The process that simulates has ended; what it found is kept. Ask again to start it anew."


class RiskConnection(Protocol):
    """The way to what simulates: a process, or in tests the Sampler itself."""

    @property
    def is_open(self) -> bool:
        """Whether the other end still lives."""

    async def packed(self, request: RiskRequest) -> object:
        """A request as it may be sent without holding the loop up."""

    def send(self, request: object) -> None:
        """Sends a request, packed or not, which ends the one before; a Cancel ends that one alone."""

    async def receive(self) -> RiskReply | None:
        """The next reply, or None once the other end has gone."""

    async def close(self) -> None:
        """Ends the other end and waits for that."""


class SamplerProcess(AnsweringProcess):
    """The pipes of the process that simulates."""

    OPTION = "--sample"


class RiskClient:
    """Requests, the newest of which ends the ones before; all calls belong to the loop's thread.

    Numbers of requests grow.
    """

    def __init__(self, start: Callable[[], Awaitable[RiskConnection]] = SamplerProcess.start) -> None:
        self._start = start
        self._connection: RiskConnection | None = None
        self._is_starting = asyncio.Lock()
        self._waiting: Waiting = {}
        self._reading: asyncio.Task[None] | None = None
        self._least = 0  # of the numbers that are still wanted

    async def ask(self, request: RiskRequest, hear: Listener) -> RiskEnded:
        """Answers go to `hear` until the end, which is returned. Raises SolverError where no process can be started.

        One that waits while a newer one comes is canceled before it begins. Cancelling the await ends the simulation,
        not its process.
        """
        self._least = max(self._least, request.risk)
        connection = await self._connected()
        waiting = self._waiting
        # What is packed within a moment is not worth the way to a worker and back, which a drag would wait for.
        packed = request if len(request.plan.tasks) <= SMALL else await connection.packed(request)
        if request.risk < self._least:
            return RiskEnded(request.risk, is_canceled=True)
        if self._connection is not connection:  # it has gone meanwhile
            return RiskEnded(request.risk, sentence=_GONE)
        ended: asyncio.Future[RiskEnded] = asyncio.get_running_loop().create_future()
        waiting[request.risk] = hear, ended
        connection.send(packed)
        try:
            return await ended
        except asyncio.CancelledError:
            self.cancel(request.risk)
            raise
        finally:
            waiting.pop(request.risk, None)

    def cancel(self, risk: int) -> None:
        """End a request, unless a newer one has; its `ask` gives how it ended."""
        self._least = max(self._least, risk + 1)
        if self._connection is not None and risk == max(self._waiting, default=None):
            self._connection.send(Cancel())

    async def close(self) -> None:
        """Ends the process."""
        connection, self._connection = self._connection, None
        reading, self._reading = self._reading, None
        if connection is not None:
            await connection.close()
        if reading is not None:
            await asyncio.wait([reading])

    async def _connected(self) -> RiskConnection:
        async with self._is_starting:
            if self._connection is not None and self._connection.is_open:
                return self._connection
            await self.close()
            try:
                connection = self._connection = await self._start()
            except OSError as error:
                raise SolverError(f"The process that simulates could not be started: {error}.") from error
            self._waiting = {}
            self._reading = asyncio.ensure_future(self._read(connection, self._waiting))
            return connection

    async def _read(self, connection: RiskConnection, waiting: Waiting) -> None:
        while (reply := await connection.receive()) is not None:
            if reply.risk not in waiting:
                continue
            hear, ended = waiting[reply.risk]
            if not isinstance(reply, RiskEnded):
                hear(reply)
            elif not ended.done():
                ended.set_result(reply)
        if self._connection is connection:
            self._connection = None  # that it has ended is known by its pipe before anything else says so
            await connection.close()
        for number, (_, ended) in list(waiting.items()):
            if not ended.done():
                ended.set_result(RiskEnded(number, sentence=_GONE))
