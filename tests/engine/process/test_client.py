"""The client beside a host in the same process, on a device that does as a test says."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.process import client as client_module
from engine.process import host as host_module
from engine.process.client import DeviceClient
from engine.process.connection import Connection
from engine.process.host import Host
from engine.process.messages import RunRequest
from engine.process.ring import Rows
from engine.process.verification import Verification
from engine.program.operation import Program
from tests.engine.process.small import FakeDevice, request


@asynccontextmanager
async def client_of(*devices: FakeDevice, ring_rows: int = 64) -> AsyncIterator[DeviceClient]:
    """A client whose host opens these devices, one after the other."""
    left = list(devices)

    async def start(kind: str) -> Connection:
        return Host(kind, lambda _kind, _profile: left.pop(0))

    client = DeviceClient("fake", start, ring_rows=ring_rows)
    yield client
    await client.close()


def ignore(rows: Rows) -> None:
    pass


async def test_that_two_who_start_it_at_once_get_one_process() -> None:
    started: list[Connection] = []

    async def start(kind: str) -> Connection:
        await asyncio.sleep(0)
        started.append(Host(kind, lambda _kind, _profile: FakeDevice()))
        return started[-1]

    client = DeviceClient("fake", start)
    hello, again, ended = await asyncio.gather(client.start(), client.start(), client.run(request(), ignore))
    assert hello == again
    assert ended.outcome == "finished"
    assert len(started) == 1
    await client.close()


async def test_that_a_ring_smaller_than_the_rows_loses_none() -> None:
    rows: list[Rows] = []
    async with client_of(FakeDevice(), ring_rows=4) as client:
        ended = await client.run(request(repeat=20), rows.append)
    found = np.concatenate(rows)
    assert ended.outcome == "finished"
    assert len(found) == 120  # 20 iterations of one part, four parts and one part
    assert max(len(batch) for batch in rows) <= 4
    kernels = found[found[:, 0] == 2]
    np.testing.assert_array_equal(kernels[:, 1], np.repeat(np.arange(20), 4))


async def test_that_wrong_outputs_are_not_verified() -> None:
    async with client_of(FakeDevice()) as client:
        ended = await client.run(request(), ignore)
    assert ended.is_verified is False
    assert [(output.buffer, output.nbytes, output.is_equal) for output in ended.outputs] == [("y", 4 * 4096, False)]


async def test_that_a_paused_run_launches_nothing_until_it_is_resumed() -> None:
    device = FakeDevice()
    device.free.clear()
    async with client_of(device) as client:
        first_rows = asyncio.Event()
        running = asyncio.create_task(client.run(request(repeat=50), lambda _: first_rows.set()))
        await device.is_launched.wait()
        in_flight = len(device.launches)
        client.pause()
        device.free.set()
        await first_rows.wait()
        assert len(device.launches) == in_flight
        client.resume()
        assert (await running).outcome == "finished"
    assert len(device.launches) == 50 * 6


async def test_that_a_canceled_run_ends_as_canceled_and_the_next_finishes() -> None:
    async with client_of(FakeDevice()) as client:
        running = asyncio.create_task(client.run(request(repeat=100_000), lambda _: client.cancel()))
        ended = await running
        assert (ended.outcome, ended.error, ended.is_verified) == ("canceled", "", None)
        assert (await client.run(request(2), ignore)).outcome == "finished"


async def test_that_a_cancel_while_results_are_compared_keeps_the_run_as_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()
    async with client_of(FakeDevice()) as client:

        def compare(request: RunRequest, actual: object) -> Verification:
            loop.call_soon_threadsafe(client.cancel)
            is_over.wait(20)
            return Verification()

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(host_module, "verify", compare)
        ended = await client.run(request(), ignore)
        is_over.set()
    assert (ended.outcome, ended.is_verified) == ("finished", None)
    assert ended.error == "The results were not compared: that was canceled."


async def test_that_a_cancel_said_before_the_process_is_up_counts() -> None:
    async with client_of(FakeDevice()) as client:
        running = asyncio.create_task(client.run(request(repeat=100_000), ignore))
        await asyncio.sleep(0)
        client.cancel()
        assert (await running).outcome == "canceled"


class SlowDevice(FakeDevice):
    """A device that takes until `is_ready` to prepare a program."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.is_ready = threading.Event(), threading.Event()
        self.at_once = self.most_at_once = 0

    def prepare(self, program: Program, seed: int) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.is_asked.set()
        self.is_ready.wait(20)
        super().prepare(program, seed)
        self.at_once -= 1


