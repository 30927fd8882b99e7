"""A process that answers questions over its pipes, politely, until the window has gone. It never asks any itself."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Protocol

from engine.model import Plan
from engine.process import frames
from engine.process.plan_wire import PlanReceiver
from engine.process.solve_messages import Cancel
from engine.schedule.cpm import use_compiled

NICENESS = 10
# What a new request asks for waits for no more than that of a thread that computes for the one before.
_SWITCH_S = 0.001
# What was canceled has so long to end before the next one begins beside it.
_PATIENCE_S = 0.05


class Job(Protocol):
    """What serves one request."""

    @property
    def is_alone(self) -> bool:
        """Whether no other may begin before its end: it has what is for one thread at a time."""

    def cancel(self) -> None:
        """End it soon."""

    async def begin(self) -> None:
        """What can be told at once, while the one before still ends."""

    async def run(self) -> Any:
        """To the end, whatever that is; gives the last reply."""


class NewestFirst:
    """Requests in, one served at a time, the newest at once; replies out.

    `job_of(request, tell)` makes what serves a request. It is a connection itself, for who asks in this process.
    """

    def __init__(self, job_of: Callable[[Any, Callable[[Any], object]], Job]) -> None:
        self._job_of = job_of
        self._replies: asyncio.Queue[Any] = asyncio.Queue()
        self._job: Job | None = None
        self._serving: tuple[Job, asyncio.Task[None]] | None = None
        self.is_open = True

    async def packed(self, request: Any) -> Any:
        """The request itself: nothing crosses to another process."""
        return request

    def post(self, request: Any, _plan: Plan) -> bool:
        """Takes a request at once."""
        self.send(request)
        return True

    def send(self, request: Any) -> None:
        """Takes a request, which ends the one before, or a Cancel, which ends that one alone."""
        if self._job is not None:
            self._job.cancel()
        if not isinstance(request, Cancel) and self.is_open:
            self._job = self._job_of(request, self._replies.put_nowait)
            serving = asyncio.get_running_loop().create_task(self._serve(self._job, self._serving))
            self._serving = self._job, serving

    async def receive(self) -> Any:
        """The next reply, or None once it has left."""
        return await self._replies.get()

    def kill(self) -> None:
        """Leaves at once."""
        if self.is_open:
            self.is_open = False
            self.send(Cancel())
            self._replies.put_nowait(None)

    async def close(self) -> None:
        """Leaves, and waits for what goes on."""
        self.kill()
        if self._serving is not None:
            await asyncio.wait([self._serving[1]])

    async def _serve(self, job: Job, before: tuple[Job, asyncio.Task[None]] | None) -> None:
        await job.begin()
        while before is not None and not before[1].done():
            await asyncio.wait([before[1]], timeout=_PATIENCE_S)
            if not before[0].is_alone:
                break
        self._replies.put_nowait(await job.run())


def serve(start: Callable[[], NewestFirst], niceness: int = NICENESS) -> None:
    """Answers what comes on the standard input, to the end of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    use_compiled()
    sys.setswitchinterval(_SWITCH_S)
    with os.fdopen(requests, "rb", buffering=0) as asked, os.fdopen(replies, "wb", buffering=0) as answers:
        asyncio.run(_talk(start, asked, answers))


def set_aside_after(loaded: threading.Event) -> None:
    """Once all is loaded no collection looks at it again: compiled code alone takes one 50 ms, of all threads."""
    loaded.wait()
    gc.collect()
    gc.freeze()


async def _talk(start: Callable[[], NewestFirst], requests: BinaryIO, replies: BinaryIO) -> None:
    answering, loop = start(), asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(requests, loop, answering), name="requests", daemon=True).start()
    with suppress(OSError):  # the window has gone
        while (reply := await answering.receive()) is not None:
            frames.write(replies, reply)
    os._exit(0)


def _listen(requests: BinaryIO, loop: asyncio.AbstractEventLoop, answering: NewestFirst) -> None:
    plans = PlanReceiver()
    while (request := frames.read(requests, plans.load)) is not None:
        loop.call_soon_threadsafe(answering.send, request)
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # and what it has started with it
    os._exit(0)
