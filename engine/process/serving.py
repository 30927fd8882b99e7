"""A process that answers questions over its pipes, politely, until the window has gone. It never asks any itself."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Protocol

from engine.process import frames
from engine.schedule.cpm import use_compiled

NICENESS = 10


class Answering(Protocol):
    """Requests in, replies out."""

    def send(self, request: Any) -> None:
        """Takes a request."""

    async def receive(self) -> object | None:
        """The next reply, or None once it has left."""


def serve(start: Callable[[], Answering]) -> None:
    """Answers what comes on the standard input, to the end of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    use_compiled()
    with os.fdopen(requests, "rb", buffering=0) as asked, os.fdopen(replies, "wb", buffering=0) as answers:
        asyncio.run(_talk(start, asked, answers))


async def _talk(start: Callable[[], Answering], requests: BinaryIO, replies: BinaryIO) -> None:
    answering, loop = start(), asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(requests, loop, answering), name="requests", daemon=True).start()
    with suppress(OSError):  # the window has gone
        while (reply := await answering.receive()) is not None:
            frames.write(replies, reply)
    os._exit(0)


def _listen(requests: BinaryIO, loop: asyncio.AbstractEventLoop, answering: Answering) -> None:
    while (request := frames.read(requests)) is not None:
        loop.call_soon_threadsafe(answering.send, request)
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # and what it has started with it
    os._exit(0)
