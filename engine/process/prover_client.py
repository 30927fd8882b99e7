"""The way to the process of the exact solver, for the process that searches. It never imports the solver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from engine.optimize.problem import Evaluation
from engine.process.connection import AnsweringProcess
from engine.process.solve_messages import Bettered, ProveReply, ProveRequest

_leaving: set[asyncio.Future[None]] = set()


class ProverProcess(AnsweringProcess):
    """The pipes of the process of the exact solver."""

    OPTION = "--prove"


class ProverClient:
    """One process for one problem."""

    def __init__(self) -> None:
        self._process: ProverProcess | None = None

    async def follow(self, request: ProveRequest, hear: Callable[[ProveReply], object]) -> None:
        """Starts it and hears what it tells to its end; canceling the await ends the process, and waits for nothing."""
        process = self._process = await ProverProcess.start()
        try:
            process.send(request)
            while (reply := await process.receive()) is not None:
                hear(reply)
        finally:
            self._process = None
            process.kill()  # it may take long to give its memory back
            closing = asyncio.ensure_future(process.close())
            _leaving.add(closing)
            closing.add_done_callback(_leaving.discard)

    def tell(self, best: Evaluation) -> None:
        """News of a better plan; it may be lost where the process has ended."""
        if self._process is not None:
            self._process.send(Bettered(best))
