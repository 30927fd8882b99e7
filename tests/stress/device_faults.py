"""Ends runs, device processes and windows in the middle, at random, and looks at what is left.

    python -m tests.stress.device_faults FAULTS SEED

A fault is a kind, an instant and a device: one that the simulated device shows, a cancel, a device process or a window
that is killed, or no shared memory. Prints a JSON object: how many of each, and all that was wrong: a run that did not
end as it should, a process, a piece of shared memory or a file that should have gone.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.errors import DeviceError
from engine.process import client as client_module
from engine.process import ring as ring_module
from engine.process.client import DeviceClient
from engine.process.connection import ProcessConnection
from engine.process.messages import RunEnded, RunRequest
from engine.process.ring import Ring
from engine.program.profile import load_profile
from engine.program.simulation import FAULTS, Simulation, parse_faults
from engine.trace.timeline import Timeline
from tests.engine.process.small import program, real, request

OTHERS = ("cancel", "close", "kill device", "kill window", "no shared memory")
OUTCOMES = {
    "memory": "finished",
    "slow-copies": "finished",
    "wrong": "finished",
    "cancel": "canceled",
    "hang": "canceled",
}
LONGEST_S = 0.1
# A machine that is busy with other tests is no fault.
LONGEST_RUN_S = 600.0
MARK = "WARPLOOM_STRESS"
PROFILE = load_profile("cpu-default").to_json()
# So long what is left may take to go: a device process sees that its window has gone, a tracker frees the memory.
PATIENCE_S = 20.0


class Window:
    """The window's side of a device of each kind, in a process that may be killed. It prints what it makes and sees."""

    def __init__(self, seed: int) -> None:
        self._numbers = random.Random(seed)
        self._clients = {kind: DeviceClient(kind, real(kind)) for kind in ("simulated", "cpu")}
        self._run = 0

    async def live(self, count: int) -> None:
        """Suffers `count` faults, unless it is killed by one."""
        for _ in range(count):
            kind = self._numbers.choice((*FAULTS, *OTHERS))
            device = "simulated" if kind in FAULTS else self._numbers.choice(("simulated", "cpu"))
            say("fault", f"{kind}, {device}")
            if wrong := await self._suffer(kind, self._clients[device]):
                say("wrong", f"{kind}, {device}: {wrong}")
        for client in self._clients.values():
            ended = await client.run(self._request(""), lambda _: None)
            if not ended.is_verified:
                say("wrong", f"a run after all faults: {ended}")
            await client.close()

    async def _suffer(self, kind: str, client: DeviceClient) -> str:
        """What was wrong with how one run ended; nothing when all was right."""
        timeline = Timeline(("work", "out"), {})
        if kind == "no shared memory":
            return await self._starve(client)
        running = asyncio.create_task(client.run(self._request(kind), timeline.extend))
        if kind in OTHERS or kind == "hang":
            await asyncio.sleep(self._numbers.uniform(0, LONGEST_S))
            await self._disturb(kind, client, running)
        try:
            ended = await asyncio.wait_for(running, LONGEST_RUN_S)
        except DeviceError as error:
            ended = RunEnded(0, "failed", error.sentence)
        if ended.outcome != OUTCOMES.get(kind, "failed") or (ended.outcome == "failed" and ended.error[-1:] != "."):
            return f"{ended.outcome}, “{ended.error}”"
        return ""

    async def _starve(self, client: DeviceClient) -> str:
        """A process has to be started, and there is no memory for its ring."""
        await client.close()
        reserve, ring_module._reserve = ring_module._reserve, _none_left
        try:
            ended = await client.run(self._request(""), lambda _: None)
        except DeviceError as error:
            return "" if "shared memory" in error.sentence else error.sentence
        finally:
            ring_module._reserve = reserve
        return f"it ran: {ended}"

    def _request(self, kind: str) -> RunRequest:
        self._run += 1
        words = [f"{kind}@{self._numbers.randint(1, 3)}"] if kind in FAULTS else []
        simulation = Simulation(0.0, parse_faults(words, program()))
        wish = request(self._run, repeat=100_000 if kind in OTHERS else 3)
        return replace(wish, profile=PROFILE, simulation=simulation)

    async def _disturb(self, kind: str, client: DeviceClient, running: asyncio.Task[RunEnded]) -> None:
        if kind == "close":
            await client.close()
        elif kind == "kill window":
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind == "kill device":
            while client._deadline is None and not running.done():  # noqa: ASYNC110  nobody says so
                await asyncio.sleep(0.001)
            if isinstance(client._connection, ProcessConnection):
                client._connection.kill()
        else:
            client.cancel()


def _none_left(_memory: object, _size: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def say(what: str, word: str) -> None:
    print(json.dumps([what, word]), flush=True)


def watch_rings() -> None:
    """Has the name of every ring said."""
    create = Ring.create

    def watched(capacity: int) -> Ring:
        ring = create(capacity)
        say("memory", ring.name)
        return ring

    Ring.create = watched  # type: ignore[method-assign]


def windows(faults: int, seed: int, folder: str) -> Iterator[list[str]]:
    """What windows say that live one after the other until there were so many faults."""
    left, number = faults, 0
    while left:
        number += 1
        command = [sys.executable, "-m", "tests.stress.device_faults", "--window", str(left), str(seed + number)]
        environment = {**os.environ, MARK: folder, "TMPDIR": folder}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as window:
            assert window.stdout is not None
            for line in window.stdout:
                said = json.loads(line)
                left -= said[0] == "fault"
                yield said
        if window.returncode not in (0, -signal.SIGKILL):
            yield ["wrong", f"a window ended with {window.returncode}"]


def processes_of(folder: str) -> list[str]:
    """The processes that a window of this run has started, or that these have."""
    found, mark = [], f"{MARK}={folder}".encode()
    for place in Path("/proc").iterdir():
        with suppress(OSError):
            if place.name.isdecimal() and mark in (place / "environ").read_bytes().split(b"\0"):
                found.append((place / "cmdline").read_text().replace("\0", " "))
    return found


def left_by(folder: str, memory: set[str]) -> list[str]:
    """What should have gone, once all has had the time to go."""
    end = time.monotonic() + PATIENCE_S
    while True:
        left = [f"process: {line}" for line in processes_of(folder)]
        left += [f"memory: {name}" for name in sorted(memory) if Path("/dev/shm", name).exists()]
        left += [f"file: {path.name}" for path in Path(folder).iterdir()]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.1)


def main(faults: int, seed: int) -> dict[str, object]:
    """The whole of it."""
    counts: Counter[str] = Counter()
    wrong, memory = [], set()
    with tempfile.TemporaryDirectory(prefix="warploom-stress-") as folder:
        for what, word in windows(faults, seed, folder):
            if what == "fault":
                counts[word] += 1
            elif what == "memory":
                memory.add(word)
            else:
                wrong.append(word)
        wrong += left_by(folder, memory)
    return {"faults": sum(counts.values()), "kinds": dict(sorted(counts.items())), "rings": len(memory), "wrong": wrong}


if __name__ == "__main__":
    if sys.argv[1] == "--window":
        client_module.LOSSES_SECONDS = 0.0  # it is lost more often than anybody would bear
        client_module.HELLO_SECONDS = LONGEST_RUN_S
        watch_rings()
        asyncio.run(Window(int(sys.argv[3])).live(int(sys.argv[2])))
    else:
        print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
