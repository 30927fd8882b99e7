"""Connection: the way to one running device process, and how that process is started and ended.

It never knows what a run is, and never imports the host: it starts the host by name.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from engine.gpu import environment
from engine.model import Plan
from engine.process import frames
from engine.process.messages import Control, Reply, Request
from engine.process.plan_wire import Packed, PlanSender

LEAVE_SECONDS = 2.0

# Ctrl+C in a terminal goes to a whole group: one of its own keeps it from a process that has not begun to ignore it.
OWN_GROUP = 0 if os.name == "posix" else None

# The device's workers are the threads that count; libraries that start a team of their own would fight with them.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Connection(Protocol):
    """The way to a device's host: a process, or in tests the host object itself."""

    @property
    def is_open(self) -> bool:
        """Whether the other end still lives."""

    def send(self, request: Request) -> None:
        """Sends a request; one to an end that has gone is lost."""

    async def receive(self) -> Reply | None:
        """The next reply, or None once the other end has gone."""

    def kill(self) -> None:
        """Ends the other end at once."""

    async def close(self) -> str:
        """Asks the other end to leave, then makes it. Returns how it ended, such as "signal 9"."""


class Pipes:
    """The pipes of a process that was started to be asked."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._requests = process.stdin
        self._replies = process.stdout

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def is_open(self) -> bool:
        """Whether the process still runs."""
        return self._process.returncode is None

    def send(self, request: Request) -> None:
        """Queues a request; the loop writes it."""
        self._write(frames.pack(request))

    def _write(self, frame: bytes) -> None:
        if not self._requests.is_closing():
            self._requests.write(frame)

    async def receive(self) -> Any:
        """The next reply, or None once the process has gone."""
        return await frames.receive(self._replies)

    def kill(self) -> None:
        """Ends the process at once, and what it started."""
        if self.is_open:
            with suppress(ProcessLookupError):
                self._process.kill()
            self._end_group()

    def _end_group(self) -> None:
        """Ends what the process may have started, a person's own kernels among it: that is in its group."""
        if OWN_GROUP is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


class ProcessConnection(Pipes):
    """The pipes of a device process."""

    async def close(self) -> str:
        """Asks the process to leave, kills it after LEAVE_SECONDS, and returns how it ended."""
        self.send(Control("quit"))
        try:
            await asyncio.wait_for(self._process.wait(), LEAVE_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        finally:
            self._requests.close()
            self._end_group()
        return _ending(self._process.returncode)


class AnsweringProcess(Pipes):
    """The pipes of a process that this app starts by `OPTION`, and that answers until they close (serving.py)."""

    OPTION: ClassVar[str]

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__(process)
        self._plans = PlanSender()

    @classmethod
    async def start(cls) -> Self:
        """Starts it. Raises OSError."""
        return cls(await _started(own_command(cls.OPTION), {}))

    async def packed(self, request: object) -> Packed:
        """A request as `send` takes it without holding the loop up: packed in a worker, as a large plan needs."""
        return await asyncio.to_thread(self._plans.pack, request)

    def post(self, request: object, plan: Plan) -> bool:
        """Queues a request about a plan at once, where packing it takes no time to speak of; whether it has."""
        if not self._plans.is_near(plan):
            return False
        self.send(request)
        return True

    def send(self, request: object) -> None:
        """Queues a request, packed or not; the loop writes it."""
        packed = request if isinstance(request, Packed) else self._plans.pack(request)
        self._plans.sent(packed)
        self._write(frames.framed(packed.body))

    async def close(self) -> None:
        """Ends the process: nothing of it is worth waiting for."""
        self._requests.close()
        self.kill()
        await self._process.wait()


async def spawn(kind: str, command: Sequence[str] = ()) -> ProcessConnection:
    """Starts the device process of a kind. `command` replaces how this app starts itself."""
    return ProcessConnection(await _started(command or device_command(kind), environment(kind, os.environ)))


async def _started(command: Sequence[str], more: Mapping[str, str]) -> asyncio.subprocess.Process:
    """A process of low priority with pipes, and with more in its environment."""
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **ONE_THREAD, **more},
        creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        process_group=OWN_GROUP,
    )


def device_command(kind: str) -> tuple[str, ...]:
    """How this app starts a device process."""
    return own_command("--device-process", kind)


def own_command(*arguments: str) -> tuple[str, ...]:
    """How this app starts itself once more: by itself when it is frozen, else through app.py."""
    app = () if getattr(sys, "frozen", False) else (str(Path(__file__).resolve().parents[2] / "app.py"),)
    return (sys.executable, *app, *arguments)


def _ending(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
