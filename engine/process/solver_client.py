"""SolverClient: the window's side of the process that searches for better plans. It never imports that one.

The process stays for the next question, since what it has compiled and loaded is what an answer at once needs. Where a
search in it does not end it goes on answering, until another process is as ready as it was.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from engine.errors import SolverError
from engine.process.connection import AnsweringProcess
from engine.process.questions import Question
from engine.process.solve_messages import Answered, Asked, Ending, SolveEnded, SolveRequest
from engine.process.solver_line import Listener, SolverConnection, SolverLine

log = logging.getLogger(__name__)

_questions = itertools.count(1)


class SolverProcess(AnsweringProcess):
    """The pipes of the process that searches; its exact solver ends with the pipe between them."""

    OPTION = "--solve"


class SolverClient:
    """One search at a time, and a question beside it; all calls belong to the loop's thread. `start` connects."""

    def __init__(self, start: Callable[[], Awaitable[SolverConnection]] = SolverProcess.start) -> None:
        self._start = start
        self._line: SolverLine | None = None
        self._spare: SolverLine | None = None
        self._replacing: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._is_asking, self._is_connecting = asyncio.Lock(), asyncio.Lock()
        self._newest: dict[type[Question], int] = {}
        self._awaited: tuple[SolverLine | None, int] = None, 0
        self._answer: asyncio.Future[Answered | None] | None = None
        self._wanted: SolveRequest | None = None
        self._last: SolveRequest | None = None

    def post(self, request: SolveRequest) -> bool:
        """Have a search begin before solve() is called with the same request, where its process is there and knows
        all but a little of the plan; whether it has.
        """
        line = self._line
        if line is None or self._spare is not None:
            return False
        self.cancel()
        if not line.post(request):
            return False
        self._wanted = self._last = request
        return True

    async def solve(self, request: SolveRequest, hear: Listener) -> SolveEnded:
        """Searches to the end, whatever that is; what is found goes to `hear`. Raises SolverError.

        A search that goes on is canceled first, and its end not waited for; one that a newer one overtakes before it is
        sent never begins. Cancelling the await ends the process.
        """
        posted = self._line if self._line is not None and self._line.is_posted(request) else None
        if posted is None:
            self.cancel()
            self._wanted = self._last = request
        while posted is not None or self._wanted is request:
            line, posted = posted or await self._connected(), None
            ended = await line.search(request, hear, lambda: self._wanted is request)
            self._take_spare()
            if ended is not None:
                return ended
        return SolveEnded(request.solve, Ending.CANCELED)

    async def ask(self, question: Question) -> object:
        """The answer to a question, once the one before is answered; None where a newer one of its kind was asked.

        A search goes on beside it. None too where the process has gone. Raises SolverError.
        """
        number = self._newest[type(question)] = next(_questions)
        async with self._is_asking:
            if number != self._newest[type(question)]:
                return None
            line = await self._connected()
            answer = self._answer = asyncio.get_running_loop().create_future()
            self._awaited = line, number
            line.connection.send(await line.connection.packed(Asked(number, question)))
            answered: Answered | None = await answer
        if answered is not None and answered.sentence:
            raise SolverError(answered.sentence, ids=answered.ids)
        return None if answered is None else answered.answer

    def cancel(self) -> None:
        """End the search: `solve` returns within moments, whatever its process does."""
        self._wanted = None
        if self._line is not None:
            self._line.cancel()

    async def close(self) -> None:
        """Ends the process."""
        if self._replacing is not None:
            self._replacing.cancel()
            await asyncio.wait([self._replacing])
        for line in (self._line, self._spare):
            if line is not None:
                self._leave(line)
        self._line = self._spare = None
        if self._leaving:
            await asyncio.wait(self._leaving)

    async def _connected(self) -> SolverLine:
        async with self._is_connecting:
            if self._line is not None and not self._line.is_open:
                self._leave(self._line)
                self._line = None
            self._take_spare()
            if self._line is None:
                self._line = await self._started()
            return self._line

    async def _started(self) -> SolverLine:
        try:
            return SolverLine(await self._start(), self._replace, self._tell)
        except OSError as error:
            raise SolverError(f"The process that optimizes could not be started: {error}.") from error

    def _replace(self, line: SolverLine) -> None:
        """A canceled search does not end in this process."""
        if line is self._line and (self._replacing is None or self._replacing.done()):
            log.warning("a search does not end; its process is replaced")
            self._replacing = asyncio.create_task(self._make_spare())

    async def _make_spare(self) -> None:
        """Another process, which has looked at the plan: for these moments there are two."""
        try:
            line = await self._started()
        except SolverError as error:
            log.warning("%s", error.sentence)
            return
        try:
            if self._last is not None:
                await line.search(replace(self._last, slices=1), lambda _: None, lambda: True)
        finally:
            self._spare = line
        self._take_spare()

    def _take_spare(self) -> None:
        """From now on the spare process serves, where there is one and nothing is lost with the other."""
        line, spare = self._line, self._spare
        if spare is None or (line is not None and line.is_needed):
            return
        self._line, self._spare = spare, None
        if line is not None:
            self._leave(line)

    def _leave(self, line: SolverLine) -> None:
        line.kill()
        leaving = asyncio.create_task(line.close())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    def _tell(self, line: SolverLine, reply: Answered | None) -> None:
        asked, number = self._awaited
        is_awaited = line is asked and (reply is None or reply.number == number)
        if is_awaited and self._answer is not None and not self._answer.done():
            self._answer.set_result(reply)
