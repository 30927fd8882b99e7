"""SolverClient: the window's side of the process that searches for better plans. It never imports that one.

The process stays for the next question, since what it has compiled and loaded is what an answer at once needs.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from engine.errors import SolverError
from engine.process.connection import AnsweringProcess
from engine.process.questions import Question
from engine.process.solve_messages import Answered, Asked, Cancel, Ending, SolveEnded, SolveReply, SolveRequest

# A search that has not ended so long after a cancel is ended with its process.
CANCEL_SECONDS = 1.0

Listener = Callable[[SolveReply], object]
Replies = asyncio.Queue[SolveReply | None]
_questions = itertools.count(1)


class SolverConnection(Protocol):
    """The way to what searches: a process, or in tests the Solver itself."""

    @property
    def is_open(self) -> bool:
        """Whether the other end still lives."""

    async def packed(self, request: SolveRequest | Asked) -> object:
        """A request as it may be sent without holding the loop up."""

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


class SolverProcess(AnsweringProcess):
    """The pipes of the process that searches; its exact solver ends with the pipe between them."""

    OPTION = "--solve"


@dataclass(slots=True)
class _Following:
    """A search that was asked for: its replies, None where the process has gone, and until when its end is awaited."""

    solve: int
    connection: SolverConnection
    replies: Replies = field(default_factory=asyncio.Queue)
    deadline: asyncio.Timeout | None = None
    is_canceled: bool = False


class SolverClient:
    """One search at a time, and a question beside it; all calls belong to the loop's thread. `start` connects."""

    def __init__(self, start: Callable[[], Awaitable[SolverConnection]] = SolverProcess.start) -> None:
        self._start = start
        self._connection: SolverConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._is_asking, self._is_connecting = asyncio.Lock(), asyncio.Lock()
        self._newest: dict[type[Question], int] = {}
        self._awaited = 0
        self._answer: asyncio.Future[Answered | None] | None = None
        self._followed: dict[int, _Following] = {}
        self._stuck: SolverConnection | None = None
        self._wanted: int | None = None

    async def solve(self, request: SolveRequest, hear: Listener) -> SolveEnded:
        """Searches to the end, whatever that is; what is found goes to `hear`. Raises SolverError.

        A search that goes on is canceled first, and its end not waited for; one that a newer one overtakes before it is
        sent never begins. Cancelling the await ends the process.
        """
        self.cancel()
        self._wanted = request.solve
        while self._wanted == request.solve:
            connection = await self._connected()
            # Now: while a request is packed the process may end.
            following = self._followed[request.solve] = _Following(request.solve, connection)
            try:
                packed = await connection.packed(request)
                if self._wanted != request.solve:
                    break
                connection.send(packed)
                if (ended := await self._follow(following, hear)) is not None:
                    return ended
            except asyncio.CancelledError:
                connection.kill()
                raise
            finally:
                del self._followed[request.solve]
        return SolveEnded(request.solve, Ending.CANCELED)

    async def ask(self, question: Question) -> object:
        """The answer to a question, once the one before is answered; None where a newer one of its kind was asked.

        A search goes on beside it. None too where the process has gone. Raises SolverError.
        """
        number = self._newest[type(question)] = next(_questions)
        async with self._is_asking:
            if number != self._newest[type(question)]:
                return None
            connection = await self._connected()
            answer = self._answer = asyncio.get_running_loop().create_future()
            self._awaited = number
            connection.send(await connection.packed(Asked(number, question)))
            answered: Answered | None = await answer
        if answered is not None and answered.sentence:
            raise SolverError(answered.sentence, ids=answered.ids)
        return None if answered is None else answered.answer

    def cancel(self) -> None:
        """End the search; one that does not end within CANCEL_SECONDS is ended with its process."""
        self._wanted = None
        for each in self._followed.values():
            if each.deadline is not None and not each.is_canceled:
                each.is_canceled = True
                each.deadline.reschedule(asyncio.get_running_loop().time() + CANCEL_SECONDS)
                each.connection.send(Cancel())

    async def close(self) -> None:
        """Ends the process."""
        connection, self._connection = self._connection, None
        reading, self._reading = self._reading, None
        if connection is not None:
            await connection.close()
        if reading is not None:
            await asyncio.wait([reading])

    async def _connected(self) -> SolverConnection:
        async with self._is_connecting:
            is_read = self._reading is not None and not self._reading.done()
            if self._connection is not None and self._connection.is_open and is_read:
                return self._connection
            await self.close()
            try:
                connection = self._connection = await self._start()
            except OSError as error:
                raise SolverError(f"The process that optimizes could not be started: {error}.") from error
            self._reading = asyncio.ensure_future(self._read(connection))
            return connection

    async def _read(self, connection: SolverConnection) -> None:
        """Brings answers to who asks and all else to who follows its search, until the other end has gone."""
        while (reply := await connection.receive()) is not None:
            if isinstance(reply, Answered):
                self._tell(reply)
            elif (following := self._followed.get(reply.solve)) is not None:
                following.replies.put_nowait(reply)
        for following in self._followed.values():
            if following.connection is connection:
                following.replies.put_nowait(None)
        self._tell(None)

    def _tell(self, reply: Answered | None) -> None:
        is_awaited = reply is None or reply.number == self._awaited
        if is_awaited and self._answer is not None and not self._answer.done():
            self._answer.set_result(reply)

    async def _follow(self, following: _Following, hear: Listener) -> SolveEnded | None:
        """To the end of a search; None where its process was ended since the search before it stuck."""
        connection = following.connection
        try:
            async with asyncio.timeout(None) as following.deadline:
                while (reply := await following.replies.get()) is not None:
                    if isinstance(reply, SolveEnded):
                        return reply
                    hear(reply)
        except TimeoutError:
            self._stuck = connection
            connection.kill()
            return SolveEnded(following.solve, Ending.CANCELED)
        if self._connection is connection:
            await self.close()
        if self._stuck is connection and not following.is_canceled:
            return None
        sentence = "The process that optimizes has ended; what it found is kept. Start it again to go on."
        ending = Ending.CANCELED if following.is_canceled else Ending.FAILED
        return SolveEnded(following.solve, ending, sentence)
