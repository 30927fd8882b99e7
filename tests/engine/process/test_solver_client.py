"""The way to the process that searches, with other ends that stick, leave or answer at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engine.optimize.aim import Aim
from engine.optimize.problem import Objective
from engine.process import solver_line
from engine.process.solve_messages import Bounded, Cancel, Ending, Share, SolveEnded, SolveReply, SolveRequest, Working
from engine.process.solver_client import SolverClient
from tests.engine.model.strategies import office

MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)


class End:
    """Another end in this process: a sticking one tells `news` and no end, any other ends each search as it comes.

    Of so many searches alone are there news.
    """

    def __init__(self, *, is_sticking: bool, news: tuple[SolveReply, ...] = (), searches: int = 9) -> None:
        self.is_open = self.is_near = True
        self.sent: list[object] = []
        self.is_asked = asyncio.Event()
        self._is_sticking, self._news, self._searches = is_sticking, news, searches
        self._replies: asyncio.Queue[SolveReply | None] = asyncio.Queue()

    async def packed(self, request: object) -> object:
        return request

    def post(self, request: object, _plan: object) -> bool:
        if self.is_near:
            self.send(request)
        return self.is_near

    def send(self, request: object) -> None:
        self.sent.append(request)
        if not isinstance(request, SolveRequest):
            return
        self.is_asked.set()
        self._searches -= 1
        for each in self._news if self._searches >= 0 else ():
            self._replies.put_nowait(replace(each, solve=request.solve))
        if not self._is_sticking:
            self._replies.put_nowait(SolveEnded(request.solve, Ending.DONE))

    def end_all(self) -> None:
        """Sticks no more."""
        self._is_sticking = False
        for each in self.sent:
            if isinstance(each, SolveRequest):
                self._replies.put_nowait(SolveEnded(each.solve, Ending.DONE))

    async def receive(self) -> SolveReply | None:
        return await self._replies.get()

    def kill(self) -> None:
        self.is_open = False
        self._replies.put_nowait(None)

    async def close(self) -> None:
        self.kill()


def client_of(*ends: End) -> SolverClient:
    waiting = iter(ends)

    async def start() -> End:
        return next(waiting)

    return SolverClient(start)


def request(number: int) -> SolveRequest:
    return SolveRequest(number, office(), MAKESPAN)


async def test_that_a_search_is_sent_while_the_one_before_has_not_ended_yet() -> None:
    sticking = End(is_sticking=True)
    client = client_of(sticking)
    searches = [asyncio.create_task(client.solve(request(number), lambda _: None)) for number in (1,)]
    await asyncio.sleep(0.01)
    searches.append(asyncio.create_task(client.solve(request(2), lambda _: None)))
    await asyncio.sleep(0.01)
    assert [each.solve if isinstance(each, SolveRequest) else each for each in sticking.sent] == [1, Cancel(), 2]
    for each in searches:
        each.cancel()
    await asyncio.gather(*searches, return_exceptions=True)
    await client.close()


async def test_that_who_cancels_waits_for_no_search_that_sticks_and_is_told_what_engines_did() -> None:
    shares = (Share("tabu search", 3, 200, 1),)
    sticking = End(is_sticking=True, news=(Working(0, 200, shares),))
    client = client_of(sticking)
    ended = await asyncio.wait_for(client.solve(request(1), lambda _: client.cancel()), 10)
    assert ended == SolveEnded(1, Ending.CANCELED, shares=shares)
    assert sticking.is_open
    await client.close()
    assert not sticking.is_open


async def test_that_a_process_that_answers_nothing_any_more_costs_the_next_search_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver_line, "STUCK_SECONDS", 0.02)
    ends = (End(is_sticking=True, news=(Bounded(0, 0.0, 5),), searches=1), End(is_sticking=False))
    client = client_of(*ends)
    first = asyncio.create_task(client.solve(request(1), lambda _: None))
    await asyncio.sleep(0.01)
    second = await asyncio.wait_for(client.solve(request(2), lambda _: None), 10)
    assert (await first).ending is Ending.CANCELED
    assert second.ending is Ending.DONE
    assert [each.is_open for each in ends] == [False, True]
    await client.close()


async def test_that_a_process_in_which_a_search_sticks_serves_until_another_is_as_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver_line, "STUCK_SECONDS", 0.02)
    old, new = ends = (End(is_sticking=True, news=(Bounded(0, 0.0, 5),)), End(is_sticking=True))
    client, heard = client_of(*ends), list[SolveReply]()
    await client.solve(request(1), lambda _: client.cancel())
    second = asyncio.create_task(client.solve(request(2), heard.append))
    await asyncio.wait_for(new.is_asked.wait(), 10)
    new.end_all()
    await asyncio.sleep(0.05)
    assert old.is_open
    assert not second.done()
    client.cancel()
    assert (await second).ending is Ending.CANCELED
    assert (await asyncio.wait_for(client.solve(request(3), heard.append), 10)).ending is Ending.DONE
    assert heard == [Bounded(2, 0.0, 5)]
    assert [each.is_open for each in ends] == [False, True]
    await client.close()


async def test_that_a_process_that_leaves_ends_its_search_and_the_next_one_begins_with_another() -> None:
    ends = (End(is_sticking=True), End(is_sticking=False))
    client = client_of(*ends)
    first = asyncio.create_task(client.solve(request(1), lambda _: None))
    await asyncio.sleep(0.01)
    ends[0].kill()
    assert (await first).ending is Ending.FAILED
    assert (await client.solve(request(2), lambda _: None)).ending is Ending.DONE
    await client.close()


def said(end: End) -> list[object]:
    """What was sent: searches by their numbers, and cancels."""
    return [each.solve if isinstance(each, SolveRequest) else each for each in end.sent]


async def test_that_a_search_that_was_posted_is_sent_once_and_ended_as_any_other() -> None:
    end = End(is_sticking=False)
    client = client_of(end)
    first, second, third = map(request, (1, 2, 3))
    assert not client.post(first)  # nobody is there yet
    assert (await client.solve(first, lambda _: None)).ending is Ending.DONE
    assert client.post(second)
    assert said(end) == [1, 2]
    assert (await client.solve(second, lambda _: None)).ending is Ending.DONE
    end.is_near = False
    assert not client.post(third)
    assert (await client.solve(third, lambda _: None)).ending is Ending.DONE
    assert said(end) == [1, 2, 3]
    await client.close()


async def test_that_a_search_that_was_posted_is_canceled_by_the_next_or_by_a_person() -> None:
    end = End(is_sticking=False)
    client = client_of(end)
    first, second, third = map(request, (1, 2, 3))
    await client.solve(first, lambda _: None)
    assert client.post(second)
    assert client.post(third)
    client.cancel()
    client.cancel()
    assert said(end) == [1, 2, Cancel(), 3, Cancel()]
    for each in (second, third):
        assert (await client.solve(each, lambda _: None)).solve == each.solve
    assert said(end) == [1, 2, Cancel(), 3, Cancel()]
    await client.close()


async def test_that_a_posted_search_is_over_at_once_for_who_canceled_it() -> None:
    end = End(is_sticking=True)
    client = client_of(end)
    first = asyncio.create_task(client.solve(request(1), lambda _: None))
    await asyncio.wait_for(end.is_asked.wait(), 10)
    second = request(2)
    assert client.post(second)
    client.cancel()
    ended = await asyncio.wait_for(client.solve(second, lambda _: None), 10)
    assert (ended.ending, (await first).ending) == (Ending.CANCELED, Ending.CANCELED)
    await client.close()
