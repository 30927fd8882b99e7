"""Advice on a device plan, found in a process of its own of the lowest priority: one question, one answer, its end.

It never opens a device and never keeps a plan; neither the window nor a run waits for it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from engine.errors import EngineError
from engine.process import frames
from engine.process.connection import ONE_THREAD, OWN_GROUP, own_command
from engine.process.messages import AdviceRequest, Advised
from engine.program.advice import Advice, advise
from engine.program.profile import DeviceProfile

LOWEST = 19


async def ask(request: AdviceRequest, command: Sequence[str] = ()) -> tuple[Advice, ...]:
    """What is advised for a plan. Canceling the await ends the process; one that was killed has nothing to say.

    `command` replaces how this app starts itself. Raises RuntimeError when the process ends with a mistake.
    """
    packed = await asyncio.to_thread(frames.pack, request)
    process = await asyncio.create_subprocess_exec(
        *(command or own_command("--advise")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **ONE_THREAD},
        creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
        process_group=OWN_GROUP,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(packed)
        reply: Advised | None = await frames.receive(process.stdout)
        code = await process.wait()
    finally:
        process.stdin.close()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if code > 0:
        raise RuntimeError(f"the process that advises ended with exit code {code}")
    return () if reply is None else reply.found


def main() -> None:
    """The process: reads a question from stdin, writes the answer to stdout."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)
    with os.fdopen(0, "rb", buffering=0) as questions, os.fdopen(os.dup(1), "wb", buffering=0) as answers:
        request = frames.read(questions)
        if request is not None:
            frames.write(answers, answer(request))


def answer(request: AdviceRequest) -> Advised:
    """The answer to a question; a plan that cannot run gets no advice."""
    end = time.monotonic() + request.seconds
    try:
        profile = DeviceProfile.from_json(request.profile)
        return Advised(advise(request.plan, profile, request.folder, lambda: time.monotonic() < end))
    except EngineError:
        return Advised(())
