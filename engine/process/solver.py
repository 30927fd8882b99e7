"""The process that searches for better plans: engines on threads, the exact solver in a process of its own.

It never sees a document and never applies a plan: it tells what it finds, at most some twenty times a second.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, TypeVar

from engine.errors import EngineError, SolverError
from engine.optimize.cpsat.neighborhood import is_whole
from engine.optimize.portfolio import Member, Portfolio
from engine.optimize.problem import Problem
from engine.process.cases import Cases
from engine.process.engines import STEPS_BACK, Engines, loaded, warming
from engine.process.launching import OpenLauncher, launcher_for
from engine.process.prover_client import ProverClient
from engine.process.serving import NICENESS, NewestFirst, serve, set_aside_after
from engine.process.solve_messages import (
    Answered,
    Asked,
    Cancel,
    Ending,
    Explained,
    Hindered,
    Offered,
    Proved,
    ProverDone,
    ProveReply,
    ProveRequest,
    Share,
    SolveEnded,
    SolveReply,
    SolveRequest,
)
from engine.process.standing import Standing
from engine.runtime.polite import give_way

log = logging.getLogger(__name__)

TELL_S = 0.05
EXACT = "exact solver"
# A slice lasts about so long, since who cancels waits for its end; how many iterations that is shows from one on.
_SLICE_S, _IN_TURN = 0.01, 64

# A person who drags asks often: a process that takes a second to load is started for a question that stands for one.
_PROVER_WAITS_S = 1.0

T = TypeVar("T")
Tell = Callable[[SolveReply], object]


class Search:
    """One request, served to its end. Everything but the slices themselves is on the loop's thread."""

    def __init__(
        self,
        open_launcher: OpenLauncher,
        prover: Callable[[], ProverClient] | None,
        cases: Cases,
        request: SolveRequest,
        tell: Tell,
    ) -> None:
        self._request = request
        self._tell = tell
        self._cases = cases
        self._standing: Standing | None = None
        self._early_end: SolveEnded | None = None
        self._prover = prover() if prover is not None and request.slices == 0 else None
        self._is_canceled = asyncio.Event()
        self._engines = Engines(request, open_launcher)
        self._is_exact_done = asyncio.Event()
        if self._prover is None:
            self._is_exact_done.set()

    @property
    def is_alone(self) -> bool:
        """Whether it may have a device, whose launcher is for one thread at a time."""
        return self._engines.may_have_device

    def cancel(self) -> None:
        """End it, after the slices that go on."""
        self._engines.cancel()
        self._is_canceled.set()

    async def begin(self) -> None:
        """The plan as it is, placed by the rules: it needs no engine, and no end of the search before."""
        self._early_end = await self._ended_by(self._tell_plan_as_it_is())

    async def run(self) -> SolveEnded:
        """To the end, whatever that is."""
        return self._early_end or await self._ended_by(self._search()) or self._end(Ending.CANCELED)

    async def _ended_by(self, work: Awaitable[Ending | None]) -> SolveEnded | None:
        """How work has ended the search, None where it goes on."""
        number = self._request.solve
        try:
            ending = await work
        except EngineError as error:
            return SolveEnded(number, Ending.FAILED, error.sentence, error.ids)
        except Exception as error:
            log.exception("solve %d", number)
            return SolveEnded(number, Ending.FAILED, f"The search failed: {type(error).__name__}: {error}.")
        if self._standing is not None:
            self._standing.say()
        return None if ending is None else self._end(ending)

    def _end(self, ending: Ending) -> SolveEnded:
        shares = () if self._standing is None else self._standing.shares()
        sentence = "" if self._engines.device is None else self._engines.device.failure
        return SolveEnded(self._request.solve, ending, sentence, shares=shares)

    async def _tell_plan_as_it_is(self) -> None:
        portfolio = await self._unless_canceled(asyncio.to_thread(self._made_portfolio))
        if portfolio is not None:
            self._standing = Standing(self._request.solve, portfolio, self._tell)

    def _made_portfolio(self) -> Portfolio | None:
        """None where it is canceled meanwhile, as it may be while code is compiled."""
        request = self._request
        case = None if self._is_canceled.is_set() else self._cases.searched(request.plan, request.kept)
        if case is None or self._is_canceled.is_set():
            return None
        if not case.tasks:
            raise SolverError("There is nothing to optimize: the plan has no tasks that could be moved.")
        threads = 1 if request.slices else self._threads(case.problem)
        return Portfolio(case.problem, request.aim.counting(case.problem), request.seed, copies=threads)

    async def _search(self) -> Ending:
        standing = self._standing
        if standing is not None:
            await self._unless_canceled(asyncio.wrap_future(warming()))
        if standing is not None and not self._is_canceled.is_set():
            await self._unless_canceled(asyncio.to_thread(self._engines.make_ready, standing.portfolio))
        if standing is None or self._is_canceled.is_set():
            return Ending.CANCELED
        standing.begin()
        if self._request.slices:
            return await self._in_turn(standing)
        async with self._telling(standing), self._proving(standing):
            return await self._in_parallel(standing)

    async def _unless_canceled(self, work: Awaitable[T]) -> T | None:
        """What work gives, None after a cancel; what is not done then goes on, waited for only where it may have a
        device.
        """
        doing = asyncio.ensure_future(work)
        canceled = asyncio.ensure_future(self._is_canceled.wait())
        await asyncio.wait([doing, canceled], return_when=asyncio.FIRST_COMPLETED)
        canceled.cancel()
        if not self._is_canceled.is_set():
            return await doing
        if self.is_alone:
            await doing
        else:
            _leave(doing)
        return None

    async def _in_turn(self, standing: Standing) -> Ending:
        for _ in range(self._request.slices):
            if self._is_canceled.is_set():
                return Ending.CANCELED
            if standing.is_optimal or standing.portfolio.is_done:
                break
            await asyncio.to_thread(standing.portfolio.advance, _IN_TURN)
            standing.say()
        return Ending.OPTIMAL if standing.is_optimal else Ending.DONE

    async def _in_parallel(self, standing: Standing) -> Ending:
        """Engines on threads, each on one at a time."""
        portfolio = standing.portfolio
        # Who waits for a device leaves its core to another.
        threads = max(
            1, min(self._threads(portfolio.problem) + (self._engines.device is not None), len(portfolio.members))
        )
        waiting: asyncio.Queue[Member | None] = asyncio.Queue()
        for member in portfolio.members:
            waiting.put_nowait(member)
        pool = ThreadPoolExecutor(threads, "engine", give_way, (STEPS_BACK,))
        workers = [asyncio.ensure_future(self._work(standing, waiting, pool)) for _ in range(threads)]
        canceled = asyncio.ensure_future(self._is_canceled.wait())
        limit = self._request.seconds or None
        try:
            await asyncio.wait([canceled, *workers], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            for each in workers:
                if each.done():
                    each.result()
        finally:
            self._is_canceled.set()
            portfolio.stop()
            for _ in workers:
                waiting.put_nowait(None)  # for one that waits where all the others' engines are done
            await asyncio.gather(*workers, canceled, return_exceptions=True)
            pool.shutdown(wait=False)
        if standing.is_optimal:
            return Ending.OPTIMAL
        if limit is not None and standing.seconds >= limit:
            return Ending.TIME
        return Ending.DONE if portfolio.is_done else Ending.CANCELED

    def _threads(self, problem: Problem) -> int:
        """How many engines work at once: where the exact solver may come to a proof it has a core of its own."""
        return max(1, self._request.cores - (self._prover is not None and is_whole(problem)))

    async def _work(self, standing: Standing, waiting: asyncio.Queue[Member | None], pool: ThreadPoolExecutor) -> None:
        loop, iterations, portfolio = asyncio.get_running_loop(), dict[str, int](), standing.portfolio
        while not self._is_canceled.is_set() and not standing.is_optimal:
            if (member := await waiting.get()) is None:
                return
            if member.engine.is_done:
                if portfolio.is_done:
                    await self._exact_alone()
                    return
                continue  # it stays out of the queue
            count, begun = iterations.get(member.name, 1), time.monotonic_ns()
            member.iterations += await loop.run_in_executor(pool, member.engine.advance, count)
            spent = max(1e-6, (time.monotonic_ns() - begun) / 1e9)
            standing.worked(member.name, begun)
            iterations[member.name] = max(1, min(count * 4, round(count * _SLICE_S / spent)))
            if portfolio.collect(member) and self._prover is not None:
                self._prover.tell(portfolio.best)
            waiting.put_nowait(member)

    async def _exact_alone(self) -> None:
        ends = [asyncio.ensure_future(each.wait()) for each in (self._is_canceled, self._is_exact_done)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ends:
                each.cancel()

    @asynccontextmanager
    async def _telling(self, standing: Standing) -> AsyncIterator[None]:
        async def tell() -> None:
            while True:
                await asyncio.sleep(TELL_S)
                standing.say()

        telling = asyncio.ensure_future(tell())
        try:
            yield
        finally:
            telling.cancel()

    @asynccontextmanager
    async def _proving(self, standing: Standing) -> AsyncIterator[None]:
        if self._prover is None:
            yield
            return
        portfolio = standing.portfolio
        workers = max(1, self._request.cores - self._threads(portfolio.problem))
        request = ProveRequest(portfolio.problem, portfolio.aim, portfolio.best, workers, self._request.seed)
        standing.exact = Share(EXACT, 0, 0, 0)
        proving = asyncio.ensure_future(self._prove(request, self._prover, standing))
        try:
            yield
        finally:
            proving.cancel()  # a process that is just being started takes its time to end: nobody waits for that
            _leave(proving)

    async def _prove(self, request: ProveRequest, prover: ProverClient, standing: Standing) -> None:
        try:
            if not self._request.seconds:
                await asyncio.sleep(_PROVER_WAITS_S)
            await prover.follow(request, partial(self._hear, standing))
        finally:
            self._is_exact_done.set()  # done, or lost: the engines go on without it

    def _hear(self, standing: Standing, reply: ProveReply) -> None:
        exact, problem = standing.exact or Share(EXACT, 0, 0, 0), standing.portfolio.problem
        match reply:
            case Offered(solution):
                is_better = standing.portfolio.pool.offer(solution, EXACT)
                standing.exact = Share(EXACT, exact.slices, exact.iterations + 1, exact.found + is_better)
            case Proved(bound):
                standing.raise_bound(bound)
            case Explained(pinned, longest):
                ends = tuple((int(problem.link_from[each]), int(problem.link_to[each])) for each in longest)
                self._tell(Hindered(self._request.solve, pinned, ends))
            case ProverDone():
                self._is_exact_done.set()
        if standing.is_optimal:
            self._is_exact_done.set()


_leaving: set[asyncio.Future[Any]] = set()


def _leave(doing: asyncio.Future[Any]) -> None:
    """What nobody waits for any more."""
    _leaving.add(doing)
    doing.add_done_callback(_left)


def _left(doing: asyncio.Future[Any]) -> None:
    _leaving.discard(doing)
    error = None if doing.cancelled() else doing.exception()
    if error is not None and not isinstance(error, EngineError):
        log.error("what a search left behind failed", exc_info=error)


class Solver(NewestFirst):
    """Searches and questions in, replies out. It is a SolverConnection."""

    def __init__(
        self, prover: Callable[[], ProverClient] | None = ProverClient, open_launcher: OpenLauncher = launcher_for
    ) -> None:
        self._cases = Cases()
        super().__init__(partial(Search, cache(open_launcher), prover, self._cases))  # a device is opened once
        self._answering: set[asyncio.Task[None]] = set()

    def send(self, request: SolveRequest | Cancel | Asked) -> None:
        """Takes a request, which ends the one before, or ends that one alone; a question is answered beside it."""
        if not isinstance(request, Asked):
            super().send(request)
            return
        answering = asyncio.get_running_loop().create_task(self._answer(request))
        self._answering.add(answering)
        answering.add_done_callback(self._answering.discard)

    async def close(self) -> None:
        """Leaves, and waits for the slices and the answers that go on."""
        await super().close()
        if self._answering:
            await asyncio.wait(self._answering)

    async def _answer(self, asked: Asked) -> None:
        try:
            reply = Answered(asked.number, await asyncio.to_thread(asked.question.answer, self._cases.asked))
        except EngineError as error:
            reply = Answered(asked.number, None, error.sentence, error.ids)
        except Exception as error:
            log.exception("question %d", asked.number)
            reply = Answered(asked.number, None, f"There is no answer: {type(error).__name__}: {error}.")
        self._replies.put_nowait(reply)


def main() -> None:
    """The process, from its start until the window has gone."""
    threading.Thread(target=set_aside_after, args=(loaded,), name="set aside", daemon=True).start()
    # A first plan goes ahead of engines, whose slices go on while it is made.
    serve(Solver, NICENESS - STEPS_BACK if sys.platform == "linux" else NICENESS)
