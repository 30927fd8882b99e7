"""SolverLine: the way to one process that searches, who follows which search in it, and whether it sticks.

It never starts a process, and never decides what is done about one that sticks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from engine.model import Plan
from engine.process.solve_messages import (
    Answered,
    Asked,
    Cancel,
    Ending,
    Share,
    SolveEnded,
    SolveReply,
    SolveRequest,
    Working,
)

# Who cancels a search waits no longer than this for what its engines did; a process that has answered before, and in
# which one has not ended after STUCK_SECONDS, sticks.
CANCEL_SECONDS = 0.03
STUCK_SECONDS = 3.0

Listener = Callable[[SolveReply], object]


class SolverConnection(Protocol):
    """The way to what searches: a process, or in tests the Solver itself."""

    @property
    def is_open(self) -> bool:
        """Whether the other end still lives."""

    async def packed(self, request: SolveRequest | Asked) -> object:
        """A request as it may be sent without holding the loop up."""

    def post(self, request: SolveRequest, plan: Plan) -> bool:
        """Sends a request about a plan at once, where packing it takes no time to speak of; whether it has."""

    def send(self, request: object) -> None:
        """Sends a request, packed or not: a SolveRequest ends the search before, a Cancel that one alone; an Asked
        leaves it as it is.
        """

    async def receive(self) -> SolveReply | Answered | None:
        """The next reply, or None once the other end has gone."""

    def kill(self) -> None:
        """Ends the other end at once."""

    async def close(self) -> None:
        """Ends the other end and waits for that."""


@dataclass(slots=True)
class _Following:
    """A search that was asked for: its replies, None where the process has gone, and until when its end is awaited."""

    replies: asyncio.Queue[SolveReply | None] = field(default_factory=asyncio.Queue)
    deadline: asyncio.Timeout | None = None
    is_sent: bool = False
    is_canceled: bool = False
    is_heard: bool = False
    shares: tuple[Share, ...] = ()


class SolverLine:
    """All calls belong to the loop's thread.

    `stuck` is called where a canceled search does not end, `answered` with each answer to a question, and with None
    once the process has gone.
    """

    def __init__(
        self,
        connection: SolverConnection,
        stuck: Callable[[SolverLine], object],
        answered: Callable[[SolverLine, Answered | None], object],
    ) -> None:
        self.connection = connection
        self.is_stuck = self._is_heard = False
        self._tell_stuck, self._answered = stuck, answered
        self._followed: dict[int, _Following] = {}
        self._ending: dict[int, asyncio.TimerHandle] = {}
        self._reading = asyncio.ensure_future(self._read())

    @property
    def is_open(self) -> bool:
        """Whether the process still answers."""
        return self.connection.is_open and not self._reading.done()

    @property
    def is_needed(self) -> bool:
        """Whether anybody follows a search in it that another process could not do as well from its beginning."""
        return any(each.is_heard or each.is_canceled for each in self._followed.values())

    def post(self, request: SolveRequest) -> bool:
        """Sends a search whose `search` follows, where that takes no time to speak of; whether it has."""
        if not (self.is_open and self.connection.post(request, request.plan)):
            return False
        self._followed[request.solve] = _Following(is_sent=True)
        return True

    def is_posted(self, request: SolveRequest) -> bool:
        """Whether a search was sent before."""
        return request.solve in self._followed

    async def search(self, request: SolveRequest, hear: Listener, is_wanted: Callable[[], bool]) -> SolveEnded | None:
        """To the end of a search, whatever that is; None where it has to be asked of another process.

        It is not sent where it is not wanted any more once it is packed. Cancelling the await ends the process.
        """
        # Now: while a request is packed the process may end.
        following = self._followed.setdefault(request.solve, _Following())
        try:
            if not following.is_sent:
                packed = await self.connection.packed(request)
                if not is_wanted():
                    return SolveEnded(request.solve, Ending.CANCELED)
                self.connection.send(packed)
                following.is_sent = True
            return await self._follow(request.solve, following, hear)
        except asyncio.CancelledError:
            self.connection.kill()
            raise
        finally:
            del self._followed[request.solve]

    def cancel(self) -> None:
        """End what is searched."""
        loop = asyncio.get_running_loop()
        for solve, each in self._followed.items():
            if each.is_sent and not each.is_canceled:
                each.is_canceled = True
                if each.deadline is not None:
                    each.deadline.reschedule(loop.time() + CANCEL_SECONDS)
                self._ending[solve] = loop.call_later(STUCK_SECONDS, self._stick, solve)
                self.connection.send(Cancel())

    def kill(self) -> None:
        """Ends the process, for all that is asked of it."""
        self.connection.kill()

    async def close(self) -> None:
        """Ends the process and waits for that."""
        await self.connection.close()
        await asyncio.wait([self._reading])

    async def _read(self) -> None:
        """Brings answers to who asks and all else to who follows its search, until the other end has gone."""
        while (reply := await self.connection.receive()) is not None:
            self._is_heard = True
            if isinstance(reply, Answered):
                self._answered(self, reply)
                continue
            if isinstance(reply, SolveEnded) and (late := self._ending.pop(reply.solve, None)) is not None:
                late.cancel()
            if (following := self._followed.get(reply.solve)) is not None:
                following.replies.put_nowait(reply)
        for late in self._ending.values():
            late.cancel()
        for following in self._followed.values():
            following.replies.put_nowait(None)
        self._answered(self, None)

    def _stick(self, solve: int) -> None:
        """A search has not ended for long; a process that still loads what it is made of is given time."""
        if self._is_heard:
            self.is_stuck = True
            self._tell_stuck(self)
        else:
            self._ending[solve] = asyncio.get_running_loop().call_later(STUCK_SECONDS, self._stick, solve)

    async def _follow(self, solve: int, following: _Following, hear: Listener) -> SolveEnded | None:
        try:
            async with asyncio.timeout(CANCEL_SECONDS if following.is_canceled else None) as following.deadline:
                while (reply := await following.replies.get()) is not None:
                    if isinstance(reply, SolveEnded):
                        return reply
                    following.is_heard = True
                    if isinstance(reply, Working):
                        following.shares = reply.shares
                    hear(reply)
        except TimeoutError:
            return SolveEnded(solve, Ending.CANCELED, shares=following.shares)
        if following.is_canceled:
            return SolveEnded(solve, Ending.CANCELED, shares=following.shares)
        if self.is_stuck and not following.is_heard:
            return None
        sentence = "The process that optimizes has ended; what it found is kept. Start it again to go on."
        return SolveEnded(solve, Ending.FAILED, sentence)
