"""The device process itself: a real child, real pipes, real shared memory."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np
import pytest

from engine.errors import DeviceError
from engine.gpu import has_driver
from engine.process import client as client_module
from engine.process.client import DeviceClient
from engine.process.connection import ProcessConnection, device_command
from engine.process.ring import Rows
from tests.engine.process.small import real, request

LONG = 100_000


def ignore(rows: Rows) -> None:
    pass


def pid_of(client: DeviceClient) -> int:
    assert isinstance(client._connection, ProcessConnection)
    return client._connection.pid


@pytest.mark.parametrize("kind", ["cpu", "simulated"])
async def test_that_a_program_runs_to_its_end_and_is_verified(kind: str) -> None:
    client, rows = DeviceClient(kind, real(kind)), []
    hello = await client.start()
    ended = await client.run(request(repeat=3, kernel="spin"), rows.append)
    await client.close()
    assert hello.kind == kind
    assert (ended.outcome, ended.error, ended.is_verified) == ("finished", "", True)
    found = {tuple(row) for row in np.concatenate(rows)[:, :3].tolist()}
    parts_of = {1: 1, 2: 4, 3: 1}
    assert found == {(task, k, part) for k in range(3) for task, parts in parts_of.items() for part in range(parts)}


async def test_that_a_killed_process_costs_one_run_and_the_next_works() -> None:
    client, rows = DeviceClient("cpu", real("cpu")), []

    def kill(batch: Rows) -> None:
        if not rows:
            os.kill(pid_of(client), signal.SIGKILL)
        rows.append(batch)

    ended = await client.run(request(repeat=LONG), kill)
    assert ended.outcome == "failed"
    assert ended.error == (
        "The cpu device process ended in mid-run (signal 9). The partial timeline is kept; press Run to start again."
    )
    assert rows
    assert client.hello is None
    assert (await client.run(request(2), ignore)).outcome == "finished"
    await client.close()


async def test_that_a_process_that_died_at_rest_is_replaced_unnoticed() -> None:
    client = DeviceClient("cpu", real("cpu"))
    await client.start()
    assert isinstance(client._connection, ProcessConnection)
    client._connection.kill()
    await client._connection._process.wait()
    assert (await client.run(request(), ignore)).outcome == "finished"
    await client.close()


async def test_that_cancel_and_pause_reach_a_process_that_runs() -> None:
    client = DeviceClient("cpu", real("cpu"))
    said: list[int] = []

    def stop(rows: Rows) -> None:
        if not said:
            client.pause()
            client.cancel()
        said.append(len(rows))

    assert (await client.run(request(repeat=LONG), stop)).outcome == "canceled"
    await client.close()


@pytest.mark.parametrize("kind", ["cpu", "simulated"])
async def test_that_a_process_says_that_it_stands_still_and_that_it_goes_on(kind: str) -> None:
    client, said, arrived = DeviceClient(kind, real(kind)), asyncio.Queue[bool](), [0]

    def count(rows: Rows) -> None:
        arrived[0] += len(rows)

    running = asyncio.create_task(client.run(request(repeat=LONG), count, on_paused=said.put_nowait))
    for _ in range(3):
        before = arrived[0]
        while arrived[0] == before:  # noqa: ASYNC110  nobody says so
            await asyncio.sleep(0.001)
        client.pause()
        assert await said.get() is True
        before = arrived[0]
        await asyncio.sleep(0.1)
        assert arrived[0] == before
        client.resume()
        assert await said.get() is False
    client.cancel()
    assert (await running).outcome == "canceled"
    assert said.empty()
    await client.close()


async def test_that_a_process_does_not_say_that_it_stands_still_while_a_part_goes_on(tmp_path: Path) -> None:
    begun, gate = tmp_path / "begun", tmp_path / "gate"
    waiting = f"""
import time
from pathlib import Path
from engine.kernels.saxpy import Saxpy
right = Saxpy.cpu
def cpu(self, parameters, reads, writes, part, parts):
    Path({str(begun)!r}).touch()
    while not Path({str(gate)!r}).exists():
        time.sleep(0.001)
    right(self, parameters, reads, writes, part, parts)
Saxpy.cpu = cpu
"""
    client, said = DeviceClient("cpu", real("cpu", waiting)), asyncio.Queue[bool]()
    running = asyncio.create_task(client.run(request(), ignore, on_paused=said.put_nowait))
    while not begun.exists():  # noqa: ASYNC110  nobody says so
        await asyncio.sleep(0.001)
    client.pause()
    await asyncio.sleep(0.2)
    assert said.empty()
    gate.touch()
    assert await said.get() is True
    client.resume()
    assert await said.get() is False
    assert (await running).outcome == "finished"
    await client.close()


async def test_that_prints_in_the_process_do_not_reach_the_messages() -> None:
    noise = """