async def test_that_a_cancel_does_not_wait_until_the_device_is_ready() -> None:
    device = SlowDevice()
    async with client_of(device) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await asyncio.to_thread(device.is_asked.wait, 20)
        client.cancel()
        ended = await running
        assert (ended.outcome, ended.error) == ("canceled", "")
        assert device.launches == []
        again = asyncio.create_task(client.run(request(2), ignore))
        await asyncio.sleep(0)
        device.is_ready.set()
        assert (await again).outcome == "finished"
        assert device.most_at_once == 1


async def test_that_a_run_canceled_before_the_process_is_up_never_starts() -> None:
    device = FakeDevice()
    async with client_of(device) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await asyncio.sleep(0)
        client.cancel()
        assert (await running).outcome == "canceled"
        assert device.launches == []
        assert (await client.run(request(2), ignore)).outcome == "finished"


async def test_that_a_device_that_ignores_a_cancel_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "CANCEL_SECONDS", 0.0)
    device, next_device = FakeDevice(), FakeDevice()
    device.free.clear()
    async with client_of(device, next_device) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await device.is_launched.wait()
        client.cancel()
        ended = await running
        assert (ended.outcome, ended.error) == (
            "canceled",
            "The fake device process did not answer the cancel and was ended.",
        )
        assert (await client.run(request(2), ignore)).outcome == "finished"


@pytest.mark.parametrize("fault", ["The saxpy broke.", DeviceError("The device is gone.", ids=(2,))])
async def test_that_a_device_that_failed_is_closed_and_the_next_run_opens_another(fault: str | DeviceError) -> None:
    device = FakeDevice(fault)
    async with client_of(device, FakeDevice()) as client:
        ended = await client.run(request(), ignore)
        assert (ended.outcome, ended.error) == ("failed", str(fault))
        assert ended.failed_task in (1, 2)
        assert device.is_closed
        assert (await client.run(request(2), ignore)).outcome == "finished"


async def test_that_a_fault_in_the_host_ends_the_run_with_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    async with client_of(FakeDevice(ValueError("no such thing"))) as client:
        ended = await client.run(request(), ignore)
    assert (ended.outcome, ended.error) == ("failed", "The fake device failed: ValueError: no such thing.")
    assert "Traceback" in caplog.text


async def test_that_a_second_run_at_once_is_refused_and_the_first_goes_on() -> None:
    device = FakeDevice()
    device.free.clear()
    async with client_of(device) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await device.is_launched.wait()
        with pytest.raises(DeviceError, match="The fake device is at a run"):
            await client.run(request(2), ignore)
        device.free.set()
        assert (await running).outcome == "finished"


async def test_that_closing_in_mid_run_ends_the_run_as_failed() -> None:
    device = FakeDevice()
    device.free.clear()
    async with client_of(device) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await device.is_launched.wait()
        await client.close()
        assert (await running).outcome == "failed"


async def test_that_a_run_nobody_awaits_any_more_ends_its_process() -> None:
    device = FakeDevice()
    device.free.clear()
    async with client_of(device, FakeDevice()) as client:
        running = asyncio.create_task(client.run(request(), ignore))
        await device.is_launched.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert client.hello is None
        assert (await client.run(request(2), ignore)).outcome == "finished"


async def test_that_a_device_that_is_not_there_is_refused_with_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.runtime.cuda.driver.has_driver", lambda: False)
    client = DeviceClient("cuda", Host.start)
    with pytest.raises(
        DeviceError, match=r"There is no NVIDIA driver on this machine; use --device cpu or --device simulated\."
    ):
        await client.start()
    await client.close()


async def test_that_closing_while_the_process_comes_up_ends_it_and_says_so() -> None:
    may_start, started = asyncio.Event(), list[Host]()

    async def start(kind: str) -> Connection:
        await may_start.wait()
        started.append(Host(kind, lambda _kind, _profile: FakeDevice()))
        return started[-1]

    client = DeviceClient("fake", start)
    running = asyncio.create_task(client.run(request(), ignore))
    await asyncio.sleep(0)
    await client.close()
    may_start.set()
    with pytest.raises(DeviceError, match="The fake device was closed while it came up"):
        await running
    assert not started[0].is_open
    assert client.hello is None
    await client.close()
