"""The way to the process that searches, with other ends that stick, leave or answer at once."""

from __future__ import annotations

import asyncio

import pytest

from engine.optimize.aim import Aim
from engine.optimize.problem import Objective
from engine.process import solver_client
from engine.process.solve_messages import Cancel, Ending, SolveEnded, SolveReply, SolveRequest
from engine.process.solver_client import SolverClient
from tests.engine.model.strategies import office

MAKESPAN = Aim.lexicographic(Objective.MAKESPAN)


class End:
    """Another end in this process: a sticking one answers nothing, any other ends each search as soon as it comes."""

    def __init__(self, *, is_sticking: bool) -> None:
        self.is_open = True
        self.sent: list[object] = []
        self._is_sticking = is_sticking
        self._replies: asyncio.Queue[SolveReply | None] = asyncio.Queue()

    async def packed(self, request: object) -> object:
        return request

    def send(self, request: object) -> None:
        self.sent.append(request)
        if isinstance(request, SolveRequest) and not self._is_sticking:
            self._replies.put_nowait(SolveEnded(request.solve, Ending.DONE))

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


async def test_that_a_search_that_sticks_costs_the_next_one_a_process_and_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver_client, "CANCEL_SECONDS", 0.02)
    ends = (End(is_sticking=True), End(is_sticking=False))
    client = client_of(*ends)
    first = asyncio.create_task(client.solve(request(1), lambda _: None))
    await asyncio.sleep(0.01)
    second = await asyncio.wait_for(client.solve(request(2), lambda _: None), 10)
    assert (await first).ending is Ending.CANCELED
    assert second.ending is Ending.DONE
    assert [isinstance(each, SolveRequest) for each in ends[1].sent] == [True]
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