import os
from engine.runtime.cpu import CpuDevice
prepare = CpuDevice.prepare
def noisy(self, program, seed):
    print("noise", flush=True)
    os.write(1, b"noise")
    os.system("echo noise; cat")
    prepare(self, program, seed)
CpuDevice.prepare = noisy
"""
    client = DeviceClient("cpu", real("cpu", noise))
    ended = await client.run(request(), ignore)
    await client.close()
    assert (ended.outcome, ended.is_verified) == ("finished", True)


async def test_that_a_wrong_kernel_is_not_verified() -> None:
    wrong = """
from engine.kernels.saxpy import Saxpy
right = Saxpy.cpu
def cpu(self, parameters, reads, writes, part, parts):
    right(self, parameters, reads, writes, part, parts)
    if part == parts - 1:
        writes[0][-1] += 0.25
Saxpy.cpu = cpu
"""
    client = DeviceClient("cpu", real("cpu", wrong))
    ended = await client.run(request(), ignore)
    await client.close()
    assert (ended.outcome, ended.is_verified) == ("finished", False)


@pytest.mark.skipif(has_driver(), reason="there is an NVIDIA driver")
async def test_that_a_device_that_is_not_there_says_so() -> None:
    client = DeviceClient("cuda", real("cuda"))
    with pytest.raises(DeviceError, match="There is no NVIDIA driver"):
        await client.start()


async def test_that_a_process_that_takes_too_long_to_come_up_is_ended_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "HELLO_SECONDS", 0.1)
    client = DeviceClient("cpu", real("cpu", "import time; time.sleep(60)"))
    with pytest.raises(DeviceError, match=r"The cpu device process did not come up within 0\.1 s and was ended\."):
        await client.start()


async def test_that_a_process_that_is_closed_while_it_comes_up_is_no_fault_of_the_process() -> None:
    client = DeviceClient("cpu", real("cpu", "import time; time.sleep(60)"))
    starting = asyncio.create_task(client.start())
    while client._connection is None:  # noqa: ASYNC110  nobody says so
        await asyncio.sleep(0.001)
    await client.close()
    with pytest.raises(DeviceError, match="The cpu device was closed while it came up"):
        await starting


async def test_that_a_process_that_does_not_come_up_is_said_in_a_sentence() -> None:
    client = DeviceClient("cpu", real("cpu", "import os; os._exit(3)"))
    with pytest.raises(DeviceError, match=r"The cpu device process did not come up \(exit code 3\)."):
        await client.start()


async def test_that_closing_leaves_neither_process_nor_memory() -> None:
    client = DeviceClient("cpu", real("cpu"))
    await client.start()
    assert client._ring is not None
    name, process = client._ring.name, client._connection
    await client.close()
    assert isinstance(process, ProcessConnection)
    assert process._process.returncode == 0
    with pytest.raises(FileNotFoundError):
        SharedMemory(name)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux can wait for a process that is no child")
def test_that_a_window_that_dies_takes_the_process_with_it() -> None:
    code = f"""
import asyncio
from engine.process import client as client_module
from engine.process.client import DeviceClient
from tests.engine.process.small import real, request
async def main():
    client = DeviceClient("cpu", real("cpu"))
    await client.run(request(repeat={LONG}), lambda rows: print(client._connection.pid, flush=True))
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as window:
        assert window.stdout is not None
        watched = os.pidfd_open(int(window.stdout.readline()))
        window.kill()
        ended, _, _ = select.select([watched], [], [], 20)
        os.close(watched)
    assert ended


def test_that_the_app_starts_its_device_process_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    executable, app, *rest = device_command("cpu")
    assert (executable, Path(app).name, rest) == (sys.executable, "app.py", ["--device-process", "cpu"])
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert device_command("cpu") == (sys.executable, "--device-process", "cpu")


async def test_that_the_process_is_nicer_than_the_window() -> None:
    client = DeviceClient("cpu", real("cpu"))
    await client.start()
    niceness = os.getpriority(os.PRIO_PROCESS, pid_of(client))
    await client.close()
    assert niceness > os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no process groups here")
@pytest.mark.parametrize("how", ["close", "kill", "window gone"])
async def test_that_what_a_device_process_started_ends_with_it(how: str) -> None:
    before = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, file=sys.stderr, flush=True)"
    code = f"{before}\nfrom engine.process.host import main; main('cpu')"
    read, write = os.pipe()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=-1, stdout=-1, stderr=write, process_group=0
    )
    os.close(write)
    with os.fdopen(read) as told:
        child = int(told.readline())
    connection = ProcessConnection(process)
    assert await connection.receive() is not None
    if how == "close":
        await connection.close()
    elif how == "kill":
        connection.kill()
    else:
        process.stdin.close()
    await process.wait()
    async with asyncio.timeout(20):
        while Path(f"/proc/{child}/cmdline").exists() and Path(f"/proc/{child}/cmdline").read_bytes():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
