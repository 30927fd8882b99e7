"""The process that simulates: coarse answers first, the newest request wins."""

import asyncio
import os
import signal
from dataclasses import replace
from itertools import pairwise

from engine.errors import DeviceError
from engine.model import Plan, SpreadKind, Task, TaskRisk
from engine.process.risk_client import RiskClient, RiskConnection, SamplerProcess
from engine.process.risk_messages import RiskEnded, RiskFound, RiskReply, RiskRequest, RiskTaken
from engine.process.sampler import Sampler
from engine.session.document import Document
from engine.session.risking import RiskJob, RiskOptions, estimated_durations
from tests.engine.model.strategies import HOUR, MONDAY, office, pipeline
from tests.engine.risk.plans import spread


def uncertain() -> Plan:
    plan = office()
    risk = TaskRisk(spread(SpreadKind.PERT, 80, 100, 150))
    return plan.with_tasks(replace(plan.task(number), risk=risk) for number in (2, 3, 5))


async def asked(client: RiskClient, request: RiskRequest) -> tuple[list[RiskReply], RiskEnded]:
    heard: list[RiskReply] = []
    ended = await client.ask(request, heard.append)
    return heard, ended


async def test_that_the_first_answer_is_coarse_and_the_last_rests_on_all_samples() -> None:
    client = RiskClient(Sampler.start)
    heard, ended = await asked(client, RiskRequest(1, uncertain(), samples=2000))
    await client.close()
    counts = [each.answers.count for each in heard if isinstance(each, RiskFound)]
    assert counts == [256, 1024, 2000]
    slices = [each for reply in heard if isinstance(reply, RiskFound) for each in reply.slices]
    assert len(slices) >= len(counts)
    assert all(one.end_ns <= other.start_ns for one, other in pairwise(slices))  # one after another, each told once
    assert ended == RiskEnded(1)


async def test_that_a_device_that_is_not_there_is_said_and_one_that_is_there_is_opened_once() -> None:
    opened: list[str] = []

    def open_launcher(device: str) -> None:
        opened.append(device)
        if device == "cuda":
            raise DeviceError("There is no GPU.")

    async def start() -> RiskConnection:
        return Sampler(open_launcher)

    client = RiskClient(start)
    asks = [RiskRequest(number, uncertain(), 64, device=name) for number, name in enumerate(("cuda", "cpu", "cpu"), 1)]
    ended = [(await asked(client, request))[1] for request in asks]
    await client.close()
    assert [each.sentence for each in ended] == ["There is no GPU.", "", ""]
    assert [each.setback for each in ended] == ["", "", ""]
    assert opened == ["cuda", "cpu"]


async def test_that_a_newer_request_ends_the_one_before_and_is_answered() -> None:
    client = RiskClient(Sampler.start)
    slow = asyncio.ensure_future(asked(client, RiskRequest(1, uncertain(), samples=50_000_000 // 64)))
    await asyncio.sleep(0.05)
    _, ended = await asked(client, RiskRequest(2, uncertain(), samples=256))
    assert not ended.is_canceled
    assert (await slow)[1].is_canceled
    await client.close()


async def test_that_what_cannot_be_simulated_is_said_and_the_next_request_is_served() -> None:
    client = RiskClient(Sampler.start)
    plan = uncertain()
    stuck = replace(plan, tasks=(*plan.tasks, Task(8, "End", deadline=MONDAY)), next_task_id=9)
    _, ended = await asked(client, RiskRequest(1, stuck, samples=1 << 30))
    assert "do not fit into memory" in ended.sentence
    _, ended = await asked(client, RiskRequest(2, plan, samples=64))
    assert ended.sentence == ""
    await client.close()


async def test_that_what_a_date_takes_is_told_after_the_answers() -> None:
    client = RiskClient(Sampler.start)
    request = RiskRequest(1, uncertain(), samples=256, wanted=MONDAY + 52 * HOUR)
    heard, _ = await asked(client, request)
    await client.close()
    taken = [each.taken for each in heard if isinstance(each, RiskTaken)]
    assert taken[0].changes == ()
    assert taken[-1].is_enough
    assert taken[-1].changes


async def test_that_a_real_process_answers_as_this_one_does_and_its_end_is_said() -> None:
    started: list[SamplerProcess] = []

    async def start() -> RiskConnection:
        started.append(await SamplerProcess.start())
        return started[-1]

    here, there = RiskClient(Sampler.start), RiskClient(start)
    own, _ = await asked(here, RiskRequest(1, uncertain(), samples=256))
    other, _ = await asked(there, RiskRequest(1, uncertain(), samples=256))
    assert [each.answers.finishes.tolist() for each in own if isinstance(each, RiskFound)] == [
        each.answers.finishes.tolist() for each in other if isinstance(each, RiskFound)
    ]
    waiting = asyncio.ensure_future(asked(there, RiskRequest(2, uncertain(), samples=10_000_000)))
    await asyncio.sleep(0.2)
    os.kill(started[0].pid, signal.SIGKILL)
    assert "has ended" in (await waiting)[1].sentence
    assert (await asked(there, RiskRequest(3, uncertain(), samples=64)))[1].sentence == ""
    await here.close()
    await there.close()


async def test_that_a_job_hears_answers_of_its_own_state() -> None:
    client, heard = RiskClient(Sampler.start), list[int]()
    document = Document(uncertain())
    job = RiskJob(document.state, client, RiskOptions(512, seed=4), lambda: heard.append(1))
    await job.run()
    await client.close()
    assert job.answers is not None
    assert (job.answers.count, job.answers.seed) == (512, 4)
    assert job.answers.planned == document.state.schedule.project_finish
    assert len(heard) == 3


def test_that_durations_that_nobody_typed_go_along() -> None:
    plan = pipeline()
    plan = plan.with_task(replace(plan.task(1), is_duration_typed=False))
    assert estimated_durations(Document(plan).state).keys() == {1}
