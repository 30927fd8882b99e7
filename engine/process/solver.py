"""The process that searches for better plans: engines on threads, the exact solver in a process of its own.

It never sees a document and never applies a plan: it tells what it finds, at most some twenty times a second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache

from engine.errors import EngineError, SolverError
from engine.optimize.cpsat.neighborhood import is_whole
from engine.optimize.from_plan import PlanProblem, problem_of
from engine.optimize.pool import Incumbent
from engine.optimize.portfolio import Member, Portfolio
from engine.optimize.problem import Problem
from engine.optimize.warming import warm
from engine.process.prover_client import ProverClient
from engine.process.serving import NewestFirst, serve
from engine.process.solve_messages import (
    Answered,
    Asked,
    Bounded,
    Cancel,
    Ending,
    Explained,
    Found,
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
from engine.schedule.cpm import schedule

log = logging.getLogger(__name__)

TELL_S = 0.05
EXACT = "exact solver"
# A slice lasts about so long: who cancels waits for no more than one.
_SLICE_S, _FIRST_ITERATIONS = 0.02, 64

# A person who drags asks often: a process that takes a second to load is started for a question that stands for one.
_PROVER_WAITS_S = 1.0

Tell = Callable[[SolveReply], object]


class Search:
    """One request, served to its end. Everything but the slices themselves is on the loop's thread."""

    def __init__(self, request: SolveRequest, tell: Tell, prover: Callable[[], ProverClient] | None) -> None:
        self._request = request
        self._tell = tell
        self._prover = prover() if prover is not None and request.slices == 0 else None
        self._is_canceled = asyncio.Event()
        self._portfolio: Portfolio | None = None
        self._told: Incumbent | None = None
        self._bound: int | None = None
        self._told_bound: int | None = None
        self._began: float | None = None
        self._exact = Share(EXACT, 0, 0, 0)
        self._is_exact_done = asyncio.Event()
        if self._prover is None:
            self._is_exact_done.set()

    def cancel(self) -> None:
        """End it, after the slices that go on."""
        self._is_canceled.set()

    async def run(self) -> SolveEnded:
        """To the end, whatever that is."""
        number = self._request.solve
        try:
            ending = await self._search()
        except EngineError as error:
            return SolveEnded(number, Ending.FAILED, error.sentence, error.ids)
        except Exception as error:
            log.exception("solve %d", number)
            return SolveEnded(number, Ending.FAILED, f"The search failed: {type(error).__name__}: {error}.")
        self._say()
        return SolveEnded(number, ending, shares=self._shares())

    async def _search(self) -> Ending:
        planned = await asyncio.to_thread(_problem_of, self._request)
        if not planned.tasks:
            raise SolverError("There is nothing to optimize: the plan has no tasks that could be moved.")
        threads = 1 if self._request.slices else self._threads(planned.problem)
        portfolio = Portfolio(planned.problem, self._request.aim, self._request.seed, copies=threads)
        self._portfolio = portfolio
        self._raise_bound(self._request.aim.key(portfolio.bounds)[1])
        self._say()
        if self._is_canceled.is_set():
            return Ending.CANCELED
        await asyncio.to_thread(_make_ready, portfolio)
        self._began = time.monotonic()
        self._say()
        if self._request.slices:
            return await self._in_turn(portfolio)
        async with self._telling(), self._proving(planned):
            return await self._in_parallel(portfolio)

    async def _in_turn(self, portfolio: Portfolio) -> Ending:
        for _ in range(self._request.slices):
            if self._is_canceled.is_set():
                return Ending.CANCELED
            if self._is_optimal or portfolio.is_done:
                break
            await asyncio.to_thread(portfolio.advance, _FIRST_ITERATIONS)
            self._say()
        return Ending.OPTIMAL if self._is_optimal else Ending.DONE

    async def _in_parallel(self, portfolio: Portfolio) -> Ending:
        """Engines on threads, each on one at a time."""
        threads = max(1, min(self._threads(portfolio.problem), len(portfolio.members)))
        waiting: asyncio.Queue[Member] = asyncio.Queue()
        for member in portfolio.members:
            waiting.put_nowait(member)
        pool = ThreadPoolExecutor(threads, "engine")
        workers = [asyncio.ensure_future(self._work(portfolio, waiting, pool)) for _ in range(threads)]
        canceled = asyncio.ensure_future(self._is_canceled.wait())
        limit = self._request.seconds or None
        try:
            await asyncio.wait([canceled, *workers], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            for each in workers:
                if each.done():
                    each.result()
        finally:
            self._is_canceled.set()
            await asyncio.gather(*workers, canceled, return_exceptions=True)
            pool.shutdown(wait=False)
        return self._ending(portfolio, limit)

    def _threads(self, problem: Problem) -> int:
        """How many engines work at once: where the exact solver may come to a proof it has a core of its own."""
        return max(1, self._request.cores - (self._prover is not None and is_whole(problem)))

    def _ending(self, portfolio: Portfolio, limit: float | None) -> Ending:
        if self._is_optimal:
            return Ending.OPTIMAL
        if limit is not None and self._seconds >= limit:
            return Ending.TIME
        return Ending.DONE if portfolio.is_done else Ending.CANCELED

    async def _work(self, portfolio: Portfolio, waiting: asyncio.Queue[Member], pool: ThreadPoolExecutor) -> None:
        loop, iterations = asyncio.get_running_loop(), dict[str, int]()
        while not self._is_canceled.is_set() and not self._is_optimal:
            member = await waiting.get()
            if member.engine.is_done:
                if portfolio.is_done:
                    await self._exact_alone()
                    return
                continue  # it stays out of the queue
            count, begun = iterations.get(member.name, _FIRST_ITERATIONS), time.monotonic()
            member.iterations += await loop.run_in_executor(pool, member.engine.advance, count)
            spent = max(1e-6, time.monotonic() - begun)
            iterations[member.name] = max(1, min(count * 4, round(count * _SLICE_S / spent)))
            if portfolio.collect(member):
                self._pass_on()
            waiting.put_nowait(member)

    async def _exact_alone(self) -> None:
        ends = [asyncio.ensure_future(each.wait()) for each in (self._is_canceled, self._is_exact_done)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ends:
                each.cancel()

    @asynccontextmanager
    async def _telling(self) -> AsyncIterator[None]:
        async def tell() -> None:
            while True:
                await asyncio.sleep(TELL_S)
                self._say()

        telling = asyncio.ensure_future(tell())
        try:
            yield
        finally:
            telling.cancel()

    @asynccontextmanager
    async def _proving(self, planned: PlanProblem) -> AsyncIterator[None]:
        portfolio = self._portfolio
        if self._prover is None or portfolio is None:
            yield
            return
        workers = max(1, self._request.cores - self._threads(planned.problem))
        request = ProveRequest(planned.problem, self._request.aim, portfolio.best, workers, self._request.seed)
        proving = asyncio.ensure_future(self._prove(request, self._prover))
        try:
            yield
        finally:
            proving.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await proving

    async def _prove(self, request: ProveRequest, prover: ProverClient) -> None:
        try:
            if not self._request.seconds:
                await asyncio.sleep(_PROVER_WAITS_S)
            await prover.follow(request, self._hear)
        finally:
            self._is_exact_done.set()  # done, or lost: the engines go on without it

    def _hear(self, reply: ProveReply) -> None:
        portfolio, exact = self._portfolio, self._exact
        assert portfolio is not None
        match reply:
            case Offered(solution):
                is_better = portfolio.pool.offer(solution, EXACT)
                self._exact = Share(EXACT, exact.slices, exact.iterations + 1, exact.found + is_better)
            case Proved(bound):
                self._raise_bound(bound)
            case Explained(pinned, longest):
                links = portfolio.problem
                ends = tuple((int(links.link_from[each]), int(links.link_to[each])) for each in longest)
                self._tell(Hindered(self._request.solve, pinned, ends))
            case ProverDone():
                self._is_exact_done.set()
        if self._is_optimal:
            self._is_exact_done.set()

    def _pass_on(self) -> None:
        if self._prover is not None and self._portfolio is not None:
            self._prover.tell(self._portfolio.best)

    def _raise_bound(self, bound: int) -> None:
        self._bound = bound if self._bound is None else max(bound, self._bound)

    @property
    def _is_optimal(self) -> bool:
        """Whether the best plan breaks no rule and is at the bound; of later levels nothing is known."""
        assert self._portfolio is not None
        if self._portfolio.is_optimal:
            return True
        key = self._portfolio.pool.key(self._portfolio.best)
        return len(key) == 2 and self._bound is not None and key <= (0, self._bound)

    def _say(self) -> None:
        """Tell what is new."""
        if self._portfolio is None:
            return
        number, seconds = self._request.solve, self._seconds
        best = self._portfolio.pool.incumbents[-1]
        if best is not self._told:
            self._told = best
            self._tell(Found(number, seconds, best.engine, best.evaluation, self._schedules))
        if self._bound is not None and self._bound != self._told_bound:
            self._told_bound = self._bound
            self._tell(Bounded(number, seconds, self._bound))

    @property
    def _schedules(self) -> int:
        assert self._portfolio is not None
        measured: int = self._portfolio.pool.measured
        return measured + sum(member.iterations for member in self._portfolio.members)

    @property
    def _seconds(self) -> float:
        """Since the engines were ready: what is there before took no search."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def _shares(self) -> tuple[Share, ...]:
        assert self._portfolio is not None
        found = [incumbent.engine for incumbent in self._portfolio.pool.incumbents]
        own = [
            self._share_of(name, found.count(name)) for name in dict.fromkeys(m.name for m in self._portfolio.members)
        ]
        return (*own, *((self._exact,) if self._prover is not None else ()))

    def _share_of(self, name: str, found: int) -> Share:
        """What all copies of an engine did."""
        assert self._portfolio is not None
        own = [member for member in self._portfolio.members if member.name == name]
        return Share(name, sum(m.slices for m in own), sum(m.iterations for m in own), found)


@cache
def _warm_once() -> None:
    warm()


def _make_ready(portfolio: Portfolio) -> None:
    """Makes the engines and takes the first step of each, which loads, or compiles, what it is made of."""
    _warm_once()
    for member in portfolio.members:
        member.iterations += member.engine.advance(1)


def _problem_of(request: SolveRequest) -> PlanProblem:
    return problem_of(request.plan, schedule(request.plan), request.kept)


class Solver(NewestFirst):
    """Searches and questions in, replies out. It is a SolverConnection."""

    def __init__(self, prover: Callable[[], ProverClient] | None = ProverClient) -> None:
        super().__init__(lambda request, tell: Search(request, tell, prover))
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
            reply = Answered(asked.number, await asyncio.to_thread(asked.question.answer))
        except EngineError as error:
            reply = Answered(asked.number, None, error.sentence, error.ids)
        except Exception as error:
            log.exception("question %d", asked.number)
            reply = Answered(asked.number, None, f"There is no answer: {type(error).__name__}: {error}.")
        self._replies.put_nowait(reply)


def main() -> None:
    """The process, from its start until the window has gone."""
    serve(Solver)
