"""Every fault of a device, in a real process: one sentence, the partial timeline, and a next run that works."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import replace
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.process import client as client_module
from engine.process import ring as ring_module
from engine.process.client import DeviceClient
from engine.process.connection import ProcessConnection
from engine.process.host import LOST
from engine.process.messages import RunRequest
from engine.process.ring import Rows
from engine.program.profile import load_profile
from engine.program.simulation import FAULTS, Simulation, parse_faults
from tests.engine.process.small import program, real, request

PROFILE = load_profile("cpu-default").to_json()
SENTENCES = {
    "fail": "“saxpy” failed: the data make no sense.",
    "sticky": "“saxpy” failed: an illegal memory access; the device was lost with it and is started again.",
    "no-memory": "“saxpy” found no memory, not even for an 8th of its part; "
    "close other programs, or make its buffers smaller.",
    "lost": "The simulated device process ended in mid-run (signal 9). "
    "The partial timeline is kept; press Run to start again.",
}


def ignore(rows: Rows) -> None:
    pass


def faulty(*words: str, run: int = 1, pace: float = 0.0) -> RunRequest:
    simulation = Simulation(pace, parse_faults(words, program()))
    return replace(request(run, repeat=3), profile=PROFILE, simulation=simulation)


def test_that_each_kind_of_fault_can_be_asked_for_at_an_operation_by_name_or_number() -> None:
    for kind in FAULTS:
        for place in ("", "@saxpy", "@2"):
            assert len(parse_faults([kind + place], program())) == 1
    with pytest.raises(DeviceError, match=r"There is no fault “fire”; choose one of fail, sticky, .*\.$"):
        parse_faults(["fire"], program())
    with pytest.raises(DeviceError, match="“small” has no operation “spin” for the fault “lost”"):
        parse_faults(["lost@spin"], program())


@pytest.mark.parametrize("kind", SENTENCES)
async def test_that_a_fault_costs_one_run_and_says_why(kind: str) -> None:
    client, rows = DeviceClient("simulated", real("simulated")), [np.empty((0, 9), np.int64)]
    ended = await client.run(faulty(f"{kind}@saxpy"), rows.append)
    assert (ended.outcome, ended.error) == ("failed", SENTENCES[kind])
    assert 2 not in np.concatenate(rows)[:, 0] or kind == "fail"
    assert (client.hello is None) is (kind in ("sticky", "lost"))
    again = await client.run(faulty(run=2), ignore)
    assert (again.outcome, again.error, again.is_verified) == ("finished", "", True)
    await client.close()


@pytest.mark.parametrize("kind", ["memory", "slow-copies"])
async def test_that_a_fault_that_can_be_mended_costs_nothing_but_time(kind: str) -> None:
    client = DeviceClient("simulated", real("simulated"))
    ended = await client.run(faulty(kind), ignore)
    assert (ended.outcome, ended.error, ended.is_verified) == ("finished", "", True)
    await client.close()


async def test_that_a_device_that_hangs_is_ended_soon_after_the_cancel() -> None:
    client = DeviceClient("simulated", real("simulated"))
    running = asyncio.create_task(client.run(faulty("hang@saxpy"), lambda _: client.cancel()))
    ended = await running
    assert ended.outcome == "canceled"
    assert ended.error == "The simulated device process did not answer the cancel and was ended."
    assert (await client.run(faulty(run=2), ignore)).is_verified
    await client.close()


async def test_that_a_process_whose_device_is_lost_ends_with_an_exit_code_of_its_own() -> None:
    client = DeviceClient("simulated", real("simulated"))
    await client.start()
    connection = client._connection
    assert isinstance(connection, ProcessConnection)
    await client.run(faulty("sticky"), ignore)
    assert connection._process.returncode == LOST
    await client.close()


async def test_that_a_device_lost_again_and_again_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    client = DeviceClient("simulated", real("simulated"))
    for turn in range(client_module.MOST_LOSSES):
        assert not client.is_given_up
        await client.run(faulty("sticky" if turn else "lost", run=1 + turn), ignore)
    assert client.is_given_up
    with pytest.raises(DeviceError, match=r"lost 3 times within a minute and .*; choose the cpu device\.$"):
        await client.run(faulty(), ignore)
    monkeypatch.setattr(client_module, "LOSSES_SECONDS", 0.0)
    assert (await client.run(faulty(), ignore)).outcome == "finished"
    await client.close()


async def test_that_a_lack_of_shared_memory_is_a_sentence_and_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[SharedMemory] = []

    def full(memory: SharedMemory, size: int) -> None:
        made.append(memory)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    client = DeviceClient("simulated", real("simulated"))
    with monkeypatch.context() as patch:
        patch.setattr(ring_module, "_reserve", full)
        with pytest.raises(DeviceError, match="There is no shared memory for the simulated device: No space left"):
            await client.run(faulty(), ignore)
    with pytest.raises(FileNotFoundError):
        SharedMemory(made[0].name)
    assert (await client.run(faulty(), ignore)).outcome == "finished"
    await client.close()
