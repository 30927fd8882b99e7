"""The way to the process of the exact solver, for the process that searches. It never imports the solver."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from engine.optimize.problem import Evaluation
from engine.process import frames
from engine.process.connection import ONE_THREAD, OWN_GROUP, own_command
from engine.process.solve_messages import Bettered, ProveReply, ProveRequest

PROVE = "--prove"


class ProverClient:
    """One process for one problem. `command` replaces how this app starts itself."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def follow(self, request: ProveRequest, hear: Callable[[ProveReply], object]) -> None:
        """Starts it and hears what it tells to its end; canceling the await ends the process."""
        packed = await asyncio.to_thread(frames.pack, request)
        process = self._process = await asyncio.create_subprocess_exec(
            *(self._command or own_command(PROVE)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **ONE_THREAD},
            process_group=OWN_GROUP,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(packed)
            while (reply := await frames.receive(process.stdout)) is not None:
                hear(reply)
        finally:
            self._process = None
            process.stdin.close()
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
            await process.wait()

    def tell(self, best: Evaluation) -> None:
        """News of a better plan; it may be lost where the process has ended."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(frames.pack(Bettered(best)))
